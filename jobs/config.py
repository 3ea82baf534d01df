"""What a job is asked to do: frozen dataclasses, filled from a TOML file and the command line."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from .errors import ConfigError

DEFAULT_SCORERS: Final = ("tone", "textual_difference")
"""What a job runs when its config file names no scorer."""


@dataclass(frozen=True)
class InputConfig:
    """``[input]``: where the log lies.

    Attributes:
        paths: files, folders and globs; ``{date}`` and ``{date:%Y/%m/%d}`` are the run's date.
    """

    paths: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourceConfig:
    """``[source]``: which columns of the log are what.

    Attributes:
        response: the agent's text; found among the usual names if not given.
        reference: the text or texts that it is compared with; found likewise.
        id: becomes ``run_id``, else a run is named by its shard and row.
        time: becomes a timestamp in UTC: a timestamp, a date, or ISO 8601 text.
    """

    response: str | None = None
    reference: str | tuple[str, ...] = ()
    id: str | None = None
    time: str | None = None

    @property
    def references(self) -> tuple[str, ...]:
        """The reference columns, none, one or many."""
        return (self.reference,) if isinstance(self.reference, str) else self.reference


@dataclass(frozen=True)
class OutputConfig:
    """``[output]``: what is written, and where.

    Attributes:
        path: the output folder.
        keep: input columns that go into the scored table; None for all scalar ones. The id, the
            time and the keys of the summary are always there.
        sentences: also write one row per sentence of each response.
    """

    path: str | None = None
    keep: tuple[str, ...] | None = None
    sentences: bool = False


@dataclass(frozen=True)
class SummaryConfig:
    """``[summary]``: how runs are grouped.

    Attributes:
        by: key columns.
        groupings: which keys go together; None for all runs, each key, and all keys together.
    """

    by: tuple[str, ...] = ()
    groupings: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class ConsistencyConfig:
    """``[consistency]``: how alike the responses are of runs that share a key.

    Attributes:
        by: key columns, in the scored table or not; none for no such table.
        cap: most responses of a group that are compared with each other; of a larger group, a
            seeded sample is.
    """

    by: tuple[str, ...] = ()
    cap: Annotated[int, msgspec.Meta(ge=2, le=2000)] = 200


@dataclass(frozen=True)
class LimitsConfig:
    """``[limits]``: what is too much.

    Attributes:
        cell_bytes: a longer response or reference is unscored (``cell_too_large``).
    """

    cell_bytes: Annotated[int, msgspec.Meta(gt=0)] = 16 * 2**20


@dataclass(frozen=True)
class RunConfig:
    """``[run]``: how the work is done; nothing here changes a score.

    Attributes:
        workers: cores to use, each by a process, or, with fewer shards, a thread; 0 works in the
            calling process, None uses every core.
        batch_rows: most rows in memory at once, per worker.
        strict: a rejected shard fails the run.
    """

    workers: Annotated[int, msgspec.Meta(ge=0, le=1024)] | None = None
    batch_rows: Annotated[int, msgspec.Meta(gt=0)] = 8192
    strict: bool = False


@dataclass(frozen=True)
class JobConfig:
    """All of a job.

    Attributes:
        scorers: options by scorer name; ``type`` names the scorer if the table has another name.
            A file that has any such table runs these scorers and no others.
        date: the run's date (UTC): names the partition and fills ``{date}`` in paths.
    """

    input: InputConfig = field(default_factory=InputConfig)
    source: SourceConfig = field(default_factory=SourceConfig)
    output: OutputConfig = field(default_factory=OutputConfig)
    scorers: dict[str, dict[str, Any]] = field(default_factory=dict)
    summary: SummaryConfig = field(default_factory=SummaryConfig)
    consistency: ConsistencyConfig = field(default_factory=ConsistencyConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    run: RunConfig = field(default_factory=RunConfig)
    date: date | None = None


def load_config(
    path: str | None = None,
    *,
    settings: Iterable[str] = (),
    flags: Mapping[str, Mapping[str, object]] | None = None,
    day: date | None = None,
) -> JobConfig:
    """Read a job's config: the file, then each ``section.key=value``, then the flags; last wins.

    Raises:
        ConfigError: the file cannot be read, a key is unknown, or a value has the wrong type.

    Example:
        >>> load_config(settings=["run.batch_rows=100"]).run.batch_rows
        100
    """
    tables = {} if path is None else _read_toml(path)
    _check_keys(tables, path or "config")
    # Settings tune the scorers that run anyway; the file's tables choose which these are.
    tables.setdefault("scorers", {name: {} for name in DEFAULT_SCORERS})
    for setting in settings:
        _apply_setting(tables, setting)
    for section, values in (flags or {}).items():
        tables.setdefault(section, {}).update(values)
    try:
        config = msgspec.convert(tables, JobConfig)
    except msgspec.ValidationError as error:
        what, _, key = str(error).partition(" - at `$.")
        where = f"{path or 'config'}: {key.rstrip('`') or 'top level'}"
        raise ConfigError(where, "wrong value", what, "change it") from None
    return dataclasses.replace(config, date=day)


def parse_date(text: str) -> date:
    """Read ``2026-03-01``, ``today`` or ``yesterday`` (UTC).

    Raises:
        ConfigError: it is none of these.
    """
    today = datetime.now(UTC).date()
    named = {"today": today, "yesterday": today - timedelta(days=1)}
    try:
        return named.get(text) or date.fromisoformat(text)
    except ValueError:
        raise ConfigError(
            "--date", f"cannot read {text!r}", "expected YYYY-MM-DD, today or yesterday", "mend it"
        ) from None


def _read_toml(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        examples = Path(__file__).parent.with_name("configs")
        raise ConfigError(
            path, f"cannot be read ({error.strerror})", "expected a TOML file", f"see {examples}"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(path, f"is no TOML ({error})", "mend it") from None


def _check_keys(tables: Mapping[str, Any], where: str) -> None:
    """Refuse sections and keys that no config has. Options are checked by their scorer."""
    sections = {f.name: f for f in dataclasses.fields(JobConfig) if f.name != "date"}
    for section, values in tables.items():
        if section not in sections:
            raise ConfigError(where, *_unknown(f"section [{section}]", section, sections))
        if not isinstance(values, dict):
            raise ConfigError(
                where, f"{section} is {values!r}", f"expected a section [{section}]", "change it"
            )
        default = sections[section].default_factory
        if dataclasses.is_dataclass(default):
            keys = [f.name for f in dataclasses.fields(default)]
            for key in values:
                if key not in keys:
                    raise ConfigError(f"{where}: [{section}]", *_unknown(f"key {key!r}", key, keys))


def _unknown(what: str, name: str, known: Iterable[str]) -> tuple[str, str, str]:
    known = list(known)
    near = get_close_matches(name, known, n=1)
    advice = f"did you mean {near[0]!r}?" if near else "take it out"
    return f"unknown {what}", f"there are {', '.join(known)}", advice


def _apply_setting(tables: dict[str, Any], setting: str) -> None:
    """Put ``section.key=value`` into the tables. The value is TOML, or else plain text."""
    name, equals, text = setting.partition("=")
    *sections, key = name.strip().split(".")
    if not equals or not sections or not key:
        raise ConfigError(
            f"--set {setting}", "cannot be read", "expected section.key=value", "mend it"
        )
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    nested: dict[str, Any] = {key: value}
    for section in reversed(sections):
        nested = {section: nested}
    _check_keys(nested, f"--set {setting}")
    target = tables
    for section in sections:
        target = target.setdefault(section, {})
        if not isinstance(target, dict):
            raise ConfigError(
                f"--set {setting}",
                f"{section} is {target!r}",
                "expected a table",
                "mend one of them",
            )
    target[key] = value
