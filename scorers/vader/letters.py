"""Runs of ASCII letters, read eight bytes at a time: most words are nothing else."""

from __future__ import annotations

from typing import Final

import numpy as np

from tonelog.scorers.compiled import Bytes, Int, inlined, load_word, trailing_zeros
from tonelog.scorers.vader.words import HASH_START, mix

_EACH: Final = 0x0101010101010101
_LOWER_BITS: Final = 0x20 * _EACH
_SEVEN_BITS: Final = 0x7F * _EACH
_HIGH_BITS: Final = 0x80 * _EACH - (1 << 64)
# What lifts a byte's high bit from "a" on, and from the character behind "z" on.
_FROM_A: Final = (0x80 - ord("a")) * _EACH
_BEHIND_Z: Final = (0x80 - ord("z") - 1) * _EACH


@inlined
def read_letters(text: Bytes, start: Int, end: Int) -> tuple[np.int64, np.int64, bool]:
    """Read the letters from ``start`` on: the place behind, their hash, and whether all are upper.

    Eight bytes from the last letter on must be there to load.
    """
    at = np.int64(start)
    mixed = np.int64(HASH_START)
    lower = np.int64(0)
    while at + 8 <= len(text):
        word = load_word(text, at)
        n = min(_count_letters(word), end - at)
        if n == 0:
            break
        # Twice, since a shift by 64 bits is none.
        kept = (1 << 8 * n - 1) * 2 - 1
        lower |= word & kept & _LOWER_BITS
        mixed = mix(mixed, (word | _LOWER_BITS) & kept)
        at += n
        if n < 8:  # noqa: PLR2004 - the bytes of a word
            break
    return at, mixed, lower == 0


@inlined
def _count_letters(word: Int) -> np.int64:
    """Count the letters that a word of eight bytes begins with."""
    lower = (word | _LOWER_BITS) & _SEVEN_BITS
    letters = lower + _FROM_A & ~(lower + _BEHIND_Z) & ~word & _HIGH_BITS
    return np.int64(trailing_zeros(~letters & _HIGH_BITS) >> 3)
