"""Hashes of words, eight bytes at a time."""

from __future__ import annotations

from typing import Final

import numpy as np

from .compiled import U8, Int, inlined
from .instructions import load_eight

NO_FOLD: Final = 0
"""No fold: among words of one length, up to eight bytes, only equal ones have the same hash."""
FOLD_CASE: Final = 0x2020202020202020
"""A fold: words that differ in the case of ASCII letters alone have the same hash."""

MULTIPLIER: Final = 0x9E3779B97F4A7C15
"""An odd number with bits everywhere: 2^64 over the golden ratio."""

_EIGHT: Final = 8


@inlined
def hash_word(text: U8, start: Int, end: Int, fold: Int) -> np.uint64:
    """Hash the word from ``start`` to ``end``.

    Its length, then eight bytes after eight, each by a step that can be undone. The bits of
    ``fold`` do not count.
    """
    hashed = np.uint64(end - start)
    for at in range(start, end, _EIGHT):
        hashed = (hashed ^ (eight_bytes(text, at, end) | np.uint64(fold))) * np.uint64(MULTIPLIER)
        hashed ^= hashed >> np.uint64(32)
    return hashed


@inlined
def eight_bytes(text: U8, at: Int, end: Int) -> np.uint64:
    """Give the bytes from one place to another, or the first eight of them, as one number."""
    n = min(_EIGHT, end - at)
    if at + _EIGHT <= len(text):
        return np.uint64(load_eight(text, at) & ~np.uint64(0) >> np.uint64(64 - 8 * n))
    eight = np.uint64(0)
    for i in range(n):
        eight |= np.uint64(text[at + i]) << np.uint64(8 * i)
    return eight
