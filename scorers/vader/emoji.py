"""Emoji to words: VADER reads an emoji as its description."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from ..kernels.compiled import I64, U8, Int, inlined, subroutine
from ..kernels.unicode import Characters, marks_of
from ..kernels.utf8 import TWO_BYTES, decode_char, next_char
from .lexicon import EMOJI

_SPACE: Final = ord(" ")


@inlined
def count_emoji(text: U8, table: Characters) -> np.int64:
    """Count the emoji that VADER knows in a text."""
    seen = np.uint8(0)
    for byte in text:
        seen |= byte
    n_emoji = np.int64(0)
    at = np.int64(0 if seen >= TWO_BYTES else len(text))
    while at < len(text):
        n_emoji += _is_emoji(text, at, table)
        at = next_char(text, at)
    return n_emoji


@subroutine
def describe_emoji(
    text: U8,
    start: Int,
    end: Int,
    table: Characters,
    emoji: npt.NDArray[np.int64],
    descriptions: U8,
    offsets: I64,
    described: U8,
) -> np.int64:
    """Write the text with each emoji's description in its place; give its length in bytes.

    A space goes before a description, unless one is there or the text begins; none goes behind.
    """
    length = np.int64(0)
    before = np.uint8(_SPACE)
    at = np.int64(start)
    while at < end:
        behind = next_char(text, at)
        if _is_emoji(text, at, table):
            if before != _SPACE:
                described[length] = _SPACE
                length += 1
            number = np.searchsorted(emoji, decode_char(text, at))
            for place in range(offsets[number], offsets[number + 1]):
                described[length] = descriptions[place]
                length += 1
        else:
            for place in range(at, behind):
                described[length] = text[place]
                length += 1
        before = text[at]
        at = behind
    return length


@inlined
def _is_emoji(text: U8, at: Int, table: Characters) -> bool:
    return text[at] >= TWO_BYTES and marks_of(decode_char(text, at), table) & EMOJI != 0
