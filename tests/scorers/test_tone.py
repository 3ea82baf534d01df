"""Tone: the formula, its options, its unscored rows, and every row for itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.oracles import WHITE_SPACE, band_by_hand, compound_of, polarity, tone_by_hand
from tests.scorers.pairs import (
    Pair,
    PairOfList,
    assert_best_reference_counts,
    assert_rows_stand_alone,
    changed_columns,
    listed_sentences,
    nullable_texts,
    pair_frame,
    pairs_with_lists,
    plain_pairs,
    prose,
)
from tonelog.scorers import (
    ScorerError,
    ToneScorer,
    create_scorer,
    score_frame,
    score_one,
    score_pairs,
    split_sentences,
)

COMPARISON = ToneScorer(mode="comparison")
STABILITY = ToneScorer(mode="stability")
CODE = "```python\nbad = awful\n```"
# VADER's valences: great 3.1, good 1.9, bad -2.5, awful -2.0, love 3.2.
GREAT, GOOD, BAD = compound_of(3.1), compound_of(1.9), compound_of(-2.5)

COLUMNS = {
    "tone_score": pl.Float64,
    "tone_mode": pl.String,
    "tone_band": pl.String,
    "tone_response_sentiment": pl.Float64,
    "tone_reference_sentiment": pl.Float64,
    "tone_difference": pl.Float64,
    "tone_avg_sentiment": pl.Float64,
    "tone_sentiment_variance": pl.Float64,
    "tone_n_sentences": pl.Int32,
    "tone_n_charged": pl.Int32,
    "tone_unscored": pl.String,
    "tone_reference_index": pl.Int32,
}
"""The columns of design section 4.1, in its order, and the index of the best reference."""

DIFFERENCES = st.sampled_from([1.0, 3.0, 0.07, 0.3, 2.0])
SCALES = st.sampled_from([1.0, 7.0, 100.0, 0.1, 3.0])
ANY_TONE = st.builds(
    ToneScorer,
    mode=st.sampled_from(["comparison", "stability"]),
    aggregate=st.sampled_from(["mean", "whole"]),
    code=st.sampled_from(["skip", "keep"]),
    scale=SCALES,
    max_difference=DIFFERENCES,
    max_variance=DIFFERENCES,
    lexicon=st.sampled_from([None, "build\t1.3\ngreat\t-2"]),
)


def valence_for(compound: float) -> float:
    """Turn VADER's formula round: the valence whose compound this is."""
    return compound * sqrt(15 / (1 - compound * compound))


def lexicon(words: Mapping[str, float]) -> str:
    """Write a lexicon whose words have these compounds, each standing alone in a sentence."""
    return "\n".join(f"{word}\t{valence_for(compound)!r}" for word, compound in words.items())


def pair(response: str | None, reference: str | None) -> pl.DataFrame:
    """Make the frame of one pair."""
    return pair_frame([(response, reference)])


def sentences_of(*found: str) -> dict[str, list[str]]:
    """Split each text as the scorer does by default."""
    frame = pl.DataFrame({"text": found}, schema={"text": pl.String})
    lists = frame.select(split_sentences(pl.col("text"), code="skip")).to_series()
    return dict(zip(found, lists.to_list(), strict=True))


# The worked numbers of the originals


def test_difference_of_a_twentieth_scores_95_hundredths() -> None:
    words = lexicon({"zib": 0.8, "zob": 0.75})
    fields = score_one(ToneScorer(lexicon=words), "It is zib.", "It is zob.").fields
    assert fields["response_sentiment"] == 0.8
    assert fields["reference_sentiment"] == 0.75
    assert fields["difference"] == pytest.approx(0.05, abs=1e-12)
    assert fields["score"] == pytest.approx(0.95, abs=1e-12)


