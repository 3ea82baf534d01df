"""Seeded logs of any size, made of the demo's texts."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import cycle, islice
from pathlib import Path

import pyarrow.parquet as pq

from tonelog.jobs.demo_logs import SCHEMA, demo_log

_DAYS = [date(2026, 1, 1) + timedelta(days=n) for n in range(10)]
_ROWS_A_DAY = 2_500


def write_logs(folder: Path, *, rows: int, shards: int) -> None:
    """Write shards of the same number of rows, a multiple of 2,500 each."""
    days = [demo_log(day, runs=_ROWS_A_DAY) for day in _DAYS]
    folder.mkdir(parents=True)
    for shard in range(shards):
        with pq.ParquetWriter(folder / f"log-{shard}.parquet", SCHEMA) as writer:
            for table in islice(cycle(days), rows // shards // _ROWS_A_DAY):
                writer.write_table(table)
