"""Textual difference: the formula, its options, its unscored rows, and every row for itself."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.oracles import band_by_hand, naive_lcs, textual_difference_by_hand
from tests.scorers.pairs import (
    Pair,
    PairOfList,
    assert_best_reference_counts,
    assert_rows_stand_alone,
    changed_columns,
    pair_frame,
    pairs_with_lists,
    plain_pairs,
)
from tonelog.scorers import (
    ScorerError,
    TextualDifferenceScorer,
    create_scorer,
    score_frame,
    score_one,
    score_pairs,
)

PLAIN = TextualDifferenceScorer()

COLUMNS = {
    "textual_difference_score": pl.Float64,
    "textual_difference_ratio": pl.Float64,
    "textual_difference_confidence": pl.Float64,
    "textual_difference_length_diff": pl.Float64,
    "textual_difference_changes": pl.Int64,
    "textual_difference_band": pl.String,
    "textual_difference_unscored": pl.String,
    "textual_difference_reference_index": pl.Int32,
}
"""The columns of design section 4.2, in its order."""

SCALES = st.sampled_from([1.0, 7.0, 100.0, 0.1, 3.0])
ANY_DIFFERENCE = st.builds(
    TextualDifferenceScorer, weighting=st.sampled_from(["confidence", "none"]), scale=SCALES
)


def pair(response: str | None, reference: str | None) -> pl.DataFrame:
    """Make the frame of one pair."""
    return pair_frame([(response, reference)])


# The worked numbers and literal frames


@pytest.mark.parametrize("text", ["The cat sat.", "", " \n", "\U0001f600 \u597d", "a" * 5000])
@pytest.mark.parametrize("weighting", ["confidence", "none"])
def test_identical_texts_score_one_without_changes(text: str, weighting: str) -> None:
    fields = score_one(create_scorer("textual_difference", weighting=weighting), text, text).fields
    assert fields == {
        "score": 1.0,
        "ratio": 1.0,
        "confidence": 1.0,
        "length_diff": 0.0,
        "changes": 0,
        "band": "perfect",
        "unscored": None,
        "reference_index": None,
    }


def test_pairs_give_these_rows() -> None:
    frame = pair_frame(
        [
            ("a cat", "a cat sat"),  # LCS 5 of 5 and 9
            ("", ""),
            ("", "ab"),
            ("  ", " "),  # LCS 1 of 2 and 1
            ("a  b", "a b"),  # LCS 3 of 4 and 3
            ("b a", "a b"),  # LCS 1 of 3 and 3; both words are replaced
            ("\U0001f600", "\U0001f601"),  # one character each, not two halves
            ("e\u0301", "\u00e9"),  # no normalization
            ("\U0001f600x", "x"),  # LCS 1 of 2 and 1
            ("Cat", "cat"),  # LCS 2 of 3 and 3: case counts
            (None, "a"),
            ("a", None),
            (None, None),
        ]
    )
    off = [None] * 3
    expected = pl.DataFrame(
        {
            "textual_difference_score": [
                *(10 / 14 * (1 - 4 / 9), 1.0, 0.0, 2 / 3 * 0.5, 6 / 7 * 0.75),
                *(2 / 6, 0.0, 0.0, 2 / 3 * 0.5, 4 / 6),
                *off,
            ],
            "textual_difference_ratio": [
                *(10 / 14, 1.0, 0.0, 2 / 3, 6 / 7, 2 / 6, 0.0, 0.0, 2 / 3, 4 / 6),
                *off,
            ],
            "textual_difference_confidence": [
                *(1 - 4 / 9, 1.0, 0.0, 0.5, 0.75, 1.0, 1.0, 0.5, 0.5, 1.0),
                *off,
            ],
            "textual_difference_length_diff": [
                *(4 / 9, 0.0, 1.0, 0.5, 0.25, 0.0, 0.0, 0.5, 0.5, 0.0),
                *off,
            ],
            "textual_difference_changes": [1, 0, 1, 1, 1, 2, 1, 1, 1, 1, *off],
            "textual_difference_band": [
                *("poor", "perfect", "none", "poor", "moderate"),
                *("poor", "none", "none", "poor", "moderate"),
                *off,
            ],
            "textual_difference_unscored": [
                *[None] * 10,
                "response_null",
                "reference_null",
                "response_null",
            ],
            "textual_difference_reference_index": [None] * 13,
        },
        schema=COLUMNS,
    )
    scored = score_frame(frame, [PLAIN], reference="reference")
    assert scored.columns == ["response", "reference", *COLUMNS]
    assert_frame_equal(scored.select(*COLUMNS), expected, check_exact=True)


def test_no_rows_give_no_rows_with_all_columns() -> None:
    scored = score_frame(pair_frame([]), [PLAIN], reference="reference")
    assert scored.height == 0
    assert dict(scored.drop("response", "reference").schema.items()) == COLUMNS


def test_reference_is_needed() -> None:
    assert PLAIN.needs_reference
    with pytest.raises(ScorerError, match="textual_difference: no reference"):
        score_frame(pair("a", "a"), [PLAIN])


def test_originals_give_the_same_ratio(shared: Path) -> None:
    lines = (shared / "golden/textual_difference.jsonl").read_text().splitlines()
    # The originals count UTF-16 units, which are characters but for astral ones.
    cases = [case for case in map(json.loads, lines) if not case["astral"]]
    pairs = pair_frame([(case["input"], case["output"]) for case in cases])
    scored = score_pairs(TextualDifferenceScorer(weighting="none"), pairs)
    info = [case["expected"]["info"] for case in cases]
    assert len(cases) > 500
    assert scored["score"].to_list() == [case["expected"]["score"] for case in cases]
    assert scored["ratio"].to_list() == [numbers["ratio"] for numbers in info]
    assert scored["confidence"].to_list() == [numbers["confidence"] for numbers in info]
    assert scored["length_diff"].to_list() == [numbers["lengthDiff"] for numbers in info]


# Options


def test_weighting_none_leaves_confidence_out_of_the_score() -> None:
    pairs = pair_frame([("a cat", "a cat sat"), ("", "ab"), ("abc", "abc"), (None, "a")])
    weighted = score_pairs(PLAIN, pairs)
    plain = score_pairs(TextualDifferenceScorer(weighting="none"), pairs)
    assert changed_columns(weighted, plain) == {"score", "band"}
    assert plain["score"].to_list() == [10 / 14, 0.0, 1.0, None]
    assert plain["band"].to_list() == ["strong", "none", "perfect", None]


@pytest.mark.parametrize("weighting", ["confidence", "none"])
def test_scale_multiplies_last_and_changes_the_score_only(weighting: str) -> None:
    pairs = pair_frame([("a cat", "a cat sat"), ("ab", "ab"), ("abcdef", "abxdef"), ("", "a")])
    plain = score_pairs(create_scorer("textual_difference", weighting=weighting), pairs)
    scaled = score_pairs(create_scorer("textual_difference", weighting=weighting, scale=7), pairs)
    assert changed_columns(plain, scaled) == {"score"}
    assert scaled["score"].to_list() == [score * 7.0 for score in plain["score"]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scale", 0),
        ("scale", -0.1),
        ("scale", float("nan")),
        ("scale", 1000.5),
        ("scale", "1"),
        ("weighting", "Confidence"),
        ("weighting", None),
    ],
)
def test_option_out_of_range_is_refused(name: str, value: object) -> None:
    with pytest.raises(ScorerError, match=f"textual_difference: option {name} is {value!r}"):
        create_scorer("textual_difference", **{name: value})


# Bands


@pytest.mark.parametrize(
    ("same", "of", "band"),
    [
        (1000, 1000, "perfect"),
        (999, 1000, "strong"),
        (700, 1000, "strong"),
        (699, 1000, "moderate"),
        (400, 1000, "moderate"),
        (399, 1000, "poor"),
        (100, 1000, "poor"),
        (99, 1000, "none"),
        (0, 1000, "none"),
    ],
)
@pytest.mark.parametrize("scale", [1.0, 7.0, 0.001])
def test_band_is_that_of_the_score_before_scale(
    same: int, of: int, band: str, scale: float
) -> None:
    response, reference = "a" * of, "a" * same + "b" * (of - same)
    fields = score_one(TextualDifferenceScorer(scale=scale), response, reference).fields
    assert fields["ratio"] == same / of
    assert fields["band"] == band


# Unscored rows


def test_text_over_200_000_characters_is_too_large() -> None:
    limit = "\u00e9" * 200_000
    over = limit + "a"
    pairs = pair_frame(
        [
            (limit, limit),
            (over, "a"),
            ("a", over),
            (over, over),
            (None, over),
            (over, None),
        ]
    )
    scored = score_pairs(PLAIN, pairs)
    assert scored["unscored"].to_list() == [
        None,
        "cell_too_large",
        "cell_too_large",
        "cell_too_large",
        "response_null",
        "reference_null",
    ]
    assert scored["score"].to_list() == [1.0, None, None, None, None, None]
    assert scored.drop("unscored").null_count().row(0) == (5, 5, 5, 5, 5, 5, 6)


def test_problem_columns_say_why_a_text_is_null() -> None:
    pairs = pl.DataFrame(
        {
            "response": [None, None, "a", "a", None],
            "reference": ["a", None, None, None, None],
            "response_problem": ["response_not_utf8", "cell_too_large", None, None, None],
            "reference_problem": [None, None, "reference_not_utf8", None, "reference_not_utf8"],
        }
    )
    scored = score_pairs(PLAIN, pairs)
    assert scored["unscored"].to_list() == [
        "response_not_utf8",
        "cell_too_large",
        "reference_not_utf8",
        "reference_null",
        "response_null",
    ]
    assert scored["score"].null_count() == 5


def test_problem_columns_apply_to_lists_of_references() -> None:
    pairs = pl.DataFrame(
        {
            "response": ["a", "a", None],
            "reference": [None, ["a"], ["a"]],
            "response_problem": [None, None, "response_not_utf8"],
            "reference_problem": ["reference_not_utf8", None, None],
        }
    )
    scored = score_pairs(PLAIN, pairs)
    assert scored["unscored"].to_list() == ["reference_not_utf8", None, "response_not_utf8"]
    assert scored["reference_index"].to_list() == [None, 0, None]


# Against the oracle


@given(plain_pairs, ANY_DIFFERENCE)
def test_numbers_equal_the_oracle(pairs: list[Pair], scorer: TextualDifferenceScorer) -> None:
    scored = score_pairs(scorer, pair_frame(pairs))
    assert scored.height == len(pairs)
    for (response, reference), row in zip(pairs, scored.rows(named=True), strict=True):
        if response is None or reference is None:
            reason = "response_null" if response is None else "reference_null"
            assert row["unscored"] == reason
            assert [value for value in row.values() if value is not None] == [reason]
            continue
        expected = textual_difference_by_hand(response, reference)
        unscaled = expected["score" if scorer.weighting == "confidence" else "ratio"]
        assert unscaled is not None
        expected["score"] = unscaled * scorer.scale
        assert {name: row[name] for name in expected} == expected
        assert (row["band"], row["unscored"]) == (band_by_hand(unscaled), None)


@given(st.text("ab ", max_size=60), st.text("ab ", max_size=60))
def test_ratio_is_exactly_twice_the_lcs_over_both_lengths(response: str, reference: str) -> None:
    fields = score_one(PLAIN, response, reference).fields
    both = len(response) + len(reference)
    assert fields["ratio"] == (2 * naive_lcs(response, reference) / both if both else 1.0)
    assert (fields["changes"] == 0) == (response == reference)


# Every row for itself


@given(st.data(), plain_pairs, ANY_DIFFERENCE)
def test_row_has_the_same_bits_alone_in_any_order_and_batch(
    data: st.DataObject, pairs: list[Pair], scorer: TextualDifferenceScorer
) -> None:
    order = data.draw(st.permutations(range(len(pairs))))
    assert_rows_stand_alone(scorer, pair_frame(pairs), order)


# Lists of references


@pytest.mark.parametrize(
    ("references", "index", "score", "reason"),
    [
        (["abxx", "abcx", "abcd"], 2, 1.0, None),
        (["abcx", "abcy", "xxxx"], 0, 0.75, None),
        (["wxyz", "", None], 0, 0.0, None),
        ([None, "abcx"], 1, 0.75, None),
        ([None], None, None, "reference_null"),
        ([], None, None, "reference_null"),
        (None, None, None, "reference_null"),
        ([" "], 0, 0.0, None),
    ],
)
def test_best_reference_counts(
    references: list[str | None] | None,
    index: int | None,
    score: float | None,
    reason: str | None,
) -> None:
    pairs = pair_frame([("abcd", references), ("a", ["a"])])
    scored = score_pairs(PLAIN, pairs)
    assert scored["score"].to_list() == [score, 1.0]
    assert scored["reference_index"].to_list() == [index, 0]
    assert scored["unscored"].to_list() == [reason, None]


def test_reference_too_large_gives_way_to_one_that_is_not() -> None:
    pairs = pair_frame([("a", ["a" * 200_001, "ab"]), ("a", ["a" * 200_001])])
    scored = score_pairs(PLAIN, pairs)
    assert scored["reference_index"].to_list() == [1, None]
    assert scored["unscored"].to_list() == [None, "cell_too_large"]


def test_null_passed_over_in_a_list_is_no_reason() -> None:
    scored = score_pairs(PLAIN, pair_frame([("a", [None, "a" * 200_001])]))
    assert scored["unscored"].to_list() == ["cell_too_large"]


@given(pairs_with_lists, ANY_DIFFERENCE)
def test_list_scores_as_the_best_of_its_pairs(
    pairs: list[PairOfList], scorer: TextualDifferenceScorer
) -> None:
    assert_best_reference_counts(scorer, pairs)


def test_list_of_one_scores_as_the_plain_reference() -> None:
    plain = score_pairs(PLAIN, pair("a cat", "a cat sat"))
    listed = score_pairs(PLAIN, pair_frame([("a cat", ["a cat sat"])]))
    assert changed_columns(plain, listed) == {"reference_index"}