def test_variance_of_a_tenth_scores_nine_tenths() -> None:
    # Five sentences at 0.8 and two at 0.1: mean 4.2 / 7 = 0.6, variance 0.49 * 10 / 49 = 0.1.
    words = lexicon({"zib": 0.8, "zob": 0.1})
    text = "It is zib. " * 5 + "It is zob. " * 2
    fields = score_one(ToneScorer(lexicon=words), text).fields
    assert fields["avg_sentiment"] == pytest.approx(0.6, abs=1e-12)
    assert fields["sentiment_variance"] == pytest.approx(0.1, abs=1e-12)
    assert fields["score"] == pytest.approx(0.9, abs=1e-12)


def test_three_equal_sentences_are_perfectly_stable() -> None:
    result = score_one(ToneScorer(), "What a great day. What a great day. What a great day.")
    assert result.score == 1.0
    assert result.fields["sentiment_variance"] == 0.0
    assert result.fields["n_sentences"] == 3


@pytest.mark.parametrize("text", ["I love it. It is bad!", "Nothing here", "No \U0001f600"])
def test_text_compared_with_itself_is_perfect(text: str) -> None:
    fields = score_one(ToneScorer(), text, text).fields
    assert (fields["score"], fields["difference"], fields["band"]) == (1.0, 0.0, "perfect")


# Literal frames


def test_comparison_gives_these_rows() -> None:
    frame = pair_frame(
        [
            ("Great.", "Bad."),
            ("Great. Bad.", "Good."),
            ("The train leaves at nine.", "It is Tuesday. I am here."),
            (f"Good.\n{CODE}", "Good."),
            (None, "Good."),
            (" \u00a0\u3000\n", "Good."),
            ("Good.", None),
            ("Good.", "\u3000"),
            (CODE, "Good."),
            ("Good.", CODE),
        ]
    )
    mean = (GREAT + BAD) / 2
    off = {name: [None] * 6 for name in COLUMNS}
    expected = pl.DataFrame(
        {
            "tone_score": [0.0, 1 - (GOOD - mean), 1.0, 1.0, *off["tone_score"]],
            "tone_mode": ["comparison"] * 4 + off["tone_mode"],
            "tone_band": ["none", "moderate", "perfect", "perfect", *off["tone_band"]],
            "tone_response_sentiment": [GREAT, mean, 0.0, GOOD, *off["tone_score"]],
            "tone_reference_sentiment": [BAD, GOOD, 0.0, GOOD, *off["tone_score"]],
            "tone_difference": [GREAT - BAD, GOOD - mean, 0.0, 0.0, *off["tone_score"]],
            "tone_avg_sentiment": [GREAT, mean, 0.0, GOOD, *off["tone_score"]],
            "tone_sentiment_variance": [
                0.0,
                ((GREAT - BAD) / 2) ** 2,
                0.0,
                0.0,
                *off["tone_score"],
            ],
            "tone_n_sentences": [1, 2, 1, 1, *off["tone_score"]],
            "tone_n_charged": [1, 2, 0, 1, *off["tone_score"]],
            "tone_unscored": [
                *[None] * 4,
                "response_null",
                "response_blank",
                "reference_null",
                "reference_blank",
                "no_sentences",
                "no_sentences",
            ],
            "tone_reference_index": [None] * 10,
        },
        schema=COLUMNS,
    )
    scored = score_frame(frame, [ToneScorer()], reference="reference")
    assert scored.columns == ["response", "reference", *COLUMNS]
    assert_frame_equal(scored.select(*COLUMNS), expected, rel_tol=0, abs_tol=1e-12)


def test_stability_gives_these_rows() -> None:
    frame = pl.DataFrame({"id": [7, 8, 9, 10], "response": ["Great. Bad. Fix it.", None, "", CODE]})
    mean = (GREAT + BAD) / 3
    variance = ((GREAT - mean) ** 2 + (BAD - mean) ** 2 + mean**2) / 3
    expected = pl.DataFrame(
        {
            "tone_score": [1 - variance, None, None, None],
            "tone_mode": ["stability", None, None, None],
            "tone_band": ["strong", None, None, None],
            "tone_response_sentiment": [mean, None, None, None],
            "tone_reference_sentiment": [None] * 4,
            "tone_difference": [None] * 4,
            "tone_avg_sentiment": [mean, None, None, None],
            "tone_sentiment_variance": [variance, None, None, None],
            "tone_n_sentences": [3, None, None, None],
            "tone_n_charged": [2, None, None, None],
            "tone_unscored": [None, "response_null", "response_blank", "no_sentences"],
            "tone_reference_index": [None] * 4,
        },
        schema=COLUMNS,
    )
    scored = score_frame(frame, [ToneScorer()])
    assert_frame_equal(scored.select("id", "response"), frame)
    assert_frame_equal(scored.select(*COLUMNS), expected, rel_tol=0, abs_tol=1e-12)


