"""Reading Parquet: what a shard holds, and its rows in batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import InputError

_BATCH_BYTES = 16 * 2**20
_CAUSES = (OSError, pa.ArrowException, UnicodeDecodeError)


@contextmanager
def open_shard(path: str) -> Iterator[pq.ParquetFile]:
    """Open one Parquet file, its page checksums verified as it is read.

    Raises:
        InputError: it is no Parquet, broken, or not allowed to be read; on opening or later.
    """
    try:
        # pre_buffer=True, the default, keeps what it has read: the peak would grow with the file.
        with pq.ParquetFile(
            path, pre_buffer=False, buffer_size=2**20, page_checksum_verification=True
        ) as file:
            yield file
    except _CAUSES as error:
        reason = " ".join(str(error).split())
        raise InputError(
            path, f"cannot be read ({reason})", "expected a whole Parquet file", "write it anew"
        ) from error


def read_schema(path: str) -> tuple[pa.Schema, int]:
    """Read a shard's schema and number of rows from its footer.

    Raises:
        InputError: the footer cannot be read.
    """
    with open_shard(path) as file:
        return file.schema_arrow, file.metadata.num_rows


def read_batches(path: str, columns: list[str], batch_rows: int) -> Iterator[pa.RecordBatch]:
    """Read some columns of a shard in batches of at most ``batch_rows`` rows, fewer for long texts.

    Raises:
        InputError: the file cannot be read to its end.
    """
    with open_shard(path) as file:
        names = [name for name in columns if name in file.schema_arrow.names]
        yield from file.iter_batches(_rows_that_fit(file, batch_rows), columns=names)


def read_table(path: Path) -> pl.DataFrame:
    """Read one of our own files whole.

    Raises:
        InputError: the file cannot be read.
    """
    with open_shard(str(path)) as file:
        return cast("pl.DataFrame", pl.from_arrow(file.read()))


def _rows_that_fit(file: pq.ParquetFile, batch_rows: int) -> int:
    """Choose how many rows make a batch: by the footer, about 16 MiB at most."""
    meta = file.metadata
    groups = [meta.row_group(i) for i in range(meta.num_row_groups)]
    row_bytes = max((g.total_byte_size / max(g.num_rows, 1) for g in groups), default=1)
    return max(1, min(batch_rows, int(_BATCH_BYTES / max(row_bytes, 1))))
