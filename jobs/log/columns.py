"""Where response, reference, id, time and keys live in a log, and their way into plain columns.

Logs disagree on types: text comes as string, binary or dictionary, time as timestamp or text.
Here all become the few types that every reader of the output knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from ..plan import Columns

_ARROW_TYPES: Final = {
    "bool": pa.bool_(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "date32": pa.date32(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}
_ZONED_FORMATS: Final = ("%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%d %H:%M%#z")
_NAIVE_FORMATS: Final = ("%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M", "%Y-%m-%d")


def kept_type(dtype: pa.DataType) -> str | None:
    """Name the output type of an input column; None for a nested or binary one.

    Unsigned 64-bit integers become text, since no smaller type holds them all.

    Example:
        >>> kept_type(pa.int16()), kept_type(pa.decimal128(10, 2)), kept_type(pa.list_(pa.int8()))
        ('int32', 'double', None)
    """
    t = pa.types
    if t.is_dictionary(dtype):
        return kept_type(dtype.value_type)
    kinds = (
        (t.is_boolean, "bool"),
        (lambda d: t.is_int8(d) or t.is_int16(d) or t.is_int32(d), "int32"),
        (lambda d: t.is_uint8(d) or t.is_uint16(d), "int32"),
        (lambda d: t.is_int64(d) or t.is_uint32(d) or t.is_duration(d), "int64"),
        (lambda d: t.is_floating(d) or t.is_decimal(d), "double"),
        (t.is_date, "date32"),
        (t.is_timestamp, "timestamp"),
        (lambda d: is_text(d) or t.is_null(d) or t.is_uint64(d) or t.is_time(d), "string"),
        (_is_uuid, "string"),
    )
    return next((name for matches, name in kinds if matches(dtype)), None)


def type_name(dtype: pl.DataType) -> str:
    """Name the type of an output column as its readers know it.

    Example:
        >>> type_name(pl.Float64()), type_name(pl.Datetime("us", "UTC"))
        ('double', 'timestamp')
    """
    arrow = pl.Series(dtype=dtype).to_arrow().type
    return kept_type(arrow) or str(arrow)


def is_text(dtype: pa.DataType) -> bool:
    """Whether a column holds text, as string, string view or dictionary of strings."""
    t = pa.types
    if t.is_dictionary(dtype):
        return is_text(dtype.value_type)
    return bool(t.is_string(dtype) or t.is_large_string(dtype) or t.is_string_view(dtype))


def is_binary(dtype: pa.DataType) -> bool:
    """Whether a column holds bytes, which may be text that its writer did not call so."""
    t = pa.types
    return bool(t.is_binary(dtype) or t.is_large_binary(dtype) or t.is_binary_view(dtype))


def is_list(dtype: pa.DataType) -> bool:
    """Whether a column holds lists."""
    t = pa.types
    return bool(t.is_list(dtype) or t.is_large_list(dtype) or t.is_fixed_size_list(dtype))


def can_be_text(dtype: pa.DataType) -> bool:
    """Whether a column that is named as text can be read as such: any scalar can."""
    return kept_type(dtype) is not None or is_binary(dtype)


def can_be_reference(dtype: pa.DataType) -> bool:
    """Whether a column can be read as one reference a row, or as a list of them."""
    return can_be_text(dtype.value_type if is_list(dtype) else dtype)


def can_be_time(dtype: pa.DataType) -> bool:
    """Whether a column can be read as time without guessing a unit."""
    return bool(pa.types.is_timestamp(dtype) or pa.types.is_date(dtype) or is_text(dtype))


def common_type(types: Iterable[str]) -> str:
    """Give the one output type of a column whose type differs between shards.

    Example:
        >>> common_type(["int32", "double"]), common_type(["int64", "string"])
        ('double', 'string')
    """
    distinct = set(types)
    if len(distinct) == 1:
        return distinct.pop()
    for widest in ("int64", "double"):
        if distinct <= {"int32", "int64", widest}:
            return widest
    return "json" if "json" in distinct else "string"


def map_batch(
    batch: pa.RecordBatch, columns: Columns, *, shard: str, first_row: int, cell_bytes: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Turn a batch of a log into what is kept of it and what is scored: two frames of n rows.

    Returns:
        The kept frame: ``run_id``, then the kept columns in their output types; a column that
        this shard does not have is null. And the pairs: ``response``, ``reference`` if the job
        has one, and ``response_problem``, ``reference_problem`` where a text that the log has is
        null here: not UTF-8, or larger than ``cell_bytes``.
    """
    pairs = _side(batch, (columns.response,), "response", cell_bytes)
    if columns.references:
        pairs += _side(batch, columns.references, "reference", cell_bytes)
    places = pl.format("{}:{}", pl.lit(shard), pl.int_range(first_row, first_row + batch.num_rows))
    run_id = pl.select(places).to_series()
    if columns.id is not None:
        run_id = pl.select(
            pl.coalesce(_kept(_column(batch, columns.id), "string"), run_id)
        ).to_series()
    kept = [run_id.alias("run_id")]
    for name, kind in columns.kept:
        array = _column(batch, name)
        series = _time(array) if name == columns.time else _kept(array, kind)
        kept.append(series.alias(name))
    return pl.DataFrame(kept), pl.DataFrame(pairs)


