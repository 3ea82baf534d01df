"""Texts in UTF-8 as kernels take them apart: their characters, and the ends that two share."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from .compiled import U8, Int, compiled, inlined, subroutine
from .instructions import element

Characters = npt.NDArray[np.uint32]

# A byte of UTF-8 within a character, and the first bytes of characters of so many bytes, at least.
CONTINUES: Final = 0x80
TWO_BYTES: Final = 0x80
THREE_BYTES: Final = 0xE0
FOUR_BYTES: Final = 0xF0

_KIND: Final = 0xC0
_BEYOND_UTF16: Final = 0x10000
_SURROGATES: Final = (0xD7C0, 0xDC00)


@inlined
def is_inside(byte: Int) -> bool:
    """Whether a byte continues a character."""
    return byte & _KIND == CONTINUES


@inlined
def decode_char(text: U8, at: Int) -> np.int64:
    """Code point of the UTF-8 character that begins at ``at``."""
    first = np.int64(element(text, at))
    if first < TWO_BYTES:
        return first
    second = np.int64(element(text, at + 1)) & 0x3F
    if first < THREE_BYTES:
        return (first & 0x1F) << 6 | second
    third = np.int64(element(text, at + 2)) & 0x3F
    if first < FOUR_BYTES:
        return (first & 0x0F) << 12 | second << 6 | third
    return (first & 0x07) << 18 | second << 12 | third << 6 | np.int64(element(text, at + 3)) & 0x3F


@inlined
def encode_char(char: Int, text: U8, at: Int) -> np.int64:
    """Write a character at ``at``; give the place behind it."""
    if char < 1 << 7:
        text[at] = char
        return np.int64(at + 1)
    size = 2 + (char >= 1 << 11) + (char >= 1 << 16)
    for i in range(size - 1, 0, -1):
        text[at + i] = CONTINUES | char & 0x3F
        char >>= 6
    text[at] = char | 0xF00 >> size & 0xFF
    return np.int64(at + size)


@inlined
def next_char(text: U8, at: Int) -> np.int64:
    """Place of the character behind the one that begins at ``at``."""
    first = element(text, at)
    if first < TWO_BYTES:
        return np.int64(at + 1)
    return np.int64(at + 2 + (first >= THREE_BYTES) + (first >= FOUR_BYTES))


@inlined
def before_char(text: U8, at: Int) -> np.int64:
    """Place of the character that ends before ``at``."""
    at -= 1
    while is_inside(element(text, at)):
        at -= 1
    return np.int64(at)


@subroutine
def is_ascii(text: U8) -> bool:
    """Whether every byte is a character."""
    seen = np.uint8(0)
    for at in range(len(text)):
        seen |= text[at]
    return bool(seen < TWO_BYTES)


@subroutine
def count_characters(text: U8, units: Int) -> np.int64:
    """Count the characters; one beyond U+FFFF as so many ``units``."""
    n = np.int64(0)
    for at in range(len(text)):
        n += not is_inside(text[at])
        n += (units - 1) * (text[at] >= FOUR_BYTES)
    return n


@compiled
def decode(text: U8, units: Int) -> Characters:
    """Give the characters; one beyond U+FFFF as two surrogates, if it is of two ``units``."""
    characters = np.empty(len(text), np.uint32)
    n = 0
    for at in range(len(text)):
        if is_inside(text[at]):
            continue
        character = decode_char(text, at)
        if units > 1 and character >= _BEYOND_UTF16:
            characters[n] = _SURROGATES[0] + (character >> 10)
            character = _SURROGATES[1] | (character & 0x3FF)
            n += 1
        characters[n] = character
        n += 1
    return characters[:n]


@subroutine
def common_head(a: U8, b: U8) -> int:
    """Count the bytes of the longest beginning, of whole characters, that two texts share."""
    shorter = min(len(a), len(b))
    head = 0
    while head < shorter and a[head] == b[head]:
        head += 1
    while 0 < head < shorter and is_inside(a[head]):
        head -= 1
    return head


@subroutine
def common_tail(a: U8, b: U8) -> int:
    """Count the bytes of the longest end, of whole characters, that two texts share."""
    shorter = min(len(a), len(b))
    tail = 0
    while tail < shorter and a[len(a) - 1 - tail] == b[len(b) - 1 - tail]:
        tail += 1
    while tail > 0 and is_inside(a[len(a) - tail]):
        tail -= 1
    return tail
