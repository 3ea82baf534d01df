"""Writing Parquet: whole or not at all, and the same bytes for the same rows."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.jobs.logs import contents
from tonelog.jobs.output import write
from tonelog.jobs.output.write import PartWriter, write_table

SCHEMA = pl.Schema({"run_id": pl.String, "n": pl.Int64})


def frame_of(rows: int, start: int = 0) -> pl.DataFrame:
    numbers = range(start, start + rows)
    return pl.DataFrame({"run_id": [f"run {n}" for n in numbers], "n": numbers}, schema=SCHEMA)


def write_in_batches(path: Path, frame: pl.DataFrame, cuts: Sequence[int]) -> bytes:
    edges = [0, *sorted(cuts), frame.height]
    with PartWriter(path, frame.schema, {"made": "here"}) as writer:
        for start, end in pairwise(edges):
            writer.write(frame[start:end])
    assert writer.n_rows == frame.height
    content = path.read_bytes()
    assert writer.sha256 == hashlib.sha256(content).hexdigest()
    return content


@given(
    lengths=st.lists(st.integers(0, 300), max_size=30),
    cuts=st.lists(st.integers(0, 30), max_size=8),
)
def test_bytes_do_not_depend_on_how_rows_were_batched(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], cuts: list[int]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    frame = pl.DataFrame(
        {"run_id": ["x" * length for length in lengths], "n": range(len(lengths))}, schema=SCHEMA
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "_GROUP_ROWS", 10)
        patch.setattr(write, "_GROUP_BYTES", 1000)
        whole = write_in_batches(folder / "whole.parquet", frame, [])
        cut = write_in_batches(folder / "cut.parquet", frame, [min(c, len(lengths)) for c in cuts])
    assert cut == whole
    assert pl.read_parquet(folder / "cut.parquet").equals(frame)
    meta = pq.read_metadata(folder / "cut.parquet")
    sizes = [meta.row_group(i).num_rows for i in range(meta.num_row_groups)]
    assert sum(sizes) == len(lengths)
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    for size, end in zip(sizes, ends, strict=True):
        assert 1 <= size <= 10
        # Two columns: 16 bytes a row, and the text. A row beyond the limit stands alone.
        assert size == 1 or sum(16 + n for n in lengths[end - size : end]) <= 1000


def test_a_large_part_has_row_groups_of_at_most_65536_rows(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    write_in_batches(path, frame_of(150_000), [1, 65_536, 140_000])
    meta = pq.read_metadata(path)
    sizes = [meta.row_group(i).num_rows for i in range(meta.num_row_groups)]
    assert sizes == [65_536, 65_536, 150_000 - 2 * 65_536]


def test_a_table_without_text_has_row_groups_of_many_rows(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    write_table(path, pl.DataFrame({"n": range(70_000), "x": [0.5] * 70_000}))
    meta = pq.read_metadata(path)
    sizes = [meta.row_group(i).num_rows for i in range(meta.num_row_groups)]
    assert sizes == [65_536, 4_464]


def test_columns_have_the_plain_types_of_parquet(tmp_path: Path) -> None:
    moment = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    columns = {
        "string": pl.Series(["x", None]),
        "bool": pl.Series([True, None]),
        "int32": pl.Series([1, None], dtype=pl.Int32),
        "int64": pl.Series([1, None], dtype=pl.Int64),
        "double": pl.Series([1.5, None]),
        "date": pl.Series([date(2026, 3, 1), None]),
        "time": pl.Series([moment, None], dtype=pl.Datetime("us", "UTC")),
    }
    path = tmp_path / "part.parquet"
    write_table(path, pl.DataFrame(columns), {"tonelog.tone": "tone|..."})
    assert pq.read_schema(path).remove_metadata() == pa.schema(
        {
            "string": pa.string(),
            "bool": pa.bool_(),
            "int32": pa.int32(),
            "int64": pa.int64(),
            "double": pa.float64(),
            "date": pa.date32(),
            "time": pa.timestamp("us", "UTC"),
        }
    )
    assert pq.read_schema(path).metadata == {b"tonelog.tone": b"tone|..."}
    assert pq.read_table(path).to_pylist()[0]["time"] == moment


def test_no_rows_make_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "part.parquet"
    digest = write_table(path, frame_of(0))
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert pl.read_parquet(path).equals(frame_of(0))


def test_pages_have_checksums(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    write_table(path, frame_of(1000))
    content = bytearray(path.read_bytes())
    column = pq.read_metadata(path).row_group(0).column(1)
    first = column.dictionary_page_offset or column.data_page_offset
    content[first + column.total_compressed_size - 3] ^= 4
    path.write_bytes(content)
    with pytest.raises(OSError, match="CRC"):
        pq.read_table(path, page_checksum_verification=True)


@pytest.mark.parametrize("old", [None, b"the old file"])
@pytest.mark.parametrize("rows", [0, 10, 70_000])
def test_a_producer_that_fails_leaves_nothing_but_the_old_file(
    tmp_path: Path, old: bytes | None, rows: int
) -> None:
    path = tmp_path / "part.parquet"
    if old is not None:
        path.write_bytes(old)

    def produce() -> None:
        with PartWriter(path, SCHEMA, {}) as writer:
            writer.write(frame_of(rows))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        produce()
    assert contents(tmp_path) == ({} if old is None else {"part.parquet": old})


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    path.write_bytes(b"the old file")
    with PartWriter(path, SCHEMA, {}) as writer:
        writer.write(frame_of(70_000))
        assert path.read_bytes() == b"the old file"
        (temporary,) = (name for name in contents(tmp_path) if name != path.name)
        assert temporary.startswith(".")
        assert not temporary.endswith(".parquet")
    assert pl.read_parquet(path).height == 70_000
    assert set(contents(tmp_path)) == {path.name}


def test_a_file_that_cannot_be_finished_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "part.parquet"
    path.write_bytes(b"the old file")
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space left"):
        write_table(path, frame_of(10))
    assert contents(tmp_path) == {"part.parquet": b"the old file"}


def test_a_frame_of_another_shape_is_refused(tmp_path: Path) -> None:
    def produce() -> None:
        with PartWriter(tmp_path / "part.parquet", SCHEMA, {}) as writer:
            writer.write(frame_of(1).rename({"n": "m"}))

    with pytest.raises(pl.exceptions.PolarsError):
        produce()
    assert contents(tmp_path) == {}
