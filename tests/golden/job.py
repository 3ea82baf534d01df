"""Runs a golden case, and reads what it gives as text that a person can compare."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from tonelog.jobs import load_config, run_job
from tonelog.jobs.log.columns import type_name

FOLDER = Path(__file__).parent
CASES = sorted(path.parent.name for path in FOLDER.glob("*/config.toml"))


def run_case(case: str, work: Path) -> dict[str, str]:
    """Run the job of a case below ``work``, the working directory; give its tables as NDJSON.

    The file ``columns.txt`` holds names and types of all tables' columns. How Python sums, which
    a signature tells, is left out: the numbers of these cases do not depend on it.
    """
    log = work / "log.parquet"
    for words in (FOLDER / case).glob("*.tsv"):
        shutil.copy(words, work)
    pl.read_ndjson(FOLDER / case / "log.ndjson", infer_schema_length=None).write_parquet(log)
    config = load_config(
        str(FOLDER / case / "config.toml"),
        settings=["input.paths=['log.parquet']", "output.path=out", "run.workers=0"],
    )
    report = run_job(config)
    paths = {path.parent.name: path for path in sorted(report.output.glob("[!_]*/*.parquet"))}
    tables = {name: pl.read_parquet(path) for name, path in paths.items()}
    found = {f"{name}.ndjson": _ndjson(table) for name, table in tables.items()}
    return found | {"columns.txt": "".join(_columns(tables.items()))}


def _ndjson(table: pl.DataFrame) -> str:
    lines = (json.dumps(row, ensure_ascii=False, default=str) for row in table.to_dicts())
    return "".join(re.sub(r"sum:\w+", "sum:*", line) + "\n" for line in lines)


def _columns(tables: Iterable[tuple[str, pl.DataFrame]]) -> Iterable[str]:
    for name, table in tables:
        yield f"{name}\n"
        yield from (f"  {column}  {type_name(dtype)}\n" for column, dtype in table.schema.items())
