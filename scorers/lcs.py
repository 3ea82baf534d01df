"""Longest common subsequence (LCS) of characters, pair by pair: bit-parallel, compiled.

One text, the pattern, is a vector of bits that the characters of the other update one by one. Strips
of four machine words stay in registers while the whole text passes; what a strip carries out at each
character of the text goes into the next strip. Source: Hyyro (2004, "Bit-parallel LCS-length
computation revisited").
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tonelog.scorers.affixes import common_head, common_tail, is_inside
from tonelog.scorers.compiled import (
    FOUR_BYTES,
    TWO_BYTES,
    Bytes,
    Texts,
    add_with_carry,
    compiled,
    count_ones,
    decode_char,
    longest,
)

Characters = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.unsignedinteger[Any]]
Words = npt.NDArray[np.uint64]

_CODE_POINTS: Final = 0x110000
_WORDS: Final = 4
_STRIP: Final = 64 * _WORDS
# Pairs that share so many bytes at their ends, or are so long, may be worth a look at the diagonal.
_ALIKE: Final = 16
_LONG: Final = 1024
_BEYOND_UTF16: Final = 0x10000
_SURROGATES: Final = (0xD7C0, 0xDC00)


def lcs_lengths(left: Texts, right: Texts, *, utf16: bool = False) -> npt.NDArray[np.int64]:
    """Length of the LCS of n pairs of texts, in characters or, if asked, in UTF-16 code units.

    Example:
        >>> import polars as pl
        >>> from tonelog.scorers.compiled import as_texts
        >>> lcs_lengths(as_texts(pl.Series(["abcd"])), as_texts(pl.Series(["acd"]))).tolist()
        [3]
    """
    # Of this table, memory is taken only where the characters are.
    ids = np.zeros(_CODE_POINTS, np.uint32)
    carries = np.empty(longest(left, right), np.uint8)
    return _lengths(left, right, 2 if utf16 else 1, ids, carries)


@compiled
def _lengths(
    left: Texts, right: Texts, units: int, ids: Characters, carries: Bytes
) -> npt.NDArray[np.int64]:
    """Give the LCS of each pair; ``units``: what a character beyond U+FFFF counts."""
    n = len(left.offsets) - 1
    lengths = np.empty(n, np.int64)
    misses = np.full(TWO_BYTES * _WORDS, ~np.uint64(0))
    for row in range(n):
        a = left.bytes[left.offsets[row] : left.offsets[row + 1]]
        b = right.bytes[right.offsets[row] : right.offsets[row + 1]]
        head = common_head(a, b)
        length = _count(a[:head], units)
        a, b = a[head:], b[head:]
        tail = common_tail(a, b)
        length += _count(a[len(a) - tail :], units)
        a, b = a[: len(a) - tail], b[: len(b) - tail]
        if _n_strips(a) * len(b) > _n_strips(b) * len(a):
            a, b = b, a
        alike = head + tail >= _ALIKE
        if _is_ascii(a) and _is_ascii(b):
            length += _length(a, b, alike, misses, carries)
        else:
            length += _length_of_any(_characters(a, units), _characters(b, units), alike, ids, carries)
        lengths[row] = length
    return lengths


@compiled
def _n_strips(pattern: Bytes) -> int:
    return (len(pattern) + _STRIP - 1) // _STRIP


@compiled
def _count(text: Bytes, units: int) -> int:
    """Count the characters."""
    n = 0
    for i in range(len(text)):
        n += not is_inside(text[i])
        n += (units - 1) * (text[i] >= FOUR_BYTES)
    return n


@compiled
def _is_ascii(text: Bytes) -> bool:
    seen = np.uint8(0)
    for i in range(len(text)):
        seen |= text[i]
    return seen < TWO_BYTES


@compiled
def _characters(text: Bytes, units: int) -> Characters:
    """Decode a text, with two surrogates for a character of two units."""
    characters = np.empty(len(text), np.uint32)
    n = 0
    for at in range(len(text)):
        if is_inside(text[at]):
            continue
        character = decode_char(text, at)
        if units > 1 and character >= _BEYOND_UTF16:
            characters[n] = _SURROGATES[0] + (character >> 10)
            character = _SURROGATES[1] | (character & 0x3FF)
            n += 1
        characters[n] = character
        n += 1
    return characters[:n]


@compiled
def _length_of_any(
    pattern: Characters, text: Characters, alike: bool, ids: Characters, carries: Bytes
) -> int:
    """Number the pattern's characters from 1 on, then compare; ``ids`` is all 0 before and after."""
    distinct = np.empty(len(pattern), np.uint32)
    n = 0
    for i in range(len(pattern)):
        character = pattern[i]
        if ids[character] == 0:
            distinct[n] = character
            n += 1
            ids[character] = n
        pattern[i] = ids[character]
    for j in range(len(text)):
        text[j] = ids[text[j]]
    for i in range(n):
        ids[distinct[i]] = 0
    misses = np.full((n + 1) * _WORDS, ~np.uint64(0))
    return _length(pattern, text, alike, misses, carries)


