"""Mergeable partials: what some scored rows add to the summaries, exactly, in any order.

Floating-point sums depend on their order, so a parallel job would not give the same bytes twice.
Here all sums are of integers: values and their squares in fixed point, and counts of values
rounded to four decimals, from which nearest-rank percentiles follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl
import polars.selectors as cs

from ...scorers.base import BANDS, Scorer
from ..log.read import read_table
from ..plan import ScorerSpec
from ..score import scorer_of
from .write import write_table

KEY: Final = "by:"
"""Put before a key's name, so that no key collides with a field."""

_FRACTION_BITS: Final = 32
_SUMS: Final = ("sum", "sum_squares")
_ADDED: Final = ("n", "n_unscored", *_SUMS)
_MEASURED: Final = (*_ADDED, "min", "max")


class Partials(NamedTuple):
    """What is known of some rows, by their keys.

    Attributes:
        moments: a row per scorer, field and keys: ``n``, ``n_unscored``, ``sum`` and
            ``sum_squares`` (Int128, in fixed point for a float field), ``min``, ``max``.
        counts: a row per row of the moments (``row``, its number there) and ``value`` (Int64: the
            value times 10,000): ``n``.
    """

    moments: pl.DataFrame
    counts: pl.DataFrame


def partials_of(scored: pl.DataFrame, specs: Iterable[ScorerSpec], by: Sequence[str]) -> Partials:
    """Make the partials of n scored rows."""
    # Without keys, all rows are of one group.
    one = pl.repeat("", pl.len()).alias("all")
    keys = [pl.col(key).cast(pl.String).alias(f"{KEY}{key}") for key in by]
    groups, group = _groups(scored.select(one, *keys))
    moments, counts = list[pl.LazyFrame](), list[pl.LazyFrame]()
    for spec in specs:
        scorer = scorer_of(spec)
        fields = {name: pl.col(f"{spec.prefix}_{name}") for name in scorer.fields}
        own = scored.select(group, **fields).with_columns(*_numbers(scorer))
        prefix = pl.lit(spec.prefix).alias("scorer")
        moments.extend(frame.select(prefix, pl.all()) for frame in _moments(own, scorer, groups))
        for frame in _counts(own, scorer):
            # The moments of a field stand one behind the other, in the order of the groups.
            row = pl.col("group") + len(counts) * groups.height
            counts.append(frame.select(row.alias("row"), "value", "n"))
    # One query for each table: a query costs as much as some thousand rows.
    return Partials(*(pl.concat(tables).collect() for tables in (moments, counts)))


def measured_columns(specs: Iterable[ScorerSpec], by: Sequence[str]) -> list[str]:
    """Name the columns of scored rows that partials are made of."""
    fields = (f"{spec.prefix}_{name}" for spec in specs for name in scorer_of(spec).fields)
    return list(dict.fromkeys([*fields, *by]))


class Sum:
    """Partials that grow: merged whenever as much has come in as there was."""

    def __init__(self) -> None:
        self._parts: list[Partials] = []

    def add(self, partials: Partials) -> None:
        """Add some."""
        self._parts.append(partials)
        merged, *others = (part.counts.height for part in self._parts)
        if sum(others) > merged:
            self._merge()

    def total(self) -> Partials:
        """Give all that was added, once at least."""
        self._merge()
        return self._parts[0]

    def _merge(self) -> None:
        """Keep one table of each kind: memory holds distinct values, not rows."""
        if len(self._parts) > 1:
            self._parts = [add_up(_concat(self._parts))]


def merge(partials: Iterable[Partials]) -> Partials:
    """Merge one or more partials."""
    merged = Sum()
    for partial in partials:
        merged.add(partial)
    return merged.total()


def add_up(partials: Partials) -> Partials:
    """Add up all rows of the same scorer, field and keys."""
    ids = id_columns(partials)
    moments = partials.moments.group_by(ids, maintain_order=True).agg(
        pl.col(_ADDED).sum(), pl.col("min").min(), pl.col("max").max()
    )
    numbered = partials.moments.join(
        moments.select(ids).with_row_index("row"),
        on=ids, how="left", nulls_equal=True, maintain_order="left",
    )  # fmt: skip
    row = numbered["row"].gather(partials.counts["row"])
    counts = partials.counts.with_columns(row).group_by("row", "value").agg(pl.col("n").sum())
    return Partials(moments, counts)


def _concat(partials: Sequence[Partials]) -> Partials:
    heights = accumulate((part.moments.height for part in partials), initial=0)
    return Partials(
        pl.concat([part.moments for part in partials]),
        pl.concat(
            [
                part.counts.with_columns(pl.col("row") + height)
                for part, height in zip(partials, heights, strict=False)
            ]
        ),
    )


def id_columns(partials: Partials) -> list[str]:
    """Name the columns that tell the moments' rows apart: scorer, field, keys."""
    return [name for name in partials.moments.columns if name not in _MEASURED]


def measures(scorer: Scorer) -> list[str]:
    """Name what the summary tells of a scorer: its numeric fields, then its flags."""
    return [*(name for name, t in scorer.fields.items() if t.is_numeric()), *scorer.flags]


