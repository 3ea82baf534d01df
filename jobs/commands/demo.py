"""The demo: sample logs of two nights, scored as a user would, and what there is to see in them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import polars as pl

from ..config import load_config
from ..console import show_line, show_report, show_rows
from ..errors import ConfigError
from ..log.read import read_table
from ..output.write import write_table
from ..pipeline import Watch, run_job
from .demo_logs import DATES, demo_log

_SHARDS: Final = 2
_WORST: Final = 5
_TEXT_CHARS: Final = 160


def run_demo(folder: Path, watch: Watch) -> None:
    """Write ``folder/logs``, score each night into ``folder/out``, and print what came out.

    Raises:
        ConfigError: the folder is a file, or holds something else than a demo.
    """
    output = folder / "out"
    if folder.exists() and not (folder.is_dir() and _is_ours(folder)):
        raise ConfigError(
            str(folder), "is there already", "expected a new folder, or a demo's", "name another"
        )
    for day in DATES:
        log = pl.DataFrame(demo_log(day))
        for number, rows in enumerate(log.iter_slices(-(-log.height // _SHARDS))):
            write_table(folder / "logs" / str(day) / f"agents-{number}.parquet", rows)
    pattern = f"{folder}/logs/{{date}}/*.parquet"
    flags: dict[str, dict[str, object]] = {
        "input": {"paths": [pattern]},
        "source": {"time": "created_at"},
        "summary": {"by": ["model"]},
        "output": {"path": str(output)},
    }
    options = "--time created_at --by model"
    for day in DATES:
        show_line(f"$ tonelog score '{pattern}' --date {day} {options} -o {output}")
        report = run_job(load_config(flags=flags, day=day), watch)
        show_report(report)
        show_line("")
    scored = pl.concat(read_table(path) for path in sorted(report.scored.glob("*.parquet")))
    show_rows(worst_runs(scored, _WORST).to_dicts(), f"the {_WORST} worst runs of {DATES[-1]}")
    show_line("")
    show_line(f"next: tonelog summarize {output} --by agent --by model")


def worst_runs(scored: pl.DataFrame, n: int) -> pl.DataFrame:
    """Choose the n scored runs with the lowest tone scores, the widest differences first."""
    text = pl.col("response", "reference").str.replace_all(r"\s+", " ")
    short = text.str.head(_TEXT_CHARS)
    return (
        scored.drop_nulls("tone_score")
        .sort("tone_score", "tone_difference", "run_id", descending=[False, True, False])
        .head(n)
        .select("run_id", "tone_score", pl.when(short == text).then(text).otherwise(short + "..."))
    )


def _is_ours(folder: Path) -> bool:
    return not any(folder.iterdir()) or (folder / "out" / "_manifest").is_dir()
