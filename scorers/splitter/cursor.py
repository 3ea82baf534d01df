"""Small steps through a text's bytes, for kernels: characters, white space, words."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Bool, Int, inlined, subroutine
from ..kernels.instructions import element
from ..kernels.utf8 import before_char, decode_char, next_char
from .ascii import BEYOND, DOT, LINE_FEED, NINE, ZERO
from .characters import (
    ALNUM,
    CLASS_BITS,
    JOINED,
    LETTERS,
    MARKUP,
    NEWLINE,
    OPEN,
    QUOTE,
    SPACE,
    WHITE,
    Classes,
    class_set,
)

_OPENERS: Final = class_set(OPEN, QUOTE, MARKUP)
_IN_WORD: Final = LETTERS | class_set(JOINED)
LONGEST_ABBREVIATION: Final = 16
"""In characters."""
_LONGEST_WORD: Final = 4 * LONGEST_ABBREVIATION


@inlined
def next_special(text: U8, at: Int, special: Classes) -> np.int64:
    """Find the next byte that may end something."""
    while at < len(text) and not element(special, np.int64(element(text, at))):
        at += 1
    return np.int64(at)


@inlined
def entry_at(text: U8, at: Int, chars: Classes) -> np.int64:
    """Class and pair of the character that begins at ``at``."""
    if element(text, at) < BEYOND:
        return np.int64(element(chars, element(text, at)))
    return np.int64(element(chars, decode_char(text, at)))


@inlined
def class_at(text: U8, at: Int, chars: Classes) -> np.int64:
    """Class of the character that begins at ``at``; that of a line break at the end."""
    if at >= len(text):
        return np.int64(NEWLINE)
    return entry_at(text, at, chars) & CLASS_BITS


@inlined
def skip_space(text: U8, at: Int, chars: Classes) -> np.int64:
    """Pass over white space, up to the end of the line."""
    while at < len(text) and class_at(text, at, chars) == SPACE:
        at = next_char(text, at)
    return np.int64(at)


@subroutine
def back_over_space(text: U8, begin: Int, end: Int, chars: Classes) -> np.int64:
    """Where the text in [begin, end) ends without its trailing white space."""
    while end > begin:
        last = before_char(text, end)
        if not is_among(class_at(text, last, chars), WHITE):
            break
        end = last
    return np.int64(end)


@subroutine
def line_end(text: U8, at: Int) -> np.int64:
    """Where the line ends: its line feed, or the end of the text."""
    i = np.uint64(at)
    end = np.uint64(len(text))
    while i < end and element(text, i) != LINE_FEED:
        i += np.uint64(1)
    return np.int64(i)


@inlined
def follower(text: U8, at: Int, chars: Classes) -> np.int64:
    """Where the text goes on behind white space; its end if a blank line comes first."""
    at = skip_space(text, at, chars)
    if at < len(text) and element(text, at) == LINE_FEED:
        at = skip_space(text, at + 1, chars)
        if at < len(text) and element(text, at) == LINE_FEED:
            return np.int64(len(text))
    return np.int64(at)


@inlined
def skip_openers(text: U8, at: Int, chars: Classes) -> np.int64:
    """Pass over marks that may stand before a word: quotes, brackets, markup."""
    while is_among(class_at(text, at, chars), _OPENERS):
        at = next_char(text, at)
    return np.int64(at)


@inlined
def is_among(of_class: Int, classes: Int) -> Bool:
    """Whether a class is in a set that ``class_set`` made."""
    return classes >> of_class & 1 != 0


@inlined
def word_begin(text: U8, at: Int, least: Int, chars: Classes) -> np.int64:
    """Where the word that ends at ``at`` begins: letters, digits and dots; not before ``least``."""
    least = max(least, at - _LONGEST_WORD)
    begin = at
    while begin > least:
        last = element(text, begin - 1)
        if last < BEYOND:
            if not is_among(np.int64(element(chars, last)), ALNUM) and last != DOT:
                break
            begin -= 1
        else:
            before = before_char(text, begin)
            of_class = class_at(text, before, chars)
            if before < least or not is_among(of_class, _IN_WORD):
                break
            begin = before
    while begin < at and element(text, begin) == DOT:
        begin += 1
    return np.int64(begin)


@inlined
def word_end(text: U8, at: Int, chars: Classes) -> np.int64:
    """Where the word of letters that begins at ``at`` ends."""
    most = min(len(text), at + _LONGEST_WORD)
    while at < most and is_among(class_at(text, at, chars), LETTERS):
        at = next_char(text, at)
    return np.int64(at)


@inlined
def is_at(text: U8, at: Int, byte: Int) -> Bool:
    """Whether the byte at ``at`` is this one; no at the end."""
    return at < len(text) and element(text, at) == byte


@subroutine
def is_char(text: U8, at: Int, code: Int) -> Bool:
    """Whether the character beyond ASCII at ``at`` is this one; no at the end."""
    return at < len(text) and element(text, at) >= BEYOND and decode_char(text, at) == code


@inlined
def run_end(text: U8, at: Int, byte: Int) -> np.int64:
    """Where a run of one byte ends."""
    while at < len(text) and element(text, at) == byte:
        at += 1
    return np.int64(at)


@inlined
def digits_end(text: U8, at: Int) -> np.int64:
    """Where a run of ASCII digits ends."""
    while at < len(text) and ZERO <= element(text, at) <= NINE:
        at += 1
    return np.int64(at)


@inlined
def is_break(text: U8, at: Int, chars: Classes) -> Bool:
    """Whether there is white space at ``at``, or the end."""
    return is_among(class_at(text, at, chars), WHITE)
