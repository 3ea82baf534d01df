"""What each character is to the splitter: one class per code point, as a table for kernels."""
# ruff: noqa: RUF001 - marks of other scripts are what it is about

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

Classes = npt.NDArray[np.uint8]

OTHER: Final = 0
SPACE: Final = 1
NEWLINE: Final = 2
LOWER: Final = 3
UPPER: Final = 4
# A letter of a script without case.
LETTER: Final = 5
DIGIT: Final = 6
OPEN: Final = 7
CLOSE: Final = 8
# A mark that both opens and closes: " ' `.
QUOTE: Final = 9
# Ends a sentence before white space.
STOP: Final = 10
# Ends a sentence whatever follows.
FULL_STOP: Final = 11
ELLIPSIS: Final = 12
EMOJI: Final = 13
MARKUP: Final = 14
# Belongs to what stands before it: a combining mark, the joints of an emoji, a superscript.
JOINED: Final = 15


# The lower four bits of a table's entry are its class, the upper four tell which pair it is of.
def class_set(*classes: int) -> np.int64:
    """Make a set of classes, as bits of a number."""
    return np.int64(sum(1 << of_class for of_class in classes))


WHITE: Final = class_set(SPACE, NEWLINE)
LETTERS: Final = class_set(LOWER, UPPER, LETTER)
ALNUM: Final = LETTERS | class_set(DIGIT)
STOPS: Final = class_set(STOP, FULL_STOP, ELLIPSIS)

CLASS_BITS: Final = 15
PAIR_SHIFT: Final = 4
PAIR_BITS: Final = 15

# Characters beyond ASCII that are looked for by themselves.
WIDE_COLON: Final = np.int64(0xFF1A)
WIDE_COMMA: Final = np.int64(0x3001)
WIDE_PARENTHESIS: Final = np.int64(0xFF09)
# Makes an emoji of a digit.
EMOJI_STYLE: Final = np.int64(0xFE0F)

_PAIRS: Final = ("()", "[]", "{}", "（）", "【】", "“”", "‘’", "«»", "‹›", "「」", "『』", "《》")
_QUOTES: Final = "\"'`"
SQUARE: Final = 2
CURLY: Final = 3
# What stands within one of the pairs up to this one is a part of the sentence around it.
LAST_BRACKET: Final = 5
CURVED_SINGLE: Final = 7
STRAIGHT_DOUBLE: Final = 13
STRAIGHT_SINGLE: Final = 14
BACKTICK: Final = 15

_WHITE_SPACE: Final = (
    "\t\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_MARKS: Final = {
    SPACE: _WHITE_SPACE,
    NEWLINE: "\n",
    STOP: ".!?‽",
    FULL_STOP: "。！？｡‼⁇⁈⁉؟۔।॥։።፧។៕။",
    ELLIPSIS: "…",
    MARKUP: "*_~",
    JOINED: "⁰¹²³⁴⁵⁶⁷⁸⁹°†‡\ufe0e\ufe0f\u200d\u20e3",
    OPEN: "„¿¡",
}
# Ranges of code points, both ends included. Later ones win.
_RANGES: Final = (
    (LETTER, 0x3005, 0x3007),
    (LETTER, 0x3041, 0xD7FF),
    (LETTER, 0xF900, 0xFDFF),
    (LETTER, 0xFE70, 0xFEFC),
    (LETTER, 0xFF66, 0xFFDC),
    (LETTER, 0x10000, 0x1CFFF),
    (LETTER, 0x1E000, 0x1EFFF),
    (LETTER, 0x20000, 0x3FFFF),
    (EMOJI, 0x231A, 0x231B),
    (EMOJI, 0x23E9, 0x23FA),
    (EMOJI, 0x2600, 0x2767),
    (EMOJI, 0x27A1, 0x27A1),
    (EMOJI, 0x2B1B, 0x2B1C),
    (EMOJI, 0x2B50, 0x2B55),
    (EMOJI, 0x1F000, 0x1FAFF),
    (JOINED, 0x0300, 0x036F),
    (JOINED, 0xE0020, 0xE007F),
)
# Where letters with case, and digits, stand among others.
_ALPHABETS: Final = (
    (0x0000, 0x2FFF),
    (0xA640, 0xA7FF),
    (0xAB30, 0xABBF),
    (0xFB00, 0xFB17),
    (0xFF10, 0xFF5A),
    (0x10400, 0x104FF),
    (0x1E900, 0x1E943),
)
_N_CODES: Final = 0x110000


@lru_cache(maxsize=1)
def char_classes() -> Classes:
    """Make the table of classes (and pairs) of all code points."""
    classes = np.zeros(_N_CODES, np.uint8)
    for of_class, first, last in _RANGES:
        classes[first : last + 1] = of_class
    for first, last in _ALPHABETS:
        for code in range(first, last + 1):
            classes[code] = _class_of_letter(chr(code)) or classes[code]
    for of_class, marks in _MARKS.items():
        classes[[ord(mark) for mark in marks]] = of_class
    for pair, (opener, closer) in enumerate(map(tuple, _PAIRS), start=1):
        classes[ord(opener)] = OPEN | pair << PAIR_SHIFT
        classes[ord(closer)] = CLOSE | pair << PAIR_SHIFT
    for pair, mark in enumerate(_QUOTES, start=len(_PAIRS) + 1):
        classes[ord(mark)] = QUOTE | pair << PAIR_SHIFT
    classes.flags.writeable = False
    return classes


@lru_cache(maxsize=1)
def special_bytes() -> Classes:
    """Make the table of bytes at which a sentence can end, or a pair begin or end; 0 for others.

    A byte that begins a character of more bytes counts if any such character does.
    """
    special = np.zeros(256, np.uint8)
    kinds = (NEWLINE, OPEN, CLOSE, QUOTE, STOP, FULL_STOP, ELLIPSIS)
    for code in np.flatnonzero(np.isin(char_classes() & CLASS_BITS, kinds)):
        special[chr(code).encode()[0]] = 1
    # A tag, and the bullets of a list that was run together.
    special[[ord("<"), "•".encode()[0]]] = 1
    special.flags.writeable = False
    return special


def _class_of_letter(char: str) -> int:
    if char.isdecimal():
        return DIGIT
    if char.isupper() or char.istitle():
        return UPPER
    if char.islower():
        return LOWER
    return LETTER if char.isalpha() else OTHER
