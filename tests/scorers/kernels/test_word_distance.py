"""Distance in words: rapidfuzz's number for any pair, and what must hold without an oracle."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_series_equal
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from tests.oracles import naive_word_distance
from tests.scorers.pairs import nullable_texts, texts
from tests.scorers.random_pairs import PYTHON_SPACE, character_pairs, word_pairs
from tonelog.scorers.similarity import pair_word_distance

N_PAIRS = 50_000
any_space = st.text(st.sampled_from(PYTHON_SPACE), min_size=1, max_size=3)
spaced = st.lists(
    st.sampled_from(["a", "b", "ab", "\u00e9", "long" * 5, "\u200b"]) | any_space
).map("".join)


@lru_cache(maxsize=1)
def many() -> tuple[pl.Series, pl.Series]:
    """Make the pairs once: nearly all of words, some of characters."""
    sides = zip(word_pairs(N_PAIRS - 5000), character_pairs(5000), strict=True)
    left, right = (pl.Series(words + characters, dtype=pl.String) for words, characters in sides)
    return left, right


def by_rapidfuzz(left: pl.Series, right: pl.Series) -> pl.Series:
    """Give rapidfuzz's distance of the pairs without a null, and null for the others."""
    both = left.is_not_null() & right.is_not_null()
    sides = [[text.split() for text in side.filter(both)] for side in (left, right)]
    found = cpdist(*sides, scorer=Levenshtein.distance, dtype=np.int64)
    return pl.Series([None] * len(left), dtype=pl.Int64).scatter(both.arg_true(), found)


def distance_of(left: str | None, right: str | None) -> int | None:
    """Give the distance of one pair."""
    sides = (pl.Series([text], dtype=pl.String) for text in (left, right))
    distance: int | None = pair_word_distance(*sides)[0]
    return distance


def test_50_000_pairs_have_the_distance_that_rapidfuzz_says() -> None:
    distances = pair_word_distance(*many())
    assert_series_equal(distances, by_rapidfuzz(*many()))
    assert distances.null_count() > 1000
    assert distances.n_unique() > 120
    assert (distances == 0).sum() > 1000


def test_slices_have_the_distances_of_their_rows() -> None:
    left, right = (side[:3000] for side in many())
    whole = pair_word_distance(left, right)
    for start, stop in ((0, 0), (1, 2), (999, 2500), (2999, 3000)):
        part = pair_word_distance(left[start:stop], right[start:stop])
        assert_series_equal(part, whole[start:stop])
    shifted = pair_word_distance(left[1:], right[:-1])
    assert_series_equal(shifted, by_rapidfuzz(left[1:], right[:-1]))


@given(spaced, spaced)
def test_distance_is_that_of_the_plain_table(left: str, right: str) -> None:
    assert distance_of(left, right) == naive_word_distance(left, right)


@given(nullable_texts, nullable_texts)
def test_distance_is_symmetric_and_within_the_longer_text(
    left: str | None, right: str | None
) -> None:
    distance = distance_of(left, right)
    assert distance == distance_of(right, left)
    if left is None or right is None:
        assert distance is None
    else:
        words = left.split(), right.split()
        assert distance is not None
        assert abs(len(words[0]) - len(words[1])) <= distance <= max(map(len, words))
        assert (distance == 0) == (words[0] == words[1])


@given(texts, texts, texts, texts)
def test_words_that_both_texts_begin_and_end_with_add_nothing(
    head: str, left: str, right: str, tail: str
) -> None:
    extended = (f"{head} {text} {tail}" for text in (left, right))
    assert distance_of(*extended) == distance_of(left, right)


@pytest.mark.parametrize("space", PYTHON_SPACE)
def test_every_white_space_ends_a_word(space: str) -> None:
    assert distance_of(f"a{space}b", "a b") == 0
    assert distance_of(f"{space}{space}a{space}", "a") == 0
    assert distance_of(f"\u00e9{space}\u00e9", "\u00e9") == 1
    assert distance_of(space * 3, space) == distance_of(space, "") == 0


@pytest.mark.parametrize("character", ["\u200b", "\u180e", "\u2060", "\ufeff", "\x00", "\u0300"])
def test_no_other_character_does(character: str) -> None:
    assert distance_of(f"a{character}b", "a b") == 2


@pytest.mark.parametrize("n", [1, 63, 64, 65, 127, 128, 129, 1000])
def test_words_beyond_a_machine_word_count(n: int) -> None:
    words = [f"w{i}" for i in range(n)]
    assert distance_of(" ".join(words), "") == n
    assert distance_of(" ".join(words), " ".join([*words[1:], "x"])) == min(n, 2)
    assert distance_of(" ".join(words), " ".join(word + "x" for word in words)) == n
    assert distance_of(" ".join(words), " ".join(["x", *words, "x"])) == 2
