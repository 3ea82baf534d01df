"""Texts to tokens: which word of VADER's each word is, and how a text is punctuated."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tonelog.scorers.characters import (
    FREE,
    NOT_UPPER,
    PUNCTUATION,
    SPACE,
    UPPER,
    Characters,
    lower_word,
    marks_of,
)
from tonelog.scorers.compiled import TWO_BYTES, Bytes, Int, Offsets, compiled, inlined, decode_char, next_char
from tonelog.scorers.vader.emoji import count_emoji, describe_emoji
from tonelog.scorers.vader.letters import read_letters
from tonelog.scorers.vader.lexicon import BUT, IN_LEXICON, NO_WORD, OTHER, OTHER_NT, Lexicon
from tonelog.scorers.vader.words import Slots, find_word, hash_word

IS_UPPER: Final = 1
"""The lowest bit of a token; the code of its word stands above it."""

Codes = npt.NDArray[np.int32]
Marks = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]

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
        in_lexicon: places in ``tokens`` of the words in the lexicon, boosters included.
        n_upper: of n texts: the words in capitals.
        but: of n texts: the place in ``tokens`` of the first "but"; ``NO_WORD`` if there is none.
        emphasis: of n texts: what exclamation and question marks add.
    """

    tokens: Codes
    offsets: Offsets
    in_lexicon: Offsets
    n_upper: Offsets
    but: Offsets
    emphasis: Numbers


def tokenize(text: Bytes, starts: Offsets, ends: Offsets, lexicon: Lexicon) -> Tokens:
    """Cut n texts, each from ``starts[i]`` to ``ends[i]`` in UTF-8, into tokens."""
    n = len(starts)
    n_emoji = np.empty(n, np.int64)
    _count_emoji(text, starts, ends, lexicon.characters, n_emoji)
    # A word and the space behind it take two bytes at least, and so they do in a description.
    longest = int(np.diff(lexicon.descriptions.offsets).max()) + 1
    most = int((ends - starts + n_emoji * longest + 1).sum()) // 2 + n
    tokens, in_lexicon = np.empty(most, np.int32), np.empty(most, np.int64)
    offsets, n_in_lexicon = np.zeros(n + 1, np.int64), np.zeros(1, np.int64)
    n_upper, but, emphasis = np.zeros(n, np.int64), np.full(n, NO_WORD), np.empty(n)
    _tokenize(
        *(text, starts, ends, n_emoji, longest, lexicon.characters, lexicon.emoji),
        *(*lexicon.descriptions, lexicon.slots, *lexicon.keys, lexicon.marks),
        *(tokens, offsets, in_lexicon, n_in_lexicon, n_upper, but, emphasis),
    )
    return Tokens(
        tokens[: offsets[-1]], offsets, in_lexicon[: n_in_lexicon[0]], n_upper, but, emphasis
    )


@compiled
def _count_emoji(
    text: Bytes, starts: Offsets, ends: Offsets, table: Characters, n_emoji: Offsets
) -> None:
    for i in range(len(starts)):
        n_emoji[i] = count_emoji(text[starts[i] : ends[i]], table)


@compiled
def _tokenize(
    text: Bytes,
    starts: Offsets,
    ends: Offsets,
    n_emoji: Offsets,
    longest: Int,
    table: Characters,
    emoji: Offsets,
    descriptions: Bytes,
    description_offsets: Offsets,
    slots: Slots,
    keys: Bytes,
    key_offsets: Offsets,
    marks: Marks,
    tokens: Codes,
    offsets: Offsets,
    in_lexicon: Offsets,
    n_in_lexicon: Offsets,
    n_upper: Offsets,
    but: Offsets,
    emphasis: Numbers,
) -> None:
    # A word of more than half as many bytes is no key: lower case has a third of the bytes at
    # least. And it has twice as many at most.
    lowered = np.empty(6 * np.diff(key_offsets).max(), np.uint8)
    n = np.int64(0)
    for i in range(len(starts)):
        if n_emoji[i]:
            described = np.empty(ends[i] - starts[i] + n_emoji[i] * longest, np.uint8)
            length = describe_emoji(
                *(text, starts[i], ends[i], table, emoji, descriptions, description_offsets),
                described,
            )
            behind, emphasis[i] = _read_tokens(
                *(described, 0, length, table, slots, keys, key_offsets, lowered, tokens, n)
            )
        else:
            behind, emphasis[i] = _read_tokens(
                *(text, starts[i], ends[i], table, slots, keys, key_offsets, lowered, tokens, n)
            )
        for place in range(n, behind):
            word = tokens[place] >> 1
            n_upper[i] += tokens[place] & IS_UPPER
            if marks[word] & IN_LEXICON:
                in_lexicon[n_in_lexicon[0]] = place
                n_in_lexicon[0] += 1
            if word == BUT and but[i] == NO_WORD:
                but[i] = place
        offsets[i + 1] = n = behind


