"""Names of ASCII's marks, and sets of them: kernels take numbers, no strings."""

from __future__ import annotations

from typing import Final

from tonelog.scorers.compiled import Int, compiled

TAB: Final = ord("\t")
LINE_FEED: Final = ord("\n")
BLANK_SPACE: Final = ord(" ")
DOUBLE_QUOTE: Final = ord('"')
HASH: Final = ord("#")
DOLLAR: Final = ord("$")
APOSTROPHE: Final = ord("'")
LEFT_ROUND: Final = ord("(")
RIGHT_ROUND: Final = ord(")")
PLUS: Final = ord("+")
COMMA: Final = ord(",")
DASH: Final = ord("-")
DOT: Final = ord(".")
SLASH: Final = ord("/")
ZERO: Final = ord("0")
NINE: Final = ord("9")
COLON: Final = ord(":")
LESS: Final = ord("<")
EQUALS: Final = ord("=")
GREATER: Final = ord(">")
LEFT_SQUARE: Final = ord("[")
RIGHT_SQUARE: Final = ord("]")
GRAVE: Final = ord("`")
LEFT_CURLY: Final = ord("{")
PIPE: Final = ord("|")
RIGHT_CURLY: Final = ord("}")
TILDE: Final = ord("~")
CAPITAL_I: Final = ord("I")
SMALL_A: Final = ord("a")
SMALL_Z: Final = ord("z")
# Makes a capital ASCII letter small.
SMALL: Final = 0x20
BEYOND: Final = 0x80

_FIRST: Final = 0x20
_BITS: Final = 64


def byte_set(marks: str) -> int:
    """Make a set of bytes from 0x20 to 0x5F, as bits of a signed number."""
    bits = sum(1 << ord(mark) - _FIRST for mark in set(marks))
    return bits - (1 << _BITS) if bits >> (_BITS - 1) else bits


@compiled
def is_one_of(byte: Int, marks: Int) -> bool:
    """Whether a byte is in a set that ``byte_set`` made."""
    bit = byte - _FIRST
    return 0 <= bit < _BITS and marks >> bit & 1 != 0
