"""What a line is by how it begins, and by the lines before it."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Bool, Int, subroutine
from .ascii import (
    BEYOND,
    BLANK_SPACE,
    COLON,
    DOLLAR,
    GREATER,
    HASH,
    LESS,
    PIPE,
    RIGHT_CURLY,
    RIGHT_SQUARE,
    TAB,
    byte_set,
    is_one_of,
)
from .characters import DIGIT, LETTERS, Classes
from .cursor import class_at, is_among, is_at, is_break, line_end, run_end
from .inline_markup import fence_length, tag_end, tag_flags
from .kinds import (
    BLANK,
    BLOCK,
    FENCE,
    ITEM,
    JSON,
    PLAIN,
    SIGNED,
    SIGNING,
    TABLE,
    TRACE,
    UNIT,
)
from .state import BODY, IN_LIST, MODE, NONE, NUMBER, State, in_sentence
from .symbol_lines import (
    kind_of_bracket,
    kind_of_dash,
    kind_of_number,
    kind_of_prompt,
    kind_of_sign,
)
from .vocabulary import INLINE_TAG
from .word_flags import Words
from .word_lines import kind_of_words

_INDENT: Final = 4
_DASHES: Final = byte_set("-+*=_")
_IN_NAME: Final = byte_set("./_:(")
_ENDS: Final = byte_set(".!?:")
_SHORT: Final = 60
_DEEPEST_HEADING: Final = 6


@subroutine
def line_kind(
    text: U8, at: Int, first: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Kind of the line that begins at ``at``, with its first character at ``first``.

    Sets BODY to where its words begin, and MODE.
    """
    state[BODY] = first
    state[NUMBER] = NONE
    if is_break(text, first, chars):
        return np.int64(BLANK)
    if fence_length(text, first) > 0:
        return np.int64(FENCE)
    kind = _kind_in_mode(text, at, first, state)
    if kind == PLAIN:
        kind = _kind_by_mark(text, at, first, chars, words, state)
    if kind == ITEM:
        state[IN_LIST] = 1
    elif first == at:
        state[IN_LIST] = 0
    if kind == PLAIN:
        indented = (first - at >= _INDENT or text[at] == TAB) and state[IN_LIST] == 0
        apart = not in_sentence(state) or _is_after_colon(text, at)
        if state[MODE] != 0 or (apart and (indented or _is_one_name(text, first))):
            return np.int64(BLOCK)
    return np.int64(kind)


@subroutine
def _is_after_colon(text: U8, at: Int) -> Bool:
    """Whether the line before the one that begins at ``at`` ends in a colon."""
    end = at - 1
    while end > 0 and text[end - 1] <= BLANK_SPACE:
        end -= 1
    return end > 0 and text[end - 1] == COLON


@subroutine
def _is_one_name(text: U8, first: Int) -> Bool:
    """Whether a line is one path, address or call, as a program prints them."""
    marks = np.int64(0)
    i = np.int64(first)
    while i < len(text) and text[i] > BLANK_SPACE:
        marks += is_one_of(text[i], _IN_NAME)
        i += 1
    return marks > 0 and not is_one_of(text[i - 1], _ENDS) and line_end(text, i) <= i + 1


@subroutine
def _kind_in_mode(text: U8, at: Int, first: Int, state: State) -> np.int64:
    """Kind of a line by the lines before it; ends the mode where it must."""
    mode = state[MODE]
    byte = text[first]
    if mode == JSON:
        if first == at and (byte == RIGHT_CURLY or byte == RIGHT_SQUARE):
            state[MODE] = 0
        return np.int64(UNIT)
    if mode == TRACE:
        # The error itself stands behind the indented calls.
        state[MODE] = TRACE if first > at else 0
        return np.int64(UNIT)
    if mode == SIGNING or mode == SIGNED:
        state[MODE] = SIGNED if line_end(text, first) - first <= _SHORT else 0
    if mode == TABLE:
        for i in range(first, line_end(text, first)):
            if text[i] == PIPE:
                return np.int64(UNIT)
    return np.int64(PLAIN)


@subroutine
def _kind_by_mark(
    text: U8, at: Int, first: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Kind of a line by what it begins with."""
    of_class = class_at(text, first, chars)
    byte = text[first]
    if byte >= BEYOND:
        return kind_of_sign(text, first, chars, words, state)
    if is_among(of_class, LETTERS):
        return kind_of_words(text, at, first, chars, words, state)
    if of_class == DIGIT:
        return kind_of_number(text, first, chars, state)
    if is_one_of(byte, _DASHES):
        return kind_of_dash(text, first, chars, state)
    if byte == PIPE:
        return np.int64(UNIT)
    if byte == HASH:
        end = run_end(text, first, byte)
        heading = end - first <= _DEEPEST_HEADING and is_break(text, end, chars)
        return np.int64(UNIT if heading else PLAIN)
    if byte == GREATER or (byte == DOLLAR and is_at(text, first + 1, BLANK_SPACE)):
        return kind_of_prompt(text, first, chars, state)
    if byte == LESS:
        end = tag_end(text, first)
        named = end > first and not tag_flags(text, first, words) & INLINE_TAG
        return np.int64(BLOCK if named and not is_break(text, first + 1, chars) else PLAIN)
    return kind_of_bracket(text, first, chars, state)