def test_no_rows_give_no_rows_with_all_columns() -> None:
    scored = score_frame(pair_frame([]), [ToneScorer()], reference="reference")
    assert scored.height == 0
    assert dict(scored.schema.items()) == {"response": pl.String, "reference": pl.String} | COLUMNS


# The mode


def test_auto_is_decided_by_the_job_and_never_by_the_row() -> None:
    frame = pair_frame([("Great. Bad.", None), ("Great.", "Great.")])
    scored = score_frame(frame, [ToneScorer()], reference="reference")
    assert scored["tone_mode"].to_list() == [None, "comparison"]
    assert scored["tone_unscored"].to_list() == ["reference_null", None]


@pytest.mark.parametrize(("has_reference", "mode"), [(True, "comparison"), (False, "stability")])
def test_auto_resolves_to_one_mode(has_reference: bool, mode: str) -> None:  # noqa: FBT001 - a case
    assert ToneScorer().resolve(has_reference=has_reference).mode == mode
    assert COMPARISON.resolve(has_reference=has_reference) == COMPARISON
    assert STABILITY.resolve(has_reference=has_reference) == STABILITY


def test_stability_reads_no_reference() -> None:
    frame = pair_frame([("Great. Bad.", None), ("Good.", " "), ("Good.", "Bad.")])
    with_reference = score_frame(frame, [STABILITY], reference="reference")
    without = score_frame(frame, [ToneScorer()])
    assert_frame_equal(with_reference, without)
    assert with_reference["tone_difference"].null_count() == 3
    assert not STABILITY.needs_reference


def test_comparison_without_a_reference_is_refused() -> None:
    assert COMPARISON.needs_reference
    with pytest.raises(ScorerError, match="tone: no reference"):
        score_frame(pair_frame([("Good.", "Good.")]), [COMPARISON])


def test_stability_fields_do_not_depend_on_the_mode() -> None:
    pairs = pair_frame([("Great. Bad.", "Good."), ("I love it!", "I am here.")])
    fields = [
        "response_sentiment",
        "avg_sentiment",
        "sentiment_variance",
        "n_sentences",
        "n_charged",
    ]
    compared, steady = score_pairs(COMPARISON, pairs), score_pairs(STABILITY, pairs)
    assert_frame_equal(compared.select(fields), steady.select(fields), check_exact=True)


# The other options: each changes what it says, and nothing else

CHARGED = [
    (f"Great. Bad, bad!\n{CODE}\nGood.", f"I love it. It is here.\n{CODE}"),
    ("The build is awful. It is good.", "The build is here."),
    (f"It is good.\n{CODE}", "It is good."),
]


def scored_with(mode: str, **options: object) -> pl.DataFrame:
    """Score the charged pairs with options."""
    return score_pairs(create_scorer("tone", mode=mode, **options), pair_frame(CHARGED))


