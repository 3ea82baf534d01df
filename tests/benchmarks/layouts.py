"""The whole job over logs that are cut in odd ways."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.benchmarks.job import KEYS_ONLY, score
from tests.benchmarks.logs import write_logs
from tests.benchmarks.sizes import Size
from tests.benchmarks.tables import Row

TITLE: Final = "The whole job over odd layouts, keys only, 2 workers"
_TINY_FILE_ROWS: Final = 10


def measured(size: Size) -> list[Row]:
    """Measure one giant row group, many tiny files and many tiny row groups, beside plain logs."""
    tiny = size.files * _TINY_FILE_ROWS
    rows = []
    for name, n, files, groups in (
        ("4 shards", size.rows, 4, 4 * -(-size.rows // 40_000)),
        ("one giant row group", size.rows, 1, 1),
        ("4 shards", tiny, 4, 4 * -(-tiny // 40_000)),
        ("tiny files", tiny, size.files, size.files),
        ("one file", size.groups, 1, -(-size.groups // 10_000)),
        ("tiny row groups", size.groups, 1, size.groups),
    ):
        rows.append(_row(name, n, files, groups))
    return rows


def _row(name: str, rows: int, files: int, groups: int) -> Row:
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        write_logs(log, rows=rows, shards=files, group_rows=-(-rows // groups))
        took = score(log, *KEYS_ONLY, memory=True)
    return {
        "layout": name,
        "files": files,
        "row groups": groups,
        "rows": rows,
        "seconds": took.seconds,
        "rows/s": rows / took.seconds,
        "CPU seconds": took.cpu_seconds,
        "peak MiB": took.peak_bytes / 2**20,
    }
