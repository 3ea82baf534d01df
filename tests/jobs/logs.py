"""Logs for tests, the command line run over them, and what it wrote."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple, cast
from unittest.mock import patch

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tonelog.jobs.cli import _exit_code
from tonelog.jobs.plan import Columns, Grouping, Plan, ScorerSpec
from tonelog.scorers import create_scorer

TONELOG: Final = str(Path(sys.executable).with_name("tonelog"))
"""The console script of the environment that runs the tests."""

PAIRS: Final[dict[str, object]] = {
    "response": ["Great. Bad.", "It works.", None, " ", "Awful!"],
    "reference": ["Great.", "It works.", "Fine.", "Fine.", None],
    "agent": ["a", "b", None, "a", "b"],
}
"""Five runs: a scored one, an equal pair, a null and a blank response, a null reference."""


TEXTS: Final = (
    "Great. Bad.", "It works. I love it! Not so bad.", "", " \n", "Awful!", "x" * 3000,
    "\u00dcber \U0001f600.", "- a list\n- of good points\n", "```\ncode\n```", "No. Never again.",
    "Nice work, thanks!", None,
)  # fmt: skip
"""Responses of many kinds."""


class Outcome(NamedTuple):
    """What a command did: its exit code, and what it printed."""

    code: int
    out: str
    err: str


def write_log(path: Path, columns: Mapping[str, object] | None = None, **options: object) -> Path:
    """Write a log of named columns (lists or Arrow arrays); PAIRS if there are none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(dict(PAIRS if columns is None else columns)), path, **options)
    return path


def many_runs(rows: int) -> dict[str, object]:
    """Make runs of many kinds, nulls among them, with two keys of which one is their number."""
    return {
        "response": [TEXTS[n % 12] for n in range(rows)],
        "reference": [TEXTS[n % 7] if n % 5 else None for n in range(rows)],
        "agent": [None if n % 9 == 0 else f"agent {n % 4}" for n in range(rows)],
        "n": range(rows),
    }


def write_table(path: Path, fields: Sequence[tuple[str, object]]) -> Path:
    """Write a log whose columns may share a name."""
    arrays = [pa.array(cells) for _, cells in fields]
    pq.write_table(pa.Table.from_arrays(arrays, names=[name for name, _ in fields]), path)
    return path


def write_broken_log(path: Path, columns: Mapping[str, object] | None = None) -> Path:
    """Write a log whose footer is whole and whose pages are not."""
    content = bytearray(write_log(path, columns, use_dictionary=False).read_bytes())
    content[4] = 0xFF
    path.write_bytes(content)
    return path


def unchecked_text(cells: Iterable[bytes | None]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Make an array of strings of any bytes, as careless writers do."""
    return pa.array(list(cells), pa.binary()).view(pa.string())


def tonelog(*args: object) -> Outcome:
    """Run a command in this process."""
    out, err = StringIO(), StringIO()
    argv = ["tonelog", *map(str, args)]
    with patch.object(sys, "argv", argv), redirect_stdout(out), redirect_stderr(err):
        code = _exit_code()
    return Outcome(code, out.getvalue(), err.getvalue())


def score(log: Path, out: Path, *options: object) -> Outcome:
    """Score a log in this process, without workers."""
    return tonelog("score", log, "-o", out, "--set", "run.workers=0", *options)


def spawn_tonelog(
    *args: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Outcome:
    """Run a command as a person does, in a process of its own."""
    done = subprocess.run(
        [TONELOG, *map(str, args)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def read_parts(out: Path, table: str = "scored") -> pl.DataFrame:
    """Read all files of a table that lie right in its folder, in the order of their names."""
    parts = sorted((out / table).glob("*.parquet"))
    return pl.concat(
        cast("pl.DataFrame", pl.from_arrow(pq.read_table(part, partitioning=None)))
        for part in parts
    )


def schema_of(out: Path) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Read the schema of the one scored part, as any reader sees it."""
    (part,) = (out / "scored").glob("*.parquet")
    return pq.read_schema(part)


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def digests(out: Path) -> dict[str, str]:
    """Give the SHA-256 of every file of the four tables of an output folder."""
    return {
        name: hashlib.sha256(content).hexdigest()
        for name, content in contents(out).items()
        if not name.startswith("_manifest/")
    }


def plan_of(
    scorers: Mapping[str, Mapping[str, object]] | None = None,
    *,
    references: tuple[str, ...] = ("reference",),
    by: tuple[str, ...] = (),
    **changes: Any,  # noqa: ANN401 - any field of Columns and Plan
) -> Plan:
    """Make a plan over the columns response and reference, keys kept as strings."""
    columns = {
        "response": "response",
        "references": references,
        "id": None,
        "time": None,
        "kept": tuple((key, "string") for key in by),
    }
    rest = {
        "groupings": (Grouping(()), *(Grouping((key,)) for key in by)),
        "sentences": False,
        "cell_bytes": 2**20,
        "batch_rows": 1000,
    }
    columns |= {name: value for name, value in changes.items() if name in columns}
    rest |= {name: value for name, value in changes.items() if name in rest}
    asked = {"tone": {}, "textual_difference": {}} if scorers is None else scorers
    specs = tuple(
        _spec(prefix, table, has_reference=bool(references)) for prefix, table in asked.items()
    )
    return Plan(columns=Columns(**cast("Any", columns)), scorers=specs, by=by, **cast("Any", rest))


def _spec(prefix: str, table: Mapping[str, object], *, has_reference: bool) -> ScorerSpec:
    options = {name: value for name, value in table.items() if name != "type"}
    kind = str(table.get("type", prefix))
    scorer = create_scorer(kind, **options).resolve(has_reference=has_reference)
    shown = {f.name: getattr(scorer, f.name) for f in dataclasses.fields(cast("Any", scorer))}
    return ScorerSpec(prefix, kind, shown, scorer.signature)