@pytest.mark.parametrize(
    ("mode", "options", "changed"),
    [
        ("comparison", {"scale": 7.0}, {"score"}),
        ("stability", {"scale": 7.0}, {"score"}),
        ("comparison", {"max_difference": 0.5}, {"score", "band"}),
        ("stability", {"max_difference": 0.5}, set()),
        ("comparison", {"max_variance": 0.25}, set()),
        ("stability", {"max_variance": 0.25}, {"score", "band"}),
        (
            "comparison",
            {"aggregate": "whole"},
            {"score", "band", "response_sentiment", "reference_sentiment", "difference"},
        ),
        ("stability", {"aggregate": "whole"}, {"response_sentiment"}),
        (
            "stability",
            {"code": "keep"},
            {
                "score",
                "band",
                "response_sentiment",
                "avg_sentiment",
                "sentiment_variance",
                "n_sentences",
                "n_charged",
            },
        ),
        (
            "stability",
            {"lexicon": "build\t-2"},
            {"score", "band", "response_sentiment", "avg_sentiment", "sentiment_variance"},
        ),
    ],
)
def test_option_changes_these_columns_only(
    mode: str, options: dict[str, object], changed: set[str]
) -> None:
    before, after = scored_with(mode), scored_with(mode, **options)
    assert changed_columns(before, after) == changed


@pytest.mark.parametrize("mode", ["comparison", "stability"])
def test_scale_multiplies_last(mode: str) -> None:
    plain, scaled = scored_with(mode), scored_with(mode, scale=7)
    assert scaled["score"].to_list() == [score * 7.0 for score in plain["score"]]
    assert_frame_equal(scaled.drop("score"), plain.drop("score"), check_exact=True)


def test_max_difference_divides_the_difference() -> None:
    # Good against nothing charged: a difference of 0.4404.
    pairs = pair("It is good.", "It is here.")
    for most in (0.5, 1.0, 2.0, 3.0):
        scored = score_pairs(ToneScorer(mode="comparison", max_difference=most), pairs)
        assert scored["score"].item() == 1 - 0.4404 / most


def test_max_variance_divides_the_variance() -> None:
    # Half at 0.4404, half at 0: a variance of 0.2202 squared.
    pairs = pair("It is good. It is here.", None)
    for most in (0.1, 1.0, 3.0):
        scored = score_pairs(ToneScorer(mode="stability", max_variance=most), pairs)
        assert scored["score"].item() == pytest.approx(1 - 0.2202**2 / most, abs=1e-12)


@pytest.mark.parametrize("most", [0.4404, 0.44, 0.1, 1e-300])
def test_score_is_never_below_zero(most: float) -> None:
    result = score_one(ToneScorer(max_difference=most), "It is good.", "It is here.")
    assert (result.score, result.fields["band"]) == (0.0, "none")
    result = score_one(ToneScorer(max_variance=most / 10), "It is good. It is awful.")
    assert (result.score, result.fields["band"]) == (0.0, "none")


def test_aggregate_whole_takes_the_text_in_one_piece() -> None:
    text, reference = "I love it! But it is bad, very BAD. It is good.", "It is good. It is great."
    fields = score_one(ToneScorer(aggregate="whole"), text, reference).fields
    assert fields["response_sentiment"] == polarity(text)[0]
    assert fields["reference_sentiment"] == polarity(reference)[0]
    assert fields["avg_sentiment"] != polarity(text)[0]


def test_skipped_code_counts_in_no_number() -> None:
    with_code, without = f"It is great.\n{CODE}\nIt is here.", "It is great.\nIt is here."
    for aggregate in ("mean", "whole"):
        scorer = create_scorer("tone", aggregate=aggregate, code="skip")
        assert score_one(scorer, with_code) == score_one(scorer, without)


def test_kept_code_counts_as_a_sentence() -> None:
    text = f"It is great.\n{CODE}\nIt is here."
    fields = score_one(ToneScorer(code="keep"), text).fields
    compounds = [polarity("It is great.")[0], polarity(CODE)[0], 0.0]
    assert fields["n_sentences"] == 3
    assert fields["n_charged"] == 2
    assert fields["avg_sentiment"] == pytest.approx(sum(compounds) / 3, abs=1e-12)
    whole = score_one(ToneScorer(code="keep", aggregate="whole"), text).fields
    assert whole["response_sentiment"] == polarity(text)[0]
    assert score_one(ToneScorer(code="keep"), CODE).unscored is None