def map_keys(batch: pa.RecordBatch, keys: Iterable[tuple[str, str]]) -> list[pl.Series]:
    """Read key columns of a batch as text, as a summary shows its keys; null stays null."""
    return [_kept(_column(batch, name), kind).cast(pl.String) for name, kind in keys]


def map_responses(batch: pa.RecordBatch, columns: Columns) -> pl.Series:
    """Read the responses of a batch as text; one that is not UTF-8 is null."""
    return _decode(_column(batch, columns.response))[0]


def _column(batch: pa.RecordBatch, name: str) -> pa.Array:
    """Take a column by its name; the first, should the log have two of that name."""
    found = batch.schema.get_all_field_indices(name)
    array = batch.column(found[0]) if found else pa.nulls(batch.num_rows)
    if pa.types.is_dictionary(array.type):
        return array.cast(array.type.value_type)
    if _is_uuid(array.type):
        return pa.array([None if value is None else str(value) for value in array.to_pylist()])
    return array


def _is_uuid(dtype: pa.DataType) -> bool:
    return isinstance(dtype, pa.UuidType)


def _side(
    batch: pa.RecordBatch, names: tuple[str, ...], side: str, cell_bytes: int
) -> list[pl.Series]:
    """Read one side of the pairs, and why a text of it is null: String, or lists of String."""
    texts, problems = [], []
    for name in names:
        text, not_utf8 = _decode(_column(batch, name))
        frame = pl.DataFrame({"text": text, "not_utf8": not_utf8})
        is_nested = isinstance(text.dtype, pl.List)
        own = pl.element() if is_nested else pl.col("text")
        too_large = own.str.len_bytes() > cell_bytes
        fits: pl.Expr = pl.when(~too_large).then(own)
        if is_nested:
            fits = pl.col("text").list.eval(fits)
            if len(names) > 1:
                # A null list would make null of the whole, other references included.
                fits = fits.fill_null([])
            too_large = pl.col("text").list.eval(too_large).list.any()
        not_text = pl.when("not_utf8").then(pl.lit(f"{side}_not_utf8"))
        texts.append(frame.select(fits).to_series())
        problems.append(
            frame.select(not_text.when(too_large).then(pl.lit("cell_too_large"))).to_series()
        )
    whole = texts[0] if len(names) == 1 else pl.select(pl.concat_list(texts)).to_series()
    why = pl.select(pl.coalesce(problems)).to_series()
    return [whole.alias(side), why.alias(f"{side}_problem")]


def _decode(array: pa.Array, errors: str = "strict") -> tuple[pl.Series, pl.Series]:
    """Read n values as text, or n lists of them, and tell which rows hold bytes that are no UTF-8.

    pyarrow reads such bytes as strings without a word, and polars crashes on them: so every array
    is validated first. Under "strict" such a text is null, under "replace" it is mended.
    """
    nested = is_list(array.type)
    text_type = pa.large_list(pa.large_string()) if nested else pa.large_string()
    bytes_type = pa.large_list(pa.large_binary()) if nested else pa.large_binary()
    try:
        array.validate(full=True)
        text = pl.Series(array.cast(text_type))
        return text, pl.repeat(value=False, n=len(array), dtype=pl.Boolean, eager=True)
    except (pa.ArrowInvalid, UnicodeDecodeError):
        rows = array.cast(bytes_type).to_pylist()
    decoded, wrong = [], []
    for row in rows:
        cells = row if nested and row is not None else [row]
        texts = [_decode_cell(cell, errors) for cell in cells]
        wrong.append(any(t is None and c is not None for t, c in zip(texts, cells, strict=True)))
        decoded.append(texts if nested and row is not None else texts[0])
    dtype = pl.List(pl.String) if nested else pl.String
    return pl.Series(decoded, dtype=dtype), pl.Series(wrong, dtype=pl.Boolean)


