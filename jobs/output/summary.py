"""Summaries: from merged partials to two tables that a dashboard can chart as they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, cast

import polars as pl

from ...scorers.base import BANDS, divide
from ..errors import ConfigError
from ..log.read import read_batches, read_schema
from ..plan import Grouping, Plan, ScorerSpec, Summaries, signatures
from ..score import scorer_of
from .manifest import OutputTree
from .partials import (
    KEY,
    Partials,
    add_up,
    fraction_bits,
    id_columns,
    load_partials,
    measures,
    merge,
    partials_of,
)
from .write import write_table

PERCENTILES: Final = (5, 25, 50, 75, 95)
STATISTICS: Final = pl.Schema(
    {
        "grouping": pl.String,
        "scorer": pl.String,
        "field": pl.String,
        "n": pl.Int64,
        "n_unscored": pl.Int64,
        "mean": pl.Float64,
        "std": pl.Float64,
        "min": pl.Float64,
        **{f"p{p:02}": pl.Float64 for p in PERCENTILES},
        "max": pl.Float64,
        "signature": pl.String,
    }
)
"""The columns of the summary, before one String column per key."""

SHARES: Final = pl.Schema(
    {
        "grouping": pl.String,
        "scorer": pl.String,
        "band": pl.String,
        "n": pl.Int64,
        "share": pl.Float64,
        "signature": pl.String,
    }
)
"""The columns of the bands table, before one String column per key."""

FIXED_COLUMNS: Final = frozenset({*STATISTICS, *SHARES})
"""Names that no key may have."""


def write_summaries(
    tree: OutputTree,
    partials: Partials,
    specs: Sequence[ScorerSpec],
    groupings: Sequence[Grouping],
    by: Sequence[str],
) -> Summaries:
    """Write the summary and the bands table of a partition, each whole or not at all."""
    summary, bands = summarize(partials, specs, groupings, by)
    paths = {tree.file("summary", "summary"): summary, tree.file("bands", "bands"): bands}
    flags = {spec.prefix: _flag_shares(summary, spec) for spec in specs}
    return Summaries(
        rows=summary.to_dicts(),
        bands=bands.to_dicts(),
        keys={grouping.name: grouping.keys for grouping in groupings},
        flags=flags,
        warnings=[warning for spec in specs for warning in _warn(spec, flags[spec.prefix])],
        files={tree.relative(p): write_table(p, t, signatures(specs)) for p, t in paths.items()},
    )


def summarize_parts(tree: OutputTree, plan: Plan, stems: Sequence[str]) -> Summaries:
    """Summarize a partition from the partials of its parts: the last task of a job."""
    partials = merge(load_partials(tree.partials, stem) for stem in stems)
    return write_summaries(tree, partials, plan.scorers, plan.groupings, plan.by)


def summarize_scored(
    tree: OutputTree,
    plan: Plan,
    stems: Sequence[str],
    groupings: Sequence[Grouping],
    by: Sequence[str],
) -> Summaries:
    """Summarize a partition anew, by any columns, from its scored parts."""
    partials = merge(
        partials_of(frame, plan.scorers, by)
        for stem in stems
        for frame in _scored_frames(tree.file("scored", stem), plan, by)
    )
    return write_summaries(tree, partials, plan.scorers, groupings, by)


def summarize(
    partials: Partials,
    specs: Sequence[ScorerSpec],
    groupings: Sequence[Grouping],
    by: Sequence[str],
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make the summary and the bands table, one block of rows per grouping.

    In the summary, n counts the field's values, ``mean`` and ``std`` (ddof 1) are exact to 2^-32,
    and percentiles are nearest-rank over values rounded to four decimals (a tie away from zero).
    Without values all of these are null. Rows are sorted by grouping, keys, scorer and field.
    """
    summary, bands = [], []
    for grouping in groupings:
        keys = [f"{KEY}{key}" for key in grouping.keys]
        other = [f"{KEY}{key}" for key in by if key not in grouping.keys]
        of_groups = add_up(partials._replace(moments=partials.moments.drop(other)))
        # All runs are a group even when there are none.
        groups = of_groups.moments.select(keys).unique() if keys else pl.DataFrame()
        of_fields = _across(_measure_rows(specs), groups)
        of_bands = _across(_band_rows(specs), groups)
        summary.append(_name(_statistics(of_fields, of_groups), grouping, STATISTICS, by))
        bands.append(_name(_shares(of_bands, of_groups), grouping, SHARES, by))
    return pl.concat(summary), pl.concat(bands)


