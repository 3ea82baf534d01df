"""Texts to tokens: which word of VADER's each word is, and how a text is punctuated."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tonelog.scorers.characters import (
    FREE,
    LOWER_CASE,
    NOT_UPPER,
    PUNCTUATION,
    SPACE,
    UPPER,
    Characters,
    lower_word,
    marks_of,
)
from tonelog.scorers.compiled import TWO_BYTES, Bytes, Int, Offsets, compiled, decode_char, next_char
from tonelog.scorers.vader.emoji import count_emoji, describe_emoji
from tonelog.scorers.vader.lexicon import OTHER, OTHER_NT, Lexicon
from tonelog.scorers.vader.words import HASH_START, HASH_STEP, find_word, finish_hash, hash_word

IS_UPPER: Final = 1
"""The lowest bit of a token; the code of its word stands above it."""

_EXCLAMATION: Final = ord("!")
_QUESTION: Final = ord("?")
_APOSTROPHE: Final = ord("'")
_N: Final = ord("n")
_T: Final = ord("t")
_LOWER_BIT: Final = ord("a") - ord("A")
_EMOTICON: Final = 2
"""A word with no more characters than this between its punctuation keeps the punctuation."""

# Marks of a word, beside those of its characters.
_HAS_NT: Final = FREE << 1
_IS_WIDE: Final = FREE << 2


class Tokens(NamedTuple):
    """Tokens of n texts.

    Attributes:
        tokens: twice the code of each word (see ``Lexicon``), plus ``IS_UPPER``.
        offsets: n + 1 offsets into ``tokens``.
        emphasis: of n texts: what exclamation and question marks add.
    """

    tokens: npt.NDArray[np.int32]
    offsets: Offsets
    emphasis: npt.NDArray[np.float64]


def tokenize(text: Bytes, starts: Offsets, ends: Offsets, lexicon: Lexicon) -> Tokens:
    """Cut n texts, each from ``starts[i]`` to ``ends[i]`` in UTF-8, into tokens."""
    n_emoji = np.empty(len(starts), np.int64)
    _count_emoji(text, starts, ends, lexicon.characters, n_emoji)
    # A word and the space behind it take two bytes, and a description's as well.
    longest = int(np.diff(lexicon.descriptions.offsets).max()) + 1
    most = int((ends - starts + n_emoji * longest + 1).sum()) // 2 + len(starts)
    tokens = np.empty(most, np.int32)
    offsets = np.zeros(len(starts) + 1, np.int64)
    emphasis = np.empty(len(starts), np.float64)
    _tokenize(
        *(text, starts, ends, n_emoji, longest, lexicon.characters),
        *(lexicon.emoji, *lexicon.descriptions, lexicon.slots, *lexicon.keys),
        *(tokens, offsets, emphasis),
    )
    return Tokens(tokens[: offsets[-1]], offsets, emphasis)


@compiled
def _count_emoji(
    text: Bytes, starts: Offsets, ends: Offsets, table: Characters, n_emoji: Offsets
) -> None:
    for i in range(len(starts)):
        n_emoji[i] = count_emoji(text, starts[i], ends[i], table)


@compiled
def _tokenize(
    text: Bytes,
    starts: Offsets,
    ends: Offsets,
    n_emoji: Offsets,
    longest: Int,
    table: Characters,
    emoji: npt.NDArray[np.int64],
    descriptions: Bytes,
    description_offsets: Offsets,
    slots: npt.NDArray[np.int64],
    keys: Bytes,
    key_offsets: Offsets,
    tokens: npt.NDArray[np.int32],
    offsets: Offsets,
    emphasis: npt.NDArray[np.float64],
) -> None:
    # No word of so many bytes is a key: lower case is at least a third as long, and this is six
    # times the longest.
    lowered = np.empty(6 * np.diff(key_offsets).max(), np.uint8)
    n_tokens = np.int64(0)
    for i in range(len(starts)):
        if n_emoji[i]:
            described = np.empty(ends[i] - starts[i] + n_emoji[i] * longest, np.uint8)
            length = describe_emoji(
                text, starts[i], ends[i], table, emoji, descriptions, description_offsets, described
            )
            n_tokens, emphasis[i] = _tokenize_one(
                described, 0, length, table, slots, keys, key_offsets, lowered, tokens, n_tokens
            )
        else:
            n_tokens, emphasis[i] = _tokenize_one(
                *(text, starts[i], ends[i], table, slots, keys, key_offsets),
                *(lowered, tokens, n_tokens),
            )
        offsets[i + 1] = n_tokens


@compiled
def _tokenize_one(
    text: Bytes,
    start: Int,
    end: Int,
    table: Characters,
    slots: npt.NDArray[np.int64],
    keys: Bytes,
    key_offsets: Offsets,
    lowered: Bytes,
    tokens: npt.NDArray[np.int32],
    n_tokens: Int,
) -> tuple[np.int64, float]:
    """Append the tokens of one text, and give their new number and the text's emphasis."""
    n_exclamations = n_questions = np.int64(0)
    at = np.int64(start)
    while True:
        at = _skip_space(text, at, end, table)
        if at == end:
            break
        first = at
        # What remains without punctuation at both ends: from begin to stop, and its hash.
        begin = stop = np.int64(-1)
        mixed = stop_mixed = np.int64(HASH_START)
        seen = np.int64(0)
        while at < end:
            byte = text[at]
            if byte >= TWO_BYTES:
                mark = marks_of(decode_char(text, at), table)
                behind = next_char(text, at)
                seen |= _IS_WIDE
            else:
                mark = np.int64(table[byte])
                behind = at + 1
            if mark & SPACE:
                break
            seen |= mark
            if mark & PUNCTUATION:
                n_exclamations += byte == _EXCLAMATION
                n_questions += byte == _QUESTION
                if byte == _APOSTROPHE and _is_nt(text, first, at, end):
                    seen |= _HAS_NT
                if begin >= 0:
                    mixed = (mixed ^ byte) * HASH_STEP
            else:
                if begin < 0:
                    begin = at
                mixed = (mixed ^ mark & LOWER_CASE) * HASH_STEP
                stop, stop_mixed = behind, mixed
            at = behind
        if seen & _IS_WIDE:
            code = _find_wide(text, first, begin, stop, at, slots, keys, key_offsets, table, lowered)
        elif stop - begin > _EMOTICON:
            stop_mixed = finish_hash(stop_mixed)
            code = find_word(text, begin, stop, stop_mixed, slots, keys, key_offsets, table)
        else:
            mixed = hash_word(text, first, at, table)
            code = find_word(text, first, at, mixed, slots, keys, key_offsets, table)
        if code == OTHER and seen & _HAS_NT:
            code = np.int64(OTHER_NT)
        is_upper = seen & UPPER != 0 and seen & NOT_UPPER == 0
        tokens[n_tokens] = code << 1 | is_upper
        n_tokens += 1
    return n_tokens, _emphasis(n_exclamations, n_questions)