@compiled
def _read_tokens(
    text: Bytes,
    start: Int,
    end: Int,
    table: Characters,
    slots: Slots,
    keys: Bytes,
    key_offsets: Offsets,
    lowered: Bytes,
    tokens: Codes,
    n: Int,
) -> tuple[np.int64, float]:
    """Write the tokens of one text from place n on; give the place behind, and the emphasis."""
    n_exclamations = n_questions = np.int64(0)
    at = _skip_space(text, np.int64(start), end, table)
    while at < end:
        at, tokens[n], exclamations, questions = _read_token(
            text, at, end, table, slots, keys, key_offsets, lowered
        )
        n_exclamations += exclamations
        n_questions += questions
        n += 1
        at = _skip_space(text, at, end, table)
    return n, _emphasis(n_exclamations, n_questions)


@inlined
def _skip_space(text: Bytes, at: Int, end: Int, table: Characters) -> np.int64:
    while at < end and marks_of(decode_char(text, at), table) & SPACE:
        at = next_char(text, at)
    return np.int64(at)


@inlined
def _read_token(
    text: Bytes,
    first: Int,
    end: Int,
    table: Characters,
    slots: Slots,
    keys: Bytes,
    key_offsets: Offsets,
    lowered: Bytes,
) -> tuple[np.int64, np.int64, np.int64, np.int64]:
    """Read the word that begins at ``first``.

    Returns:
        The place behind, the token, and the numbers of exclamation and question marks.
    """
    stop, mixed, is_upper = read_letters(text, first, end)
    n_exclamations = n_questions = np.int64(0)
    behind = stop
    while behind < end and table[text[behind]] & PUNCTUATION:
        n_exclamations += text[behind] == _EXCLAMATION
        n_questions += text[behind] == _QUESTION
        behind += 1
    is_plain = stop - first > _EMOTICON or first < stop == behind
    if is_plain and (behind == end or (text[behind] < TWO_BYTES and table[text[behind]] & SPACE)):
        word = find_word(text, first, stop, mixed, slots, keys, key_offsets, table)
        return behind, word << 1 | is_upper, n_exclamations, n_questions
    return _read_odd_token(text, first, end, table, slots, keys, key_offsets, lowered)


@compiled
def _read_odd_token(
    text: Bytes,
    first: Int,
    end: Int,
    table: Characters,
    slots: Slots,
    keys: Bytes,
    key_offsets: Offsets,
    lowered: Bytes,
) -> tuple[np.int64, np.int64, np.int64, np.int64]:
    """Read any word, character by character; see ``_read_token``."""
    n_exclamations = n_questions = n_chars = inner_chars = np.int64(0)
    # What remains without punctuation at both ends is from begin to stop.
    begin = stop = np.int64(first)
    seen = np.int64(0)
    at = np.int64(first)
    while at < end:
        char = decode_char(text, at)
        mark = marks_of(char, table)
        if mark & SPACE:
            break
        behind = next_char(text, at)
        seen |= mark | (_IS_WIDE if char >= TWO_BYTES else 0)
        if n_chars or not mark & PUNCTUATION:
            begin = begin if n_chars else at
            n_chars += 1
        if not mark & PUNCTUATION:
            stop, inner_chars = behind, n_chars
        n_exclamations += char == _EXCLAMATION
        n_questions += char == _QUESTION
        if char == _APOSTROPHE and _is_nt(text, first, at, end):
            seen |= _HAS_NT
        at = behind
    if inner_chars <= _EMOTICON:
        begin, stop = np.int64(first), at
    word = np.int64(OTHER)
    if not seen & _IS_WIDE:
        mixed = hash_word(text, begin, stop, table)
        word = find_word(text, begin, stop, mixed, slots, keys, key_offsets, table)
    elif 2 * (stop - begin) <= len(lowered):
        length = lower_word(text, begin, stop, table, lowered)
        mixed = hash_word(lowered, 0, length, table)
        word = find_word(lowered, 0, length, mixed, slots, keys, key_offsets, table)
    if word == OTHER and seen & _HAS_NT:
        word = np.int64(OTHER_NT)
    is_upper = seen & UPPER != 0 and seen & NOT_UPPER == 0
    return at, word << 1 | is_upper, n_exclamations, n_questions


@inlined
def _is_nt(text: Bytes, first: Int, at: Int, end: Int) -> bool:
    """Whether the apostrophe at ``at`` stands in an n't, of whatever case."""
    return (
        first < at < end - 1 and text[at - 1] | _LOWER_BIT == _N and text[at + 1] | _LOWER_BIT == _T
    )


@inlined
def _emphasis(n_exclamations: Int, n_questions: Int) -> float:
    questions = 0.0
    if n_questions > 3:  # noqa: PLR2004 - VADER's numbers, as below
        questions = 0.96
    elif n_questions > 1:
        questions = n_questions * 0.18
    return min(n_exclamations, 4) * 0.292 + questions
