"""Evals over a target: means, counts, failures, order, and what is refused before any call."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from statistics import fmean
from typing import Any

import polars as pl
import pytest

from tests.oracles import textual_difference_by_hand
from tonelog.scorers import (
    EvalsSummary,
    RunResult,
    RunScorer,
    ScorerError,
    TextualDifferenceScorer,
    create_textual_difference_scorer,
    create_tone_scorer,
    run_evals,
    score_frame,
    score_pairs,
)

TONE = create_tone_scorer(reference="ground_truth")
DIFFERENCE = create_textual_difference_scorer(reference="ground_truth")
IDS = ["tone-scorer", "textual-difference-scorer"]
DATA = [
    {"input": "same", "ground_truth": "It is great."},
    {"input": "near", "ground_truth": "It is great."},
    {"input": "null", "ground_truth": "It is great."},
    {"input": "blank", "ground_truth": "It is great."},
    {"input": "no truth"},
    {"input": "half a pair", "ground_truth": "It is great."},
    {"input": "fails", "ground_truth": "It is great."},
    {"input": "same", "ground_truth": "It is great."},
]
ANSWERS = {
    "same": "It is great.",
    "near": "It is bad.",
    "null": None,
    "blank": " ",
    "no truth": "It is great.",
    "half a pair": "It is great. \ud83d",
}


async def answer_later(text: str) -> str | None:
    """Answer, later."""
    await asyncio.sleep(0)
    return ANSWERS[text]


TARGETS = {"sync": ANSWERS.__getitem__, "async": answer_later}
Completed = tuple[Mapping[str, Any], str | None, Mapping[str, RunResult]]


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("kind", TARGETS)
def test_means_counts_and_errors(kind: str, concurrency: int) -> None:
    target: Any = TARGETS[kind]
    result = run_evals(
        data=DATA, scorers=[TONE, DIFFERENCE], target=target, concurrency=concurrency
    )
    truth = "It is great."
    near, blank = (textual_difference_by_hand(text, truth)["score"] for text in ("It is bad.", " "))
    assert near is not None
    assert blank is not None
    # "great" is 0.6249 and "bad" -0.5423: more than 1 apart. A blank has no tone, but is a text.
    assert result.scores == {
        "tone-scorer": fmean([1, 0, 1]),
        "textual-difference-scorer": fmean([1, near, blank, 1]),
    }
    assert result.summary == EvalsSummary(
        total_items=8, not_scorable={"tone-scorer": 4, "textual-difference-scorer": 3}
    )
    assert result.errors == {6: "KeyError: 'fails'"}


def test_every_item_completes_once_and_in_order() -> None:
    completed: list[Completed] = []
    run_evals(
        data=iter(DATA),
        scorers=iter([TONE, DIFFERENCE]),
        target=ANSWERS.__getitem__,
        on_item_complete=lambda *one: completed.append(one),
        concurrency=3,
    )
    assert [item for item, _, _ in completed] == DATA
    assert [output for _, output, _ in completed] == [ANSWERS.get(item["input"]) for item in DATA]
    assert [list(results) for _, _, results in completed] == [IDS] * 6 + [[], IDS]
    assert [results["tone-scorer"].unscored for _, _, results in completed if results] == [
        None, None, "response_null", "response_blank", "reference_null", "response_not_utf8", None,
    ]  # fmt: skip
    last = completed[-1][2]["tone-scorer"]
    assert (last.run_id, last.input, last.output) == ("7", "same", "It is great.")
    assert (last.ground_truth, last.reference) == ("It is great.", "ground_truth")
    assert last.score == 1.0


def test_results_are_those_of_single_runs() -> None:
    completed: list[Completed] = []
    scorers = [create_tone_scorer(scale=7), DIFFERENCE]
    run_evals(
        data=DATA[:6],
        scorers=scorers,
        target=ANSWERS.__getitem__,
        on_item_complete=lambda *one: completed.append(one),
    )
    for index, (item, output, results) in enumerate(completed):
        for scorer in scorers:
            alone = scorer.run(output=output, run_id=str(index), **item)
            assert results[scorer.id] == alone


def test_scores_are_those_of_a_frame() -> None:
    data = [{"input": text, "ground_truth": f"{text} indeed"} for text in ("a b", "a", "", "c d e")]
    result = run_evals(data=data, scorers=[DIFFERENCE], target=lambda text: text * 2)
    frame = pl.DataFrame(
        {
            "response": [one["input"] * 2 for one in data],
            "reference": [one["ground_truth"] for one in data],
        }
    )
    scored = score_frame(frame, [TextualDifferenceScorer()], reference="reference")
    assert result.scores == {DIFFERENCE.id: fmean(scored["textual_difference_score"])}


def test_all_outputs_are_one_batch_per_scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    heights: list[int] = []

    def counted(scorer: Any, pairs: pl.DataFrame) -> pl.DataFrame:  # noqa: ANN401
        heights.append(pairs.height)
        return score_pairs(scorer, pairs)

    monkeypatch.setattr("tonelog.scorers.evals.metrics.score_pairs", counted)
    run_evals(data=DATA, scorers=[TONE, DIFFERENCE], target=ANSWERS.__getitem__, concurrency=2)
    assert heights == [7, 7]


def test_scorer_that_scored_nothing_has_no_mean() -> None:
    result = run_evals(
        data=[{"input": "same"}, {"input": "blank"}],
        scorers=[TONE, create_tone_scorer(id="steady")],
        target=ANSWERS.__getitem__,
    )
    assert result.scores == {"steady": 1.0}
    assert result.summary == EvalsSummary(2, {"tone-scorer": 2, "steady": 1})
    assert result.errors == {}


def test_target_that_always_fails_leaves_errors_only() -> None:
    def target(text: str) -> str:
        raise ConnectionError(text)

    result = run_evals(data=DATA[:2], scorers=[TONE, DIFFERENCE], target=target)
    assert result.scores == {}
    assert result.summary == EvalsSummary(2, dict.fromkeys(IDS, 0))
    assert result.errors == {0: "ConnectionError: same", 1: "ConnectionError: near"}


def test_mean_does_not_depend_on_the_order() -> None:
    data = [{"input": "x" * n, "ground_truth": "x" * 10} for n in range(1, 40)]
    means = {
        run_evals(data=items, scorers=[DIFFERENCE], target=str).scores[DIFFERENCE.id]
        for items in (data, data[::-1], data[7:] + data[:7])
    }
    assert len(means) == 1


def test_input_may_be_anything_that_no_scorer_reads() -> None:
    messages = [{"role": "user", "content": "How is it?"}]
    result = run_evals(
        data=[{"input": messages}], scorers=[create_tone_scorer()], target=lambda _: "It is good."
    )
    assert result.scores == {"tone-scorer": 1.0}


def test_failure_of_the_callback_is_the_callers() -> None:
    def callback(*_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_evals(data=DATA, scorers=[TONE], target=ANSWERS.__getitem__, on_item_complete=callback)


GOOD: dict[str, Any] = {"data": DATA, "scorers": [TONE, DIFFERENCE], "concurrency": 1}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"data": []}, "data: no items; expected at least one; give"),
        ({"data": ["same"]}, "data: item 0 is 'same'; expected a mapping with 'input'; mend"),
        ({"data": {"input": "same"}}, "data: item 0 is 'input'; expected a mapping with"),
        ({"data": [*DATA, {"in": "a"}]}, r"data: item 8 is \{'in': 'a'\}; expected a mapping"),
        (
            {"data": [{"input": "a", "ground_truth": 7}]},
            "data: item 0 has 7 as its ground_truth; expected a str or None, which tone-scorer",
        ),
        (
            {"data": [{"input": 7}], "scorers": [create_textual_difference_scorer()]},
            "data: item 0 has 7 as its input; expected a str or None, which textual-difference-",
        ),
        ({"scorers": []}, r"scorers: there are \[\]; expected at least one, and different ids;"),
        (
            {"scorers": [TONE, DIFFERENCE, create_tone_scorer()]},
            "scorers: there are .*'tone-scorer'.*'tone-scorer'.*; expected .*different ids; pass",
        ),
        (
            {"scorers": [TONE, RunScorer("tone-scorer", TextualDifferenceScorer(), "input")]},
            "scorers: there are .*; expected .*different ids; pass id=",
        ),
        ({"concurrency": 0}, "concurrency: is 0; expected at least 1; raise it"),
    ],
)
def test_what_could_not_be_scored_is_refused_before_any_call(
    wrong: dict[str, Any], message: str
) -> None:
    called: list[object] = []
    with pytest.raises(ScorerError, match=f"^{message}"):
        run_evals(**(GOOD | wrong), target=called.append)
    assert called == []
