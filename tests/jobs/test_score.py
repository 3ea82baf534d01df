"""Scoring a batch: a row's scores are its own, whatever batch, order or process they come from."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.jobs.logs import plan_of
from tests.oracles import textual_difference_by_hand, tone_by_hand
from tests.scorers.pairs import nullable_texts, reference_lists, rows_of
from tonelog.jobs.plan import Plan
from tonelog.jobs.score import has_sentences, score_batch, scorer_of
from tonelog.scorers import split_sentences

# Each example scores a dozen batches.
fewer = settings(max_examples=settings().max_examples // 5)

COMPARISON = plan_of(sentences=True)
STABILITY = plan_of({"tone": {}}, references=(), sentences=True)
SEVERAL = plan_of(references=("reference", "other"), by=("agent",))

rows = st.lists(
    st.fixed_dictionaries(
        {"response": nullable_texts, "reference": nullable_texts, "other": nullable_texts}
    ),
    min_size=1,
    max_size=5,
)
rows_of_lists = st.lists(
    st.fixed_dictionaries({"response": nullable_texts, "reference": reference_lists}),
    min_size=1,
    max_size=4,
)


def batch_of(table: Sequence[dict[str, Any]]) -> pa.RecordBatch:
    lists = any(isinstance(row["reference"], list) for row in table)
    text = pa.string()
    fields = [("response", text), ("reference", pa.list_(text) if lists else text)]
    fields += [(name, text) for name in table[0] if name not in {"response", "reference"}]
    return pa.RecordBatch.from_pylist(list(table), schema=pa.schema(fields))


def scores_of(batch: pa.RecordBatch, plan: Plan, first_row: int = 0) -> list[str]:
    """Write out each scored row but its name."""
    scored = score_batch(batch, plan, shard="s", first_row=first_row).scored
    return rows_of(scored.select(pl.exclude("run_id")))


def assert_rows_are_independent(batch: pa.RecordBatch, plan: Plan, order: Sequence[int]) -> None:
    whole = scores_of(batch, plan)
    assert len(whole) == batch.num_rows
    for size in (1, 2):
        cut = (batch.slice(start, size) for start in range(0, batch.num_rows, size))
        assert [row for part in cut for row in scores_of(part, plan)] == whole
    assert scores_of(batch.take(pa.array(order)), plan) == [whole[row] for row in order]
    assert scores_of(pickle.loads(pickle.dumps(batch)), pickle.loads(pickle.dumps(plan))) == whole  # noqa: S301


@fewer
@given(rows=rows, data=st.data())
def test_a_row_has_the_same_bits_alone_in_any_order_and_batch(
    rows: list[dict[str, Any]], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(rows))))
    plan = data.draw(st.sampled_from((COMPARISON, STABILITY, SEVERAL)))
    assert_rows_are_independent(batch_of(rows), plan, order)


@fewer
@given(rows=rows_of_lists, data=st.data())
def test_a_row_with_a_list_of_references_has_the_same_bits_alone_in_any_order_and_batch(
    rows: list[dict[str, Any]], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(rows))))
    assert_rows_are_independent(batch_of(rows), COMPARISON, order)


@settings(max_examples=settings().max_examples // 2)
@given(rows)
def test_a_scored_row_has_all_numbers_and_an_unscored_one_has_none(
    rows: list[dict[str, Any]],
) -> None:
    scored = score_batch(batch_of(rows), COMPARISON, shard="s", first_row=0).scored
    for row, pair in zip(scored.rows(named=True), rows, strict=True):
        for prefix in ("tone", "textual_difference"):
            own = {name: row[name] for name in row if name.startswith(f"{prefix}_")}
            reason = own.pop(f"{prefix}_unscored")
            assert own.pop(f"{prefix}_reference_index") is None
            assert {value is None for value in own.values()} == {reason is not None}
        if None in pair.values():
            side = "response" if pair["response"] is None else "reference"
            if pair[side] is None:
                assert row["textual_difference_unscored"] == f"{side}_null"


@settings(max_examples=settings().max_examples // 2)
@given(rows)
def test_the_numbers_are_those_of_the_formulas(rows: list[dict[str, Any]]) -> None:
    scored = score_batch(batch_of(rows), COMPARISON, shard="s", first_row=0).scored
    for row, pair in zip(scored.rows(named=True), rows, strict=True):
        texts = pair["response"], pair["reference"]
        if row["textual_difference_unscored"] is None:
            expected = textual_difference_by_hand(*texts)
            got = {name: row[f"textual_difference_{name}"] for name in expected}
            assert got == pytest.approx(expected, rel=1e-15, abs=1e-15)
        if row["tone_unscored"] is None:
            expected = tone_by_hand(*texts, {text: sentences_of(text) for text in texts})
            got = {name: row[f"tone_{name}"] for name in expected}
            assert got == pytest.approx(expected, rel=1e-13, abs=1e-13)


def sentences_of(text: str) -> list[str]:
    split = split_sentences(pl.lit(text), code="skip")
    return list(pl.select(split).to_series()[0])


def test_several_references_score_as_the_best_of_them() -> None:
    table = [{"response": "Good.", "reference": "Bad.", "other": "Good."}]
    table += [{"response": "Good.", "reference": "Good.", "other": "Good."}]
    scored = score_batch(batch_of(table), SEVERAL, shard="s", first_row=0).scored
    for prefix in ("tone", "textual_difference"):
        assert scored[f"{prefix}_score"].to_list() == [1.0, 1.0]
        assert scored[f"{prefix}_reference_index"].to_list() == [1, 0]


def test_runs_are_named_by_the_shards_rows_not_the_batchs() -> None:
    table = [{"response": "x", "reference": "x"}] * 2
    scored = score_batch(batch_of(table), COMPARISON, shard="a/b.parquet", first_row=41).scored
    assert scored["run_id"].to_list() == ["a/b.parquet:41", "a/b.parquet:42"]


def test_two_scorers_of_one_type_keep_their_own_options_and_columns() -> None:
    plan = plan_of({"tone": {}, "hard": {"type": "tone", "scale": 100, "max_difference": 0.5}})
    pair = {"response": "It works.", "reference": "Good."}
    row = score_batch(batch_of([pair]), plan, shard="s", first_row=0).scored.row(0, named=True)
    # VADER gives "Good." 0.4404 and "It works." 0.
    assert row["tone_score"] == pytest.approx(1 - 0.4404, abs=1e-15)
    assert row["hard_score"] == pytest.approx(100 * (1 - 0.4404 / 0.5), abs=1e-12)
    assert (row["tone_band"], row["hard_band"]) == ("moderate", "poor")


def test_sentences_lie_where_they_say_and_carry_their_sentiment() -> None:
    texts = ["Great.  Bad!", None, " ", "It works.\n```\ncode. Bad.\n```\n"]
    batch = pa.record_batch({"response": texts, "reference": ["x"] * 4})
    sentences = score_batch(batch, COMPARISON, shard="s", first_row=7).sentences
    assert sentences is not None
    assert sentences.drop("pos", "neu", "neg").rows() == [
        ("s:7", 0, 0, 6, "Great.", 0.6249),
        ("s:7", 1, 8, 12, "Bad!", -0.5848),
        ("s:10", 0, 0, 9, "It works.", 0.0),
    ]
    assert sentences.select("pos", "neu", "neg").rows() == [(1, 0, 0), (0, 0, 1), (0, 1, 0)]


def test_sentences_come_only_if_asked_for_and_of_a_scorer_that_has_some() -> None:
    batch = pa.record_batch({"response": ["Good."], "reference": ["Bad."]})
    assert score_batch(batch, plan_of(), shard="s", first_row=0).sentences is None
    plan = plan_of({"textual_difference": {}, "tone": {}}, sentences=True)
    sentences = score_batch(batch, plan, shard="s", first_row=0).sentences
    assert sentences is not None
    assert sentences["sentence"].to_list() == ["Good."]
    assert [has_sentences(spec) for spec in plan.scorers] == [False, True]


def test_a_scorer_is_made_once_for_a_spec() -> None:
    first, second = plan_of().scorers[0], plan_of().scorers[0]
    assert scorer_of(first) is scorer_of(second)
    assert scorer_of(first) is not scorer_of(plan_of({"tone": {"scale": 2}}).scorers[0])


@pytest.mark.parametrize("plan", [COMPARISON, STABILITY, SEVERAL])
def test_no_rows_have_the_schema_of_many(plan: Plan) -> None:
    table = [{"response": "x", "reference": "x", "other": "x", "agent": "x"}]
    full = score_batch(batch_of(table), plan, shard="s", first_row=0)
    empty = score_batch(pa.RecordBatch.from_arrays([], names=[]), plan, shard="s", first_row=0)
    assert empty.scored.height == 0
    assert empty.scored.schema == full.scored.schema
    assert (empty.sentences is None) == (full.sentences is None)
    if empty.sentences is not None and full.sentences is not None:
        assert empty.sentences.schema == full.sentences.schema
