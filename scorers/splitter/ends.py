"""Whether a sentence ends at its marks, by what they are and by what follows."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Bool, Int, inlined, subroutine
from ..kernels.utf8 import before_char, next_char
from .abbreviations import period_goes_on
from .ascii import BLANK_SPACE, CAPITAL_I, COLON, DOT, byte_set, is_one_of
from .characters import (
    ALNUM,
    ELLIPSIS,
    FULL_STOP,
    LETTER,
    LOWER,
    STOP,
    STOPS,
    UPPER,
    WIDE_COLON,
    Classes,
)
from .cursor import (
    class_at,
    follower,
    is_among,
    is_at,
    is_break,
    is_char,
    skip_openers,
    word_begin,
    word_end,
)
from .state import MARK, MARK_KIND, QUOTED, START, State
from .vocabulary import MARKED_NAME, SAYS
from .word_flags import Words, flags_of

# Beside STOP, FULL_STOP and ELLIPSIS: a single dot, and spaced ones.
PERIOD: Final = 16
SPACED: Final = 17
_JOINTS: Final = byte_set("-,;:")
_MOST_SAYS: Final = 4


@inlined
def stop_end(text: U8, at: Int, chars: Classes, state: State) -> np.int64:
    """Where the marks at ``at`` end, spaced dots too; sets MARK and MARK_KIND."""
    kind = np.int64(ELLIPSIS)
    end = np.int64(at)
    dots = 0
    spaced = False
    while True:
        of_class = class_at(text, end, chars)
        if not is_among(of_class, STOPS):
            if dots == 0 or not _is_spaced_dot(text, end, chars):
                break
            spaced = True
            end += 1
        elif of_class == FULL_STOP or (of_class == STOP and text[end] != DOT and kind != FULL_STOP):
            kind = of_class
        dots += text[end] == DOT
        end = next_char(text, end)
    if kind == ELLIPSIS and spaced:
        kind = np.int64(SPACED)
    elif kind == ELLIPSIS and dots == 1 and end == at + 1:
        kind = np.int64(PERIOD)
    state[MARK] = at
    state[MARK_KIND] = kind
    state[QUOTED] = 0
    return end


@subroutine
def _is_spaced_dot(text: U8, at: Int, chars: Classes) -> Bool:
    """Whether a space and a dot that stands alone, as in a spaced ellipsis, come at ``at``."""
    if not (is_at(text, at, BLANK_SPACE) and is_at(text, at + 1, DOT)):
        return False
    return not is_among(class_at(text, at + 2, chars), ALNUM)


@inlined
def goes_on(text: U8, end: Int, chars: Classes, words: Words, state: State) -> Bool:
    """Whether the sentence goes on behind its marks and what closes behind them, at ``end``."""
    kind = state[MARK_KIND]
    quoted = state[QUOTED] != 0
    if kind == FULL_STOP:
        return quoted and _says(text, end, chars, words)
    if not is_break(text, end, chars):
        return True
    then = follower(text, end, chars)
    if then == len(text):
        return False
    word = skip_openers(text, then, chars)
    of_class = class_at(text, word, chars)
    if kind == ELLIPSIS or kind == SPACED:
        if state[MARK] == state[START]:
            return True
        # An I is always a capital: it tells nothing behind spaced dots, which leave words out.
        if kind == SPACED and is_at(text, word, CAPITAL_I):
            return word_end(text, word, chars) == word + 1
        return of_class != UPPER and of_class != LETTER
    if quoted and (of_class == LOWER or is_one_of(text[then], _JOINTS)):
        return True
    if kind == STOP:
        return of_class == LOWER and _is_of_a_name(text, state[MARK], chars, words, state)
    return period_goes_on(text, state[MARK], word, of_class, chars, words, state)


@subroutine
def _says(text: U8, end: Int, chars: Classes, words: Words) -> Bool:
    """Whether a sentence goes on behind a quotation in a script without case."""
    if class_at(text, follower(text, end, chars), chars) == LOWER:
        return True
    stop = end
    for _ in range(_MOST_SAYS):
        if class_at(text, stop, chars) != LETTER:
            break
        stop = next_char(text, stop)
        if flags_of(text, end, stop, words) & SAYS:
            # Behind 我说 a colon begins the next quotation.
            return not (is_at(text, stop, COLON) or is_char(text, stop, WIDE_COLON))
    return False


@subroutine
def _is_of_a_name(text: U8, at: Int, chars: Classes, words: Words, state: State) -> Bool:
    """Whether ! or ? is a name's (Yahoo!), or stands apart as an operator does."""
    if at > state[START] and is_break(text, before_char(text, at), chars):
        return True
    begin = word_begin(text, at, state[START], chars)
    return flags_of(text, begin, at, words) & MARKED_NAME != 0
