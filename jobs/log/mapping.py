"""Which column of a log is what: named by the user, or found by the usual names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

import pyarrow as pa

from ..config import JobConfig
from ..errors import ConfigError
from ..plan import Columns
from . import columns as col

RESPONSE_NAMES: Final = ("response", "output", "completion", "answer", "prediction", "generation")
REFERENCE_NAMES: Final = ("reference", "expected", "expected_output", "ground_truth", "target")
ID_NAMES: Final = ("run_id",)
"""The usual names, tried in this order when a column is not given."""

_MOST_NAMES: Final = 12


class Log(NamedTuple):
    """All readable shards together: the first one's path, and each column's types."""

    where: str
    types: dict[str, list[pa.DataType]]


class Role(NamedTuple):
    """A column that the job cannot do without: how it is named, and what it must hold."""

    option: str
    column: str
    fits: Callable[[pa.DataType], bool]
    expected: str


def find_columns(config: JobConfig, log: Log, notes: list[str]) -> Columns:
    """Find response, references, id and time; what was not named by the user goes to the notes.

    Raises:
        ConfigError: there is no response.
    """
    source = config.source
    response = source.response or _usual(log, RESPONSE_NAMES, "response", notes)
    if response is None:
        raise ConfigError(
            log.where,
            f"no column with a usual name of responses ({', '.join(RESPONSE_NAMES)})",
            f"it has {_listed(log.types)}",
            "pass --response COLUMN",
        )
    names = [name for name in REFERENCE_NAMES if name != response]
    usual = _usual(log, names, "reference", notes) if not source.references else None
    return Columns(
        response=response,
        references=source.references or ((usual,) if usual else ()),
        id=source.id or _usual(log, ID_NAMES, "id", notes),
        time=source.time,
        kept=(),
    )


def _usual(log: Log, names: Sequence[str], role: str, notes: list[str]) -> str | None:
    """Find a column by the usual names of its role, and say so."""
    fits = {"reference": col.can_be_reference, "response": col.is_text, "id": col.can_be_text}
    for name in names:
        if any(fits[role](dtype) for dtype in log.types.get(name, ())):
            notes.append(f"{role}: column {name!r}, by its name")
            return name
    if role == "reference":
        notes.append("reference: none of the usual columns, and none was given")
    return None


def find_kept(
    config: JobConfig, columns: Columns, by: Iterable[str], log: Log, notes: list[str]
) -> Iterator[tuple[str, str]]:
    """Choose what of the log goes into the scored table: the mapped columns, then the kept.

    Raises:
        ConfigError: a column that is to be kept is not there.
    """
    mapped = [*([columns.time] if columns.time else []), *by]
    if config.output.keep is None:
        scalar = [name for name, types in log.types.items() if all(map(col.kept_type, types))]
        names = [*scalar, *mapped]
        read = {columns.response, *columns.references, *names}
        if nested := [repr(name) for name in log.types if name not in read]:
            notes.append(f"not kept, being nested or bytes: {', '.join(nested)}; see --keep")
    else:
        names = [*mapped, *config.output.keep]
    for name in dict.fromkeys(names):
        if name not in log.types:
            raise _missing(log, name, "--keep")
        if name == columns.time:
            yield name, "timestamp"
        elif name != "run_id" or columns.id != "run_id":
            yield name, _output_type(log, name)


def find_keys(config: JobConfig, log: Log) -> Iterator[tuple[str, str]]:
    """List the keys of the consistency table with their types in the output."""
    for name in dict.fromkeys(config.consistency.by):
        yield name, _output_type(log, name)


def _output_type(log: Log, name: str) -> str:
    # A shard in which a column is all null, and so has no type, decides nothing.
    types = [dtype for dtype in log.types[name] if not pa.types.is_null(dtype)]
    return col.common_type(map(_named_type, types or [pa.null()]))


def _named_type(dtype: pa.DataType) -> str:
    """Give the output type of a column that is asked for by its name, whatever it is."""
    return col.kept_type(dtype) or ("string" if col.is_binary(dtype) else "json")


def find_roles(config: JobConfig, columns: Columns, by: Iterable[str]) -> Iterator[Role]:
    """List the columns that every shard must have, and what they must hold."""
    yield Role("--response", columns.response, col.can_be_text, "text")
    for name in columns.references:
        yield Role("--reference", name, col.can_be_reference, "text or a list of texts")
    if config.source.id is not None:
        # One that was found by its name is no reason to reject a shard without it.
        yield Role("--id", config.source.id, col.can_be_text, "a scalar")
    if columns.time is not None:
        yield Role("--time", columns.time, col.can_be_time, "a timestamp, a date or ISO 8601 text")
    for key in by:
        yield Role("--by", key, col.can_be_text, "a scalar")
    for key in dict.fromkeys(config.consistency.by):
        yield Role("consistency.by", key, col.can_be_text, "a scalar")


def check_role(log: Log, role: Role) -> None:
    """Refuse a column that no shard has, or none with what it must hold.

    Raises:
        ConfigError: so it is.
    """
    types = log.types.get(role.column)
    if types is None:
        raise _missing(log, role.column, role.option)
    if not any(map(role.fits, types)):
        raise ConfigError(
            log.where,
            f"column {role.column!r} is {types[0]}",
            f"expected {role.expected}",
            f"pass {role.option} with another column",
        )


def _missing(log: Log, name: str, option: str) -> ConfigError:
    near = get_close_matches(name, log.types, n=1)
    return ConfigError(
        log.where,
        f"no column {name!r}",
        f"it has {_listed(log.types)}",
        f"pass {option} {near[0] if near else 'with one of these'}",
    )


def _listed(names: Iterable[str]) -> str:
    shown = list(map(repr, names))
    more = f" and {len(shown) - _MOST_NAMES} more" if len(shown) > _MOST_NAMES else ""
    return ", ".join(shown[:_MOST_NAMES]) + more
