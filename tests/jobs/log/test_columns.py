"""From the types of any log to the few of the output, and to texts that can be scored."""

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.jobs.logs import unchecked_text
from tonelog.jobs.log.columns import common_type, kept_type, map_batch
from tonelog.jobs.plan import Columns

BIG = 2**63 + 1
ID = "12345678-9abc-def0-8000-0123456789ab"
BERLIN = timezone(timedelta(hours=1))
MOMENT = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
NAIVE = MOMENT.replace(tzinfo=None)
SECOND = MOMENT.replace(microsecond=0)
MILLI = MOMENT.replace(microsecond=123000)

# Input array (a value, then null), name of the output type, and the value in the output.
KEPT: dict[str, tuple[Any, str, object]] = {
    "string": (pa.array(["ä\n", None]), "string", "ä\n"),
    "large_string": (pa.array(["x", None], pa.large_string()), "string", "x"),
    "string_view": (pa.array(["x", None], pa.string_view()), "string", "x"),
    "dictionary": (pa.array(["x", None]).dictionary_encode(), "string", "x"),
    "dictionary_int": (pa.array([7, None]).dictionary_encode(), "int64", 7),
    "bool": (pa.array([True, None]), "bool", True),
    "int8": (pa.array([-128, None], pa.int8()), "int32", -128),
    "int16": (pa.array([-32768, None], pa.int16()), "int32", -32768),
    "int32": (pa.array([-(2**31), None], pa.int32()), "int32", -(2**31)),
    "int64": (pa.array([-(2**63), None], pa.int64()), "int64", -(2**63)),
    "uint8": (pa.array([255, None], pa.uint8()), "int32", 255),
    "uint16": (pa.array([65535, None], pa.uint16()), "int32", 65535),
    "uint32": (pa.array([2**32 - 1, None], pa.uint32()), "int64", 2**32 - 1),
    "uint64": (pa.array([BIG, None], pa.uint64()), "string", str(BIG)),
    "float16": (pa.array([np.float16(1.5), None], pa.float16()), "double", 1.5),
    "float32": (pa.array([0.1, None], pa.float32()), "double", float(np.float32(0.1))),
    "float64": (pa.array([0.1, None]), "double", 0.1),
    "infinity": (pa.array([-math.inf, None]), "double", -math.inf),
    "decimal128": (pa.array([Decimal("12.25"), None], pa.decimal128(10, 2)), "double", 12.25),
    "decimal256": (pa.array([Decimal("12.25"), None], pa.decimal256(50, 2)), "double", 12.25),
    "date32": (pa.array([date(2026, 3, 1), None]), "date32", date(2026, 3, 1)),
    "date64": (pa.array([date(1969, 3, 1), None], pa.date64()), "date32", date(1969, 3, 1)),
    "timestamp_s": (pa.array([SECOND, None], pa.timestamp("s", "UTC")), "timestamp", SECOND),
    "timestamp_ms": (pa.array([MILLI, None], pa.timestamp("ms", "UTC")), "timestamp", MILLI),
    "timestamp_us": (pa.array([MOMENT, None], pa.timestamp("us", "UTC")), "timestamp", MOMENT),
    "timestamp_ns": (
        pa.array([1_772_368_215_123_456_789, None], pa.timestamp("ns", "UTC")),
        "timestamp",
        MOMENT,
    ),
    "timestamp_naive": (pa.array([NAIVE, None], pa.timestamp("us")), "timestamp", MOMENT),
    "timestamp_naive_ns": (pa.array([NAIVE, None], pa.timestamp("ns")), "timestamp", MOMENT),
    "timestamp_zoned": (
        pa.array([MOMENT.astimezone(BERLIN), None], pa.timestamp("us", "Europe/Berlin")),
        "timestamp",
        MOMENT,
    ),
    "time32": (pa.array([time(1, 2, 3), None], pa.time32("ms")), "string", "01:02:03.000"),
    "time64": (pa.array([time(1, 2, 3), None], pa.time64("us")), "string", "01:02:03.000000"),
    "duration_s": (pa.array([90, None], pa.duration("s")), "int64", 90_000_000),
    "duration_ms": (pa.array([90, None], pa.duration("ms")), "int64", 90_000),
    "duration_ns": (pa.array([90_000, None], pa.duration("ns")), "int64", 90),
    "uuid": (pa.array([UUID(ID).bytes, None], pa.uuid()), "string", ID),
    "null": (pa.nulls(2), "string", None),
}
NOT_KEPT: dict[str, tuple[Any, str, object]] = {
    "list": (pa.array([[1, None], None]), "json", [1, None]),
    "large_list": (pa.array([["x"], None], pa.large_list(pa.string())), "json", ["x"]),
    "struct": (
        pa.array([{"a": 1, "b": 'x"y'}, None]),
        "json",
        {"a": 1, "b": 'x"y'},
    ),
    "nested": (
        pa.array([[{"role": "user", "parts": ["ä", None]}], None]),
        "json",
        [{"role": "user", "parts": ["ä", None]}],
    ),
    "map": (
        pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int64())),
        "json",
        {"k": 1},
    ),
    "map_of_int": (
        pa.array([[(7, "x")], None], pa.map_(pa.int64(), pa.string())),
        "json",
        {"7": "x"},
    ),
    "list_of_binary": (pa.array([["ä".encode()], None], pa.list_(pa.binary())), "json", ["ä"]),
    "struct_of_binary": (pa.array([{"a": b"x"}, None]), "json", {"a": "x"}),
    "binary": (pa.array(["ä".encode(), None], pa.binary()), "string", "ä"),
    "large_binary": (pa.array([b"x", None], pa.large_binary()), "string", "x"),
    "binary_view": (pa.array([b"x", None], pa.binary_view()), "string", "x"),
}
"""Columns that come into the output only if they are named."""

