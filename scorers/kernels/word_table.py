"""A hash table from words to codes, over UTF-8 bytes; a word that it finds was compared whole."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from .compiled import I64, U8, Int, Texts, compiled, inlined, subroutine
from .instructions import element
from .word_hash import FOLD_CASE, eight_bytes, hash_word

Slots = npt.NDArray[np.int64]

# A slot: the code in the lower half, the hash's upper half above it. Code 0 marks a free one.
_CODE: Final = (1 << 32) - 1
# Bits of the sieve for each slot: half of the slots are taken at most, and so one bit in 32.
_SIEVE_BITS: Final = 16
_EIGHT: Final = 8
_CASE: Final = ord("a") - ord("A")


def make_slots(words: Texts, first: int) -> tuple[Slots, Slots]:
    """Make the hash table of n words: word i has code i; those before ``first`` are left out.

    Returns:
        The slots, and a sieve: bits by which most words that the table does not have are told,
        in memory so small that a processor keeps it at hand.
    """
    size = 1 << (2 * len(words.offsets)).bit_length()
    slots, sieve = np.zeros(size, np.int64), np.zeros(size * _SIEVE_BITS // 64, np.int64)
    _fill(words.bytes, words.offsets, first, slots, sieve)
    return slots, sieve


@compiled
def _fill(keys: U8, offsets: I64, first: Int, slots: Slots, sieve: Slots) -> None:
    for code in range(first, len(offsets) - 1):
        # No word in lower case is equal to one with capitals.
        if _has_capitals(keys[offsets[code] : offsets[code + 1]]):
            continue
        hashed = np.int64(hash_word(keys, offsets[code], offsets[code + 1], FOLD_CASE))
        sieve[hashed >> 6 & len(sieve) - 1] |= 1 << (hashed & 63)
        place = hashed & len(slots) - 1
        while slots[place] != 0:
            place = place + 1 & len(slots) - 1
        slots[place] = hashed & ~_CODE | code


@inlined
def find_word(
    text: U8,
    start: Int,
    end: Int,
    slots: Slots,
    sieve: Slots,
    keys: U8,
    offsets: I64,
) -> np.int64:
    """Find the code of the word from ``start`` to ``end``; 0 if there is none."""
    hashed = np.int64(hash_word(text, start, end, FOLD_CASE))
    if not element(sieve, hashed >> 6 & len(sieve) - 1) >> (hashed & 63) & 1:
        return np.int64(0)
    place = hashed & len(slots) - 1
    while element(slots, place) != 0:
        if element(slots, place) & ~_CODE == hashed & ~_CODE:
            code = element(slots, place) & _CODE
            if _is_word(text, start, end, keys, element(offsets, code), element(offsets, code + 1)):
                return np.int64(code)
        place = place + 1 & len(slots) - 1
    return np.int64(0)


@inlined
def _is_word(text: U8, start: Int, end: Int, keys: U8, key_start: Int, key_end: Int) -> bool:
    if end - start != key_end - key_start:
        return False
    for i in range(0, end - start, _EIGHT):
        if eight_bytes(text, start + i, end) != eight_bytes(keys, key_start + i, key_end):
            return _is_word_in_capitals(text, start, keys, key_start, end - start)
    return True


@subroutine
def _is_word_in_capitals(text: U8, start: Int, keys: U8, key_start: Int, n: Int) -> bool:
    for i in range(n):
        byte = np.int64(element(text, start + i))
        if _is_capital(byte):
            byte += _CASE
        if byte != element(keys, key_start + i):
            return False
    return True


@subroutine
def _has_capitals(word: U8) -> bool:
    n = 0
    for byte in word:
        n += _is_capital(np.int64(byte))
    return n > 0


@inlined
def _is_capital(byte: Int) -> bool:
    return bool(ord("A") <= byte <= ord("Z"))
