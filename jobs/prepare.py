"""From config and shards to a plan: every choice of a job is made here, once, before any row."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast

import pyarrow as pa

from ..scorers.base import Scorer, ScorerError, score_columns
from ..scorers.registry import create_scorer, scorer_class
from .config import DEFAULT_SCORERS, JobConfig
from .errors import ConfigError, InputError
from .log.mapping import (
    Log,
    Role,
    check_role,
    find_columns,
    find_kept,
    find_keys,
    find_roles,
)
from .log.read import read_schema
from .log.shards import Shard
from .output.consistency import STATISTICS
from .output.summary import FIXED_COLUMNS
from .plan import Columns, Grouping, Plan, Preparation, ScorerSpec, Survey
from .score import has_sentences, scorer_of

_PREFIX: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


def prepare(config: JobConfig, shards: Sequence[Shard]) -> Preparation:
    """Decide everything that a job needs to know before it reads a row.

    Raises:
        ConfigError: the config asks for what the log or the scorers do not have.
        InputError: no shard can be read.
    """
    with ThreadPoolExecutor() as threads:
        footers = list(threads.map(_read_footer, shards))
    log = _union(shards, footers)
    notes: list[str] = []
    columns = find_columns(config, log, notes)
    specs = tuple(_scorer_specs(config, notes, has_reference=bool(columns.references)))
    if not any(scorer_of(spec).needs_reference for spec in specs):
        columns = dataclasses.replace(columns, references=())
    by = tuple(dict.fromkeys(config.summary.by))
    roles = list(find_roles(config, columns, by))
    for role in roles:
        check_role(log, role)
    surveys = [_survey(s, footer, roles) for s, footer in zip(shards, footers, strict=True)]
    # A shard that is rejected adds no columns to the output.
    log = _union(shards, footers, surveys)
    kept = tuple(find_kept(config, columns, by, log, notes))
    columns = dataclasses.replace(columns, kept=kept, keys=tuple(find_keys(config, log)))
    _check_names(config, columns, specs, log)
    plan = Plan(
        columns=columns,
        scorers=specs,
        by=by,
        groupings=find_groupings(by, config.summary.groupings),
        sentences=config.output.sentences,
        cell_bytes=config.limits.cell_bytes,
        batch_rows=config.run.batch_rows,
        consistency_cap=config.consistency.cap,
    )
    return Preparation(plan, tuple(surveys), tuple(notes))


def find_groupings(
    by: Sequence[str], asked: Iterable[Sequence[str]] | None = None
) -> tuple[Grouping, ...]:
    """List the summary's groupings: all runs, then each key and all keys, or those asked for.

    Raises:
        ConfigError: a grouping's key is not in ``by``, or a key is named like a fixed column.
    """
    for key in by:
        if key in FIXED_COLUMNS:
            raise ConfigError(
                f"--by {key}", "the summary has a column of this name", "rename the key"
            )
    if asked is None:
        asked = [*((key,) for key in by), tuple(dict.fromkeys(by))]
    for key in chain.from_iterable(asked := list(asked)):
        if key not in by:
            raise ConfigError(
                "summary.groupings", f"{key!r} is no key", f"expected {list(by)}", "add it to by"
            )
    groupings = dict.fromkeys([Grouping(()), *(Grouping(tuple(keys)) for keys in asked)])
    names = [grouping.name for grouping in groupings]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(
                "summary", f"two groupings are called {name!r}", "expected one", "rename a key"
            )
    return tuple(groupings)


def _read_footer(shard: Shard) -> tuple[pa.Schema, int] | InputError:
    try:
        shard.path.encode()
    except UnicodeEncodeError:
        return InputError(shard.path, "its name is no text", "expected UTF-8", "rename it")
    try:
        return read_schema(shard.path)
    except InputError as error:
        return error


def _union(
    shards: Sequence[Shard],
    footers: Sequence[tuple[pa.Schema, int] | InputError],
    surveys: Sequence[Survey] | None = None,
) -> Log:
    """Put the columns of all readable shards together, or of all accepted ones.

    Raises:
        InputError: there is none.
    """
    readable = [
        (shard.path, footer[0])
        for number, (shard, footer) in enumerate(zip(shards, footers, strict=True))
        if isinstance(footer, tuple) and (surveys is None or surveys[number].rejected is None)
    ]
    if not readable:
        if surveys is None:
            raise next(footer for footer in footers if isinstance(footer, InputError))
        raise InputError("input", f"no shard can be scored, the first since {surveys[0].rejected}")
    types: dict[str, list[pa.DataType]] = {}
    for _, schema in readable:
        for field in schema:
            known = types.setdefault(field.name, [])
            if field.type not in known:
                known.append(field.type)
    return Log(readable[0][0], types)


def _scorer_specs(
    config: JobConfig, notes: list[str], *, has_reference: bool
) -> Iterator[ScorerSpec]:
    asked = config.scorers or {name: {} for name in DEFAULT_SCORERS}
    off = []
    for prefix, table in asked.items():
        if not _PREFIX.fullmatch(prefix):
            raise ConfigError(
                f"[scorers.{prefix}]",
                "no name for columns",
                f"expected {_PREFIX.pattern}",
                "rename",
            )
        kind = str(table.get("type", prefix))
        options = {name: value for name, value in table.items() if name != "type"}
        try:
            scorer = _create(kind, options).resolve(has_reference=has_reference)
        except ScorerError as error:
            raise ConfigError(f"[scorers.{prefix}]", str(error)) from None
        if scorer.needs_reference and not has_reference:
            off.append(prefix)
            notes.append(f"{prefix} is off: it compares with a reference, and there is none")
            continue
        fields = dataclasses.fields(cast("Any", scorer))
        yield ScorerSpec(
            prefix, kind, {f.name: getattr(scorer, f.name) for f in fields}, scorer.signature
        )
    if len(off) == len(asked):
        raise ConfigError(
            "scorers",
            f"nothing to run: {', '.join(off)} without a reference",
            "expected one",
            "pass --reference COLUMN",
        )


def _create(kind: str, options: dict[str, Any]) -> Scorer:
    """Make a scorer; an option that its class marks as a file's text is read from that file."""
    for option in dataclasses.fields(cast("Any", scorer_class(kind))):
        path = options.get(option.name)
        if option.metadata.get("file") and isinstance(path, str):
            try:
                options[option.name] = Path(path).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise ConfigError(
                    f"{kind}.{option.name}", f"cannot read {path!r} ({error})", "check the path"
                ) from None
    return create_scorer(kind, **options)


