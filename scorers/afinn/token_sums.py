"""Kernels: texts cut into sentences and tokens as Mastra's evals do, and their valences summed.

One pass over the UTF-8 bytes, in linear time. Nothing is copied, replaced or lower-cased on the
way: ASCII letters are folded as they are read, and the table of words has every other spelling.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from ..kernels import utf16
from ..kernels.compiled import I64, U8, Int, as_texts, compiled, subroutine
from ..kernels.utf8 import THREE_BYTES, TWO_BYTES, decode_char
from ..kernels.word_table import Slots, find_word, make_slots

Kinds = npt.NDArray[np.uint16]
Meanings = npt.NDArray[np.int8]
# A hash table with its sieve, and words with their offsets, by which a word's code is found, and
# the meaning of each code: 0 for code 0, which stands for all other words. A plain tuple, unpacked
# once a text: numba takes several times as long with a named one.
Lexicon = tuple[Slots, Slots, U8, I64, Meanings]
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int32]

# What a byte is, above the eight bits of its lower case: none of these is part of a token.
_SPACE: Final = 0x100
_SPLITS: Final = 0x200
_STOP: Final = 0x400
_LEADS: Final = 0x800
_PLAIN_SPACE: Final = _SPACE | _SPLITS | ord(" ")

_MARKS: Final = '\n.,/#!?$%^&*;:{}=_`"~()'


def kinds_of_bytes(stops: str) -> Kinds:
    """Say of each byte what it is: its lower case if part of a token, else above 255.

    White space is ``_SPACE``, a mark and the plain space ``_SPLITS`` as well, and a mark that ends
    sentences ``_STOP`` too. What begins a wide character of white space, perhaps, is ``_LEADS``.
    """
    kinds = np.arange(256, dtype=np.uint16)
    for byte in range(TWO_BYTES):
        kinds[byte] = ord(chr(byte).lower())
    for space in utf16.SPACES:
        kinds[space.encode()[0]] |= _SPACE if space.isascii() else _LEADS
    for mark in _MARKS + " ":
        kinds[ord(mark)] |= _SPACE | _SPLITS
    for stop in stops:
        kinds[ord(stop)] |= _STOP
    return kinds


def make_lexicon(meanings: Mapping[str, int]) -> Lexicon:
    """Make the table of n words.

    Args:
        meanings: of each word, ASCII in lower case and all else in every spelling: twice its
            valence, and one more if it negates the next token.
    """
    words = as_texts(pl.Series(["", *meanings]))
    return *make_slots(words, first=1), *words, np.array([0, *meanings.values()], np.int8)


@compiled
def sentence_moments(
    texts: U8, offsets: I64, kinds: Kinds, lexicon: Lexicon
) -> tuple[Floats, Floats, Counts, Counts]:
    """Sum up the sentences of n texts, given as UTF-8 bytes and n + 1 offsets.

    Returns:
        Mean and population variance of the sentences' comparatives, number of sentences, and number
        of those whose comparative is not 0. Sums run from left to right.
    """
    n = offsets.size - 1
    means, variances = np.empty(n), np.empty(n)
    counts, charged = np.empty(n, np.int32), np.zeros(n, np.int32)
    longest = 0
    for row in range(n):
        longest = max(longest, offsets[row + 1] - offsets[row])
    # A sentence has two bytes at least.
    values = np.empty(longest // 2 + 1)
    for row in range(n):
        text = texts[offsets[row] : offsets[row + 1]]
        count = _comparatives(text, kinds, lexicon, values)
        total = squares = 0.0
        for k in range(count):
            total += values[k]
            charged[row] += values[k] != 0
        means[row] = total / count
        for k in range(count):
            squares += (values[k] - means[row]) ** 2
        variances[row] = squares / count
        counts[row] = count
    return means, variances, counts, charged


@subroutine
def _comparatives(text: U8, kinds: Kinds, lexicon: Lexicon, values: Floats) -> Int:
    """Write the comparatives of a text's sentences to ``values``, and count them.

    What most bytes need stands in this one loop: a call that passes arrays takes longer than
    a token does, and so does a loop that gives an array a new value.
    """
    slots, sieve, words, offsets, meanings = lexicon
    total, n_tokens, sign = np.int64(0), 0, np.int64(1)
    at, _, closed = _skip_separators(text, 0, kinds)
    n = _write(values, 0, closed, 0.0)
    begin = at
    while at < text.size:
        # Unsigned, since a signed index is looked at for being negative.
        kind = kinds[text[np.uint64(at)]]
        if kind < _SPACE or (kind >= _LEADS and not utf16.is_wide_space(decode_char(text, at))):
            at += 1
            if at < text.size:
                continue
            after, closed = at, 0
        elif kind == _PLAIN_SPACE and at + 1 < text.size and kinds[text[at + 1]] < _SPACE:
            after, closed = at + 1, 0
        else:
            after, splits, closed = _skip_separators(text, at, kinds)
            if not (splits or at < after == text.size):
                # A lone white space is part of the token.
                at = after
                continue
        meaning = np.int64(meanings[find_word(text, begin, at, slots, sieve, words, offsets)])
        total += sign * (meaning >> 1)
        sign = 1 - 2 * (meaning & 1)
        n_tokens += 1
        if closed:
            n = _write(values, n, closed, total / n_tokens)
            total, n_tokens, sign = np.int64(0), 0, np.int64(1)
        at = begin = after
    # What follows the last stop is lost, unless there is no stop.
    return n or _write(values, 0, 1, total / max(n_tokens, 1))


@subroutine
def _write(values: Floats, n: Int, more: Int, comparative: float) -> Int:
    """Append a sentence's comparative, then 0 for each other: those have no token."""
    for k in range(more):
        values[n + k] = 0.0 if k else comparative
    return n + more


@subroutine
def _skip_separators(text: U8, begin: Int, kinds: Kinds) -> tuple[Int, bool, Int]:
    """Read white space and marks, all that there are up to the next token.

    A stop closes the sentence if one is open: if anything but stops stands before it.

    Returns:
        Their end, whether they split tokens, and the number of sentences that they close.
    """
    at = np.int64(begin)
    n, closed, seen = 0, 0, np.int64(0)
    is_open = bool(begin > 0)
    while at < text.size:
        kind = np.int64(kinds[text[at]])
        if kind < _SPACE:
            break
        if kind >= _LEADS:
            if not utf16.is_wide_space(decode_char(text, at)):
                break
            at += 1 if kind & 0xFF < THREE_BYTES else 2
        is_stop = bool(kind & _STOP)
        closed += is_open and is_stop
        is_open = not is_stop
        seen |= kind
        n += 1
        at += 1
    return at, n > 1 or bool(seen & _SPLITS), closed