def _scored_frames(path: Path, plan: Plan, by: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Read what a summary needs of a scored part, batch by batch, an empty one first."""
    schema, _ = read_schema(str(path))
    prefixes = tuple(f"{spec.prefix}_" for spec in plan.scorers)
    for key in by:
        if key not in schema.names:
            kept = [name for name in schema.names if not name.startswith(prefixes)]
            raise ConfigError(
                f"--by {key}",
                f"{path} has no such column",
                f"it has {', '.join(map(repr, kept))}",
                f"score again with --keep {key}, or use one of these",
            )
    fields = (f"{spec.prefix}_{name}" for spec in plan.scorers for name in scorer_of(spec).fields)
    columns = list(dict.fromkeys([*by, *fields]))
    yield cast("pl.DataFrame", pl.from_arrow(schema.empty_table().select(columns)))
    for batch in read_batches(str(path), columns, plan.batch_rows):
        yield cast("pl.DataFrame", pl.from_arrow(batch))


def _flag_shares(summary: pl.DataFrame, spec: ScorerSpec) -> dict[str, float]:
    """Give the share of all scored runs that raise each of a scorer's flags."""
    of_all = summary.filter(grouping="all", scorer=spec.prefix).drop_nulls("mean")
    means = dict(of_all.select("field", "mean").iter_rows())
    return {name: means[name] for name in scorer_of(spec).flags if name in means}


def _warn(spec: ScorerSpec, shares: dict[str, float]) -> Iterator[str]:
    """Say which flags are raised by more than their share."""
    for name, share in shares.items():
        flag = scorer_of(spec).flags[name]
        if flag.warn_above is not None and share > flag.warn_above:
            yield f"{spec.prefix}: {share:.0%} of scored runs {flag.warning}"


def _statistics(rows: pl.DataFrame, partials: Partials) -> pl.DataFrame:
    """Fill the rows of a grouping with counts, moments and percentiles."""
    ranked = partials.counts.sort("row", "value").with_columns(
        pl.col("n").cum_sum().over("row").alias("rank"),
        pl.col("n").sum().over("row").alias("total"),
    )
    known = partials.moments.with_row_index("row")
    for p in PERCENTILES:
        at_rank = ranked.filter(pl.col("rank") * 100 >= p * pl.col("total"))
        chosen = at_rank.group_by("row").agg(pl.col("value").min().alias(f"p{p:02}"))
        known = known.join(chosen, on="row", how="left")
    rows = _fill(rows, known, id_columns(partials)).with_columns(
        pl.col("n", "n_unscored", "sum", "sum_squares").fill_null(0),
        *(divide(pl.col(f"p{p:02}"), 10_000) for p in PERCENTILES),
    )
    exact = list(map(mean_and_std, *(rows[c] for c in ("n", "sum", "sum_squares", "bits"))))
    return rows.with_columns(
        pl.Series("mean", [mean for mean, _ in exact], pl.Float64),
        pl.Series("std", [std for _, std in exact], pl.Float64),
    )


def mean_and_std(n: int, total: int, squares: int, bits: int) -> tuple[float | None, float | None]:
    """Compute mean and standard deviation in whole numbers, rounding once."""
    mean = total / (n << bits) if n else None
    variance = (n * squares - total**2) / (n * (n - 1) << 2 * bits) if n > 1 else None
    return mean, None if variance is None else math.sqrt(variance)


def _shares(rows: pl.DataFrame, partials: Partials) -> pl.DataFrame:
    """Fill the rows of a grouping with the count and share of each band."""
    ids = id_columns(partials)
    bands = partials.moments.select(ids).with_row_index("row").filter(field="band")
    counts = bands.join(partials.counts, on="row")
    n = pl.col("n").fill_null(0)
    total = n.sum().over(ids)
    return _fill(rows, counts, [*ids, "value"]).with_columns(
        n, pl.when(total > 0).then(n / total).alias("share")
    )


def _measure_rows(specs: Iterable[ScorerSpec]) -> pl.DataFrame:
    """List what a group's rows of the summary are, in order."""
    rows = [
        (spec.prefix, name, spec.signature, fraction_bits(scorer_of(spec), name))
        for spec in specs
        for name in measures(scorer_of(spec))
    ]
    return pl.DataFrame(rows, schema=["scorer", "field", "signature", "bits"], orient="row")


def _band_rows(specs: Iterable[ScorerSpec]) -> pl.DataFrame:
    """List what a group's rows of the bands table are, in order."""
    rows = [
        (spec.prefix, "band", spec.signature, number * 10_000, band)
        for spec in specs
        if "band" in scorer_of(spec).fields
        for number, band in enumerate(BANDS)
    ]
    schema = {
        "scorer": pl.String,
        "field": pl.String,
        "signature": pl.String,
        "value": pl.Int64,
        "band": pl.String,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _across(rows: pl.DataFrame, groups: pl.DataFrame) -> pl.DataFrame:
    """Repeat the rows for each group, groups in the order of their keys, nulls last."""
    if not groups.width:
        return rows
    groups = groups.sort(groups.columns, nulls_last=True)
    return groups.join(rows, how="cross", maintain_order="left_right")


def _fill(rows: pl.DataFrame, values: pl.DataFrame, ids: list[str]) -> pl.DataFrame:
    """Add the values of the same ids to rows, null where there are none, in the rows' order."""
    return rows.join(values, on=ids, how="left", nulls_equal=True, maintain_order="left")


def _name(
    table: pl.DataFrame, grouping: Grouping, schema: pl.Schema, by: Sequence[str]
) -> pl.DataFrame:
    """Put a grouping's rows into the shape of the whole table."""
    keys = (
        pl.col(f"{KEY}{key}")
        if key in grouping.keys
        else pl.lit(None, pl.String).alias(f"{KEY}{key}")
        for key in by
    )
    return (
        table.with_columns(pl.lit(grouping.name).alias("grouping"))
        .select(*(pl.col(name).cast(t) for name, t in schema.items()), *keys)
        .rename({f"{KEY}{key}": key for key in by})
    )
