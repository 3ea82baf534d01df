"""The job's memory does not grow with the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.memory import TIMES, peaks
from tests.benchmarks.sizes import FULL


@pytest.mark.slow
def test_sixteen_times_the_rows_take_at_most_a_fifth_more_memory(tmp_path: Path) -> None:
    rows = FULL.memory_rows
    measured = peaks(tmp_path, rows=rows)
    peak, highest = measured[rows].peak_bytes, measured[TIMES[-1] * rows].peak_bytes
    assert peak > 100 * 2**20, "the measure must see the workers, which import polars"
    assert highest <= 1.2 * peak, measured