def fraction_bits(scorer: Scorer, name: str) -> int:
    """How many bits of a measure's fixed point are fraction: none for whole numbers."""
    return _FRACTION_BITS if scorer.fields.get(name) == pl.Float64 else 0


def save_partials(folder: Path, stem: str, partials: Partials) -> dict[Path, str]:
    """Write partials as two Parquet files, and give their paths with their SHA-256.

    Rows are sorted. Sums are written as text: Parquet has no integer of 128 bits.
    """
    moments = partials.moments.with_row_index("row").sort(id_columns(partials))
    new_row = moments["row"].arg_sort().rename("row")
    counts = partials.counts.with_columns(new_row.gather(partials.counts["row"]))
    tables = {
        folder / f"{stem}.moments.parquet": moments.drop("row").with_columns(
            pl.col(_SUMS).cast(pl.String)
        ),
        folder / f"{stem}.counts.parquet": counts.sort("row", "value"),
    }
    return {path: write_table(path, table) for path, table in tables.items()}


def load_partials(folder: Path, stem: str) -> Partials:
    """Read back what ``save_partials`` wrote."""
    moments = read_table(folder / f"{stem}.moments.parquet")
    return Partials(
        moments.with_columns(pl.col(_SUMS).cast(pl.Int128)),
        read_table(folder / f"{stem}.counts.parquet"),
    )


def _groups(keys: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """Number the distinct keys of n rows: a row per group, and the group of each row."""
    groups = keys.unique(maintain_order=True).with_row_index("group")
    numbered = keys.join(
        groups, on=keys.columns, how="left", nulls_equal=True, maintain_order="left"
    )
    return groups, numbered["group"]


def _numbers(scorer: Scorer) -> Iterator[pl.Expr]:
    """Make numbers of what is none: flags of scored rows, and bands."""
    is_scored = pl.col("unscored").is_null()
    for name, flag in scorer.flags.items():
        yield pl.when(is_scored).then(flag.condition.cast(pl.Int64)).alias(name)
    if "band" in scorer.fields:
        numbers = {band: number for number, band in enumerate(BANDS)}
        yield pl.col("band").replace_strict(numbers, return_dtype=pl.Int64)


def _summed(scorer: Scorer) -> list[str]:
    """Name what is summed up: the measures, and the number of the band."""
    return [*measures(scorer), *(["band"] if "band" in scorer.fields else [])]


def _moments(own: pl.DataFrame, scorer: Scorer, groups: pl.DataFrame) -> Iterator[pl.LazyFrame]:
    """Sum up each number by group, in the order of the groups, which gives the keys."""
    sums = []
    for name in _summed(scorer):
        value = pl.col(name)
        fixed = _fixed_point(value, fraction_bits(scorer, name))
        sums.append(
            pl.struct(
                value.count().cast(pl.Int64).alias("n"),
                pl.col("unscored").count().cast(pl.Int64).alias("n_unscored"),
                fixed.sum().alias("sum"),
                (fixed * fixed).sum().alias("sum_squares"),
                value.min().cast(pl.Float64).alias("min"),
                value.max().cast(pl.Float64).alias("max"),
            ).alias(name)
        )
    summed = groups.lazy().join(
        own.lazy().group_by("group").agg(sums), on="group", maintain_order="left"
    )
    for name in _summed(scorer):
        field = pl.lit(name).alias("field")
        yield summed.select(field, cs.starts_with(KEY), pl.col(name).struct.unnest())


def _counts(own: pl.DataFrame, scorer: Scorer) -> Iterator[pl.LazyFrame]:
    """Count the values of each number by group."""
    names = _summed(scorer)
    # Expressions take longer to make than a small batch: one for all.
    rounded = own.select("group", _ten_thousandths(pl.col(names))).lazy()
    for name in names:
        valued = rounded.select("group", pl.col(name).alias("value")).drop_nulls("value")
        yield valued.group_by("group", "value").agg(pl.len().cast(pl.Int64).alias("n"))


def _fixed_point(value: pl.Expr, bits: int) -> pl.Expr:
    """Turn a number into an exact integer (Int128): the nearest multiple of 2^-bits."""
    return (value * 2.0**bits).round(0).cast(pl.Int128) if bits else value.cast(pl.Int128)


def _ten_thousandths(value: pl.Expr) -> pl.Expr:
    """Round a number to four decimals, exactly, a tie away from zero; as a count of 0.0001.

    ``value * 1e4`` may round to a tie that is none. What the product lost (Dekker 1971,
    https://doi.org/10.1007/BF01397083) tells on which side of the tie the number is.
    """
    value = value.cast(pl.Float64)
    product = value * 1e4
    below, nearest = product.floor(), product.round(0)
    split = value * (2.0**27 + 1)
    high = split - (split - value)
    lost = (high * 1e4 - product) + (value - high) * 1e4
    up = (lost > 0) | ((lost == 0) & (value > 0))
    at_tie = (product - nearest).abs() == 0.5  # noqa: PLR2004 - a tie
    rounded = pl.when(at_tie).then(below + up.cast(pl.Float64)).otherwise(nearest)
    return rounded.cast(pl.Int64)
