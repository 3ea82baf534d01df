"""Run-to-run consistency: how alike the responses are of runs that share a key.

Groups lie across shards, and there may be as many as runs. So the parts record a line for each run,
without its text; at the end SQLite brings the lines of a group together on disk, in bounded memory,
and only the texts of each group's sample are read again from the log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import polars as pl

from ...scorers.similarity import GROUP_VERSION, group_similarity
from ..errors import InputError
from ..log.columns import map_responses
from ..log.read import read_batches
from ..plan import Consistency, Plan, signatures
from .consistency_rows import FRACTION_BITS, SEED, digest_of, key_columns
from .manifest import TEMPORARY, OutputTree
from .summary import mean_and_std
from .write import PartWriter

STATISTICS: Final = pl.Schema(
    {
        "n": pl.Int64,
        "n_unscored": pl.Int64,
        "n_compared": pl.Int64,
        "mean_similarity": pl.Float64,
        "min_similarity": pl.Float64,
        "tone_std": pl.Float64,
        "share_identical": pl.Float64,
        "signature": pl.String,
    }
)
"""The columns of the table, after one String column per key."""

SAMPLE_CHARACTERS: Final = 1_000_000
"""A sample takes no further response once it holds so many: its time is quadratic in them."""

_ROWS: Final = 8192
_CACHE_KIB: Final = 64 * 1024


@dataclass
class _Group:
    """The runs of a key, taken in one by one in the order of the sample."""

    cap: int
    n: int = 0
    n_unscored: int = 0
    characters: int = 0
    n_toned: int = 0
    total: int = 0
    squares: int = 0
    sample: list[tuple[int, int, str]] = field(default_factory=list)

    def add(self, run: Sequence[Any]) -> None:
        part, row, digest, characters, sentiment = run
        if sentiment is not None:
            self.n_toned += 1
            self.total += sentiment
            self.squares += sentiment**2
        if digest is None:
            self.n_unscored += 1
            return
        self.n += 1
        if len(self.sample) < self.cap and self.characters < SAMPLE_CHARACTERS:
            self.sample.append((part, row, digest))
            self.characters += characters

    @property
    def tone_std(self) -> float | None:
        return mean_and_std(self.n_toned, self.total, self.squares, FRACTION_BITS)[1]


def compare_runs(
    tree: OutputTree, plan: Plan, parts: Sequence[tuple[str, str]], n_rows: int
) -> Consistency:
    """Write the consistency table of a partition: a task at the end of a job.

    Args:
        tree: where the parts' runs lie, and the table goes.
        plan: what the job has decided.
        parts: each part's shard and stem.
        n_rows: runs in all parts, those without a key among them.

    Raises:
        InputError: a shard cannot be read again, or is not what it was.
    """
    path = tree.folder("_manifest") / f".runs{TEMPORARY}"
    path.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(path)) as store:
            for pragma in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_CACHE_KIB}"):
                store.execute(f"PRAGMA {pragma}")
            return _compare(store, tree, plan, parts, n_rows)
    finally:
        path.unlink(missing_ok=True)


def runs_file(tree: OutputTree, stem: str) -> Path:
    """Where the runs of a part lie, which ``runs_of`` made."""
    return tree.partials / f"{stem}.runs.parquet"


def signature_of(plan: Plan) -> str:
    """Say what produced the table's numbers, in the form of a scorer's signature."""
    return (
        f"consistency|cap:{plan.consistency_cap}|characters:{SAMPLE_CHARACTERS}|seed:{SEED}"
        f"|version:{GROUP_VERSION}"
    )


def _compare(
    store: sqlite3.Connection,
    tree: OutputTree,
    plan: Plan,
    parts: Sequence[tuple[str, str]],
    n_rows: int,
) -> Consistency:
    keys = key_columns(len(plan.columns.keys))
    columns = [*keys, "sample", "part", "row", "digest", "characters", "sentiment"]
    store.execute(f"CREATE TABLE runs ({', '.join(columns)})")
    store.execute(
        "CREATE TABLE chosen (part, row, grp, digest, PRIMARY KEY (part, row)) WITHOUT ROWID"
    )
    store.execute("CREATE TABLE texts (grp, text)")
    for number, (_, stem) in enumerate(parts):
        _insert(store, "runs", columns, _run_rows(runs_file(tree, stem), number, columns))
    n_runs = store.execute("SELECT count(*) FROM runs").fetchone()[0]
    groups = ", ".join([*keys, "n", "n_unscored", "n_compared", "tone_std"])
    store.execute(f"CREATE TABLE groups ({groups})")
    _choose(store, keys, plan.consistency_cap)
    for number, (shard, _) in enumerate(parts):
        _insert(store, "texts", ("grp", "text"), _texts(store, number, shard, plan))
    path = tree.file("consistency", "consistency")
    digest, n_groups, mean = _write(path, _table_rows(store, keys, signature_of(plan)), plan)
    return Consistency(n_groups, mean, n_rows - n_runs, {tree.relative(path): digest})


def _run_rows(path: Path, part: int, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    """Give the runs of a part, batch by batch."""
    for batch in read_batches(str(path), columns, _ROWS):
        frame = pl.DataFrame(pl.from_arrow(batch)).with_columns(pl.lit(part).alias("part"))
        yield from frame.select(columns).iter_rows()


def _choose(store: sqlite3.Connection, keys: list[str], cap: int) -> None:
    """Sum up each group, and choose its sample: the runs whose texts are to be read."""
    by = ", ".join(keys)
    runs = store.execute(
        f"SELECT {by}, part, row, digest, characters, sentiment FROM runs "  # noqa: S608 - our names
        f"ORDER BY {by}, sample, digest, part, row"
    )
    grouped = groupby(runs, itemgetter(slice(len(keys))))
    columns = [*keys, "n", "n_unscored", "n_compared", "tone_std"]
    for number, (key, members) in enumerate(grouped):
        group = _Group(cap)
        for run in members:
            group.add(run[len(keys) :])
        values = (group.n, group.n_unscored, len(group.sample), group.tone_std)
        _insert(store, "groups", columns, [(*key, *values)])
        if len(group.sample) > 1:
            chosen = ((part, row, number, digest) for part, row, digest in group.sample)
            _insert(store, "chosen", ("part", "row", "grp", "digest"), chosen)


def _texts(
    store: sqlite3.Connection, part: int, shard: str, plan: Plan
) -> Iterator[tuple[int, str]]:
    """Read the chosen texts of a shard again, each with the number of its group."""
    first_row = 0
    for batch in read_batches(shard, [plan.columns.response], plan.batch_rows):
        chosen = store.execute(
            "SELECT row, grp, digest FROM chosen WHERE part = ? AND row >= ? AND row < ?",
            (part, first_row, first_row + batch.num_rows),
        ).fetchall()
        responses = map_responses(batch, plan.columns) if chosen else None
        for row, group, digest in chosen:
            text = None if responses is None else responses[row - first_row]
            if text is None or digest_of(text) != digest:
                raise InputError(
                    shard, "has changed since it was scored", "expected it to stay", "run again"
                )
            yield group, text
        first_row += batch.num_rows


def _table_rows(
    store: sqlite3.Connection, keys: list[str], signature: str
) -> Iterator[tuple[Any, ...]]:
    """Compare the texts of each group, and give the rows of the table, in the order of keys."""
    by = ", ".join(keys)
    groups = store.execute("SELECT * FROM groups ORDER BY rowid")
    largest = store.execute(
        f"SELECT max(n) FROM (SELECT {by}, count(digest) AS n FROM runs GROUP BY {by}, digest) "  # noqa: S608 - our names
        f"GROUP BY {by} ORDER BY {by}"
    )
    texts = groupby(store.execute("SELECT grp, text FROM texts ORDER BY grp"), itemgetter(0))
    for group, (most,) in zip(groups, largest, strict=True):
        *key, n, n_unscored, n_compared, tone_std = group
        similarity: tuple[float | None, float | None] = (None, None)
        if n_compared > 1:
            similarity = group_similarity([text for _, text in next(texts)[1]])
        share = most / n if n else None
        yield (*key, n, n_unscored, n_compared, *similarity, tone_std, share, signature)


def _write(
    path: Path, rows: Iterator[tuple[Any, ...]], plan: Plan
) -> tuple[str, int, float | None]:
    """Write the table: its SHA-256, its rows, and the mean of its mean similarities."""
    names = [name for name, _ in plan.columns.keys]
    schema = pl.Schema([*((name, pl.String()) for name in names), *STATISTICS.items()])
    total, n = 0.0, 0
    metadata = signatures(plan.scorers) | {"tonelog.consistency": signature_of(plan)}
    with PartWriter(path, schema, metadata) as writer:
        while some := list(islice(rows, _ROWS)):
            frame = pl.DataFrame(some, schema, orient="row")
            writer.write(frame)
            means = frame["mean_similarity"].drop_nulls().to_list()
            total, n = total + sum(means), n + len(means)
    return writer.sha256, writer.n_rows, total / n if n else None


def _insert(
    store: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    rows: Iterable[tuple[Any, ...]],
) -> None:
    places = ", ".join("?" * len(columns))
    into = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608 - our names
    store.executemany(into, rows)