POLARS_TYPES: dict[str, pl.DataType] = {
    "string": pl.String(),
    "json": pl.String(),
    "bool": pl.Boolean(),
    "int32": pl.Int32(),
    "int64": pl.Int64(),
    "double": pl.Float64(),
    "date32": pl.Date(),
    "timestamp": pl.Datetime("us", "UTC"),
}


def through_parquet(folder: Path, columns: dict[str, Any]) -> pa.RecordBatch:
    """Give columns as a log of one batch would: Parquet changes some types."""
    path = folder / "log.parquet"
    pq.write_table(pa.table(columns), path)
    (batch,) = pq.ParquetFile(path).iter_batches()
    return batch


def columns_of(**changes: Any) -> Columns:  # noqa: ANN401 - any field of Columns
    fields = {"response": "response", "references": (), "id": None, "time": None, "kept": ()}
    return Columns(**(fields | changes))


def keep(array: Any, kind: str, **changes: Any) -> pl.Series:  # noqa: ANN401 - pyarrow
    batch = pa.record_batch({"response": pa.nulls(len(array)), "k": array})
    columns = columns_of(kept=(("k", kind),), **changes)
    kept, _ = map_batch(batch, columns, shard="s", first_row=0, cell_bytes=100)
    return kept["k"]


def sides(batch: Any, *references: str, cell_bytes: int = 100) -> pl.DataFrame:  # noqa: ANN401
    columns = columns_of(references=references)
    return map_batch(batch, columns, shard="s", first_row=0, cell_bytes=cell_bytes)[1]


def times(cells: Any) -> list[datetime | None]:  # noqa: ANN401 - a list or an Arrow array
    series = keep(pa.array(cells), "timestamp", time="k")
    assert series.dtype == pl.Datetime("us", "UTC")
    return series.to_list()


@pytest.mark.parametrize("name", [*KEPT, *NOT_KEPT])
def test_each_type_becomes_its_output_type(tmp_path: Path, name: str) -> None:
    array, kind, expected = (KEPT | NOT_KEPT)[name]
    read = through_parquet(tmp_path, {"k": array}).column(0)
    assert kept_type(read.type) == (kind if name in KEPT else None)
    for source in (array, read):
        series = keep(source, kind)
        assert series.dtype == POLARS_TYPES[kind]
        value = series[0]
        assert (json.loads(value) if kind == "json" else value) == expected
        assert series[1] is None


