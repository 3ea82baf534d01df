"""Writing Parquet: a file appears whole or not at all."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Self

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import JobError
from .manifest import TEMPORARY

_GROUP_ROWS = 65_536
_GROUP_BYTES = 16 * 2**20


class PartWriter:
    """Writes one Parquet file in batches, under a temporary name until it is whole.

    Row groups are cut by rows and bytes of text, never by the batches that come in, so that the
    file's bytes depend on its rows alone. Leaving the ``with`` block by an error leaves nothing.

    Args:
        path: the file to make or to replace; its folder is made too.
        schema: its columns.
        metadata: key-value pairs for its footer: provenance, no reader needs them.

    Attributes:
        n_rows: rows written so far.
        sha256: of the whole file, once it is there.
    """

    def __init__(self, path: Path, schema: pl.Schema, metadata: dict[str, str]) -> None:
        self.n_rows = 0
        self.sha256 = ""
        self._path = path
        self._temporary = path.with_name(f".{path.name}{TEMPORARY}")
        self._metadata = metadata
        self._group = [pl.DataFrame(schema=schema)]
        self._group_rows = self._group_bytes = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        self._writer = pq.ParquetWriter(
            self._temporary,
            _to_arrow(self._group).schema,
            compression="zstd",
            write_page_checksum=True,
            # Without the Arrow schema, a column's type is what Parquet says: plain for any reader.
            store_schema=False,
        )

    def write(self, frame: pl.DataFrame) -> None:
        """Add n rows."""
        text = pl.col(pl.String).str.len_bytes().cast(pl.Int64).fill_null(0)
        # Repeated for the rows: a table need not have any text.
        numbers = pl.repeat(8 * frame.width, pl.len(), dtype=pl.Int64)
        sizes = frame.select(pl.sum_horizontal(numbers, text)).to_series()
        while frame.height:
            fits = int((sizes.cum_sum() + self._group_bytes <= _GROUP_BYTES).sum())
            fits = min(fits, _GROUP_ROWS - self._group_rows)
            if fits == 0 and self._group_rows:
                self._flush()
                continue
            fits = max(fits, 1)
            self._group.append(frame.head(fits))
            self._group_rows += fits
            self._group_bytes += int(sizes.head(fits).sum())
            frame, sizes = frame.slice(fits), sizes.slice(fits)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._publish()
        finally:
            # After an error, closing writes a footer over the rows so far: to a file that goes.
            self._writer.close()
            self._temporary.unlink(missing_ok=True)

    def _flush(self) -> None:
        self._writer.write_table(_to_arrow(self._group), row_group_size=_GROUP_ROWS)
        self.n_rows += self._group_rows
        self._group = self._group[:1]
        self._group_rows = self._group_bytes = 0

    def _publish(self) -> None:
        if self._group_rows:
            self._flush()
        self._writer.add_key_value_metadata(self._metadata)
        self._writer.close()
        with self._temporary.open("rb") as file:
            self.sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
        found = pq.read_metadata(self._temporary).num_rows
        if found != self.n_rows:
            raise JobError(
                str(self._path), f"holds {found} rows", f"expected {self.n_rows}", "run again"
            )
        self._temporary.replace(self._path)
        sync_folder(self._path.parent)


def write_table(path: Path, frame: pl.DataFrame, metadata: dict[str, str] | None = None) -> str:
    """Write a frame as one Parquet file, whole or not at all, and return its SHA-256."""
    with PartWriter(path, frame.schema, metadata or {}) as writer:
        writer.write(frame)
    return writer.sha256


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _to_arrow(frames: list[pl.DataFrame]) -> pa.Table:
    whole = pl.concat(frames, rechunk=True)
    return whole.to_arrow(compat_level=pl.CompatLevel.oldest()).combine_chunks()