@compiled
def _length(pattern: Numbers, text: Numbers, alike: bool, misses: Words, carries: Bytes) -> int:
    """Compare near the diagonal first, where alike texts match, if that can pay.

    A subsequence that strays by ``reach`` characters from the diagonals between the texts' corners
    lacks as many of the shorter text. So a longer one that was found within reach is the longest;
    and the longest lies within what any found one lacks.
    """
    shorter = min(len(pattern), len(text))
    reach = shorter >> 3
    may_pay = shorter >= _LONG or (alike and shorter > _STRIP)
    if not may_pay or abs(len(pattern) - len(text)) > 2 * reach:
        return _length_within(pattern, text, shorter, misses, carries)
    length = _length_within(pattern, text, reach, misses, carries)
    if length < shorter - reach:
        length = _length_within(pattern, text, shorter - length, misses, carries)
    return length


@compiled
def _length_within(
    pattern: Numbers, text: Numbers, reach: int, misses: Words, carries: Bytes
) -> int:
    """Give the LCS among those that stray from the diagonals by at most ``reach``, if not more."""
    n, m = len(pattern), len(text)
    lowest, highest = min(0, m - n) - reach, max(0, m - n) + reach
    carries = carries[:m]
    carries[:] = 0
    length = 0
    for first in range(0, n, _STRIP):
        strip = pattern[first : first + _STRIP]
        begin, end = max(0, first + lowest), min(m, first + len(strip) + highest)
        _mark(strip, misses)
        if len(strip) > _STRIP // 2:
            length += _pass(text[begin:end], misses, carries[begin:end])
        else:
            length += _pass_half(text[begin:end], misses, carries[begin:end])
        _unmark(strip, misses)
    return length


@compiled
def _mark(strip: Numbers, misses: Words) -> None:
    """Set, in the words of each character, the bits where the strip has it."""
    for i in range(len(strip)):
        at = np.uint64(strip[i]) * np.uint64(_WORDS) + np.uint64(i >> 6)
        misses[at] &= ~(np.uint64(1) << np.uint64(i & 63))


@compiled
def _unmark(strip: Numbers, misses: Words) -> None:
    """Set all to 0: everything if that is less work, else where the strip set a bit."""
    if len(misses) <= _STRIP * _WORDS:
        misses[:] = ~np.uint64(0)
        return
    for i in range(len(strip)):
        at = np.uint64(strip[i]) * np.uint64(_WORDS)
        for word in range(_WORDS):
            misses[at + np.uint64(word)] = ~np.uint64(0)


@compiled
def _pass(text: Numbers, misses: Words, carries: Bytes) -> int:
    """Pass a text by a strip: by how much the strip lengthens the LCS. Carries come in and out."""
    v0 = v1 = v2 = v3 = ~np.uint64(0)
    for j in range(len(text)):
        at = np.uint64(text[j]) * np.uint64(_WORDS)
        m0, m1 = misses[at], misses[at + np.uint64(1)]
        m2, m3 = misses[at + np.uint64(2)], misses[at + np.uint64(3)]
        s0, carry = add_with_carry(v0, v0 & ~m0, carries[j])
        s1, carry = add_with_carry(v1, v1 & ~m1, carry)
        s2, carry = add_with_carry(v2, v2 & ~m2, carry)
        s3, carry = add_with_carry(v3, v3 & ~m3, carry)
        v0, v1, v2, v3 = s0 | v0 & m0, s1 | v1 & m1, s2 | v2 & m2, s3 | v3 & m3
        carries[j] = carry
    return count_ones(~v0) + count_ones(~v1) + count_ones(~v2) + count_ones(~v3)


@compiled
def _pass_half(text: Numbers, misses: Words, carries: Bytes) -> int:
    """Do the same for a strip whose second half is empty."""
    v0 = v1 = ~np.uint64(0)
    for j in range(len(text)):
        at = np.uint64(text[j]) * np.uint64(_WORDS)
        m0, m1 = misses[at], misses[at + np.uint64(1)]
        s0, carry = add_with_carry(v0, v0 & ~m0, carries[j])
        s1, carry = add_with_carry(v1, v1 & ~m1, carry)
        v0, v1 = s0 | v0 & m0, s1 | v1 & m1
        carries[j] = carry
    return count_ones(~v0) + count_ones(~v1)
