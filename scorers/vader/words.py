"""A hash table from words to codes, over UTF-8 bytes; what it finds, it has compared byte by byte."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from tonelog.scorers.characters import LOWER_CASE, Characters
from tonelog.scorers.compiled import TWO_BYTES, Bytes, Int, Offsets, Texts, compiled, inlined

Slots = npt.NDArray[np.int64]

# A word's hash takes up eight of its bytes at a time, the first one lowest.
HASH_START: Final = 0x2BF29CE484222325
_HASH_STEP: Final = 0x9E3779B97F4A7C15 - (1 << 64)

# A slot: the code in the lower half, the hash's upper half above it. Code 0 marks a free one.
_CODE: Final = (1 << 32) - 1


def make_slots(words: Texts, first: int, table: Characters) -> Slots:
    """Make the hash table of n words: word i has code i; those before ``first`` are left out."""
    slots = np.zeros(1 << (2 * len(words.offsets)).bit_length(), np.int64)
    _fill(words.bytes, words.offsets, first, table, slots)
    return slots


@compiled
def _fill(keys: Bytes, offsets: Offsets, first: Int, table: Characters, slots: Slots) -> None:
    for code in range(first, len(offsets) - 1):
        mixed = hash_word(keys, offsets[code], offsets[code + 1], table)
        place = mixed & len(slots) - 1
        while slots[place] != 0:
            place = place + 1 & len(slots) - 1
        slots[place] = mixed & ~_CODE | code


@inlined
def hash_word(text: Bytes, start: Int, end: Int, table: Characters) -> np.int64:
    """Hash the word from ``start`` to ``end`` with its ASCII letters in lower case."""
    mixed = np.int64(HASH_START)
    for first in range(start, end, 8):
        chunk = np.int64(0)
        for at in range(first, min(first + 8, end)):
            chunk |= np.int64(_fold(text[at], table)) << 8 * (at - first)
        mixed = mix(mixed, chunk)
    return mixed


@inlined
def mix(mixed: Int, chunk: Int) -> np.int64:
    """Take up to eight bytes of a word, in lower case, into its hash."""
    product = (mixed ^ chunk) * _HASH_STEP
    return np.int64(product ^ product >> 32)


@inlined
def find_word(
    text: Bytes,
    start: Int,
    end: Int,
    mixed: Int,
    slots: Slots,
    keys: Bytes,
    offsets: Offsets,
    table: Characters,
) -> np.int64:
    """Find the code of the word from ``start`` to ``end`` with its hash; 0 if there is none."""
    place = mixed & len(slots) - 1
    while slots[place] != 0:
        if slots[place] & ~_CODE == mixed & ~_CODE:
            code = slots[place] & _CODE
            if _is_word(text, start, end, keys, offsets[code], offsets[code + 1], table):
                return code
        place = place + 1 & len(slots) - 1
    return np.int64(0)


@inlined
def _is_word(
    text: Bytes,
    start: Int,
    end: Int,
    keys: Bytes,
    key_start: Int,
    key_end: Int,
    table: Characters,
) -> bool:
    if end - start != key_end - key_start:
        return False
    for i in range(end - start):
        if _fold(text[start + i], table) != keys[key_start + i]:
            return False
    return True


@inlined
def _fold(byte: np.uint8, table: Characters) -> np.uint8:
    return np.uint8(table[byte] & LOWER_CASE) if byte < TWO_BYTES else byte