def test_lexicon_adds_and_overrides_words_in_response_and_reference() -> None:
    scorer = ToneScorer(lexicon="zib\t2\ngreat\t-1.5\n")
    fields = score_one(scorer, "It is zib.", "It is great.").fields
    assert fields["response_sentiment"] == compound_of(2)
    assert fields["reference_sentiment"] == compound_of(-1.5)
    plain = score_one(ToneScorer(), "It is zib.", "It is great.").fields
    assert plain["response_sentiment"] == 0.0
    assert plain["reference_sentiment"] == GREAT


def test_lexicon_reaches_the_whole_text_too() -> None:
    scorer = ToneScorer(lexicon="zib\t2", aggregate="whole")
    fields = score_one(scorer, "It is zib. It is so.", "It is zib.").fields
    assert fields["response_sentiment"] == fields["reference_sentiment"] == compound_of(2)


@pytest.mark.parametrize("most", [0.07, 0.3, 3.0, 7.0])
def test_division_has_the_same_bits_in_a_large_batch(most: float) -> None:
    # polars would multiply a column by the reciprocal: other last bits than for a row alone.
    words = {f"z{chr(97 + i // 26)}{chr(97 + i % 26)}": i / 700 for i in range(1, 600)}
    pairs = pair_frame([(f"It is {word}. It is so.", "It is so.") for word in words])
    scorer = ToneScorer(lexicon=lexicon(words), max_difference=most, max_variance=most)
    compared = score_pairs(replace(scorer, mode="comparison"), pairs)
    expected = [max(0.0, 1 - difference / most) for difference in compared["difference"]]
    assert compared["score"].to_list() == expected
    steady = score_pairs(replace(scorer, mode="stability"), pairs)
    expected = [max(0.0, 1 - variance / most) for variance in steady["sentiment_variance"]]
    assert steady["score"].to_list() == expected


@settings(max_examples=30)
@given(st.lists(prose, min_size=5, max_size=20))
def test_aggregates_agree_on_a_single_sentence(many: list[str]) -> None:
    pairs = pair_frame([(text, None) for text in many])
    mean = score_pairs(STABILITY, pairs)
    whole = score_pairs(replace(STABILITY, aggregate="whole"), pairs)
    single = pl.col("n_sentences") == 1
    assert_frame_equal(mean.filter(single), whole.filter(single), check_exact=True)


@pytest.mark.parametrize("name", ["scale", "max_difference", "max_variance"])
@pytest.mark.parametrize(
    "value", [0, -1, 1000.5, float("nan"), float("inf"), "1", True, None], ids=repr
)
def test_number_out_of_range_is_refused(name: str, value: object) -> None:
    with pytest.raises(ScorerError, match=f"tone: option {name} is {value!r}"):
        create_scorer("tone", **{name: value})


@pytest.mark.parametrize("name", ["scale", "max_difference", "max_variance"])
@pytest.mark.parametrize("value", [1e-300, 1000])
def test_number_at_the_edge_of_its_range_is_taken(name: str, value: float) -> None:
    result = score_one(create_scorer("tone", **{name: value}), "It is good. It is so.", "It is.")
    assert result.unscored is None


@pytest.mark.parametrize("name", ["mode", "aggregate", "code", "lexicon"])
@pytest.mark.parametrize("value", ["Mean", "", 1], ids=repr)
def test_choice_out_of_range_is_refused(name: str, value: object) -> None:
    if (name, value) == ("lexicon", ""):
        value = "a line without a valence"
    with pytest.raises(ScorerError, match=r"tone: option|lexicon: line 1"):
        create_scorer("tone", **{name: value})


# Bands


@pytest.mark.parametrize(
    ("difference", "band"),
    [
        (0.0, "perfect"),
        (0.0001, "strong"),
        (0.3, "strong"),
        (0.3001, "moderate"),
        (0.6, "moderate"),
        (0.6001, "poor"),
        (0.8999, "poor"),
        (0.9001, "none"),
    ],
)
@pytest.mark.parametrize("scale", [1.0, 7.0, 0.001])
def test_band_is_that_of_the_score_before_scale(difference: float, band: str, scale: float) -> None:
    scorer = ToneScorer(lexicon=lexicon({"zib": difference}), scale=scale)
    fields = score_one(scorer, "It is zib.", "It is here.").fields
    assert fields["difference"] == difference
    assert fields["band"] == band