def _check_names(
    config: JobConfig, columns: Columns, specs: Iterable[ScorerSpec], log: Log
) -> None:
    """Refuse a scored table in which two columns would have one name."""
    taken = {"run_id"}
    kept = [name for name, _ in columns.kept]
    for spec in specs:
        own = {f"{spec.prefix}_{name}" for name in score_columns(scorer_of(spec))}
        if clash := sorted(own & taken):
            raise ConfigError(
                f"[scorers.{spec.prefix}]", f"column {clash[0]!r} is there already", "rename it"
            )
        taken |= own
    if clash := [name for name in kept if name in taken]:
        raise ConfigError(
            log.where,
            f"column {clash[0]!r} is in the input, and a column of the output",
            "expected one of that name",
            "choose the input's columns with --keep, or name the scorer otherwise",
        )
    if clash := [name for name, _ in columns.keys if name in STATISTICS]:
        raise ConfigError(
            "consistency.by",
            f"the consistency table has a column {clash[0]!r} of its own",
            "expected another key",
            "rename the key",
        )
    if config.output.sentences and not any(has_sentences(spec) for spec in specs):
        raise ConfigError(
            "output.sentences", "no scorer here has any", "add tone, or set it to false"
        )


def _survey(
    shard: Shard, footer: tuple[pa.Schema, int] | InputError, roles: Iterable[Role]
) -> Survey:
    """Tell how many rows of a shard there are to score, or why it is rejected."""
    if isinstance(footer, InputError):
        return Survey(shard.path, 0, str(footer))
    schema, n_rows = footer
    for role in roles:
        found = schema.get_all_field_indices(role.column)
        dtype = schema.field(found[0]).type if found else None
        if dtype is not None and role.fits(dtype):
            continue
        what = f"no column {role.column!r}" if dtype is None else f"{role.column!r} is {dtype}"
        error = InputError(
            shard.path, what, f"expected {role.expected}, as in other shards", "leave it out"
        )
        return Survey(shard.path, 0, str(error))
    return Survey(shard.path, n_rows)
