"""Peak memory of the whole job, at some rows, at 4 times and at 16 times as many."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.benchmarks.job import KEEP_ALL, score
from tests.benchmarks.logs import write_logs
from tests.benchmarks.measure import Measured
from tests.benchmarks.sizes import Size
from tests.benchmarks.tables import Row

TITLE: Final = "Peak memory (PSS of all processes), both scorers, keep all, 2 workers, 4 shards"
TIMES: Final = (1, 4, 16)


def measured(size: Size) -> list[Row]:
    """Measure the job at growing logs."""
    with TemporaryDirectory() as folder:
        took = peaks(Path(folder), rows=[size.memory_rows * times for times in TIMES])
    return [_row(*each) for each in took.items()]


def peaks(folder: Path, *, rows: Sequence[int]) -> dict[int, Measured]:
    """Measure by number of rows."""
    took = {}
    for n in rows:
        write_logs(folder / f"log-{n}", rows=n, shards=4)
        took[n] = score(folder / f"log-{n}", *KEEP_ALL, memory=True)
    return took


def _row(rows: int, took: Measured) -> Row:
    return {
        "rows": rows,
        "seconds": took.seconds,
        "rows/s": rows / took.seconds,
        "CPU seconds": took.cpu_seconds,
        "peak MiB": took.peak_bytes / 2**20,
    }