# Unscored rows


@pytest.mark.parametrize(
    ("response", "reference", "reason"),
    [
        (None, None, "response_null"),
        (None, " ", "response_null"),
        (None, CODE, "response_null"),
        ("\u00a0", None, "response_blank"),
        ("", "", "response_blank"),
        ("\u3000", CODE, "response_blank"),
        (CODE, None, "no_sentences"),
        (CODE, " ", "no_sentences"),
        ("~~~\nopen", "It is good.", "no_sentences"),
        ("It is good.", "\u2003\u2028", "reference_blank"),
        ("It is good.", f"{CODE}\n\n{CODE}", "no_sentences"),
    ],
)
def test_response_has_its_reason_before_the_reference(
    response: str | None, reference: str | None, reason: str
) -> None:
    assert score_pairs(COMPARISON, pair(response, reference))["unscored"].item() == reason


def test_every_white_space_of_unicode_is_blank() -> None:
    pairs = pair_frame([(space * 3, "It is good.") for space in WHITE_SPACE])
    assert score_pairs(COMPARISON, pairs)["unscored"].to_list() == ["response_blank"] * 25


def test_zero_width_space_is_no_white_space() -> None:
    assert score_one(ToneScorer(), "\u200b").unscored is None


def test_problem_columns_say_why_a_text_is_null() -> None:
    pairs = pl.DataFrame(
        [
            (None, "It is good.", "response_not_utf8", None),
            (None, None, "cell_too_large", "reference_not_utf8"),
            ("It is good.", None, None, "reference_not_utf8"),
            ("It is good.", None, None, None),
            (None, None, None, "reference_not_utf8"),
            (" ", None, None, "reference_not_utf8"),
            ("It is good.", "It is good.", None, None),
        ],
        orient="row",
        schema=["response", "reference", "response_problem", "reference_problem"],
        schema_overrides=dict.fromkeys(("response_problem", "reference_problem"), pl.String),
    )
    scored = score_pairs(COMPARISON, pairs)
    assert scored["unscored"].to_list() == [
        "response_not_utf8",
        "cell_too_large",
        "reference_not_utf8",
        "reference_null",
        "response_null",
        "response_blank",
        None,
    ]
    assert scored["score"].to_list() == [None] * 6 + [1.0]


def reason_by_hand(text: str | None, side: str, sentences: Mapping[str, list[str]]) -> str | None:
    """Why a text has no sentiment."""
    if text is None:
        return f"{side}_null"
    if all(character in WHITE_SPACE for character in text):
        return f"{side}_blank"
    return None if sentences[text] else "no_sentences"


@given(plain_pairs, SCALES, DIFFERENCES)
def test_comparison_equals_the_oracle(pairs: list[Pair], scale: float, most: float) -> None:
    scorer = ToneScorer(mode="comparison", scale=scale, max_difference=most)
    scored = score_pairs(scorer, pair_frame(pairs))
    unscaled = score_pairs(replace(scorer, scale=1.0), pair_frame(pairs))["score"].to_list()
    sentences = sentences_of(*{text for both in pairs for text in both if text is not None})
    assert scored.height == len(pairs)
    for (response, reference), row, one in zip(
        pairs, scored.rows(named=True), unscaled, strict=True
    ):
        reason = reason_by_hand(response, "response", sentences)
        reason = reason or reason_by_hand(reference, "reference", sentences)
        assert row["unscored"] == reason
        if reason or response is None:
            assert [value for value in row.values() if value is not None] == [reason]
            continue
        expected = tone_by_hand(response, reference, sentences, scale=scale, most=most)
        assert row["score"] == one * scale
        assert (row["mode"], row["band"]) == ("comparison", band_by_hand(one))
        assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-12 * scale)


