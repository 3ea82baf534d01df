"""Kernels: the known tokens and what they mean, in a hash table."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from tonelog.scorers.compiled import Bytes, Int, Offsets, Texts, compiled, inlined, step

Kinds = npt.NDArray[np.uint16]
Slots = npt.NDArray[np.int32]
Meanings = npt.NDArray[np.int8]
# A hash table of words, the words with their offsets, and their meanings. A plain tuple, unpacked
# once a text: numba takes several times as long with a named one.
Lexicon = tuple[Slots, Bytes, Offsets, Meanings]

_FREE: Final = -1


def lexicon_of(words: Texts, meanings: Meanings) -> Lexicon:
    """Make the table of n words.

    Args:
        words: ASCII in lower case, all else in every spelling; no word twice.
        meanings: of each word twice its valence, and one more if it negates the next token.
    """
    return _slots(words.bytes, words.offsets), words.bytes, words.offsets, meanings


@inlined
def mix(key: Int, byte: Int) -> np.int64:
    """Add a byte to a token's key."""
    return np.int64(key) * 33 + np.int64(byte)


@inlined
def may_know(key: Int, slots: Slots) -> bool:
    """Tell whether a token of that key may be known: most of the others are told by this alone."""
    return bool(slots[_first_slot(key, slots)] != _FREE)


@step
def meaning_of(token: Bytes, key: Int, kinds: Kinds, lexicon: Lexicon) -> np.int64:
    """Look up what a token means; 0 if it is unknown.

    ``kinds`` has the lower case of each byte in its low eight bits.
    """
    slots, words, offsets, meanings = lexicon
    slot = _first_slot(key, slots)
    while slots[slot] != _FREE:
        word = slots[slot]
        begin = offsets[word]
        if offsets[word + 1] - begin == token.size:
            at = 0
            while at < token.size and words[begin + at] == kinds[token[at]] & 0xFF:
                at += 1
            if at == token.size:
                return np.int64(meanings[word])
        slot = (slot + 1) & (slots.size - 1)
    return np.int64(0)


@compiled
def _slots(words: Bytes, offsets: Offsets) -> Slots:
    """Make the hash table of n words: their indices, else ``_FREE``; at most a quarter full."""
    n = offsets.size - 1
    size = 8
    while size < 4 * n:
        size *= 2
    slots = np.full(size, _FREE, np.int32)
    for word in range(n):
        key = np.int64(0)
        for at in range(offsets[word], offsets[word + 1]):
            key = mix(key, words[at])
        slot = _first_slot(key, slots)
        while slots[slot] != _FREE:
            slot = (slot + 1) & (size - 1)
        slots[slot] = word
    return slots


@inlined
def _first_slot(key: Int, slots: Slots) -> np.int64:
    """Say where to look first for a key; the multiplier is 2**64 over the golden ratio."""
    return (np.int64(key) * -7046029254386353131 >> 32) & (slots.size - 1)