def test_a_number_that_is_no_number_stays_one() -> None:
    assert math.isnan(keep(pa.array([math.nan]), "double")[0])
    assert math.isnan(keep(pa.array([math.nan], pa.float32()), "double")[0])


@pytest.mark.parametrize("unit", ["s", "ms"])
def test_a_time_beyond_the_output_type_is_null_and_no_other_time(unit: str) -> None:
    array = pa.array([2**62, None, 0], pa.timestamp(unit))
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    assert keep(array, "timestamp").to_list() == [None, None, epoch]


def test_a_column_that_the_shard_does_not_have_is_null() -> None:
    batch = pa.record_batch({"response": ["x", "y"]})
    for kind, dtype in POLARS_TYPES.items():
        columns = columns_of(kept=(("k", kind),))
        kept, _ = map_batch(batch, columns, shard="s", first_row=0, cell_bytes=100)
        assert kept["k"].dtype == dtype
        assert kept["k"].null_count() == 2


@pytest.mark.parametrize(
    ("array", "kind", "expected"),
    [
        (pa.array([1, None], pa.int32()), "double", [1.0, None]),
        (pa.array([1, None], pa.int32()), "int64", [1, None]),
        (pa.array([1, None]), "string", ["1", None]),
        (pa.array([True, None]), "string", ["true", None]),
        (pa.array([1.5, None]), "string", ["1.5", None]),
        (pa.array([date(2026, 3, 1), None]), "string", ["2026-03-01", None]),
        (pa.array([Decimal("1.50"), None]), "string", ["1.50", None]),
        (pa.array(["x", None]), "json", ["x", None]),
        (pa.array([1, None]), "json", ["1", None]),
    ],
)
def test_a_column_takes_the_common_type_of_all_shards(
    array: Any,  # noqa: ANN401 - pyarrow has no types
    kind: str,
    expected: list[object],
) -> None:
    assert keep(array, kind).to_list() == expected


@pytest.mark.parametrize(
    ("types", "common"),
    [
        (["string"], "string"),
        (["int32", "int64"], "int64"),
        (["int64", "int32", "double"], "double"),
        (["bool", "int32"], "string"),
        (["timestamp", "string"], "string"),
        (["json", "string"], "json"),
        (["int64", "json"], "json"),
        (["date32"], "date32"),
    ],
)
def test_common_types(types: list[str], common: str) -> None:
    assert common_type(types) == common_type(reversed(types)) == common


@given(st.lists(st.sampled_from(["string", "bool", "int32", "int64", "double"]), min_size=1))
def test_a_common_type_depends_on_no_order_or_repetition(types: list[str]) -> None:
    assert common_type(types) == common_type(sorted(types) * 2)


def test_kept_bytes_that_are_no_text_are_mended() -> None:
    broken = [b"a\xffb", b"ok", None]
    for array in (pa.array(broken, pa.binary()), unchecked_text(broken)):
        assert keep(array, "string").to_list() == ["a\ufffdb", "ok", None]


def test_json_text_keeps_unicode_and_tells_null_from_a_list_of_it() -> None:
    texts = keep(pa.array([["null"], [None], [], None]), "json").to_list()
    assert texts[3] is None
    assert [json.loads(text) for text in texts[:3]] == [["null"], [None], []]
    (text,) = keep(pa.array([{"ä": '\u2028"\\\x00 😀'}]), "json").to_list()
    assert json.loads(text) == {"ä": '\u2028"\\\x00 😀'}


def test_json_text_of_bytes_that_are_no_utf8_does_not_crash() -> None:
    array = pa.ListArray.from_arrays([0, 1, 2], unchecked_text([b"\xff", b"ok"]))
    first, second = keep(array, "json").to_list()
    assert json.loads(second) == ["ok"]
    assert first is None or "\ufffd" in first


