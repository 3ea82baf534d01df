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
from tonelog.scorers.compiled import Bytes, Int, Offsets, compiled, inlined, step
from tonelog.scorers.instructions import element
from tonelog.scorers.utf8 import TWO_BYTES, decode_char, next_char
from tonelog.scorers.vader.emoji import count_emoji, describe_emoji
from tonelog.scorers.vader.lexicon import BUT, IN_LEXICON, NO_WORD, OTHER, OTHER_NT, Lexicon
from tonelog.scorers.word_table import HASH_START, Slots, find_word, hash_word, mix

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

# A mark of a word, beside those of its characters.
_HAS_NT: Final = FREE << 1


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
    n_upper, but, emphasis = np.zeros(n, np.int64), np.full(n, NO_WORD, np.int64), np.empty(n)
    _tokenize(
        text, starts, ends, n_emoji, longest, lexicon.characters, lexicon.emoji,
        lexicon.descriptions.bytes, lexicon.descriptions.offsets, lexicon.slots,
        lexicon.keys.bytes, lexicon.keys.offsets, lexicon.marks,
        tokens, offsets, in_lexicon, n_in_lexicon, n_upper, but, emphasis,
    )  # fmt: skip
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


@step
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
    all_exclamations = all_questions = np.int64(0)
    at: Int = np.int64(start)
    while at < end:
        if _is_space(text, at, table):
            at = next_char(text, at)
            continue
        # A word: what remains of it without punctuation at both ends is from begin to stop.
        n_exclamations = n_questions = seen = np.int64(0)
        first = begin = stop = at
        mixed = stop_mixed = np.int64(HASH_START)
        while at < end:
            byte = np.int64(element(text, at))
            mark = np.int64(element(table, byte))
            if mark & SPACE or byte >= TWO_BYTES:
                break
            at += 1
            if not mark & PUNCTUATION:
                seen |= mark
                mixed = mix(mixed, mark & LOWER_CASE)
                stop, stop_mixed = at, mixed
                continue
            n_exclamations += byte == _EXCLAMATION
            n_questions += byte == _QUESTION
            if byte == _APOSTROPHE and _is_nt(text, first, at - 1, end):
                seen |= _HAS_NT
            if stop > begin:
                mixed = mix(mixed, byte)
            else:
                begin = stop = at
        if at < end and element(text, at) >= TWO_BYTES:
            at, token, n_exclamations, n_questions = _read_wide_token(
                text, first, end, table, slots, keys, key_offsets, lowered
            )
        else:
            if stop - begin <= _EMOTICON and at - first > stop - begin:
                begin, stop, stop_mixed = first, at, hash_word(text, first, at, table)
            word = find_word(text, begin, stop, stop_mixed, slots, keys, key_offsets, table)
            token = _token(word, seen)
        tokens[n] = token
        n += 1
        all_exclamations += n_exclamations
        all_questions += n_questions
    return np.int64(n), _emphasis(all_exclamations, all_questions)


@inlined
def _is_space(text: Bytes, at: Int, table: Characters) -> bool:
    return marks_of(decode_char(text, at), table) & SPACE != 0


@step
def _read_wide_token(
    text: Bytes,
    first: Int,
    end: Int,
    table: Characters,
    slots: Slots,
    keys: Bytes,
    key_offsets: Offsets,
    lowered: Bytes,
) -> tuple[np.int64, np.int64, np.int64, np.int64]:
    """Read a word that is not ASCII alone, from ``first`` on.

    Returns:
        The place behind, the token, and the numbers of exclamation and question marks.
    """
    n_exclamations = n_questions = seen = np.int64(0)
    begin = stop = at = np.int64(first)
    n_chars = inner_chars = 0
    while at < end:
        char = decode_char(text, at)
        mark = marks_of(char, table)
        if mark & SPACE:
            break
        seen |= mark
        n_exclamations += char == _EXCLAMATION
        n_questions += char == _QUESTION
        if char == _APOSTROPHE and _is_nt(text, first, at, end):
            seen |= _HAS_NT
        at = next_char(text, at)
        n_chars += 1
        if not mark & PUNCTUATION:
            stop, inner_chars = at, n_chars
        elif stop == begin:
            begin, stop, n_chars = at, at, 0
    if inner_chars <= _EMOTICON:
        begin, stop = np.int64(first), at
    word = np.int64(OTHER)
    if 2 * (stop - begin) <= len(lowered):
        length = lower_word(text, begin, stop, table, lowered)
        mixed = hash_word(lowered, 0, length, table)
        word = find_word(lowered, 0, length, mixed, slots, keys, key_offsets, table)
    return at, _token(word, seen), n_exclamations, n_questions


@inlined
def _token(word: Int, seen: Int) -> np.int64:
    """Make a token of a word's code and the marks that were seen in it."""
    if word == OTHER and seen & _HAS_NT:
        word = np.int64(OTHER_NT)
    return np.int64(word << 1) | (seen & UPPER != 0 and seen & NOT_UPPER == 0)


@inlined
def _is_nt(text: Bytes, first: Int, at: Int, end: Int) -> bool:
    """Whether the apostrophe at ``at`` stands in an n't, of whatever case."""
    if not first < at < end - 1:
        return False
    return bool(text[at - 1] | _LOWER_BIT == _N and text[at + 1] | _LOWER_BIT == _T)


@inlined
def _emphasis(n_exclamations: Int, n_questions: Int) -> float:
    questions = 0.0
    if n_questions > 3:
        questions = 0.96
    elif n_questions > 1:
        questions = n_questions * 0.18
    return min(n_exclamations, 4) * 0.292 + questions
