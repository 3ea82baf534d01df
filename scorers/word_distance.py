"""Levenshtein distance in words, pair by pair: bit-parallel, compiled.

The words of one text, the pattern, are numbered, and looked up for the other, through a hash table
that compares their bytes. The pattern is then a vector of bits that the other's words update one by
one. It is cut into blocks of a machine word; what a block passes on at each word of the other text goes
into the next block. Source: Myers (1999, "A fast bit-vector algorithm for approximate string matching
based on dynamic programming"), in the form of Hyyro (2003, "A bit-vector algorithm for computing
Levenshtein and Damerau edit distances").
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tonelog.scorers.affixes import common_head, common_tail, is_inside
from tonelog.scorers.compiled import (
    TWO_BYTES,
    Bytes,
    Texts,
    compiled,
    count_ones,
    decode_char,
    load_eight,
    longest,
)

Numbers = npt.NDArray[np.uint32]
Bits = npt.NDArray[np.uint64]

_LAST_SPACE: Final = 0x3000
_BLOCK: Final = 64
# An odd number with bits everywhere: 2^64 over the golden ratio.
_MULTIPLIER: Final = 0x9E3779B97F4A7C15
# How a distance changes from one word to the next: by +1 (the first bit), by -1 (the second), or not.
_UP: Final = 1


class _Words(NamedTuple):
    """The words of a text.

    Attributes:
        text: the text.
        edges: where the first word begins and ends, the second begins, and so on.
        hashes: of each word; equal words of up to eight bytes have equal ones, and no others.
    """

    text: Bytes
    edges: Numbers
    hashes: Bits


def word_distances(left: Texts, right: Texts) -> npt.NDArray[np.int64]:
    """Levenshtein distance in words of n pairs of texts; words as ``str.split()`` gives them.

    Example:
        >>> import polars as pl
        >>> from tonelog.scorers.compiled import as_texts
        >>> texts = as_texts(pl.Series(["a b c"])), as_texts(pl.Series(["a x  c d"]))
        >>> word_distances(*texts).tolist()
        [2]
    """
    return _distances(left, right, _spaces(), longest(left, right))


@lru_cache(maxsize=1)
def _spaces() -> Bytes:
    """Tell of each character whether ``str.split()`` splits on it; of a later one, it does not."""
    return np.array([chr(code).isspace() for code in range(_LAST_SPACE + 1)], np.uint8)


@compiled
def _distances(
    left: Texts, right: Texts, spaces: Bytes, most_bytes: int
) -> npt.NDArray[np.int64]:
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
        a, b = _without_shared_ends(a, b, spaces)
        pattern = _words(a, spaces, edges[0], hashes[0])
        words = _words(b, spaces, edges[1], hashes[1])
        n_a, n_b = len(pattern.hashes), len(words.hashes)
        table = slots[: _table_size(n_a)]
        table[:] = 0
        _number(pattern, pattern, n_a, table, numbers[0])
        _number(words, pattern, 0, table, numbers[1])
        distances[row] = _distance(numbers[0, :n_a], numbers[1, :n_b], matches, steps[:n_b])
    return distances


@compiled
def _without_shared_ends(a: Bytes, b: Bytes, spaces: Bytes) -> tuple[Bytes, Bytes]:
    """Cut what both texts begin and end with, up to a space in ASCII: it has the same words."""
    head = common_head(a, b)
    if head < max(len(a), len(b)):
        while head > 0 and not _is_ascii_space(a[head - 1], spaces):
            head -= 1
    a, b = a[head:], b[head:]
    tail = common_tail(a, b)
    while tail > 0 and not _is_ascii_space(a[len(a) - tail], spaces):
        tail -= 1
    return a[: len(a) - tail], b[: len(b) - tail]


@compiled
def _is_ascii_space(byte: int, spaces: Bytes) -> bool:
    return byte < TWO_BYTES and spaces[byte] > 0


@compiled
def _words(text: Bytes, spaces: Bytes, edges: Numbers, hashes: Bits) -> _Words:
    """Find the words of a text; the arrays have room for them."""
    n_edges = np.uint64(0)
    before = np.uint8(1)
    for at in range(len(text)):
        byte = text[at]
        if byte < TWO_BYTES:
            space = spaces[byte]
        elif is_inside(byte):
            space = before
        else:
            character = decode_char(text, at)
            space = spaces[character] if character < len(spaces) else np.uint8(0)
        # Written at each byte, kept at an edge: a branch would be mispredicted at every word.
        edges[n_edges] = at
        n_edges += np.uint64(space ^ before)
        before = space
    edges[n_edges] = len(text)
    n = np.int64(n_edges + np.uint64(1)) >> 1
    for k in range(n):
        hashes[k] = _hash(text, np.int64(edges[2 * k]), np.int64(edges[2 * k + 1]))
    return _Words(text, edges, hashes[:n])


@compiled
def _hash(text: Bytes, start: int, end: int) -> int:
    hashed = np.uint64(end - start)
    for at in range(start, end, 8):
        hashed = (hashed ^ _eight(text, at, end)) * np.uint64(_MULTIPLIER)
        hashed ^= hashed >> np.uint64(32)
    return hashed


@compiled
def _eight(text: Bytes, at: int, end: int) -> int:
    """Give the bytes from one place to another, or the first eight of them, as one number."""
    n = min(8, end - at)
    if at + 8 <= len(text):
        return load_eight(text, at) & ~np.uint64(0) >> np.uint64(64 - 8 * n)
    eight = np.uint64(0)
    for i in range(n):
        eight |= np.uint64(text[at + i]) << np.uint64(8 * i)
    return eight


@compiled
def _table_size(n: int) -> int:
    """Give a power of two, so large that at most half of the table fills up."""
    size = 2
    while size < 2 * n:
        size *= 2
    return size


@compiled
def _number(words: _Words, known: _Words, n_new: int, slots: Numbers, numbers: Numbers) -> None:
    """Give each word its number among the known ones, from 1; 0 if it is not there.

    Of the words, the first ``n_new`` become known. ``slots`` is the hash table: a word's number
    stands in the first free slot from the one on that its hash names.
    """
    text, edges, hashes = words.text, words.edges, words.hashes
    known_text, known_edges, known_hashes = known.text, known.edges, known.hashes
    mask = np.uint64(len(slots) - 1)
    for k in range(len(hashes)):
        start, end = np.int64(edges[2 * k]), np.int64(edges[2 * k + 1])
        slot = hashes[k] & mask
        number = slots[slot]
        while number > 0:
            if known_hashes[number - np.uint32(1)] == hashes[k]:
                at = np.uint64(2) * np.uint64(number)
                other_end = np.int64(known_edges[at - np.uint64(1)])
                other = np.int64(known_edges[at - np.uint64(2)])
                if other_end - other == end - start and (
                    end - start <= 8 or _is_same(text, start, end, known_text, other)
                ):
                    break
            slot = (slot + np.uint64(1)) & mask
            number = slots[slot]
        if number == 0 and k < n_new:
            number = np.uint32(k + 1)
            slots[slot] = number
        numbers[k] = number


@compiled
def _is_same(text: Bytes, start: int, end: int, other: Bytes, at: int) -> bool:
    for i in range(end - start):
        if text[start + i] != other[at + i]:
            return False
    return True


@compiled
def _distance(pattern: Numbers, text: Numbers, matches: Bits, steps: Bytes) -> int:
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


@compiled
def _pass(text: Numbers, matches: Bits, steps: Bytes) -> tuple[int, int]:
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
