"""A hash table from words to codes, over UTF-8 bytes; a word that it finds was compared whole."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from tonelog.scorers.characters import LOWER_CASE, Characters
from tonelog.scorers.compiled import Bytes, Int, Offsets, Texts, compiled, inlined
from tonelog.scorers.instructions import element
from tonelog.scorers.utf8 import TWO_BYTES

Slots = npt.NDArray[np.int64]

# Each byte of a word is mixed into its hash (FNV-1a, by Fowler, Noll and Vo).
HASH_START: Final = 0x2BF29CE484222325
_HASH_STEP: Final = 0x100000001B3

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
        mixed ^= mixed >> 32
        place = mixed & len(slots) - 1
        while slots[place] != 0:
            place = place + 1 & len(slots) - 1
        slots[place] = mixed & ~_CODE | code


@inlined
def hash_word(text: Bytes, start: Int, end: Int, table: Characters) -> np.int64:
    """Hash the word from ``start`` to ``end`` with its ASCII letters in lower case."""
    mixed = np.int64(HASH_START)
    for at in range(start, end):
        mixed = mix(mixed, _fold(element(text, at), table))
    return mixed


@inlined
def mix(mixed: Int, byte: Int | np.uint8) -> np.int64:
    """Take a word's next byte, in lower case, into its hash."""
    return np.int64((mixed ^ np.int64(byte)) * _HASH_STEP)


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
    # The upper half of the hash, where the mixing goes, counts in the lower one too.
    mixed ^= mixed >> 32
    place = mixed & len(slots) - 1
    while element(slots, place) != 0:
        if element(slots, place) & ~_CODE == mixed & ~_CODE:
            code = element(slots, place) & _CODE
            if _is_word(
                text, start, end, keys, element(offsets, code), element(offsets, code + 1), table
            ):
                return np.int64(code)
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
        if _fold(element(text, start + i), table) != element(keys, key_start + i):
            return False
    return True


@inlined
def _fold(byte: np.uint8, table: Characters) -> np.uint8:
    return np.uint8(element(table, np.int64(byte)) & LOWER_CASE) if byte < TWO_BYTES else byte
