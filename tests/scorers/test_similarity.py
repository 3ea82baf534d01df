"""Similarity: its numbers are those of the plain algorithms, pair by pair and by group."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import fsum

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_series_equal

from tests.oracles import naive_lcs, naive_word_distance
from tests.scorers.pairs import Pair, nullable_texts, plain_pairs
from tonelog.scorers.similarity import group_similarity, pair_lcs, pair_word_distance

Kernel = Callable[[pl.Series, pl.Series], pl.Series]
KERNELS: tuple[Kernel, ...] = (pair_lcs, pair_word_distance)

few_letters = st.text("ab \U0001f600", max_size=70)
few_words = st.lists(st.sampled_from(["a", "b", "ab", "\u00e9", "\x1c", "\n"]), max_size=80).map(
    " ".join
)


def sides(pairs: list[Pair]) -> tuple[pl.Series, pl.Series]:
    """Make the two Series of pairs."""
    left, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return pl.Series("x", left, dtype=pl.String), pl.Series("y", right, dtype=pl.String)


@given(plain_pairs | st.lists(st.tuples(few_letters | few_words, few_letters | few_words)))
def test_lcs_is_that_of_the_plain_table(pairs: list[Pair]) -> None:
    expected = [None if a is None or b is None else naive_lcs(a, b) for a, b in pairs]
    assert pair_lcs(*sides(pairs)).to_list() == expected


@given(plain_pairs | st.lists(st.tuples(few_letters | few_words, few_letters | few_words)))
def test_word_distance_is_that_of_the_plain_table(pairs: list[Pair]) -> None:
    expected = [None if a is None or b is None else naive_word_distance(a, b) for a, b in pairs]
    assert pair_word_distance(*sides(pairs)).to_list() == expected


@given(nullable_texts, nullable_texts)
def test_both_are_symmetric(left: str | None, right: str | None) -> None:
    for kernel in KERNELS:
        there, back = kernel(*sides([(left, right)])), kernel(*sides([(right, left)]))
        assert there.to_list() == back.to_list()


@pytest.mark.parametrize(
    ("left", "right", "lcs", "distance"),
    [
        ("", "", 0, 0),
        ("", "a b", 0, 2),
        ("abcbdab", "bdcaba", 4, 1),  # the textbook's pair
        ("a b c d", "b c d e", 5, 2),
        ("a b", "a\u00a0b", 2, 0),  # a space that does not break is one of str.split()
        ("ab", "a b", 2, 2),
        ("\U0001f600\U0001f601", "\U0001f601\U0001f600", 1, 1),
        ("x" * 70 + "a", "x" * 70 + "b", 70, 1),  # beyond a machine word
        ("the cat sat", "the dog sat", 8, 1),
    ],
)
def test_pair_has_these_numbers(left: str, right: str, lcs: int, distance: int) -> None:
    assert pair_lcs(*sides([(left, right)])).to_list() == [lcs]
    assert pair_word_distance(*sides([(left, right)])).to_list() == [distance]


@pytest.mark.parametrize("kernel", KERNELS)
def test_null_on_either_side_stays_null(kernel: Kernel) -> None:
    left, right = sides([(None, "a"), ("a", None), (None, None), ("a b", "a"), ("", "")])
    expected = [None, None, None, *kernel(left[3:], right[3:])]
    assert kernel(left, right).to_list() == expected
    assert None not in expected[3:]
    assert kernel(left[:3], right[:3]).to_list() == [None] * 3


@pytest.mark.parametrize("kernel", KERNELS)
def test_sliced_and_chunked_series_give_the_same(kernel: Kernel) -> None:
    left, right = sides([("a b", "a"), (None, "b"), ("c", "c d"), ("x", "y"), ("b", None)])
    whole = kernel(left, right)
    assert_series_equal(kernel(left[1:4], right[1:4]), whole[1:4])
    chunked = left[:2].append(left[2:]), right[:3].append(right[3:])
    assert [side.n_chunks() for side in chunked] == [2, 2]
    assert_series_equal(kernel(*chunked), whole)


@pytest.mark.parametrize("kernel", KERNELS)
def test_result_is_int64_even_if_empty(kernel: Kernel) -> None:
    batches: list[list[Pair]] = [[], [(None, None)], [("a", "a")]]
    for pairs in batches:
        result = kernel(*sides(pairs))
        assert result.dtype == pl.Int64
        assert len(result) == len(pairs)


def test_texts_too_long_for_32_bit_floats_are_counted_exactly() -> None:
    # 16,777,217 is the first whole number that a float of 32 bits lacks.
    text = "a" * 16_777_217
    assert pair_lcs(*sides([(text, text)])).to_list() == [16_777_217]


@given(st.lists(few_letters | few_words, min_size=2, max_size=7))
def test_a_group_is_as_alike_as_the_plain_loop_over_its_pairs_says(group: list[str]) -> None:
    ratios = [
        2 * naive_lcs(a, b) / (len(a) + len(b)) if a or b else 1.0
        for a, b in combinations(group, 2)
    ]
    expected = fsum(ratios) / len(ratios), min(ratios)
    assert group_similarity(group) == expected
    assert group_similarity(group[::-1]) == expected
