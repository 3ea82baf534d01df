"""The job's memory does not grow with the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.memory import peaks

# Fewer rows would not fill a worker's batches.
_ROWS = 125_000
_MANY_ROWS = 1_000_000


@pytest.mark.slow
def test_eight_times_the_rows_take_at_most_a_fifth_more_memory(tmp_path: Path) -> None:
    measured = peaks(tmp_path, rows=[_ROWS, _MANY_ROWS])
    peak, highest = measured[_ROWS].peak_bytes, measured[_MANY_ROWS].peak_bytes
    assert peak > 100 * 2**20, "the measure must see the workers, which import polars"
    assert highest <= 1.2 * peak, measured
