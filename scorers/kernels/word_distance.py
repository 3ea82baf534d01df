"""Levenshtein distance in words, pair by pair: bit-parallel, compiled.

The words of one text, the pattern, are a vector of bits that the words of the other update one by
one. It is cut into blocks of a machine word; what a block passes on at each word of the other text
goes into the next block. Source: Myers (1999, "A fast bit-vector algorithm for approximate string
matching based on dynamic programming"), as Hyyro writes it (2003, "A bit-vector algorithm for
computing Levenshtein and Damerau edit distances").
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from .compiled import U8, Int, Texts, compiled, longest, subroutine
from .instructions import count_ones
from .words import (
    Bits,
    Numbers,
    find_words,
    number_words,
    table_size,
    white_space,
    without_shared_ends,
)

_BLOCK: Final = 64
# How the distance changes from one word to the next: by +1 (bit 0), by -1 (bit 1), or not.
_UP: Final = 1


def word_distances(left: Texts, right: Texts) -> npt.NDArray[np.int64]:
    """Levenshtein distance in words of n pairs of texts; words as ``str.split()`` gives them.

    Example:
        >>> import polars as pl
        >>> from tonelog.scorers.kernels.compiled import as_texts
        >>> texts = as_texts(pl.Series(["a b c"])), as_texts(pl.Series(["a x  c d"]))
        >>> word_distances(*texts).tolist()
        [2]
    """
    return _distances(left, right, white_space(), longest(left, right))


@compiled
def _distances(left: Texts, right: Texts, spaces: U8, most_bytes: Int) -> npt.NDArray[np.int64]:
    n = len(left.offsets) - 1
    distances = np.empty(n, np.int64)
    most = most_bytes // 2 + 1
    edges = np.empty((2, most_bytes + 1), np.uint32)
    hashes = np.empty((2, most), np.uint64)
    numbers = np.empty((2, most), np.uint32)
    slots = np.empty(4 * most, np.uint32)
    matches = np.zeros(most + 1, np.uint64)
    steps = np.empty(most, np.uint8)
    for row in range(n):
        a = left.bytes[left.offsets[row] : left.offsets[row + 1]]
        b = right.bytes[right.offsets[row] : right.offsets[row + 1]]
        a, b = without_shared_ends(a, b, spaces)
        pattern = find_words(a, spaces, edges[0], hashes[0])
        words = find_words(b, spaces, edges[1], hashes[1])
        n_a, n_b = len(pattern.hashes), len(words.hashes)
        table = slots[: table_size(n_a)]
        table[:] = 0
        number_words(pattern, pattern, n_a, table, numbers[0])
        number_words(words, pattern, 0, table, numbers[1])
        distances[row] = _distance(numbers[0, :n_a], numbers[1, :n_b], matches, steps[:n_b])
    return distances


@subroutine
def _distance(pattern: Numbers, text: Numbers, matches: Bits, steps: U8) -> int:
    """Sum up what the distance grows by: along the text above the first block, then down each."""
    distance = len(text)
    steps[:] = _UP
    for first in range(0, len(pattern), _BLOCK):
        block = pattern[first : first + _BLOCK]
        for i in range(len(block)):
            matches[block[i]] |= np.uint64(1) << np.uint64(i)
        ups, downs = _pass(text, matches, steps)
        used = ~np.uint64(0) >> np.uint64(_BLOCK - len(block))
        distance += count_ones(ups & used) - count_ones(downs & used)
        for i in range(len(block)):
            matches[block[i]] = 0
    return distance


@subroutine
def _pass(text: Numbers, matches: Bits, steps: U8) -> tuple[np.uint64, np.uint64]:
    """Pass a text by a block: where the distance goes up and down in it after the last word.

    Each word's step comes in from the block above, and goes out to the one below.
    """
    one, top = np.uint64(1), np.uint64(_BLOCK - 1)
    ups, downs = ~np.uint64(0), np.uint64(0)
    for j in range(len(text)):
        step = np.uint64(steps[j])
        up, down = step & one, step >> one
        match = matches[text[j]] | down
        diagonal = (((match & ups) + ups) ^ ups) | match | downs
        rises, falls = downs | ~(diagonal | ups), diagonal & ups
        steps[j] = rises >> top | falls >> top << one
        rises, falls = rises << one | up, falls << one | down
        ups, downs = falls | ~(diagonal | rises), rises & diagonal
    return ups, downs
