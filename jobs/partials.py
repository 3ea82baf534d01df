"""Mergeable partials: what some scored rows add to the summaries, exactly, in any order.

Floating-point sums depend on their order, so a parallel job would not give the same bytes twice.
Here all sums are of integers: values and their squares in fixed point, and counts of values
rounded to four decimals, from which nearest-rank percentiles follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl
import polars.selectors as cs

from tonelog.jobs.plan import ScorerSpec
from tonelog.jobs.read import read_table
from tonelog.jobs.score import scorer_of
from tonelog.jobs.write import write_table
from tonelog.scorers.base import BANDS, Scorer

KEY: Final = "by:"
"""Put before a key's name, so that no key collides with a field."""

_FRACTION_BITS: Final = 32
_SUMS: Final = ("sum", "sum_squares")
_ADDED: Final = ("n", "n_unscored", *_SUMS)


class Partials(NamedTuple):
    """What is known of some rows, by their keys; concatenating and summing merges two.

    Attributes:
        moments: per keys, scorer and field: ``n``, ``n_unscored``, ``sum`` and ``sum_squares``
            (Int128, in fixed point for a float field), ``min``, ``max``.
        counts: per keys, scorer, field and ``value`` (Int64: the value times 10,000, or the
            number of a band): ``n``.
    """

    moments: pl.DataFrame
    counts: pl.DataFrame


def partials_of(scored: pl.DataFrame, specs: Iterable[ScorerSpec], by: Sequence[str]) -> Partials:
    """Make the partials of n scored rows."""
    # Without keys, all rows are of one group.
    one = pl.repeat("", pl.len()).alias("all")
    keys = [pl.col(key).cast(pl.String).alias(f"{KEY}{key}") for key in by]
    groups, group = _groups(scored.select(one, *keys))
    moments, counts = [], []
    for spec in specs:
        scorer = scorer_of(spec)
        fields = {name: pl.col(f"{spec.prefix}_{name}") for name in scorer.fields}
        is_scored = pl.col("unscored").is_null()
        own = scored.select(**fields).with_columns(
            group,
            *(
                pl.when(is_scored).then(flag.condition.cast(pl.Int64)).alias(name)
                for name, flag in scorer.flags.items()
            ),
        )
        name_scorer = pl.lit(spec.prefix).alias("scorer")
        moments += [frame.with_columns(name_scorer) for frame in _moments(own, scorer)]
        counts += [frame.with_columns(name_scorer) for frame in _counts(own, scorer)]
    ids = ["scorer", "field", *(f"{KEY}{key}" for key in by)]
    # One query for each table: a query costs as much as some thousand rows.
    return Partials(
        *(
            pl.concat(tables)
            .join(groups.lazy(), on="group")
            .select(*ids, pl.exclude("group", "all", *ids))
            .collect()
            for tables in (moments, counts)
        )
    )


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
        # As categories, the names of keys and fields take a quarter of the memory.
        as_categories = cs.string().cast(pl.Categorical)
        self._parts.append(Partials(*(table.with_columns(as_categories) for table in partials)))
        merged, *others = (part.counts.height for part in self._parts)
        if sum(others) > merged:
            self._merge()

    def total(self) -> Partials:
        """Give all that was added, once at least."""
        self._merge()
        as_text = cs.categorical().cast(pl.String)
        return Partials(*(table.with_columns(as_text) for table in self._parts[0]))

    def _merge(self) -> None:
        """Keep one table of each kind: memory holds distinct values, not rows."""
        if len(self._parts) > 1:
            merged = Partials(
                sum_moments(pl.concat([part.moments for part in self._parts])),
                sum_counts(pl.concat([part.counts for part in self._parts])),
            )
            self._parts = [merged]


def merge(partials: Iterable[Partials]) -> Partials:
    """Merge one or more partials."""
    merged = Sum()
    for partial in partials:
        merged.add(partial)
    return merged.total()


def measures(scorer: Scorer) -> list[str]:
    """Name what the summary tells of a scorer: its numeric fields, then its flags."""
    return [*(name for name, t in scorer.fields.items() if t.is_numeric()), *scorer.flags]


def sum_moments(moments: pl.DataFrame) -> pl.DataFrame:
    """Add up the moments of the same keys, scorer and field."""
    ids = [name for name in moments.columns if name not in {*_ADDED, "min", "max"}]
    return moments.group_by(ids).agg(pl.col(_ADDED).sum(), pl.col("min").min(), pl.col("max").max())


def sum_counts(counts: pl.DataFrame) -> pl.DataFrame:
    """Add up the counts of the same keys, scorer, field and value."""
    ids = [name for name in counts.columns if name != "n"]
    return counts.group_by(ids).agg(pl.col("n").sum())


def fraction_bits(scorer: Scorer, name: str) -> int:
    """How many bits of a measure's fixed point are fraction: none for whole numbers."""
    return _FRACTION_BITS if scorer.fields.get(name) == pl.Float64 else 0


def save_partials(folder: Path, stem: str, partials: Partials) -> dict[Path, str]:
    """Write partials as two Parquet files, and give their paths with their SHA-256.

    Sums are written as text: Parquet has no integer of 128 bits.
    """
    tables = {
        folder / f"{stem}.moments.parquet": partials.moments.with_columns(
            pl.col(_SUMS).cast(pl.String)
        ),
        folder / f"{stem}.counts.parquet": partials.counts,
    }
    return {path: write_table(path, table.sort(pl.all())) for path, table in tables.items()}


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


def _moments(own: pl.DataFrame, scorer: Scorer) -> Iterator[pl.LazyFrame]:
    """Sum up each measure by group."""
    sums = []
    for name in measures(scorer):
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
    summed = own.group_by("group").agg(sums).lazy()
    for name in measures(scorer):
        yield summed.select("group", pl.lit(name).alias("field"), pl.col(name).struct.unnest())


def _counts(own: pl.DataFrame, scorer: Scorer) -> Iterator[pl.LazyFrame]:
    """Count the values of each measure, and the bands, by group."""
    values = {name: _ten_thousandths(pl.col(name)) for name in measures(scorer)}
    if "band" in scorer.fields:
        numbers = {band: number for number, band in enumerate(BANDS)}
        values["band"] = pl.col("band").replace_strict(numbers, return_dtype=pl.Int64)
    for name, value in values.items():
        valued = own.lazy().select("group", value.alias("value")).drop_nulls("value")
        counted = valued.group_by("group", "value").agg(pl.len().cast(pl.Int64).alias("n"))
        yield counted.select("group", pl.lit(name).alias("field"), "value", "n")


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