RESPONSES: dict[str, tuple[Any, str]] = {
    "string": (pa.array(["ä", None]), "ä"),
    "large_string": (pa.array(["x", None], pa.large_string()), "x"),
    "string_view": (pa.array(["x", None], pa.string_view()), "x"),
    "dictionary": (pa.array(["x", None]).dictionary_encode(), "x"),
    "binary": (pa.array(["ä".encode(), None], pa.binary()), "ä"),
    "large_binary": (pa.array([b"x", None], pa.large_binary()), "x"),
    "binary_view": (pa.array([b"x", None], pa.binary_view()), "x"),
    "dictionary_binary": (pa.array([b"x", None], pa.binary()).dictionary_encode(), "x"),
    "int64": (pa.array([42, None]), "42"),
    "uint64": (pa.array([BIG, None], pa.uint64()), str(BIG)),
    "bool": (pa.array([True, None]), "true"),
    "float64": (pa.array([1.5, None]), "1.5"),
    "float16": (pa.array([np.float16(1.5), None], pa.float16()), "1.5"),
    "decimal": (pa.array([Decimal("1.50"), None]), "1.50"),
    "date32": (pa.array([date(2026, 3, 1), None]), "2026-03-01"),
    "timestamp": (pa.array([SECOND, None], pa.timestamp("s", "UTC")), "2026-03-01 12:30:15Z"),
    "time64": (pa.array([time(1, 2, 3), None], pa.time64("us")), "01:02:03.000000"),
    "duration": (pa.array([90, None], pa.duration("s")), "90"),
}


@pytest.mark.parametrize("name", RESPONSES)
def test_a_response_or_reference_of_any_scalar_type_is_read_as_text(name: str) -> None:
    array, text = RESPONSES[name]
    pairs = sides(pa.record_batch({"response": array, "reference": array}), "reference")
    assert pairs.schema == dict.fromkeys(pairs.columns, pl.String)
    assert pairs.rows() == [(text, None, text, None), (None, None, None, None)]


def test_a_column_of_type_null_is_one_of_nulls() -> None:
    batch = pa.record_batch({"response": pa.nulls(2), "reference": pa.nulls(2)})
    assert sides(batch, "reference").rows() == [(None, None, None, None)] * 2


@pytest.mark.parametrize(
    "dtype",
    [
        pa.list_(pa.string()),
        pa.large_list(pa.large_string()),
        pa.list_(pa.string(), 2),
        pa.list_(pa.string_view()),
        pa.list_(pa.binary()),
        pa.list_(pa.dictionary(pa.int32(), pa.string())),
    ],
    ids=str,
)
def test_references_in_lists(dtype: Any) -> None:  # noqa: ANN401 - pyarrow has no types
    cells = [["x", "ä"], [None, ""], None]
    array = pa.array([["x", "ä"], [None, ""], None], pa.list_(pa.string())).cast(dtype)
    assert array.to_pylist() == cells or dtype == pa.list_(pa.binary())
    pairs = sides(pa.record_batch({"response": ["r"] * 3, "reference": array}), "reference")
    # An empty list is as good as none: both are a null reference to every scorer.
    assert pairs["reference"].to_list() in (cells, [*cells[:2], []])
    assert pairs["reference_problem"].null_count() == 3


def test_references_in_a_list_of_numbers_are_texts() -> None:
    batch = pa.record_batch({"response": ["r"], "reference": pa.array([[1, None]])})
    assert sides(batch, "reference")["reference"].to_list() == [["1", None]]


def test_several_references_become_a_list_in_their_order() -> None:
    batch = pa.record_batch({"response": ["r"] * 3, "x": ["1", None, None], "y": ["2", "3", None]})
    assert sides(batch, "x", "y")["reference"].to_list() == [["1", "2"], [None, "3"], [None, None]]
    assert sides(batch, "y", "x")["reference"].to_list() == [["2", "1"], ["3", None], [None, None]]


def test_a_list_and_a_text_make_one_list_and_a_null_list_loses_no_text() -> None:
    batch = pa.record_batch(
        {"response": ["r"] * 3, "x": pa.array([["1", "2"], None, []]), "y": ["3", "4", "5"]}
    )
    references = sides(batch, "x", "y")["reference"].to_list()
    without_nulls = [[text for text in row or [] if text is not None] for row in references]
    assert without_nulls == [["1", "2", "3"], ["4"], ["5"]]


