"""The one door to rapidfuzz: how alike two texts are, pair by pair, or all texts of a group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import Final

import numpy as np
import polars as pl
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist, cpdist

MAX_CHARS: Final = 200_000
"""A longer text is unscored: LCS is quadratic, and a pair of this length takes about a second."""

GROUP_VERSION: Final = 1
"""Raised by one whenever ``group_similarity`` begins to give other numbers."""


def pair_lcs(
    left: pl.Series, right: pl.Series, prepare: Callable[[str], str] | None = None
) -> pl.Series:
    """Length of the longest common subsequence of n pairs of strings, in characters (Int64).

    ``prepare`` turns each text into the characters to be compared, if they are not its own.
    Null where either side is null. Quadratic in the texts' length: about 0.8 s for a pair of
    200,000 characters. Source: bit-parallel LCS (Hyyro 2004) in rapidfuzz.

    Example:
        >>> pair_lcs(pl.Series(["abcd", None]), pl.Series(["acd", "a"])).to_list()
        [3, None]
    """
    return _pairwise(left, right, LCSseq.similarity, prepare)


def pair_word_distance(left: pl.Series, right: pl.Series) -> pl.Series:
    """Levenshtein distance of n pairs of strings in words (Int64): insert, delete, replace.

    Words are what Python's ``str.split()`` gives. Null where either side is null.

    Example:
        >>> pair_word_distance(pl.Series(["a b c"]), pl.Series(["a x  c d"])).to_list()
        [2]
    """
    return _pairwise(left, right, Levenshtein.distance, str.split)


def group_similarity(texts: Sequence[str]) -> tuple[float, float]:
    """Mean and minimum similarity over all pairs of two or more texts, in [0, 1].

    A pair's similarity is ``2 * LCS / (n + m)``, LCS the longest common subsequence of characters;
    1.0 for two empty texts. The mean is rounded once, so it does not depend on the texts' order.
    Quadratic in the number of texts, in time and memory, and in their length. Source: as for
    ``pair_lcs``.

    Example:
        >>> group_similarity(["abcd", "abcd", "ab"])
        (0.7777777777777777, 0.6666666666666666)
    """
    # One list for both sides: rapidfuzz computes the upper triangle only, and mirrors it.
    matrix = cdist(texts, texts, scorer=LCSseq.similarity, dtype=np.int32)
    upper = np.triu_indices(len(texts), k=1)
    lengths = np.array([len(text) for text in texts])
    totals = lengths[upper[0]] + lengths[upper[1]]
    ratios = np.where(totals > 0, 2 * matrix[upper] / np.maximum(totals, 1), 1.0)
    return fsum(ratios.tolist()) / len(ratios), float(ratios.min())


def _pairwise(
    left: pl.Series,
    right: pl.Series,
    scorer: Callable[..., int],
    prepare: Callable[[str], object] | None = None,
) -> pl.Series:
    """Run ``cpdist`` over the pairs without a null: it would score a None as 0 without a word."""
    both = left.is_not_null() & right.is_not_null()
    sides: list[list[object]] = [side.filter(both).to_list() for side in (left, right)]
    if prepare is not None:
        sides = [[prepare(str(text)) for text in side] for side in sides]
    values = cpdist(*sides, scorer=scorer, dtype=np.int64)
    result = pl.repeat(None, len(left), dtype=pl.Int64, eager=True)
    return result.scatter(both.arg_true(), values)
