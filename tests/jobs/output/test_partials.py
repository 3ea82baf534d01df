"""Partials: exact, mergeable in any order, and the same after a round trip through a file."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.jobs.logs import plan_of
from tonelog.jobs.output.partials import (
    Partials,
    _ten_thousandths,
    load_partials,
    merge,
    partials_of,
    save_partials,
)
from tonelog.jobs.score import score_batch

PLAN = plan_of(by=("agent", "model"))
REASONS = ["response_null", "response_blank", "reference_null"]

Row = tuple[float | None, int, str | None, str | None]
"""A score, changes, and two keys."""

scores = st.none() | st.sampled_from([0.0, 0.1, 0.12345, 0.12355, 1.0]) | st.floats(0, 1)
keys = st.sampled_from(["a", "b", "A", "ä", "", None])
scored_rows = st.lists(st.tuples(scores, st.integers(0, 10**9), keys, keys), max_size=25)


def scored_frame(rows: Sequence[Row]) -> pl.DataFrame:
    """Make scored rows that hold these scores and changes: a null score is an unscored row."""
    table = [
        {"response": "x", "reference": "x", "agent": agent, "model": model}
        for _, _, agent, model in rows
    ]
    schema = pa.schema(dict.fromkeys(("response", "reference", "agent", "model"), pa.string()))
    batch = pa.RecordBatch.from_pylist(table, schema=schema)
    frame = score_batch(batch, PLAN, shard="s", first_row=0).scored
    is_scored = pl.Series([score is not None for score, *_ in rows], dtype=pl.Boolean)
    reasons = pl.Series([REASONS[row % 3] for row in range(len(rows))], dtype=pl.String)
    changes: dict[str, pl.Expr] = {}
    for name in frame.columns:
        if name.endswith("_unscored"):
            changes[name] = pl.when(~is_scored).then(reasons)
        elif name.startswith(("tone_", "textual_difference_")):
            changes[name] = pl.when(is_scored).then(pl.col(name))
    changes["tone_score"] = pl.lit(pl.Series([score for score, *_ in rows], dtype=pl.Float64))
    counts = pl.Series([changed for _, changed, *_ in rows], dtype=pl.Int64)
    changes["textual_difference_changes"] = pl.when(is_scored).then(counts)
    return frame.with_columns(**changes)


def sorted_tables(partials: Partials) -> list[pl.DataFrame]:
    """Give the tables in a fixed order of their rows; a merge may give any."""
    return [
        table.select(sorted(table.columns)).sort(pl.all())
        for table in (partials.moments, named_counts(partials))
    ]


def named_counts(partials: Partials) -> pl.DataFrame:
    """Give the counts with the scorer, field and keys that they are of."""
    ids = partials.moments.select("scorer", "field", "^by:.*$").with_row_index("row")
    assert partials.counts["row"].dtype == pl.UInt32
    named = partials.counts.join(ids, on="row")
    assert named.height == partials.counts.height
    return named.drop("row")


def assert_same(left: Partials, right: Partials) -> None:
    for one, other in zip(sorted_tables(left), sorted_tables(right), strict=True):
        assert one.equals(other)
        assert one.schema == other.schema


@settings(max_examples=settings().max_examples // 5)
@given(rows=scored_rows, data=st.data())
def test_partials_merge_in_any_order_and_split(rows: list[Row], data: st.DataObject) -> None:
    frame = scored_frame(rows)
    whole = merge([partials_of(frame, PLAN.scorers, PLAN.by)])
    numbers = st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))
    split = pl.Series(data.draw(numbers), dtype=pl.Int64)
    parts = [partials_of(frame.filter(split == n), PLAN.scorers, PLAN.by) for n in range(4)]
    assert_same(merge(data.draw(st.permutations(parts))), whole)
    assert_same(merge([merge(parts[:2]), merge(parts[2:])]), whole)


@settings(max_examples=settings().max_examples // 3)
@given(scored_rows)
def test_moments_are_exact_sums_by_key(
    rows: list[Row],
) -> None:
    partials = partials_of(scored_frame(rows), PLAN.scorers, PLAN.by)
    moments, counts = partials.moments, named_counts(partials)
    wanted = moments.filter((pl.col("scorer") == "tone") & (pl.col("field") == "score"))
    assert wanted.height == len({(agent, model) for _, _, agent, model in rows})
    for row in wanted.rows(named=True):
        key = row["by:agent"], row["by:model"]
        own = [score for score, _, *its in rows if tuple(its) == key]
        values = [score for score in own if score is not None]
        # Nearest multiple of 2^-32, a tie away from zero: no score is a tie.
        fixed = [math.floor(Fraction(score) * 2**32 + Fraction(1, 2)) for score in values]
        assert (row["n"], row["n_unscored"]) == (len(values), len(own) - len(values))
        assert (row["sum"], row["sum_squares"]) == (sum(fixed), sum(v * v for v in fixed))
        assert (row["min"], row["max"]) == (min(values, default=None), max(values, default=None))
    changes = moments.filter(pl.col("field") == "changes")
    assert changes["sum"].sum() == sum(n for score, n, *_ in rows if score is not None)
    values_of_changes = counts.filter(pl.col("field") == "changes")["value"].sort().to_list()
    assert values_of_changes == sorted(10_000 * n for n in distinct_changes(rows))


def distinct_changes(rows: Sequence[Row]) -> list[int]:
    """List the changes of scored rows, each once for its keys."""
    return [n for n, _, _ in {(n, a, m) for score, n, a, m in rows if score is not None}]


def test_sums_of_the_largest_numbers_do_not_overflow() -> None:
    frame = scored_frame([(1e5, 10**9, "a", "b")] * 3)
    one = partials_of(frame, PLAN.scorers, PLAN.by)
    # Doubled 18 times: as many rows as 2^18 batches of three.
    many = one
    for _ in range(18):
        many = merge([many, many])
    n = 3 * 2**18
    for field, total in (("score", 100_000 << 32), ("changes", 10**9)):
        scorer = "tone" if field == "score" else "textual_difference"
        row = many.moments.filter((pl.col("field") == field) & (pl.col("scorer") == scorer))
        assert row.select("n", "sum", "sum_squares").row(0) == (n, n * total, n * total**2)


def test_a_round_trip_through_files_changes_nothing(tmp_path: Path) -> None:
    rows: list[Row] = [(0.5, 3, "a", None), (None, 0, "b", ""), (1 / 3, 10**9, None, None)] * 4
    partials = merge([partials_of(scored_frame(rows), PLAN.scorers, PLAN.by)])
    paths = save_partials(tmp_path, "part", partials)
    assert sorted(paths) == sorted(tmp_path.iterdir())
    assert_same(load_partials(tmp_path, "part"), partials)


def test_the_files_bytes_do_not_depend_on_the_order_of_rows(tmp_path: Path) -> None:
    rows: list[Row] = [(n / 7 % 1, n, "abc"[n % 3], None) for n in range(50)]
    digests = []
    for name, some in (("one", rows), ("two", rows[::-1])):
        partials = partials_of(scored_frame(some), PLAN.scorers, PLAN.by)
        digests.append(list(save_partials(tmp_path, name, partials).values()))
    assert digests[0] == digests[1]


def test_partials_of_no_rows_merge_with_those_of_some() -> None:
    some = partials_of(scored_frame([(0.5, 1, "a", "b")]), PLAN.scorers, PLAN.by)
    none = partials_of(scored_frame([]), PLAN.scorers, PLAN.by)
    assert none.moments.height == none.counts.height == 0
    assert_same(merge([none, some]), merge([some]))


def in_ten_thousandths(values: Sequence[float]) -> list[int]:
    frame = pl.DataFrame({"x": values}, schema={"x": pl.Float64})
    return list(frame.select(_ten_thousandths(pl.col("x"))).to_series())


def exactly(value: float) -> int:
    """Round as decimal arithmetic does it: exactly, a true tie away from zero."""
    return int((Decimal(value) * 10_000).to_integral_value(ROUND_HALF_UP))


def test_rounding_is_that_of_python_for_100_000_values() -> None:
    chance = random.Random(1)  # noqa: S311 - not for secrets
    compounds = [chance.randint(-10_000, 10_000) / 10_000 for _ in range(30_000)]
    values = [(a + b) / 2 for a, b in pairwise(compounds)]
    values += [(a + b + c) / 3 for a, b, c in zip(*[iter(compounds)] * 3, strict=True)]
    values += [chance.uniform(-1, 1) for _ in range(40_000)]
    values += [n / 20_000 for n in range(-20_000, 20_000)]
    values += [math.nextafter(n / 20_000, side) for n in range(2, 2000) for side in (-2, 2)]
    values += [-value for value in values]
    values += [chance.uniform(-100_000, 100_000) for _ in range(10_000)]
    assert len(values) > 100_000
    # round() differs in true ties only, which it rounds to even.
    is_tie = [Decimal(value) * 20_000 % 2 in {1, -1} for value in values]
    got = in_ten_thousandths(values)
    assert sum(is_tie) > 10
    assert [n for n, tie in zip(got, is_tie, strict=True) if not tie] == [
        round(round(value, 4) * 10_000)
        for value, tie in zip(values, is_tie, strict=True)
        if not tie
    ]
    assert got == [exactly(value) for value in values]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, 0),
        (-0.0, 0),
        (1.0, 10_000),
        # Sums of powers of two: ties that are true.
        (0.03125, 313),
        (-0.03125, -313),
        (0.09375, 938),
        (-0.09375, -938),
        (2.03125, 20_313),
        # 0.12345 and 1.00005 are a bit more than they say, 0.00015 is a bit less.
        (0.12345, 1235),
        (0.00015, 1),
        (1.00005, 10_001),
        (math.nextafter(0.00005, 0), 0),
        (math.nextafter(-0.00005, 0), 0),
        (99_999.99995, 999_999_999),
    ],
)
def test_ties_go_away_from_zero_if_they_are_true(value: float, expected: int) -> None:
    assert in_ten_thousandths([value]) == [expected]
    assert exactly(value) == expected


@given(st.lists(st.floats(-1e5, 1e5), min_size=1, max_size=20))
def test_rounding_is_exact_everywhere(values: list[float]) -> None:
    assert in_ten_thousandths(values) == [exactly(value) for value in values]


def test_null_stays_null() -> None:
    assert pl.select(_ten_thousandths(pl.lit(None, pl.Float64))).item() is None
