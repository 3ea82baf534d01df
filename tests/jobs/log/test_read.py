"""Reading Parquet: batches of the asked size, and one kind of error for all that is broken."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.jobs.logs import PAIRS, write_broken_log, write_log, write_table
from tonelog.jobs.errors import InputError
from tonelog.jobs.log import read
from tonelog.jobs.log.read import read_batches, read_schema, read_table

ROWS = 1000


def sizes_of(path: Path, batch_rows: int) -> list[int]:
    return [batch.num_rows for batch in read_batches(str(path), ["n"], batch_rows)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "log.parquet", {"n": range(ROWS)}, row_group_size=300)


def test_the_footer_tells_schema_and_rows(log: Path) -> None:
    assert read_schema(str(log)) == (pa.schema({"n": pa.int64()}), ROWS)


@pytest.mark.parametrize("batch_rows", [1, 7, 299, 300, 997, ROWS, 10 * ROWS])
def test_batches_hold_all_rows_in_order_and_no_more_than_asked(log: Path, batch_rows: int) -> None:
    batches = list(read_batches(str(log), ["n"], batch_rows))
    assert [n for batch in batches for n in batch.column(0).to_pylist()] == list(range(ROWS))
    assert max(batch.num_rows for batch in batches) <= batch_rows


def test_long_texts_make_smaller_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "_BATCH_BYTES", 2**20)
    texts = [f"{n % 10}" * 2**14 for n in range(200)]
    path = write_log(tmp_path / "log.parquet", {"n": texts}, use_dictionary=False)
    sizes = sizes_of(path, 1000)
    assert sum(sizes) == 200
    assert 32 <= max(sizes) <= 64


def test_columns_come_by_name_and_those_that_are_not_there_are_passed_over(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.parquet", {"a": [1], "a.b": [2], "a b": [3], "c": [4]})
    (batch,) = read_batches(str(path), ["a b", "a.b", "no"], 10)
    assert batch.to_pylist() == [{"a.b": 2, "a b": 3}]


def test_a_column_that_is_there_twice_is_read(tmp_path: Path) -> None:
    path = write_table(tmp_path / "log.parquet", [("a", ["x"]), ("a", ["y"]), ("b", ["z"])])
    (batch,) = read_batches(str(path), ["a"], 10)
    assert batch.column(batch.schema.get_all_field_indices("a")[0]).to_pylist() == ["x"]


def test_no_rows_and_no_row_groups_give_no_row(tmp_path: Path) -> None:
    schema = pa.schema({"n": pa.int64()})
    for name, tables in {"rows": [schema.empty_table()], "groups": []}.items():
        path = tmp_path / f"{name}.parquet"
        with pq.ParquetWriter(path, schema) as writer:
            for table in tables:
                writer.write_table(table)
        assert pq.read_metadata(path).num_row_groups == len(tables)
        assert sum(sizes_of(path, 10)) == 0
        assert read_schema(str(path)) == (schema, 0)


def test_one_of_our_own_files_is_read_whole(tmp_path: Path) -> None:
    assert read_table(write_log(tmp_path / "log.parquet")).equals(pl.DataFrame(PAIRS))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"id,response\n1,hello\n" * 100])
def test_a_file_that_is_no_parquet_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "log.parquet"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_schema(str(path))
    where, what, expected, advice = caught.value.args
    assert where == str(path)
    assert what.startswith("cannot be read (")
    assert "\n" not in what
    assert (expected, advice) == ("expected a whole Parquet file", "write it anew")


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9, 0.99])
def test_a_file_that_was_cut_off_is_an_input_error(log: Path, share: float) -> None:
    content = log.read_bytes()
    log.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(InputError):
        list(read_batches(str(log), ["n"], 100))


def test_broken_pages_are_an_input_error_though_the_footer_is_whole(tmp_path: Path) -> None:
    path = write_broken_log(tmp_path / "log.parquet", {"n": range(ROWS)})
    assert read_schema(str(path))[1] == ROWS
    with pytest.raises(InputError) as caught:
        list(read_batches(str(path), ["n"], 100))
    # pyarrow's own words here are two lines.
    assert "\n" not in str(caught.value)


def test_a_flipped_bit_is_seen_where_pages_have_checksums(tmp_path: Path) -> None:
    path = write_log(
        tmp_path / "log.parquet",
        {"n": range(ROWS)},
        use_dictionary=False,
        compression="none",
        write_page_checksum=True,
    )
    content = bytearray(path.read_bytes())
    place = content.index((ROWS // 2).to_bytes(8, "little"))
    content[place] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match="CRC"):
        list(read_batches(str(path), ["n"], 100))


def test_a_file_that_is_not_there_or_a_folder_is_an_input_error(tmp_path: Path) -> None:
    for path in (tmp_path / "no.parquet", tmp_path):
        with pytest.raises(InputError) as caught:
            read_schema(str(path))
        assert caught.value.args[0] == str(path)
