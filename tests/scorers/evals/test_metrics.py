"""The metrics of the originals: roles, modes, info, nulls; a pair has one score everywhere."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import compound_of, textual_difference_by_hand
from tests.scorers.pairs import Pair, nullable_texts, pair_frame, plain_pairs
from tonelog.scorers import (
    MetricResult,
    ScorerError,
    TextualDifferenceMetric,
    TextualDifferenceScorer,
    ToneConsistencyMetric,
    ToneScorer,
    create_scorer,
    create_textual_difference_scorer,
    create_tone_scorer,
    score_one,
    score_pairs,
)
from tonelog.scorers.evals.metrics import measure_pairs

# VADER's valences: great 3.1, good 1.9, bad -2.5.
GREAT, GOOD, BAD = compound_of(3.1), compound_of(1.9), compound_of(-2.5)
HALF_A_PAIR = "\ud83d"


def test_input_is_the_response_and_output_the_reference() -> None:
    result = ToneConsistencyMetric().measure("It is great.", "It is good.")
    assert result.info == {
        "response_sentiment": GREAT,
        "reference_sentiment": GOOD,
        "difference": pytest.approx(GREAT - GOOD, abs=1e-12),
        "unscored": None,
    }
    assert result.score == pytest.approx(1 - (GREAT - GOOD), abs=1e-12)


@pytest.mark.parametrize("output", [(), ("",), (None,)])
def test_tone_without_output_is_stability(output: tuple[str | None, ...]) -> None:
    result = ToneConsistencyMetric().measure("It is great. It is bad.", *output)
    mean, variance = (GREAT + BAD) / 2, (GREAT - BAD) ** 2 / 4
    assert result.info == {
        "avg_sentiment": pytest.approx(mean, abs=1e-12),
        "sentiment_variance": pytest.approx(variance, abs=1e-12),
        "unscored": None,
    }
    assert result.score == pytest.approx(1 - variance, abs=1e-12)


def test_mode_of_tone_is_decided_per_call() -> None:
    metric = ToneConsistencyMetric()
    modes = [
        "difference" in metric.measure("Good.", output).info for output in ("Good.", "", "Good.")
    ]
    assert modes == [True, False, True]


def test_mode_that_is_chosen_is_kept() -> None:
    stable = ToneConsistencyMetric(mode="stability").measure("It is great.", "It is bad.")
    assert (stable.score, list(stable.info)) == (
        1.0,
        ["avg_sentiment", "sentiment_variance", "unscored"],
    )
    compared = ToneConsistencyMetric(mode="comparison")
    assert compared.measure("It is great.").info["unscored"] == "reference_blank"
    assert compared.measure("It is great.", None).info["unscored"] == "reference_null"


def test_blank_reference_is_not_stability() -> None:
    info = ToneConsistencyMetric().measure("It is great.", " ").info
    assert info == {
        "response_sentiment": None,
        "reference_sentiment": None,
        "difference": None,
        "unscored": "reference_blank",
    }


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (None, "response_null"),
        ("", "response_blank"),
        (" \n", "response_blank"),
        ("```\nx\n```", "no_sentences"),
        (f"It is great. {HALF_A_PAIR}", "response_not_utf8"),
    ],
)
@pytest.mark.parametrize("output", ["", "It is good."])
def test_tone_that_has_no_score_says_why(response: str | None, reason: str, output: str) -> None:
    result = ToneConsistencyMetric().measure(response, output)
    assert result.score is None
    assert result.info["unscored"] == reason
    assert [value for key, value in result.info.items() if key != "unscored"] == [
        None for key in result.info if key != "unscored"
    ]


def test_textual_difference_by_hand() -> None:
    # LCS "abc" of 3: ratio 2 * 3 / (4 + 3).
    result = TextualDifferenceMetric().measure("abcx", "abc")
    assert result.info == {
        "confidence": 0.75,
        "ratio": 6 / 7,
        "changes": 1,
        "length_diff": 0.25,
        "unscored": None,
    }
    assert result.score == 6 / 7 * 0.75


@pytest.mark.parametrize(("input_", "output"), [("", ""), (" ", " ")])
def test_blank_texts_have_a_textual_difference(input_: str, output: str) -> None:
    assert TextualDifferenceMetric().measure(input_, output).score == 1.0


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ((None, "a"), "response_null"),
        (("a", None), "reference_null"),
        ((None, None), "response_null"),
        ((HALF_A_PAIR, "a"), "response_not_utf8"),
        (("a", HALF_A_PAIR), "reference_not_utf8"),
    ],
)
def test_textual_difference_that_has_no_score_says_why(pair: Pair, reason: str) -> None:
    info = dict.fromkeys(["ratio", "confidence", "length_diff", "changes"])
    expected = MetricResult(None, {**info, "unscored": reason})
    assert TextualDifferenceMetric().measure(*pair) == expected


def test_options_are_those_of_the_scorers() -> None:
    # A difference of GREAT - GOOD against at most twice that: half of 100.
    metric = ToneConsistencyMetric(scale=100, max_difference=2 * (GREAT - GOOD))
    assert metric.measure("It is great.", "It is good.").score == pytest.approx(50, abs=1e-9)
    assert TextualDifferenceMetric(weighting="none", scale=7).measure("abcx", "abc").score == 6
    assert TextualDifferenceMetric(profile="mastra").measure("abcx", "abc").score == 6 / 7


@pytest.mark.parametrize("metric", [ToneConsistencyMetric, TextualDifferenceMetric])
@pytest.mark.parametrize("options", [{"scale": 0}, {"scales": 1}])
def test_wrong_options_are_refused(
    metric: type[ToneConsistencyMetric | TextualDifferenceMetric], options: dict[str, Any]
) -> None:
    with pytest.raises(ScorerError, match="scale"):
        metric(**options)


def test_what_is_no_text_is_refused() -> None:
    wrong: Any = 7
    with pytest.raises(ScorerError, match=r"^response: is 7; expected a str or None; give its"):
        ToneConsistencyMetric().measure(wrong)
    with pytest.raises(ScorerError, match=r"^reference: is 7; expected a str or None; give its"):
        TextualDifferenceMetric().measure("a", wrong)


def test_other_scorers_tell_all_their_fields() -> None:
    scorer = create_scorer("content_similarity")
    assert measure_pairs(scorer, [("Night", "nacht"), (None, "a")]) == [
        MetricResult(0.25, {"unscored": None}),
        MetricResult(None, {"unscored": "response_null"}),
    ]
    assert measure_pairs(scorer, []) == []


@settings(max_examples=20)  # each pair is scored nine times
@given(plain_pairs)
def test_metric_scorer_batch_and_single_pair_agree(pairs: list[Pair]) -> None:
    tone, difference = ToneScorer(mode="comparison"), TextualDifferenceScorer()
    tones = score_pairs(tone, pair_frame(pairs)).rows(named=True)
    differences = score_pairs(difference, pair_frame(pairs)).rows(named=True)
    for (response, reference), tone_row, row in zip(pairs, tones, differences, strict=True):
        # Without a reference the metric of tone measures stability, which the next test is about.
        if reference:
            measured = ToneConsistencyMetric().measure(response, reference)
            run = create_tone_scorer(reference="input").run(output=response, input=reference)
            one = score_one(tone, response, reference)
            assert [measured.score, run.score, one.score] == [tone_row["score"]] * 3
            assert run.analyze_step_result == measured.info
            assert measured.info == {key: tone_row[key] for key in measured.info}
        textual = TextualDifferenceMetric().measure(response, reference)
        run = create_textual_difference_scorer().run(output=response, input=reference)
        alone = score_one(difference, response, reference)
        assert [textual.score, run.score, alone.score] == [row["score"]] * 3
        assert run.analyze_step_result == textual.info == {key: row[key] for key in textual.info}


@settings(max_examples=50)
@given(nullable_texts)
def test_stability_of_metric_scorer_and_single_text_agree(text: str | None) -> None:
    one = score_one(ToneScorer(), text)
    measured, run = ToneConsistencyMetric().measure(text), create_tone_scorer().run(output=text)
    assert measured.score == run.score == one.score
    assert measured.info == run.analyze_step_result
    assert measured.info == {key: one.fields[key] for key in measured.info}


@given(st.text("ab \u00e9", max_size=8), st.text("ab \u00e9", max_size=8))
def test_textual_difference_is_that_of_the_oracle(response: str, reference: str) -> None:
    result = TextualDifferenceMetric().measure(response, reference)
    expected = textual_difference_by_hand(response, reference)
    assert result.score == expected.pop("score")
    assert result.info == {**expected, "unscored": None}


def test_shipped_tone_is_told_in_the_mode_of_each_pair() -> None:
    """A pair without a reference is measured for stability, as shipped."""
    metric = ToneConsistencyMetric(profile="mastra")
    compared = metric.measure("Good.", "Bad.")
    # Good is worth 3 and bad -3.
    assert compared.info == {
        "response_sentiment": 3.0, "reference_sentiment": -3.0, "difference": 6.0,
        "unscored": None,
    }  # fmt: skip
    assert compared.score == 0.0
    scorer = ToneScorer(profile="mastra", mode="comparison")
    (alone,) = measure_pairs(scorer, [("Good. Bad.", None)])
    assert alone.info == {"avg_sentiment": 0.0, "sentiment_variance": 9.0, "unscored": None}
