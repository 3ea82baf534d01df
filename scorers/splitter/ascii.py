"""Names of ASCII's marks, and sets of them: kernels take numbers, no strings.

They are numpy's numbers: numba would compile a kernel anew for each plain one that is passed.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import Bool, Int, inlined

TAB: Final = np.int64(ord("\t"))
LINE_FEED: Final = np.int64(ord("\n"))
BLANK_SPACE: Final = np.int64(ord(" "))
DOUBLE_QUOTE: Final = np.int64(ord('"'))
HASH: Final = np.int64(ord("#"))
DOLLAR: Final = np.int64(ord("$"))
APOSTROPHE: Final = np.int64(ord("'"))
LEFT_ROUND: Final = np.int64(ord("("))
RIGHT_ROUND: Final = np.int64(ord(")"))
PLUS: Final = np.int64(ord("+"))
COMMA: Final = np.int64(ord(","))
DASH: Final = np.int64(ord("-"))
DOT: Final = np.int64(ord("."))
SLASH: Final = np.int64(ord("/"))
ZERO: Final = np.int64(ord("0"))
NINE: Final = np.int64(ord("9"))
COLON: Final = np.int64(ord(":"))
LESS: Final = np.int64(ord("<"))
EQUALS: Final = np.int64(ord("="))
GREATER: Final = np.int64(ord(">"))
LEFT_SQUARE: Final = np.int64(ord("["))
RIGHT_SQUARE: Final = np.int64(ord("]"))
GRAVE: Final = np.int64(ord("`"))
LEFT_CURLY: Final = np.int64(ord("{"))
PIPE: Final = np.int64(ord("|"))
RIGHT_CURLY: Final = np.int64(ord("}"))
TILDE: Final = np.int64(ord("~"))
AT: Final = np.int64(ord("@"))
CAPITAL_I: Final = np.int64(ord("I"))
SMALL_A: Final = np.int64(ord("a"))
SMALL_Z: Final = np.int64(ord("z"))
# Makes a capital ASCII letter small.
SMALL: Final = np.int64(0x20)
BEYOND: Final = np.int64(0x80)

_FIRST: Final = 0x20
_BITS: Final = 64


def byte_set(marks: str) -> np.int64:
    """Make a set of bytes from 0x20 to 0x5F, as bits of a signed number."""
    bits = sum(1 << ord(mark) - _FIRST for mark in set(marks))
    return np.int64(bits - (1 << _BITS) if bits >> (_BITS - 1) else bits)


@inlined
def is_one_of(byte: Int, marks: Int) -> Bool:
    """Whether a byte is in a set that ``byte_set`` made."""
    bit = byte - _FIRST
    return 0 <= bit < _BITS and marks >> bit & 1 != 0