BROKEN = [b"ok", b"\xff\xfe", None, "ä".encode()]


@pytest.mark.parametrize("side", ["response", "reference"])
@pytest.mark.parametrize("as_text", [False, True])
def test_bytes_that_are_no_utf8_are_null_and_named(side: str, as_text: bool) -> None:  # noqa: FBT001
    array = unchecked_text(BROKEN) if as_text else pa.array(BROKEN, pa.binary())
    batch = pa.record_batch({"response": ["r"] * 4, "reference": ["r"] * 4} | {side: array})
    pairs = sides(batch, "reference")
    assert pairs[side].to_list() == ["ok", None, None, "ä"]
    assert pairs[f"{side}_problem"].to_list() == [None, f"{side}_not_utf8", None, None]
    other = "reference" if side == "response" else "response"
    assert pairs[other].to_list() == ["r"] * 4
    assert pairs[f"{other}_problem"].null_count() == 4


def test_bytes_that_are_no_utf8_inside_a_list_leave_its_other_texts() -> None:
    array = pa.ListArray.from_arrays([0, 2, 3, 3], unchecked_text([b"\xff", b"ok", b"fine"]))
    pairs = sides(pa.record_batch({"response": ["r"] * 3, "reference": array}), "reference")
    assert pairs["reference"].to_list() == [[None, "ok"], ["fine"], []]
    assert pairs["reference_problem"].to_list() == ["reference_not_utf8", None, None]


def test_a_batch_that_begins_inside_a_broken_column_is_cut_rightly() -> None:
    batch = pa.record_batch({"response": unchecked_text(BROKEN)}).slice(1, 2)
    assert sides(batch).rows() == [(None, "response_not_utf8"), (None, None)]


def test_a_cell_is_too_large_by_its_bytes() -> None:
    cells = ["x" * 10, "x" * 11, "ä" * 5, "ä" * 5 + "x", None]
    batch = pa.record_batch({"response": cells, "reference": cells})
    pairs = sides(batch, "reference", cell_bytes=10)
    for side in ("response", "reference"):
        assert pairs[side].to_list() == ["x" * 10, None, "ä" * 5, None, None]
        problems = pairs[f"{side}_problem"].to_list()
        assert problems == [None, "cell_too_large", None, "cell_too_large", None]


def test_a_cell_that_is_too_large_inside_a_list_leaves_its_other_texts() -> None:
    batch = pa.record_batch({"response": ["r"] * 2, "reference": [["x" * 11, "x"], ["x", None]]})
    pairs = sides(batch, "reference", cell_bytes=10)
    assert pairs["reference"].to_list() == [[None, "x"], ["x", None]]
    assert pairs["reference_problem"].to_list() == ["cell_too_large", None]


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01T12:30:15.123456Z",
        "2026-03-01t12:30:15.123456z",
        "2026-03-01 12:30:15.123456",
        "2026-03-01T12:30:15.123456",
        "2026-03-01T12:30:15.123456789Z",
        "2026-03-01T13:30:15.123456+01:00",
        "2026-03-01T13:30:15.123456+0100",
        "2026-03-01T13:30:15.123456+01",
        "2026-03-01 07:30:15.123456-05:00",
        "  2026-03-01T12:30:15.123456Z\n",
    ],
)
def test_iso_times_of_any_spelling_are_read(text: str) -> None:
    assert times([text]) == [MOMENT]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T12:30:15Z", SECOND),
        ("2026-03-01T12:30:15.5+00:00", SECOND.replace(microsecond=500_000)),
        ("2026-03-01T12:30Z", SECOND.replace(second=0)),
        ("2026-03-01 12:30", SECOND.replace(second=0)),
        ("1969-12-31T23:59:59.999999Z", datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
    ],
)
def test_iso_times_of_less_precision_are_read(text: str, moment: datetime) -> None:
    assert times([text]) == [moment]


