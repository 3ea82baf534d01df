"""How alike two texts are, pair by pair, or all texts of a group: the one door to rapidfuzz."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from .kernels.compiled import as_texts
from .kernels.lcs import lcs_lengths
from .kernels.word_distance import word_distances

MAX_CHARS: Final = 200_000
"""A longer text is unscored: all of this is quadratic. Measured with two texts of this length:

LCS 0.3 s in ASCII, 0.6 s in Chinese, 1.3 s if no two characters of a text are equal; distance 0.6 s
at most (words of one character). A pair of a group, in rapidfuzz: 0.8 s in ASCII, 9 s in Chinese.
"""

GROUP_VERSION: Final = 1
"""Raised by one whenever ``group_similarity`` begins to give other numbers."""


def pair_lcs(left: pl.Series, right: pl.Series, *, utf16: bool = False) -> pl.Series:
    """Length of the longest common subsequence of n pairs of strings, in characters (Int64).

    With ``utf16``, in UTF-16 code units. Null where either side is null. Quadratic in the texts'
    length, but linear for equal ones. Source: bit-parallel LCS (Hyyro 2004), see ``lcs``.

    Example:
        >>> pair_lcs(pl.Series(["abcd", None]), pl.Series(["acd", "a"])).to_list()
        [3, None]
    """
    lengths = lcs_lengths(as_texts(left), as_texts(right), utf16=utf16)
    return _null_where_either_is(left, right, lengths)


def pair_word_distance(left: pl.Series, right: pl.Series) -> pl.Series:
    """Levenshtein distance of n pairs of strings in words (Int64): insert, delete, replace.

    Words are what Python's ``str.split()`` gives. Null where either side is null. Quadratic in the
    number of words. Source: bit-parallel distance (Myers 1999), see ``word_distance``.

    Example:
        >>> pair_word_distance(pl.Series(["a b c"]), pl.Series(["a x  c d"])).to_list()
        [2]
    """
    return _null_where_either_is(left, right, word_distances(as_texts(left), as_texts(right)))


def group_similarity(texts: Sequence[str]) -> tuple[float, float]:
    """Mean and minimum similarity over all pairs of two or more texts, in [0, 1].

    A pair's similarity is ``2 * LCS / (n + m)``, LCS the longest common subsequence of characters;
    1.0 for two empty texts. The mean is rounded once, so it does not depend on the texts' order.
    Quadratic in the number of texts, in time and memory, and in their length. Source: bit-parallel
    LCS (Hyyro 2004) in rapidfuzz.

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


def _null_where_either_is(
    left: pl.Series, right: pl.Series, values: npt.NDArray[np.int64]
) -> pl.Series:
    either = left.is_null() | right.is_null()
    return pl.Series(values, dtype=pl.Int64).set(either, None)
