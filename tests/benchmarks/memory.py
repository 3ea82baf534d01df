"""Peak memory of the whole job, at some rows and at ten times as many."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.benchmarks.logs import write_logs
from tests.benchmarks.measure import Measured, measure

ROWS = 100_000
TIMES = 10


def score_command(log: Path, output: Path, *, workers: int) -> list[str]:
    """Give the command that scores a log, everything kept."""
    tonelog = str(Path(sys.executable).with_name("tonelog"))
    options = ["--by", "model", "--by", "agent", "--workers", str(workers)]
    return [tonelog, "score", str(log), "-o", str(output), *options]


def peaks(folder: Path, *, workers: int = 2) -> dict[int, Measured]:
    """Measure the job at ``ROWS`` rows and at ``TIMES`` as many, in four shards."""
    measured = {}
    for rows in (ROWS, TIMES * ROWS):
        write_logs(folder / f"log-{rows}", rows=rows, shards=4)
        command = score_command(folder / f"log-{rows}", folder / f"out-{rows}", workers=workers)
        measured[rows] = measure(command)
    return measured