@pytest.mark.parametrize(
    "text",
    ["", " ", "yesterday", "1772368215", "01.03.2026", "2026-02-30", "2026-03-01T25:00:00Z",
     "2026-13-01T00:00:00", "2026-03-01T12:30:15Z and more"],
)  # fmt: skip
def test_text_that_is_no_time_is_null(text: str) -> None:
    assert times([text, None, "2026-03-01"]) == [None, None, datetime(2026, 3, 1, tzinfo=UTC)]


@pytest.mark.parametrize(
    "array",
    [
        pa.array([SECOND, None], pa.timestamp("s")),
        pa.array([SECOND, None], pa.timestamp("ns", "America/New_York")),
        pa.array(["2026-03-01T12:30:15Z", None]).dictionary_encode(),
        pa.array(["2026-03-01T12:30:15Z", None], pa.large_string()),
        pa.array(["2026-03-01T12:30:15Z", None], pa.string_view()),
    ],
    ids=lambda array: str(array.type),
)
def test_times_of_any_type_are_read(array: Any) -> None:  # noqa: ANN401 - pyarrow has no types
    assert times(array) == [SECOND, None]


def test_a_date_is_the_midnight_that_begins_it() -> None:
    midnight = datetime(2026, 3, 1, tzinfo=UTC)
    for dtype in (pa.date32(), pa.date64()):
        assert times(pa.array([date(2026, 3, 1), None], dtype)) == [midnight, None]


def test_a_time_that_is_no_utf8_is_null() -> None:
    assert times(unchecked_text([b"\xff", b"2026-03-01"])) == [
        None,
        datetime(2026, 3, 1, tzinfo=UTC),
    ]


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (pa.array(["a", None, ""]), ["a", "dir/s.parquet:6", ""]),
        (pa.array([7, None, -1]), ["7", "dir/s.parquet:6", "-1"]),
        (pa.array([b"a", None, b"\xff"], pa.binary()), ["a", "dir/s.parquet:6", "\ufffd"]),
        (pa.nulls(3), [f"dir/s.parquet:{row}" for row in (5, 6, 7)]),
    ],
)
def test_a_run_is_named_by_its_id_or_else_by_shard_and_row(
    array: Any,  # noqa: ANN401 - pyarrow has no types
    expected: list[str],
) -> None:
    batch = pa.record_batch({"response": ["x"] * 3, "uid": array})
    kept, _ = map_batch(
        batch, columns_of(id="uid"), shard="dir/s.parquet", first_row=5, cell_bytes=100
    )
    assert kept.schema == {"run_id": pl.String}
    assert kept["run_id"].to_list() == expected


def test_a_shard_named_with_braces_or_percent_names_its_runs_so() -> None:
    batch = pa.record_batch({"response": ["x"]})
    kept, _ = map_batch(batch, columns_of(), shard="{}{x}%s", first_row=0, cell_bytes=100)
    assert kept["run_id"].to_list() == ["{}{x}%s:0"]


def test_of_two_columns_of_one_name_the_first_counts() -> None:
    batch = pa.RecordBatch.from_arrays(
        [pa.array(["x"]), pa.array(["y"]), pa.array([1]), pa.array([2])],
        names=["response", "response", "k", "k"],
    )
    kept, pairs = map_batch(
        batch, columns_of(kept=(("k", "int64"),)), shard="s", first_row=0, cell_bytes=100
    )
    assert pairs["response"].to_list() == ["x"]
    assert kept["k"].to_list() == [1]


def test_no_rows_give_all_columns() -> None:
    columns = columns_of(references=("x", "y"), id="uid", time="at", kept=(("at", "timestamp"),))
    kept, pairs = map_batch(
        pa.RecordBatch.from_arrays([], names=[]), columns, shard="s", first_row=0, cell_bytes=100
    )
    assert kept.schema == {"run_id": pl.String, "at": pl.Datetime("us", "UTC")}
    assert kept.height == pairs.height == 0
    assert pairs.columns == [
        "response",
        "response_problem",
        "reference",
        "reference_problem",
    ]
