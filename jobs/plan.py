"""What a job has decided before it reads a row: plain data, the same for every worker."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Columns:
    """Where things live in the log, and what goes into the scored table.

    Attributes:
        response: the column of the response.
        references: the columns of the references; none in a job without one.
        id: the column that becomes ``run_id``, or None.
        time: the column that becomes a timestamp in UTC, or None.
        kept: name and type of each input column in the scored table, in order. Types are
            ``string``, ``bool``, ``int32``, ``int64``, ``double``, ``date32``, ``timestamp`` and
            ``json`` (a nested column as text).
        keys: name and type of each key of the consistency table, kept or not; none without it.
    """

    response: str
    references: tuple[str, ...]
    id: str | None
    time: str | None
    kept: tuple[tuple[str, str], ...]
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def read(self) -> list[str]:
        """The columns that the job reads from a shard."""
        names = [self.response, *self.references, *(name for name, _ in (*self.kept, *self.keys))]
        return list(dict.fromkeys([*names, *([self.id] if self.id else [])]))


@dataclass(frozen=True)
class ScorerSpec:
    """A scorer of the job.

    Attributes:
        prefix: of its columns.
        type: its name in the registry.
        options: all of them, resolved.
        signature: what produced its scores.
    """

    prefix: str
    type: str
    options: dict[str, Any]
    signature: str


def signatures(specs: Iterable[ScorerSpec]) -> dict[str, str]:
    """Say in a file's footer what produced its scores."""
    return {f"tonelog.{spec.prefix}": spec.signature for spec in specs}


@dataclass(frozen=True)
class Grouping:
    """Keys by which runs are grouped; none for all runs.

    Example:
        >>> Grouping(()).name, Grouping(("agent", "model")).name
        ('all', 'agent+model')
    """

    keys: tuple[str, ...]

    @property
    def name(self) -> str:
        """What the summary calls it."""
        return "+".join(self.keys) or "all"


@dataclass(frozen=True)
class Plan:
    """Everything that scoring and summarizing need to know, decided once.

    Attributes:
        columns: the mapping of the log.
        scorers: in the order of their columns.
        by: key columns of the summary.
        groupings: in the order of the summary's rows.
        sentences: whether the sentences table is written.
        cell_bytes: a longer text is unscored.
        batch_rows: most rows in memory at once, per worker.
        consistency_cap: most responses of a group that are compared with each other.
    """

    columns: Columns
    scorers: tuple[ScorerSpec, ...]
    by: tuple[str, ...]
    groupings: tuple[Grouping, ...]
    sentences: bool
    cell_bytes: int
    batch_rows: int
    consistency_cap: int = 200


@dataclass(frozen=True)
class Survey:
    """What a shard's footer says.

    Attributes:
        path: the shard's.
        n_rows: its rows; 0 if it is rejected.
        rejected: why it cannot be scored, or None.
    """

    path: str
    n_rows: int
    rejected: str | None = None


@dataclass(frozen=True)
class Preparation:
    """A plan, and what was found out on the way to it.

    Attributes:
        plan: what was decided.
        surveys: one per shard, in their order.
        notes: choices that the user did not make herself, to be said out loud.
    """

    plan: Plan
    surveys: tuple[Survey, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """What became of a shard.

    Attributes:
        shard: its path.
        stem: of the files made from it.
        n_rows: runs scored and unscored.
        unscored: runs without a score, by scorer and reason.
        n_times_lost: values of the time column that are no time, and null in the output.
        files: what was published: path below the output folder, and SHA-256.
    """

    shard: str
    stem: str
    n_rows: int
    unscored: dict[str, dict[str, int]]
    n_times_lost: int
    files: dict[str, str]


@dataclass(frozen=True)
class Summaries:
    """The summaries of a partition, as plain data for whoever shows them.

    Attributes:
        rows: the summary's rows, by column.
        bands: the bands table's rows, by column.
        keys: the keys of each grouping, by its name.
        flags: the share of all scored runs that raise a flag, by scorer and flag.
        warnings: what the summary should make a reader doubt.
        files: what was published: path below the output folder, and SHA-256.
    """

    rows: list[dict[str, Any]]
    bands: list[dict[str, Any]]
    keys: dict[str, tuple[str, ...]]
    flags: dict[str, dict[str, float]]
    warnings: list[str]
    files: dict[str, str]


@dataclass(frozen=True)
class Consistency:
    """What the consistency table of a partition holds, in short.

    Attributes:
        n_groups: its rows.
        mean_similarity: the mean over groups of two or more responses; None without any.
        n_without_key: runs that belong to no group, since a key of theirs is null.
        files: what was published: path below the output folder, and SHA-256.
    """

    n_groups: int
    mean_similarity: float | None
    n_without_key: int
    files: dict[str, str]
