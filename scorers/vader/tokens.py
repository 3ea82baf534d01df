"""Texts to tokens: which word of VADER's each word is, and how a text is punctuated."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ..kernels.byte_classes import (
    APOSTROPHES,
    BLOCK,
    EXCLAMATIONS,
    LOWERS,
    PUNCTUATIONS,
    QUESTIONS,
    SPACES,
    UPPERS,
    WIDE,
    Blocks,
    bits_from,
    count_kind,
    mark_blocks,
    n_numbers,
)
from ..kernels.compiled import I64, U8, Int, compiled, inlined, subroutine
from ..kernels.instructions import count_zeros_above, count_zeros_below, element
from ..kernels.unicode import (
    FREE,
    NOT_UPPER,
    PUNCTUATION,
    SPACE,
    UPPER,
    Characters,
    lower_word,
    marks_of,
)
from ..kernels.utf8 import decode_char, next_char
from ..kernels.word_table import Slots, find_word
from .emoji import count_emoji, describe_emoji
from .lexicon import BUT, IN_LEXICON, NO_WORD, OTHER, OTHER_NT, Lexicon

IS_UPPER: Final = 1
"""The lowest bit of a token; the code of its word stands above it."""

Codes = npt.NDArray[np.int32]
Marks = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float64]

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
    offsets: I64
    in_lexicon: I64
    n_upper: I64
    but: I64
    emphasis: Numbers


def tokenize(text: U8, starts: I64, ends: I64, lexicon: Lexicon) -> Tokens:
    """Cut n texts, each from ``starts[i]`` to ``ends[i]`` in UTF-8, into tokens."""
    n = len(starts)
    n_emoji = np.empty(n, np.int64)
    _count_emoji(text, starts, ends, lexicon.characters, n_emoji)
    # With a space before each description.
    sizes = ends - starts + n_emoji * (int(np.diff(lexicon.descriptions.offsets).max()) + 1)
    # A word and the space behind it take two bytes at least.
    most = int((sizes + 1).sum()) // 2 + n
    tokens, in_lexicon = np.empty(most, np.int32), np.empty(most, np.int64)
    offsets, n_in_lexicon = np.zeros(n + 1, np.int64), np.zeros(1, np.int64)
    n_upper, but, emphasis = np.zeros(n, np.int64), np.full(n, NO_WORD, np.int64), np.empty(n)
    _tokenize(
        text, starts, ends, n_emoji, int(sizes.max(initial=0)), lexicon.characters, lexicon.emoji,
        lexicon.descriptions.bytes, lexicon.descriptions.offsets, lexicon.slots, lexicon.sieve,
        lexicon.keys.bytes, lexicon.keys.offsets, lexicon.marks,
        tokens, offsets, in_lexicon, n_in_lexicon, n_upper, but, emphasis,
    )  # fmt: skip
    return Tokens(
        tokens[: offsets[-1]], offsets, in_lexicon[: n_in_lexicon[0]], n_upper, but, emphasis
    )


@compiled
def _count_emoji(text: U8, starts: I64, ends: I64, table: Characters, n_emoji: I64) -> None:
    for i in range(len(starts)):
        n_emoji[i] = count_emoji(text[starts[i] : ends[i]], table)


@compiled
def _tokenize(
    text: U8,
    starts: I64,
    ends: I64,
    n_emoji: I64,
    longest: Int,
    table: Characters,
    emoji: I64,
    descriptions: U8,
    description_offsets: I64,
    slots: Slots,
    sieve: Slots,
    keys: U8,
    key_offsets: I64,
    marks: Marks,
    tokens: Codes,
    offsets: I64,
    in_lexicon: I64,
    n_in_lexicon: I64,
    n_upper: I64,
    but: I64,
    emphasis: Numbers,
) -> None:
    described, padded = np.empty(longest, np.uint8), np.empty(BLOCK, np.uint8)
    blocks = np.empty(n_numbers(longest), np.uint64)
    # A word of more than half as many bytes is no key: lower case has a third of the bytes at
    # least. And it has twice as many at most.
    lowered = np.empty(6 * np.diff(key_offsets).max(), np.uint8)
    n = n_known = np.int64(0)
    for i in range(len(starts)):
        content, start, end = text, starts[i], ends[i]
        if n_emoji[i]:
            length = describe_emoji(
                *(text, start, end, table, emoji, descriptions, description_offsets), described
            )
            content, start, end = described, np.int64(0), length
        behind, emphasis[i] = _read_tokens(
            *(content, start, end, table, slots, sieve, keys, key_offsets),
            *(padded, blocks, lowered, tokens, n),
        )
        upper = np.int64(0)
        for place in range(n, behind):
            word = element(tokens, place) >> 1
            upper += element(tokens, place) & IS_UPPER
            in_lexicon[n_known] = place
            n_known += element(marks, word) & IN_LEXICON
            if word == BUT and but[i] == NO_WORD:
                but[i] = place
        n_upper[i] = upper
        offsets[i + 1] = n = behind
    n_in_lexicon[0] = n_known


@subroutine
def _read_tokens(
    text: U8,
    start: Int,
    end: Int,
    table: Characters,
    slots: Slots,
    sieve: Slots,
    keys: U8,
    key_offsets: I64,
    padded: U8,
    blocks: Blocks,
    lowered: U8,
    tokens: Codes,
    n: Int,
) -> tuple[np.int64, float]:
    """Write the tokens of one text from place n on; give the place behind, and the emphasis."""
    mark_blocks(text, start, end, padded, blocks)
    at: Int = np.int64(start)
    while at < end:
        space = bits_from(blocks, SPACES, at - start)
        if space & np.uint64(1):
            at += count_zeros_below(~space)
            continue
        length = count_zeros_below(space)
        whole = ~np.uint64(0) >> np.uint64(BLOCK - length)
        if length < BLOCK and not bits_from(blocks, WIDE, at - start) & whole:
            tokens[n] = _read_ascii_token(
                text, start, at, length, slots, sieve, keys, key_offsets, blocks
            )
            at += length + 1
        elif _is_space(text, at, table):
            at = next_char(text, at)
            continue
        else:
            at, tokens[n] = _read_token(
                text, at, end, table, slots, sieve, keys, key_offsets, lowered
            )
        n += 1
    emphasis = _emphasis(
        count_kind(blocks, EXCLAMATIONS, end - start), count_kind(blocks, QUESTIONS, end - start)
    )
    return np.int64(n), emphasis


@inlined
def _read_ascii_token(
    text: U8,
    start: Int,
    first: Int,
    length: Int,
    slots: Slots,
    sieve: Slots,
    keys: U8,
    key_offsets: I64,
    blocks: Blocks,
) -> np.int64:
    """Read a word of ASCII that is shorter than a block; give its token."""
    place = first - start
    whole = ~np.uint64(0) >> np.uint64(BLOCK - length)
    # What remains without punctuation at both ends, if that is no emoticon.
    inner = ~bits_from(blocks, PUNCTUATIONS, place) & whole
    begin = first + count_zeros_below(inner)
    stop = first + BLOCK - count_zeros_above(inner)
    if stop - begin <= _EMOTICON:
        begin, stop = first, first + length
    word = find_word(text, begin, stop, slots, sieve, keys, key_offsets)
    if word == OTHER and bits_from(blocks, APOSTROPHES, place) & whole:
        for at in range(first + 1, first + length - 1):
            if _is_nt(text, first, at, first + length):
                word = np.int64(OTHER_NT)
    is_upper = (
        bits_from(blocks, UPPERS, place) & whole != 0
        and bits_from(blocks, LOWERS, place) & whole == 0
    )
    return word << 1 | is_upper


@inlined
def _is_space(text: U8, at: Int, table: Characters) -> bool:
    return marks_of(decode_char(text, at), table) & SPACE != 0


@subroutine
def _read_token(
    text: U8,
    first: Int,
    end: Int,
    table: Characters,
    slots: Slots,
    sieve: Slots,
    keys: U8,
    key_offsets: I64,
    lowered: U8,
) -> tuple[np.int64, np.int64]:
    """Read any word, character by character; give the place behind it, and the token."""
    seen = np.int64(0)
    begin = stop = at = np.int64(first)
    n_chars = inner_chars = 0
    while at < end:
        char = decode_char(text, at)
        mark = marks_of(char, table)
        if mark & SPACE:
            break
        seen |= mark
        if _is_nt(text, first, at, end):
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
        word = find_word(lowered, 0, length, slots, sieve, keys, key_offsets)
    if word == OTHER and seen & _HAS_NT:
        word = np.int64(OTHER_NT)
    is_upper = seen & UPPER != 0 and seen & NOT_UPPER == 0
    return at, word << 1 | is_upper


@inlined
def _is_nt(text: U8, first: Int, at: Int, end: Int) -> bool:
    """Whether an apostrophe stands at ``at``, in an n't of whatever case."""
    if text[at] != _APOSTROPHE or not first < at < end - 1:
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
