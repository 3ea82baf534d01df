"""Whether a dot is that of an abbreviation, an initial or a number, behind which it goes on."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Bool, Int, inlined, subroutine
from ..kernels.utf8 import next_char
from .ascii import (
    BLANK_SPACE,
    CAPITAL_I,
    DOT,
    NINE,
    ZERO,
    byte_set,
    is_one_of,
)
from .characters import DIGIT, LETTER, LETTERS, LOWER, UPPER, Classes
from .cursor import (
    class_at,
    digits_end,
    is_among,
    is_at,
    skip_openers,
    word_begin,
    word_end,
)
from .list_items import may_count
from .state import COUNTED, START, State
from .vocabulary import (
    ALWAYS,
    BEFORE_DIGIT,
    BEFORE_LOWER,
    BEFORE_NAME,
    CLOCK,
    CLOCK_NAME,
    JOINT,
    LABEL,
    PREPOSITION,
    STARTER,
    UNLESS_STARTER,
)
from .word_flags import Words, flags_of

_BEFORE_ITEM: Final = byte_set(":,;(")
# A capital behind one of these is a key, a sharp or the end of a contraction.
_BEFORE_LABEL: Final = byte_set("'+/#_&")
# Of a unit that is not known.
_LONGEST_UNIT: Final = 3
_LONGEST_OPENING: Final = 16


@inlined
def period_goes_on(
    text: U8, at: Int, then: Int, of_class: Int, chars: Classes, words: Words, state: State
) -> Bool:
    """Whether a sentence goes on behind the dot at ``at``, with its next word at ``then``."""
    begin = word_begin(text, at, state[START], chars)
    if begin == at:
        return False
    if digits_end(text, begin) == at:
        return _is_item(text, begin, at, of_class, chars, words, state)
    flags = flags_of(text, begin, at, words)
    if not flags & (ALWAYS | UNLESS_STARTER):
        flags = _flags_by_shape(text, begin, at, then, chars, words, state)
    if flags == 0:
        return False
    if flags & ALWAYS:
        return True
    if of_class == DIGIT:
        return flags & BEFORE_DIGIT != 0
    if of_class != UPPER and of_class != LETTER:
        return flags & BEFORE_LOWER != 0
    next_flags = flags_of(text, then, word_end(text, then, chars), words)
    if flags & CLOCK:
        return next_flags & CLOCK_NAME != 0 or _is_opening(text, at, chars, words, state)
    return flags & BEFORE_NAME != 0 and not next_flags & STARTER


@subroutine
def _is_opening(text: U8, at: Int, chars: Classes, words: Words, state: State) -> Bool:
    """Whether the sentence so far says only when: At 5 a.m. Mr. Smith left."""
    first = skip_openers(text, state[START], chars)
    flags = flags_of(text, first, word_end(text, first, chars), words)
    return flags & PREPOSITION != 0 and at - first <= _LONGEST_OPENING


@inlined
def _flags_by_shape(
    text: U8, begin: Int, at: Int, then: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Flags of a word that looks like an abbreviation: an initial, letters with dots."""
    if next_char(text, begin) == at:
        of_class = class_at(text, begin, chars)
        if of_class == UPPER:
            named = _is_initial(text, begin, chars, words, state)
            return np.int64(UNLESS_STARTER if named else 0)
        # Spaced letters with dots: z. B., e. g.
        spaced = of_class == LOWER and is_among(class_at(text, then, chars), LETTERS)
        return np.int64(ALWAYS if spaced and is_at(text, next_char(text, then), DOT) else 0)
    if at - begin <= _LONGEST_UNIT and _is_behind_digit(text, begin, state):
        return np.int64(BEFORE_LOWER)
    while begin < at and is_among(class_at(text, begin, chars), LETTERS):
        begin = next_char(text, begin)
        if text[begin] != DOT:
            return np.int64(0)
        begin += 1
    return np.int64(UNLESS_STARTER if begin > at else 0)


@subroutine
def _is_behind_digit(text: U8, begin: Int, state: State) -> Bool:
    """Whether a number stands before a word: 5 in. by 7 in."""
    end = _before_blanks(text, begin, state)
    return state[START] < end < begin and ZERO <= text[end - 1] <= NINE


@subroutine
def _before_blanks(text: U8, begin: Int, state: State) -> np.int64:
    """Where the text before a word ends, spaces left out."""
    end = np.int64(begin)
    while end > state[START] and text[end - 1] == BLANK_SPACE:
        end -= 1
    return end


@subroutine
def _is_initial(text: U8, begin: Int, chars: Classes, words: Words, state: State) -> Bool:
    """Whether a capital letter is a name's initial, and no label (plan B) nor the pronoun I."""
    end = _before_blanks(text, begin, state)
    before = word_begin(text, end, state[START], chars)
    if begin > state[START] and is_one_of(text[begin - 1], _BEFORE_LABEL):
        return False
    if flags_of(text, before, end, words) & LABEL:
        return False
    return text[begin] != CAPITAL_I or class_at(text, before, chars) == UPPER


@subroutine
def _is_item(
    text: U8, begin: Int, at: Int, of_class: Int, chars: Classes, words: Words, state: State
) -> Bool:
    """Whether a number with a dot counts an item within the sentence: 1. wait or 2. retry."""
    end = _before_blanks(text, begin, state)
    before = word_begin(text, end, state[START], chars)
    flags = flags_of(text, before, end, words)
    if flags & LABEL and before == state[START]:
        # The sentence is a label so far: Step 1. Open the box.
        return class_at(text, before, chars) == UPPER
    if at - begin > 1 or not may_count(text, begin, state):
        return False
    joined = end > state[START] and is_one_of(text[end - 1], _BEFORE_ITEM)
    if joined or flags & JOINT or of_class == LOWER:
        state[COUNTED] = np.int64(text[begin]) - ZERO
        return True
    return False
