"""LCS of characters: rapidfuzz's number for any pair, and what must hold without an oracle."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_series_equal
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from tests.oracles import naive_lcs
from tests.scorers.pairs import nullable_texts, texts
from tests.scorers.random_pairs import character_pairs
from tonelog.scorers.kernels.compiled import as_texts
from tonelog.scorers.kernels.lcs import lcs_lengths
from tonelog.scorers.similarity import pair_lcs

N_PAIRS = 50_000
few_letters = st.text("ab\u00e9\u597d\U0001f600\U0001f601", max_size=90)


@lru_cache(maxsize=1)
def many() -> tuple[pl.Series, pl.Series]:
    """Make the pairs once."""
    left, right = character_pairs(N_PAIRS)
    return pl.Series(left, dtype=pl.String), pl.Series(right, dtype=pl.String)


def by_rapidfuzz(
    left: pl.Series, right: pl.Series, prepare: Callable[[str], str] = str
) -> pl.Series:
    """Give rapidfuzz's LCS of the pairs without a null, and null for the others."""
    both = left.is_not_null() & right.is_not_null()
    sides = [[prepare(text) for text in side.filter(both)] for side in (left, right)]
    lengths = cpdist(*sides, scorer=LCSseq.similarity, dtype=np.int64)
    return pl.Series([None] * len(left), dtype=pl.Int64).scatter(both.arg_true(), lengths)


def utf16_units(text: str) -> str:
    """Make one character of each UTF-16 code unit."""
    return "".join(map(chr, memoryview(text.encode("utf-16-le")).cast("H")))


def lcs_of(left: str | None, right: str | None) -> int | None:
    """Give the LCS of one pair."""
    sides = (pl.Series([text], dtype=pl.String) for text in (left, right))
    length: int | None = pair_lcs(*sides)[0]
    return length


def test_50_000_pairs_have_the_length_that_rapidfuzz_says() -> None:
    lengths = pair_lcs(*many())
    assert_series_equal(lengths, by_rapidfuzz(*many()))
    assert lengths.null_count() > 1000
    assert lengths.n_unique() > 300


def test_pairs_have_that_length_in_utf16_units_too() -> None:
    left, right = (side[:5000] for side in many())
    lengths = pair_lcs(left, right, utf16=True)
    assert_series_equal(lengths, by_rapidfuzz(left, right, utf16_units))
    assert (lengths != pair_lcs(left, right)).sum() > 300


def test_slices_have_the_lengths_of_their_rows() -> None:
    left, right = (side[:3000] for side in many())
    whole = pair_lcs(left, right)
    for start, stop in ((0, 0), (1, 2), (999, 2500), (2999, 3000)):
        assert_series_equal(pair_lcs(left[start:stop], right[start:stop]), whole[start:stop])
    shifted = pair_lcs(left[1:], right[:-1])
    assert_series_equal(shifted, by_rapidfuzz(left[1:], right[:-1]))


@given(few_letters, few_letters)
def test_length_is_that_of_the_plain_table(left: str, right: str) -> None:
    assert lcs_of(left, right) == naive_lcs(left, right)
    sides = as_texts(pl.Series([left])), as_texts(pl.Series([right]))
    in_units = naive_lcs(utf16_units(left), utf16_units(right))
    assert lcs_lengths(*sides, utf16=True).tolist() == [in_units]


@given(nullable_texts, nullable_texts)
def test_length_is_symmetric_and_within_the_shorter_text(
    left: str | None, right: str | None
) -> None:
    length = lcs_of(left, right)
    assert length == lcs_of(right, left)
    if left is None or right is None:
        assert length is None
    else:
        assert length is not None
        assert 0 <= length <= min(len(left), len(right))
        assert (length == len(left) == len(right)) == (left == right)


@given(texts, texts, texts, texts)
def test_what_both_texts_begin_and_end_with_is_in_it(
    head: str, left: str, right: str, tail: str
) -> None:
    length = lcs_of(left, right)
    assert length is not None
    assert lcs_of(head + left + tail, head + right + tail) == len(head) + length + len(tail)


@pytest.mark.parametrize("n", [256, 257, 300, 700, 1023, 1024, 1100, 2500])
@pytest.mark.parametrize("shift", [0, 1, 30, 31, 32, 100, 127, 128, 129, 300, 600])
@pytest.mark.parametrize("first", ["a", "\u597d"])
def test_texts_that_match_off_the_diagonal_have_their_length(
    n: int, shift: int, first: str
) -> None:
    # Alike at their ends, moved against each other within: near the diagonal there is less.
    random = np.random.default_rng(n)
    codes = random.integers(ord(first), ord(first) + 20, n + shift)
    text = "".join(map(chr, codes))
    left, right = (f"{'same end ' * 2}{part}{'same end ' * 2}" for part in (text, text[shift:]))
    for pair in ((left, right), (left, right[:-18]), (text[:n], text[shift:])):
        assert lcs_of(*pair) == LCSseq.similarity(*pair)
        assert lcs_of(*pair[::-1]) == LCSseq.similarity(*pair)


def test_more_characters_than_a_strip_has_are_told_apart() -> None:
    codes = [code for code in range(0x21, 0x3000) if chr(code).isprintable()]
    text = "".join(map(chr, codes))
    assert len(text) > 5000
    assert lcs_of(text, text[::-1]) == 1
    assert lcs_of(text, text[1::2]) == len(text) // 2
    assert lcs_of("x" + text, text + "x") == len(text)
