"""The job's memory does not grow with the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.memory import ROWS, TIMES, peaks


@pytest.mark.slow
def test_ten_times_the_rows_take_at_most_a_fifth_more_memory(tmp_path: Path) -> None:
    measured = peaks(tmp_path)
    peak, peak_of_ten_times = measured[ROWS].peak_bytes, measured[TIMES * ROWS].peak_bytes
    assert peak > 100 * 2**20, "the measure must see the workers, which import polars"
    assert peak_of_ten_times <= 1.2 * peak, measured