@compiled
def _skip_space(text: Bytes, at: Int, end: Int, table: Characters) -> np.int64:
    while at < end and marks_of(decode_char(text, at), table) & SPACE:
        at = next_char(text, at)
    return np.int64(at)


@compiled
def _is_nt(text: Bytes, first: Int, at: Int, end: Int) -> bool:
    """Whether the apostrophe at ``at`` stands in an n't, of whatever case."""
    return (
        first < at < end - 1 and text[at - 1] | _LOWER_BIT == _N and text[at + 1] | _LOWER_BIT == _T
    )


@compiled
def _find_wide(
    text: Bytes,
    first: Int,
    begin: Int,
    stop: Int,
    last: Int,
    slots: npt.NDArray[np.int64],
    keys: Bytes,
    key_offsets: Offsets,
    table: Characters,
    lowered: Bytes,
) -> np.int64:
    """Find a word that is not ASCII alone: its code, or ``OTHER``."""
    n_chars = 0
    at = np.int64(begin)
    while at < stop:
        n_chars += 1
        at = next_char(text, at)
    if n_chars <= _EMOTICON:
        begin, stop = first, last
    if 2 * (stop - begin) > len(lowered):
        return np.int64(OTHER)
    length = lower_word(text, begin, stop, table, lowered)
    mixed = hash_word(lowered, 0, length, table)
    return find_word(lowered, 0, length, mixed, slots, keys, key_offsets, table)


@compiled
def _emphasis(n_exclamations: Int, n_questions: Int) -> float:
    questions = 0.0
    if n_questions > 3:  # noqa: PLR2004 - VADER's numbers, as below
        questions = 0.96
    elif n_questions > 1:
        questions = n_questions * 0.18
    return min(n_exclamations, 4) * 0.292 + questions
