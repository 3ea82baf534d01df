"""How a kernel finds what is known of a word: one table of hashes and flags."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from ..kernels.compiled import U8, Int, inlined
from ..kernels.instructions import element
from ..kernels.word_hash import MULTIPLIER, NO_FOLD, hash_word
from .vocabulary import ALWAYS, ANY_CASE, EXACT, SAID, SAYS

Words = npt.NDArray[np.int64]

_FLAG_BITS: Final = 21
_FLAGS: Final = (1 << _FLAG_BITS) - 1


@lru_cache(maxsize=16)
def word_table(abbreviations: tuple[str, ...] = ()) -> Words:
    """Make the table of all words; more abbreviations are ones behind which a sentence goes on.

    A slot holds the upper bits of a word's hash and, in the lower ones, its flags; 0 is free.
    """
    flags: dict[str, int] = {}
    for word, flag in _words(abbreviations):
        flags[word] = flags.get(word, 0) | flag
    table = [0] * (1 << (2 * len(flags)).bit_length())
    for word, flag in flags.items():
        key = _hash(word)
        slot = key & (len(table) - 1)
        while table[slot]:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = (key & ~_FLAGS) | flag
    words = np.array(table, np.uint64).view(np.int64)
    words.flags.writeable = False
    return words


def _words(abbreviations: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    for flag, words in ANY_CASE.items():
        for word in words.split():
            yield from (
                (form, flag) for form in {word, word.capitalize(), word.title(), word.upper()}
            )
    for flag, words in EXACT.items():
        yield from ((word, flag) for word in words.split())
    yield from ((word, SAYS) for word in SAID)
    for abbreviation in abbreviations:
        word = abbreviation.strip().removesuffix(".")
        yield from ((form, ALWAYS) for form in {word, word[:1].upper() + word[1:]})


def _hash(word: str) -> int:
    """Hash a word as ``hash_word`` does: there in numbers that wrap around."""
    content = word.encode()
    hashed = len(content)
    for at in range(0, len(content), 8):
        eight = int.from_bytes(content[at : at + 8], "little")
        hashed = (hashed ^ eight) * MULTIPLIER & (1 << 64) - 1
        hashed ^= hashed >> 32
    return hashed


@inlined
def flags_of(text: U8, begin: Int, end: Int, words: Words) -> np.int64:
    """Flags of the word at [begin, end); 0 for a word that the table does not have."""
    key = np.int64(hash_word(text, begin, end, NO_FOLD))
    mask = np.int64(len(words) - 1)
    slot = key & mask
    while element(words, slot) != 0:
        if (element(words, slot) ^ key) >> _FLAG_BITS == 0:
            return element(words, slot) & _FLAGS
        slot = (slot + 1) & mask
    return np.int64(0)
