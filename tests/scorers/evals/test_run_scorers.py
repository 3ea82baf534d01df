"""Scorers of runs: ids, what is compared with what, what a result records."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any
from uuid import UUID

import pytest

from tests.oracles import compound_of
from tonelog.scorers import (
    RunResult,
    RunScorer,
    ScorerError,
    create_scorer,
    create_textual_difference_scorer,
    create_tone_scorer,
)

# VADER's valences: great 3.1, good 1.9, bad -2.5.
GREAT, GOOD, BAD = compound_of(3.1), compound_of(1.9), compound_of(-2.5)
RUN: dict[str, Any] = {
    "input": "It is bad.",
    "output": "It is great.",
    "ground_truth": "It is good.",
}


def test_ids_are_the_originals_unless_another_is_given() -> None:
    assert create_tone_scorer().id == "tone-scorer"
    assert create_textual_difference_scorer().id == "textual-difference-scorer"
    assert create_tone_scorer(id="a").id == "a"
    assert create_textual_difference_scorer(id="b").id == "b"


@pytest.mark.parametrize(
    ("reference", "sentiment"), [("ground_truth", GOOD), ("input", BAD), ("It is great!!", None)]
)
def test_reference_says_what_the_output_is_compared_with(
    reference: str, sentiment: float | None
) -> None:
    result = create_tone_scorer(reference=reference).run(**RUN)
    assert result.reference == reference
    assert result.analyze_step_result["response_sentiment"] == GREAT
    if sentiment is not None:
        assert result.analyze_step_result["reference_sentiment"] == sentiment
        assert result.score == pytest.approx(max(0, 1 - (GREAT - sentiment)), abs=1e-12)
    difference = create_textual_difference_scorer(reference=reference).run(**RUN)
    assert difference.reference == reference
    assert difference.analyze_step_result["changes"] == 1


def test_text_as_reference_is_that_text() -> None:
    scorer = create_textual_difference_scorer(reference="abc")
    assert scorer.run(output="abcx").score == 6 / 7 * 0.75
    assert create_textual_difference_scorer(reference="").run(output="").score == 1.0


@pytest.mark.parametrize("reference", [None, ""])
def test_tone_without_reference_is_stability(reference: str | None) -> None:
    result = create_tone_scorer(reference=reference).run(**RUN)
    assert result.reference is None
    assert (result.score, result.analyze_step_result) == (
        1.0,
        {"avg_sentiment": GREAT, "sentiment_variance": 0.0, "unscored": None},
    )


def test_textual_difference_compares_with_the_input_by_default() -> None:
    assert create_textual_difference_scorer().run(output="a", input="a", ground_truth="b").score
    assert create_textual_difference_scorer().reference == "input"


@pytest.mark.parametrize("ground_truth", [None, "", " "])
def test_missing_ground_truth_is_unscored_and_never_stability(ground_truth: str | None) -> None:
    scorer = create_tone_scorer(reference="ground_truth")
    result = scorer.run(input="It is bad.", output="It is great.", ground_truth=ground_truth)
    reason = "reference_null" if ground_truth is None else "reference_blank"
    assert (result.score, result.unscored) == (None, reason)
    assert result.analyze_step_result["unscored"] == reason
    assert result.reference == "ground_truth"


def test_result_records_the_whole_run() -> None:
    result = create_textual_difference_scorer(reference="ground_truth").run(**RUN, run_id="r1")
    numbers = result.analyze_step_result
    # LCS of "It is great." and "It is good.": "It is g.", 8 of 12 and 11 characters.
    assert numbers["length_diff"] == 1 / 12
    assert result == RunResult(
        run_id="r1",
        score=2 * 8 / 23 * (1 - 1 / 12),
        unscored=None,
        analyze_step_result={
            "ratio": 2 * 8 / 23,
            "confidence": 1 - 1 / 12,
            "length_diff": 1 / 12,
            "changes": 1,
            "unscored": None,
        },
        reference="ground_truth",
        **RUN,
    )
    assert result.preprocess_step_result == numbers


def test_results_are_frozen() -> None:
    result: Any = create_tone_scorer().run(output="It is good.")
    with pytest.raises(FrozenInstanceError):
        result.score = 1.0


def test_run_id_is_made_where_none_is_given() -> None:
    first, second = (create_tone_scorer().run(output="It is good.").run_id for _ in range(2))
    assert str(UUID(first)) == first
    assert first != second
    assert create_tone_scorer().run(output="It is good.", run_id="").run_id == ""


@pytest.mark.parametrize(
    ("output", "reason"), [(None, "response_null"), ("", "response_blank"), (" ", "response_blank")]
)
def test_output_without_tone_has_none_as_score(output: str | None, reason: str) -> None:
    for reference in (None, "It is good."):
        result = create_tone_scorer(reference=reference).run(output=output)
        assert (result.score, result.unscored) == (None, reason)


def test_options_are_those_of_the_scorers() -> None:
    assert create_tone_scorer(scale=100).run(output="It is good.").score == 100
    scorer = create_textual_difference_scorer(reference="abc", weighting="none", scale=7)
    assert scorer.run(output="abcx").score == 6
    stable = create_tone_scorer(mode="stability", reference="input").run(**RUN)
    assert (stable.score, stable.reference) == (1.0, None)
    with pytest.raises(ScorerError, match="scales"):
        create_tone_scorer(scales=100)
    with pytest.raises(ScorerError, match="option scale"):
        create_textual_difference_scorer(scale=0)


def test_missing_reference_is_refused() -> None:
    message = r"^tone-scorer: no reference; expected 'input', .*; pass reference=$"
    with pytest.raises(ScorerError, match=message):
        create_tone_scorer(mode="comparison")
    none: Any = None
    with pytest.raises(ScorerError, match=r"^textual-difference-scorer: no reference"):
        create_textual_difference_scorer(reference=none)


def test_what_is_no_text_is_refused_only_where_it_is_read() -> None:
    messages = [{"role": "user", "content": "It is bad."}]
    assert create_tone_scorer().run(output="It is good.", input=messages).input == messages
    with pytest.raises(ScorerError, match=r"^reference: is \[\{'role'.* expected a str or None"):
        create_textual_difference_scorer().run(output="It is good.", input=messages)
    wrong: Any = 7
    with pytest.raises(ScorerError, match=r"^response: is 7"):
        create_tone_scorer().run(output=wrong)


def test_any_scorer_can_score_runs() -> None:
    scorer = RunScorer("dice", create_scorer("content_similarity"), "ground_truth")
    assert scorer.run(output="Night", ground_truth="nacht").score == 0.25
