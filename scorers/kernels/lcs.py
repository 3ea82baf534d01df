"""Longest common subsequence (LCS) of characters, pair by pair: bit-parallel, compiled.

One text, the pattern, is a vector of bits that the characters of the other update one by one. It is
cut into strips of four machine words, which stay in registers while the whole text passes; what a
strip carries out at each character of the text goes into the next strip. Source: Hyyro (2004,
"Bit-parallel LCS-length computation revisited").
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .compiled import U8, Int, Texts, compiled, inlined, longest, subroutine
from .instructions import add_with_carry, count_ones
from .utf8 import (
    TWO_BYTES,
    Characters,
    common_head,
    common_tail,
    count_characters,
    decode,
    is_ascii,
)

Numbers = npt.NDArray[np.unsignedinteger[Any]]
Bits = npt.NDArray[np.uint64]

_CODE_POINTS: Final = 0x110000
_WORDS: Final = 4
_STRIP: Final = 64 * _WORDS
_ALL: Final = ~np.uint64(0)
# To look near the diagonal first pays where so many bytes at the ends are the same; for long texts
# it costs little where they are not.
_ALIKE: Final = 16
_LONG: Final = 1024


def lcs_lengths(left: Texts, right: Texts, *, utf16: bool = False) -> npt.NDArray[np.int64]:
    """Length of the LCS of n pairs of texts, in characters or, if asked, in UTF-16 code units.

    Example:
        >>> import polars as pl
        >>> from tonelog.scorers.kernels.compiled import as_texts
        >>> lcs_lengths(as_texts(pl.Series(["abcd"])), as_texts(pl.Series(["acd"]))).tolist()
        [3]
    """
    # Of this table, memory is taken only where the characters are.
    ids = np.zeros(_CODE_POINTS, np.uint32)
    carries = np.empty(longest(left, right), np.uint8)
    return _lengths(left, right, 2 if utf16 else 1, ids, carries)


@compiled
def _lengths(
    left: Texts, right: Texts, units: int, ids: Characters, carries: U8
) -> npt.NDArray[np.int64]:
    """Give the LCS of each pair; a character beyond U+FFFF counts as so many ``units``."""
    n = len(left.offsets) - 1
    lengths = np.empty(n, np.int64)
    misses = np.full(TWO_BYTES * _WORDS, _ALL)
    for row in range(n):
        a = left.bytes[left.offsets[row] : left.offsets[row + 1]]
        b = right.bytes[right.offsets[row] : right.offsets[row + 1]]
        head = common_head(a, b)
        length = count_characters(a[:head], units)
        a, b = a[head:], b[head:]
        tail = common_tail(a, b)
        length += count_characters(a[len(a) - tail :], units)
        a, b = a[: len(a) - tail], b[: len(b) - tail]
        if _n_strips(a) * len(b) > _n_strips(b) * len(a):
            a, b = b, a
        alike = head + tail
        if is_ascii(a) and is_ascii(b):
            length += _length(a, b, alike, misses, carries)
        else:
            length += _length_of_any(decode(a, units), decode(b, units), alike, ids, carries)
        lengths[row] = length
    return lengths


@inlined
def _n_strips(pattern: U8) -> int:
    return (len(pattern) + _STRIP - 1) // _STRIP


@compiled
def _length_of_any(
    pattern: Characters, text: Characters, alike: Int, ids: Characters, carries: U8
) -> np.int64:
    """Number the pattern's characters from 1, then compare; ``ids`` is all 0 before and after."""
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
    misses = np.full((n + 1) * _WORDS, _ALL)
    return _length(pattern, text, alike, misses, carries)


@subroutine
def _length(pattern: Numbers, text: Numbers, alike: Int, misses: Bits, carries: U8) -> np.int64:
    """Compare near the diagonal first, where alike texts match, if that can pay.

    A subsequence that strays by more than ``reach`` from the diagonals between the texts' corners
    lacks more than that of the shorter text. So one that lacks less is the longest; and the longest
    strays by no more than what any found one lacks.
    """
    shorter = min(len(pattern), len(text))
    reach = shorter >> 3
    may_pay = shorter >= _LONG or (alike >= _ALIKE and shorter > _STRIP)
    if not may_pay or abs(len(pattern) - len(text)) > 2 * reach:
        return _length_within(pattern, text, shorter, misses, carries)
    length = _length_within(pattern, text, reach, misses, carries)
    if length < shorter - reach:
        length = _length_within(pattern, text, shorter - length, misses, carries)
    return length


@subroutine
def _length_within(
    pattern: Numbers, text: Numbers, reach: Int, misses: Bits, carries: U8
) -> np.int64:
    """Give the LCS, if it lacks at most ``reach`` of the shorter text; else a lower bound of it."""
    n, m = len(pattern), len(text)
    lowest, highest = min(0, m - n) - reach, max(0, m - n) + reach
    carries = carries[:m]
    carries[:] = 0
    length = np.int64(0)
    for first in range(0, n, _STRIP):
        strip = pattern[first : first + _STRIP]
        begin, end = max(0, first + lowest), min(m, first + len(strip) + highest)
        _mark(strip, misses)
        if len(strip) > _STRIP // 2:
            length += _pass(text[begin:end], misses, carries[begin:end])
        else:
            length += _pass_half(text[begin:end], misses, carries[begin:end])
        _unmark(strip, misses)
        if length + n - first - len(strip) < min(n, m) - reach:
            break
    return length


@subroutine
def _mark(strip: Numbers, misses: Bits) -> None:
    """Clear, in the words of each character, the bits where the strip has it."""
    for i in range(len(strip)):
        at = np.uint64(strip[i]) * np.uint64(_WORDS) + np.uint64(i >> 6)
        misses[at] &= ~(np.uint64(1) << np.uint64(i & 63))


@subroutine
def _unmark(strip: Numbers, misses: Bits) -> None:
    """Set all bits again: everywhere if that is less work, else where the strip cleared one."""
    if len(misses) <= _STRIP * _WORDS:
        misses[:] = _ALL
        return
    for i in range(len(strip)):
        at = np.uint64(strip[i]) * np.uint64(_WORDS)
        for word in range(_WORDS):
            misses[at + np.uint64(word)] = _ALL


@subroutine
def _pass(text: Numbers, misses: Bits, carries: U8) -> np.int64:
    """Pass a text by a strip: by how much the strip lengthens the LCS.

    A carry comes in, and goes out, where a character of the text lengthens the LCS so far.
    """
    v0 = v1 = v2 = v3 = _ALL
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
    return np.int64(count_ones(~v0) + count_ones(~v1) + count_ones(~v2) + count_ones(~v3))


@subroutine
def _pass_half(text: Numbers, misses: Bits, carries: U8) -> np.int64:
    """Do the same for a strip whose second half is empty."""
    v0 = v1 = _ALL
    for j in range(len(text)):
        at = np.uint64(text[j]) * np.uint64(_WORDS)
        m0, m1 = misses[at], misses[at + np.uint64(1)]
        s0, carry = add_with_carry(v0, v0 & ~m0, carries[j])
        s1, carry = add_with_carry(v1, v1 & ~m1, carry)
        v0, v1 = s0 | v0 & m0, s1 | v1 & m1
        carries[j] = carry
    return np.int64(count_ones(~v0) + count_ones(~v1))