@given(st.lists(nullable_texts, min_size=1, max_size=9), SCALES, DIFFERENCES)
def test_stability_equals_the_oracle(
    responses: list[str | None], scale: float, most: float
) -> None:
    scorer = ToneScorer(mode="stability", scale=scale, max_variance=most)
    scored = score_pairs(scorer, pair_frame([(text, None) for text in responses]))
    sentences = sentences_of(*{text for text in responses if text is not None})
    for text, row in zip(responses, scored.rows(named=True), strict=True):
        reason = reason_by_hand(text, "response", sentences)
        assert row["unscored"] == reason
        if reason or text is None:
            assert [value for value in row.values() if value is not None] == [reason]
            continue
        expected = tone_by_hand(text, None, sentences, scale=scale, most=most)
        assert row["mode"] == "stability"
        assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-12 * scale)


# Every row for itself


@given(st.data(), plain_pairs, ANY_TONE)
def test_row_has_the_same_bits_alone_in_any_order_and_batch(
    data: st.DataObject, pairs: list[Pair], scorer: ToneScorer
) -> None:
    order = data.draw(st.permutations(range(len(pairs))))
    assert_rows_stand_alone(scorer, pair_frame(pairs), order)


@pytest.mark.parametrize("response", ["It is good. Bad!", "Nothing", " ", "", CODE])
@pytest.mark.parametrize("reference", ["It is good.", "", CODE, None])
def test_one_pair_is_a_batch_of_one(response: str, reference: str | None) -> None:
    frame = pair(response, reference)
    column = None if reference is None else "reference"
    scored = score_frame(frame, [ToneScorer()], reference=column)
    result = score_one(ToneScorer(), response, reference)
    assert repr(tuple(result.fields.values())) == repr(scored.row(0)[2:])
    assert result.score == scored["tone_score"].item()
    assert result.unscored == scored["tone_unscored"].item()


# Lists of references


@pytest.mark.parametrize(
    ("references", "index", "reason"),
    [
        (["It is bad.", "It is good.", "It is great."], 1, None),
        (["It is bad.", "It is good.", "It was good."], 1, None),
        ([None, " ", CODE, "It is good."], 3, None),
        (["It is good.", None], 0, None),
        ([None, None], None, "reference_null"),
        ([], None, "reference_null"),
        (None, None, "reference_null"),
        (["\u3000", ""], None, "reference_blank"),
        ([CODE], None, "no_sentences"),
    ],
)
def test_best_reference_counts(
    references: list[str | None] | None, index: int | None, reason: str | None
) -> None:
    pairs = pair_frame([("It is good.", references), ("It is bad.", ["It is bad."])])
    scored = score_pairs(COMPARISON, pairs)
    assert scored["reference_index"].to_list() == [index, 0]
    assert scored["unscored"].to_list() == [reason, None]
    assert scored["score"].to_list() == [None if reason else 1.0, 1.0]
    assert scored.schema["reference_index"] == pl.Int32


def test_references_clamped_to_zero_tie_to_the_first() -> None:
    pairs = pair_frame([("It is great.", ["It is awful.", "It is bad.", "It is awful."])])
    scored = score_pairs(ToneScorer(mode="comparison", max_difference=0.5), pairs)
    assert scored.select("score", "reference_index").row(0) == (0.0, 0)


def test_response_reason_comes_before_the_lists() -> None:
    pairs = pair_frame([(None, ["It is good."]), (" ", []), (CODE, None)])
    scored = score_pairs(COMPARISON, pairs)
    assert scored["unscored"].to_list() == ["response_null", "response_blank", "no_sentences"]
    assert scored["reference_index"].null_count() == 3


def test_null_passed_over_in_a_list_is_no_reason() -> None:
    pairs = pair_frame([("It is good.", [None, " "]), ("It is good.", [None, CODE])])
    reasons = score_pairs(COMPARISON, pairs)["unscored"].to_list()
    assert reasons == ["reference_blank", "no_sentences"]


@given(pairs_with_lists, ANY_TONE)
def test_list_scores_as_the_best_of_its_pairs(pairs: list[PairOfList], scorer: ToneScorer) -> None:
    scorer = replace(scorer, mode="comparison")
    assert_best_reference_counts(scorer, pairs)


