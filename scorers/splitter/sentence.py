"""The scan of a line from mark to mark."""

from __future__ import annotations

import numpy as np

from ..kernels.compiled import U8, Bool, Int, inlined, subroutine
from ..kernels.utf8 import before_char, next_char
from .ascii import (
    BEYOND,
    DOT,
    LESS,
    LINE_FEED,
    RIGHT_ROUND,
    SMALL,
    SMALL_A,
    SMALL_Z,
)
from .characters import (
    CLASS_BITS,
    CLOSE,
    MARKUP,
    OPEN,
    OTHER,
    PAIR_SHIFT,
    QUOTE,
    SPACE,
    STOPS,
    Classes,
)
from .closings import closed_end, is_before_word
from .cursor import (
    back_over_space,
    class_at,
    entry_at,
    is_among,
    is_at,
    next_special,
    skip_space,
)
from .ends import PERIOD, goes_on, stop_end
from .inline_markup import break_end, tags_end
from .list_items import (
    INLINE_DIGITS,
    begin_item,
    is_bullet_again,
    is_next_item,
    may_count,
    number_end,
    pass_marker,
    set_number,
)
from .pairs import read_closer, read_opener, read_quote
from .state import (
    BACK,
    BODY,
    MARK_KIND,
    NONE,
    NUMBER,
    START,
    Found,
    State,
    emit,
    take_back,
)
from .word_flags import Words


@inlined
def open_sentence(text: U8, at: Int, chars: Classes, state: State) -> None:
    """Begin a sentence at ``at``; where its line began with a mark, BODY stands behind it."""
    state[START] = at
    if state[BODY] < at:
        state[BODY] = at
        state[NUMBER] = NONE
        end = number_end(text, at, INLINE_DIGITS)
        if end > at and class_at(text, end, chars) == SPACE and may_count(text, at, state):
            set_number(text, at, end, state)
            state[BODY] = end
    while class_at(text, state[BODY], chars) == MARKUP:
        state[BODY] += 1


@subroutine
def scan_words(
    text: U8, at: Int,
    special: Classes, chars: Classes, words: Words, state: State, found: Found,
) -> np.int64:  # fmt: skip
    """Find the sentences from ``at`` on: up to the end of the line, which is given back."""
    at = next_special(text, at, special)
    while at < len(text) and text[at] != LINE_FEED:
        at = _read_mark(text, at, chars, words, state, found)
        if state[START] == NONE:
            at = skip_space(text, at, chars)
            if at == len(text) or text[at] == LINE_FEED:
                break
            state[BODY] = NONE
            open_sentence(text, at, chars, state)
            at = state[BODY]
        at = next_special(text, at, special)
    return np.int64(at)


@inlined
def _read_mark(
    text: U8, at: Int, chars: Classes, words: Words, state: State, found: Found
) -> np.int64:
    """Read what stands at ``at``: where to read on. Where a sentence ended, START is NONE."""
    byte = text[at]
    if byte == DOT and at + 1 < len(text) and SMALL_A <= text[at + 1] | SMALL <= SMALL_Z:
        return np.int64(at + 1)
    entry = entry_at(text, at, chars)
    of_class = entry & CLASS_BITS
    if is_among(of_class, STOPS):
        return _read_stop(text, at, chars, words, state, found)
    if of_class == QUOTE:
        return read_quote(text, at, entry >> PAIR_SHIFT, chars, state)
    if of_class == OPEN:
        return read_opener(text, at, entry >> PAIR_SHIFT, chars, state)
    if of_class == CLOSE:
        return read_closer(text, at, entry >> PAIR_SHIFT, chars, words, state, found)
    end = next_char(text, at)
    if byte == LESS:
        stop = break_end(text, at, words)
        if stop > at:
            emit(state[START], tags_end(text, stop, words), state, found)
            return tags_end(text, stop, words)
    elif byte >= BEYOND and of_class == OTHER and is_bullet_again(text, at, words, state):
        emit(state[START], back_over_space(text, state[START], at, chars), state, found)
        state[START] = at
        pass_marker(text, end, chars, state)
        return np.int64(state[BODY])
    return end


@inlined
def _read_stop(
    text: U8, at: Int, chars: Classes, words: Words, state: State, found: Found
) -> np.int64:
    """Read marks that may end the sentence, and what closes behind them."""
    state[BACK] = NONE
    end = stop_end(text, at, chars, state)
    if state[NUMBER] != NONE and state[MARK_KIND] == PERIOD:
        behind = end + 1 if is_at(text, end, RIGHT_ROUND) else end
        if is_next_item(text, at, behind, chars, words, state):
            return begin_item(text, at, behind, chars, state, found)
    forced: Bool = False
    if not is_before_word(text, end, chars):
        omitted = at > state[START] and class_at(text, before_char(text, at), chars) == OPEN
        forced, end = closed_end(text, end, chars, words, state)
        if omitted:
            return end
    if not forced and goes_on(text, end, chars, words, state):
        take_back(state[BACK], state)
        return np.int64(end)
    emit(state[START], end, state, found)
    return np.int64(end)
