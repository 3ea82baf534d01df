"""The scan of texts for their sentences, line by line."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import I64, U8, Bool, Int, compiled, subroutine
from ..kernels.utf8 import before_char, decode_char
from .ascii import BEYOND, BLANK_SPACE, COLON, EQUALS
from .characters import EMOJI, JOINED, LOWER, WIDE_COLON, Classes
from .cursor import (
    back_over_space,
    class_at,
    is_char,
    line_end,
    skip_space,
)
from .inline_markup import LONGEST_EMOTICON, fence_end, fence_length
from .kinds import BLANK, FENCE, ITEM, KEY, PLAIN, RULE, UNIT
from .lines import line_kind
from .sentence import open_sentence, scan_words
from .state import (
    BODY,
    COUNT,
    KIND,
    LINE,
    LINE_COUNT,
    NONE,
    START,
    Found,
    State,
    close,
    emit,
    end_block,
    reset,
)
from .vocabulary import EMOTICON
from .word_flags import Words, flags_of

_LONG_LINE: Final = 30
# Scripts that are written without marks at the end of a sentence: Thai and Lao, Tibetan.
_UNMARKED: Final = (0x0E00, 0x0FFF)


@compiled
def scan_texts(
    content: U8, offsets: I64, skip_code: bool,
    special: Classes, chars: Classes, words: Words, state: State, found: Found, counts: I64,
) -> None:  # fmt: skip
    """Find the sentences of n texts: fills ``found``, and ``counts`` with n + 1 offsets into it."""
    for row in range(len(offsets) - 1):
        text = content[offsets[row] : offsets[row + 1]]
        reset(state, offsets[row])
        at = np.int64(0)
        while at < len(text):
            first = skip_space(text, at, chars)
            kind = line_kind(text, at, first, chars, words, state)
            if kind == BLANK:
                close(text, at, chars, state, found)
                end_block(state)
                at = first + 1
            elif kind == FENCE or kind == UNIT or kind == RULE:
                at = _read_unit(text, at, first, kind, skip_code, chars, state, found) + 1
            else:
                if kind != PLAIN or not _runs_on(text, at, first, chars, words, state):
                    close(text, at, chars, state, found)
                    state[KIND] = kind
                state[LINE] = first
                at = _begin_line(text, first, kind, chars, state)
                at = scan_words(text, at, special, chars, words, state, found) + 1
        close(text, len(text), chars, state, found)
        counts[row + 1] = state[COUNT]


@subroutine
def _begin_line(text: U8, first: Int, kind: Int, chars: Classes, state: State) -> np.int64:
    """Let a line begin a sentence, or go on with the open one: from where it is to be read."""
    if state[START] != NONE:
        state[LINE_COUNT] = NONE
        state[BODY] = state[START]
        return np.int64(first)
    state[LINE_COUNT] = state[COUNT]
    state[KIND] = kind
    open_sentence(text, first, chars, state)
    return np.int64(state[BODY])


@subroutine
def _read_unit(
    text: U8, at: Int, first: Int, kind: Int, skip_code: bool,
    chars: Classes, state: State, found: Found,
) -> np.int64:  # fmt: skip
    """Note a line, or a fenced block, as one sentence: the end of its last line."""
    # Under a line that has no end of its own, - make a heading of it; = do in any case.
    unended = state[START] != NONE or text[first] == EQUALS
    close(text, at, chars, state, found)
    if kind == RULE and state[KIND] == PLAIN and unended and state[LINE_COUNT] != NONE:
        state[COUNT] = state[LINE_COUNT]
        emit(state[LINE], back_over_space(text, state[LINE], at, chars), state, found)
    state[KIND] = kind
    if kind == FENCE:
        end = fence_end(text, first, fence_length(text, first), chars)
    else:
        end = back_over_space(text, first, line_end(text, first), chars)
    if kind != FENCE or not skip_code:
        emit(first, back_over_space(text, first, end, chars), state, found)
    return line_end(text, end)


@subroutine
def _runs_on(text: U8, at: Int, first: Int, chars: Classes, words: Words, state: State) -> Bool:
    """Whether a plain line continues the sentence that the line before left open."""
    kind = state[KIND]
    small = class_at(text, first, chars) == LOWER
    if kind == ITEM:
        return first > at
    if kind == KEY:
        return small and at - state[LINE] > _LONG_LINE
    if kind != PLAIN:
        return False
    if state[START] == NONE or small:
        return True
    last = back_over_space(text, state[START], at, chars)
    char = before_char(text, last)
    while char > state[START] and class_at(text, char, chars) == JOINED:
        char = before_char(text, char)
    if class_at(text, char, chars) == EMOJI or text[char] == COLON:
        return False
    if is_char(text, char, WIDE_COLON):
        return False
    if _is_unmarked(text, char) or _is_unmarked(text, first):
        return False
    begin = last
    while begin > max(state[START], last - LONGEST_EMOTICON) and text[begin - 1] > BLANK_SPACE:
        begin -= 1
    return flags_of(text, begin, last, words) & EMOTICON == 0


@subroutine
def _is_unmarked(text: U8, at: Int) -> Bool:
    """Whether the character at ``at`` is of a script without marks at a sentence's end."""
    return text[at] >= BEYOND and _UNMARKED[0] <= decode_char(text, at) <= _UNMARKED[1]
