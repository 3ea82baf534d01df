"""The demo: sample logs of two nights, scored as a user would, and what there is to see in them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import polars as pl

from tonelog.jobs.config import load_config
from tonelog.jobs.console import show_line, show_report, show_rows
from tonelog.jobs.demo_logs import DATES, demo_log
from tonelog.jobs.errors import ConfigError
from tonelog.jobs.pipeline import Watch, run_job
from tonelog.jobs.read import read_table
from tonelog.jobs.write import write_table

_SHARDS: Final = 2
_WORST: Final = 5
_TEXT_CHARS: Final = 160


def run_demo(folder: Path, watch: Watch) -> None:
    """Write ``folder/logs``, score each night into ``folder/out``, and print what came out.

    Raises:
        ConfigError: the folder holds something else.
    """
    if folder.exists() and {path.name for path in folder.iterdir()} - {"logs", "out"}:
        raise ConfigError(
            str(folder), "is not empty", "expected a new folder, or that of a demo", "name another"
        )
    for day in DATES:
        log = pl.DataFrame(demo_log(day))
        for number, rows in enumerate(log.iter_slices(-(-log.height // _SHARDS))):
            write_table(folder / "logs" / str(day) / f"agents-{number}.parquet", rows)
    for day in DATES:
        pattern, output = f"{folder}/logs/{{date}}/*.parquet", str(folder / "out")
        show_line(
            f"\n$ tonelog score '{pattern}' --date {day} --time created_at --by model -o {output}",
        )
        flags: dict[str, dict[str, object]] = {
            "input": {"paths": [pattern]},
            "source": {"time": "created_at"},
            "summary": {"by": ["model"]},
            "output": {"path": output},
        }
        report = run_job(load_config(flags=flags, day=day), watch)
        show_report(report)
    scored = pl.concat(read_table(path) for path in sorted(report.scored.glob("*.parquet")))
    show_rows(worst_runs(scored, _WORST).to_dicts(), f"\nthe {_WORST} worst runs of {DATES[-1]}")
    show_line(f"\nnext: tonelog summarize {folder / 'scored'} --by agent --by model")


def worst_runs(scored: pl.DataFrame, n: int) -> pl.DataFrame:
    """Choose the n scored runs with the lowest tone scores, the widest differences first."""
    text = pl.col("response", "reference").str.head(_TEXT_CHARS).str.replace_all(r"\s+", " ")
    return (
        scored.drop_nulls("tone_score")
        .sort("tone_score", "tone_difference", "run_id", descending=[False, True, False])
        .head(n)
        .select("run_id", "model", "tone_score", "textual_difference_score", text)
    )