def _decode_cell(cell: bytes | None, errors: str) -> str | None:
    try:
        return None if cell is None else cell.decode("utf-8", errors)
    except UnicodeDecodeError:
        return None


def _kept(array: pa.Array, kind: str) -> pl.Series:
    """Read a column in its output type."""
    if kind == "json" and pa.types.is_nested(array.type):
        return _json(array)
    if kind == "timestamp":
        return pl.Series(_microseconds(array))
    if kind in _ARROW_TYPES:
        if pa.types.is_duration(array.type):
            array = array.cast(pa.duration("us"), safe=False)
        return pl.Series(array.cast(_ARROW_TYPES[kind], safe=False))
    return _decode(array, errors="replace")[0]


def _microseconds(array: pa.Array) -> pa.Array:
    """Read timestamps as microseconds in UTC; one beyond what these can tell is null."""
    microseconds = _ARROW_TYPES["timestamp"]
    if pa.types.is_timestamp(array.type) and array.type.unit in {"s", "ms"}:
        ticks = array.cast(pa.int64())
        most = (2**63 - 1) // (10**6 if array.type.unit == "s" else 1000)
        fits = pc.and_(pc.less_equal(ticks, most), pc.greater_equal(ticks, -most))
        array = pc.if_else(fits, array, None)
    return array.cast(microseconds, safe=False)


def _json(array: pa.Array) -> pl.Series:
    """Read nested values as JSON text; one in which some text is no UTF-8 is null."""
    textual = _textual(array.type)
    try:
        array.validate(full=True)
        array = array.cast(textual)
    except pa.ArrowInvalid:
        rows = [_whole(array.slice(row, 1), textual) for row in range(len(array))]
        array = pa.concat_arrays(rows)
    wrapped = pl.struct(pl.lit(pl.Series(array)).alias("")).struct.json_encode()
    # {"":VALUE} without its first four and its last character.
    text = wrapped.str.slice(4).str.head(-1)
    return pl.select(pl.when(text != "null").then(text)).to_series()


def _whole(row: pa.Array, dtype: pa.DataType) -> pa.Array:
    """Cast one row, or make it null if it cannot be."""
    with suppress(pa.ArrowInvalid):
        # Concatenating cuts off what the row does not use.
        row = pa.concat_arrays([row])
        row.validate(full=True)
        return row.cast(dtype)
    return pa.nulls(1, dtype)


def _textual(dtype: pa.DataType) -> pa.DataType:
    """Give the type in which JSON has a word for everything: bytes and keys as text."""
    if is_list(dtype):
        return pa.large_list(_textual(dtype.value_type))
    if pa.types.is_struct(dtype):
        return pa.struct([(field.name, _textual(field.type)) for field in dtype])
    if pa.types.is_map(dtype):
        return pa.map_(pa.string(), _textual(dtype.item_type))
    return pa.large_string() if is_binary(dtype) else dtype


def _time(array: pa.Array) -> pl.Series:
    """Read a column as timestamps in UTC; text that is no ISO 8601 becomes null."""
    if not is_text(array.type):
        return _kept(array, "timestamp")
    text = pl.lit(_decode(array)[0]).str.strip_chars().str.replace("[Tt]", " ")
    zoned = (text.str.to_datetime(f, time_unit="us", strict=False) for f in _ZONED_FORMATS)
    naive = (text.str.to_datetime(f, time_unit="us", strict=False) for f in _NAIVE_FORMATS)
    in_utc = (time.dt.replace_time_zone("UTC") for time in naive)
    return pl.select(pl.coalesce(*zoned, *in_utc)).to_series()
