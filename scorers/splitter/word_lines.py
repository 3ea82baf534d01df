"""What a line is that begins with a letter: prose, a key, a greeting, a line of a log."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Bool, Int, subroutine
from .ascii import (
    AT,
    BLANK_SPACE,
    COLON,
    COMMA,
    DOLLAR,
    EQUALS,
    HASH,
    LEFT_ROUND,
    LINE_FEED,
    TAB,
    byte_set,
    is_one_of,
)
from .characters import LOWER, MARKUP, UPPER, Classes
from .cursor import (
    back_over_space,
    class_at,
    digits_end,
    is_at,
    is_break,
    line_end,
    skip_space,
    word_end,
)
from .kinds import (
    BLOCK,
    ITEM,
    KEY,
    LONGEST_LABEL,
    OUTPUT,
    PLAIN,
    SIGNING,
    TRACE,
    UNIT,
)
from .list_items import is_letter_mark
from .state import (
    BODY,
    IN_LIST,
    MODE,
    NONE,
    NUMBER,
    STYLE,
    State,
    in_sentence,
)
from .vocabulary import (
    GREETING,
    LOG_LEVEL,
    SIGN_OFF,
    STARTER,
    TRACE_FRAME,
    TRACE_HEAD,
)
from .word_flags import Words, flags_of

_NOT_IN_KEY: Final = byte_set("!?,;")
_IN_TIME: Final = byte_set("-/:T ")
_LONGEST_ROMAN: Final = 4
# 10:00:00, and a date before it.
_SHORTEST_TIME: Final = 8
_LONGEST_KEY: Final = 32
_MOST_KEY_WORDS: Final = 3
_MOST_SIGN_OFF: Final = 32


@subroutine
def kind_of_words(
    text: U8, at: Int, first: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Kind of a line that begins with a letter."""
    end = word_end(text, first, chars)
    if end - first <= _LONGEST_ROMAN and is_letter_mark(text, first, end, chars, state):
        state[NUMBER] = text[first] if end - first == 1 else NONE
        state[STYLE] = text[end]
        state[BODY] = end + 1
        return np.int64(ITEM)
    flags = flags_of(text, first, end, words)
    if flags & TRACE_HEAD and is_at(text, end + 1, LEFT_ROUND):
        state[MODE] = TRACE
        return np.int64(BLOCK)
    indented = first - at > 1 or text[at] == TAB
    if flags & TRACE_FRAME and indented and not state[IN_LIST]:
        return np.int64(UNIT)
    if flags & LOG_LEVEL and not in_sentence(state):
        return np.int64(BLOCK)
    if _is_prompt(text, first):
        state[MODE] = OUTPUT
        return np.int64(UNIT)
    if is_time(text, _behind_date(text, end, chars)):
        return np.int64(BLOCK)
    if flags & (GREETING | SIGN_OFF):
        kind = _kind_of_courtesy(text, first, flags, chars, words, state)
        if kind != PLAIN:
            return kind
    return kind_of_key(text, first, flags, chars, state)


@subroutine
def _is_prompt(text: U8, first: Int) -> Bool:
    """Whether a shell's prompt stands at ``first``: user@host:~$."""
    host = False
    for i in range(first, min(len(text) - 1, first + LONGEST_LABEL)):
        if text[i] <= BLANK_SPACE:
            break
        host = host or text[i] == AT
        if host and (text[i] == DOLLAR or text[i] == HASH) and text[i + 1] == BLANK_SPACE:
            return True
    return False


@subroutine
def _behind_date(text: U8, end: Int, chars: Classes) -> np.int64:
    """Where the time stands behind a month's name and a day, as in system logs."""
    return skip_space(text, digits_end(text, skip_space(text, end, chars)), chars)


@subroutine
def is_time(text: U8, first: Int) -> Bool:
    """Whether a date and time, or a time with seconds, stands at ``first``."""
    end = digits_end(text, first)
    marks = 0
    while end < len(text) and is_one_of(text[end], _IN_TIME):
        part = digits_end(text, end + 1)
        if part != end + 3:
            break
        marks += 1
        end = part
    return marks > 1 and end - first >= _SHORTEST_TIME and text[end - 3] == COLON


@subroutine
def _kind_of_courtesy(
    text: U8, first: Int, flags: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Kind of a line that greets, or takes leave: the lines behind are a signature."""
    end = back_over_space(text, first, line_end(text, first), chars)
    comma = text[end - 1] == COMMA
    if flags & GREETING and comma and end - first <= LONGEST_LABEL:
        return np.int64(BLOCK)
    if not flags & SIGN_OFF or end - first > _MOST_SIGN_OFF:
        return np.int64(PLAIN)
    # Either every word is one of leave, or a short line with a capital, the name, comes behind.
    then = line_end(text, first) + 1
    named = class_at(text, then, chars) == UPPER and line_end(text, then) - then <= LONGEST_LABEL
    at = first
    last = end - 1 if comma else end
    while at < last and flags_of(text, at, word_end(text, at, chars), words) & SIGN_OFF:
        at = word_end(text, at, chars)
        at += is_at(text, at, BLANK_SPACE)
    if (comma and (at == last or named)) or (at == last and named):
        state[MODE] = SIGNING
        return np.int64(BLOCK)
    return np.int64(PLAIN)


@subroutine
def kind_of_key(text: U8, first: Int, flags: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that may begin with a key: a few words and a colon."""
    spaces = 0
    end = first
    while end < min(len(text), first + _LONGEST_KEY) and text[end] != COLON:
        if text[end] == EQUALS and spaces == 0 and end > first:
            # key=value, as programs log it.
            assigned = not is_break(text, end + 1, chars) and not in_sentence(state)
            return np.int64(BLOCK if assigned else PLAIN)
        if text[end] == BLANK_SPACE:
            spaces += 1
        elif text[end] == LINE_FEED or is_one_of(text[end], _NOT_IN_KEY):
            return np.int64(PLAIN)
        end += 1
    if not is_at(text, end, COLON) or spaces >= _MOST_KEY_WORDS or (flags & STARTER and spaces):
        return np.int64(PLAIN)
    behind = end + 1
    while class_at(text, behind, chars) == MARKUP:
        behind += 1
    if not is_break(text, behind, chars):
        return np.int64(PLAIN)
    small = class_at(text, first, chars) == LOWER
    if small and (spaces > 0 or in_sentence(state)):
        return np.int64(PLAIN)
    return np.int64(KEY)
