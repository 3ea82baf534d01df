"""Markers of list items, for kernels: at the beginning of a line, and run together on one."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Bool, Int, subroutine
from ..kernels.utf8 import decode_char, next_char
from .ascii import (
    BLANK_SPACE,
    DOT,
    LEFT_SQUARE,
    RIGHT_ROUND,
    RIGHT_SQUARE,
    SMALL,
    ZERO,
    byte_set,
    is_one_of,
)
from .characters import LOWER, NEWLINE, UPPER, Classes
from .cursor import (
    back_over_space,
    class_at,
    digits_end,
    is_at,
    is_break,
    is_char,
    skip_space,
    word_begin,
)
from .state import (
    BODY,
    COUNTED,
    NONE,
    NUMBER,
    START,
    STYLE,
    Found,
    State,
    emit,
    in_sentence,
)
from .vocabulary import BULLET, LABEL
from .word_flags import Words, flags_of

SECTION_DIGITS: Final = np.int64(3)
INLINE_DIGITS: Final = np.int64(1)
_ROMAN: Final = byte_set("IVX")
LONGEST_NUMBER: Final = 3


@subroutine
def number_end(text: U8, at: Int, longest: Int) -> np.int64:
    """Where a list item's number ends, mark included (1. 2) 3.) 4.1.); ``at`` if there is none.

    Args:
        text: the text.
        at: where the number begins.
        longest: most digits of the parts behind the first: within a line, 3.14. is no number.
    """
    end = digits_end(text, at)
    if end == at or end - at > LONGEST_NUMBER:
        return np.int64(at)
    while is_at(text, end, DOT):
        part = digits_end(text, end + 1)
        if part == end + 1 or part - end > longest + 1:
            break
        end = part
    mark = end
    if is_at(text, end, DOT):
        end += 1
    if is_at(text, end, RIGHT_ROUND):
        end += 1
    return np.int64(at if end == mark else end)


@subroutine
def number_at(text: U8, first: Int, end: Int) -> np.int64:
    """Read the digits in [first, end)."""
    number = np.int64(0)
    for i in range(first, end):
        number = number * 10 + np.int64(text[i]) - ZERO
    return number


@subroutine
def may_count(text: U8, first: Int, state: State) -> Bool:
    """Whether a number within a line can be a list's: the first one, the next, or a section's."""
    end = digits_end(text, first)
    number = number_at(text, first, end)
    if is_at(text, end, DOT) and digits_end(text, end + 1) > end + 1:
        return True
    return number == 1 or number == state[COUNTED] + 1


@subroutine
def set_number(text: U8, first: Int, end: Int, state: State) -> None:
    """Keep a list item's number and mark, by which a list run together on a line is told."""
    digits = digits_end(text, first)
    state[NUMBER] = number_at(text, first, digits)
    state[COUNTED] = state[NUMBER]
    # Of the two bytes of .) the first.
    state[STYLE] = np.int64(text[digits]) if end == digits + 1 else np.int64(DOT)


@subroutine
def pass_marker(text: U8, at: Int, chars: Classes, state: State) -> None:
    """Let the words begin behind a marker, which ends at ``at``, and a box or number there."""
    at = skip_space(text, at, chars)
    if is_at(text, at, LEFT_SQUARE) and is_at(text, at + 2, RIGHT_SQUARE):
        at += 3
    end = number_end(text, at, SECTION_DIGITS)
    state[BODY] = end if is_break(text, end, chars) else at


@subroutine
def is_letter_mark(text: U8, first: Int, end: Int, chars: Classes, state: State) -> Bool:
    """Whether a line begins with a lettered mark: a. b) A. iv."""
    if not (is_at(text, end, DOT) or is_at(text, end, RIGHT_ROUND)):
        return False
    if class_at(text, end + 1, chars) == NEWLINE or not is_break(text, end + 1, chars):
        return False
    if end - first == 1:
        # In the middle of a sentence, a capital and a dot are an initial.
        initial = class_at(text, first, chars) == UPPER and is_at(text, end, DOT)
        return not (initial and in_sentence(state))
    roman = first
    while roman < end and is_one_of(text[roman] ^ SMALL, _ROMAN):
        roman += 1
    return roman == end


@subroutine
def is_bullet_again(text: U8, at: Int, words: Words, state: State) -> Bool:
    """Whether the bullet that the sentence begins with stands here again."""
    if at == state[START] or text[at - 1] != BLANK_SPACE:
        return False
    if not is_char(text, state[START], decode_char(text, at)):
        return False
    return flags_of(text, at, next_char(text, at), words) & BULLET != 0


@subroutine
def is_next_item(text: U8, at: Int, end: Int, chars: Classes, words: Words, state: State) -> Bool:
    """Whether the next item of a list that was run together on a line has its mark here."""
    if state[NUMBER] == NONE or state[STYLE] != text[at]:
        return False
    begin = word_begin(text, at, state[START], chars)
    if begin <= state[START] or text[begin - 1] != BLANK_SPACE or not is_at(text, end, BLANK_SPACE):
        return False
    number = np.int64(text[begin])
    if digits_end(text, begin) == at and at - begin <= LONGEST_NUMBER:
        number = number_at(text, begin, at)
    elif at - begin > 1:
        return False
    if number != state[NUMBER] + 1 or class_at(text, end + 1, chars) != UPPER:
        return False
    before = word_begin(text, begin - 1, state[START], chars)
    return (
        text[at] != DOT
        or end > at + 1
        or (
            class_at(text, before, chars) == LOWER
            and not flags_of(text, before, begin - 1, words) & LABEL
        )
    )


@subroutine
def begin_item(text: U8, at: Int, end: Int, chars: Classes, state: State, found: Found) -> np.int64:
    """End the sentence before the mark of a list's next item, and begin the item."""
    begin = word_begin(text, at, state[START], chars)
    emit(state[START], back_over_space(text, state[START], begin, chars), state, found)
    state[START] = begin
    state[BODY] = end
    state[NUMBER] += 1
    return np.int64(end)