# What else a job reads of the scorer


def test_flags_find_uncharged_and_single_sentences() -> None:
    pairs = pair_frame([("It is here. It is so.", None), ("It is good.", None), ("Ok.", None)])
    scored = score_pairs(STABILITY, pairs)
    flags = {
        name: scored.select(flag.condition).to_series() for name, flag in STABILITY.flags.items()
    }
    assert flags["uncharged"].to_list() == [True, False, True]
    assert flags["one_sentence"].to_list() == [False, True, True]
    assert STABILITY.flags["uncharged"].warn_above == 0.5


def test_sentences_are_listed_with_place_and_sentiment() -> None:
    responses = pl.Series(["It is good.  Bad\u00e9 bad!", None, "", f"{CODE}\nGreat."])
    expected = pl.DataFrame(
        {
            "row": [0, 0, 3],
            "sentence_index": [0, 1, 0],
            "start": [0, 13, len(CODE) + 1],
            "end": [11, 22, len(CODE) + 7],
            "sentence": ["It is good.", "Bad\u00e9 bad!", "Great."],
            "compound": [polarity(s)[0] for s in ("It is good.", "Bad\u00e9 bad!", "Great.")],
            "pos": [polarity(s)[1] for s in ("It is good.", "Bad\u00e9 bad!", "Great.")],
            "neu": [polarity(s)[2] for s in ("It is good.", "Bad\u00e9 bad!", "Great.")],
            "neg": [polarity(s)[3] for s in ("It is good.", "Bad\u00e9 bad!", "Great.")],
        },
        schema_overrides=dict.fromkeys(("sentence_index", "start", "end"), pl.Int32),
    )
    assert_frame_equal(listed_sentences(ToneScorer(), responses), expected, check_exact=True)
    assert listed_sentences(ToneScorer(code="keep"), responses)["sentence"].to_list()[2] == CODE
    words = listed_sentences(ToneScorer(lexicon="great\t-1"), responses)
    assert words["compound"].to_list()[2] == compound_of(-1)


@given(st.lists(nullable_texts, min_size=1, max_size=5))
def test_listed_sentences_are_those_that_were_counted(responses: list[str | None]) -> None:
    listed = listed_sentences(STABILITY, pl.Series(responses, dtype=pl.String))
    scored = score_pairs(STABILITY, pair_frame([(text, None) for text in responses]))
    for row, fields in enumerate(scored.rows(named=True)):
        mine = listed.filter(pl.col("row") == row)
        assert mine.height == (fields["n_sentences"] or 0)
        assert (mine["compound"] != 0).sum() == (fields["n_charged"] or 0)


@given(st.permutations(["Great.", "Bad.", "Sure.", "Thanks a lot!"]), st.integers(1, 30))
def test_equal_tone_is_perfect_whatever_the_order_and_the_number(order: list[str], n: int) -> None:
    result = score_one(ToneScorer(), " ".join(order * n), "Great. Bad. Sure. Thanks a lot!")
    assert result.score == 1.0
    assert result.fields["band"] == "perfect"


def test_abbreviations_change_the_sentences_and_the_signature() -> None:
    text = "Es ist gut bzw. Sehr gut."
    plain, taught = ToneScorer(), ToneScorer(abbreviations=("bzw",))
    assert score_one(plain, text).fields["n_sentences"] == 2
    assert score_one(taught, text).fields["n_sentences"] == 1
    assert len(listed_sentences(taught, pl.Series([text]))) == 1
    assert "|abbreviations:('bzw',)|" in f"|{taught.signature}|"
    assert plain.signature != taught.signature


@pytest.mark.parametrize("word", ["", "op. cit", ".", "a" * 17, "a..b", "x-y"])
def test_an_abbreviation_is_one_word(word: str) -> None:
    with pytest.raises(ScorerError, match=r"^tone: option abbreviations is \("):
        ToneScorer(abbreviations=("bzw.", word))
