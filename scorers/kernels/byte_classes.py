"""Texts 64 bytes at a time: what each byte is, as numbers with a bit for each byte.

One instruction compares many bytes, and a word's end is then found by counting zeros: without a
branch for each byte, which a processor often guesses wrong.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from .compiled import U8, Int, inlined, subroutine
from .instructions import bytes_between, count_ones, element
from .utf8 import TWO_BYTES

Blocks = npt.NDArray[np.uint64]

BLOCK: Final = 64
N_KINDS: Final = 8

# What a byte is: its place among the numbers of a block.
SPACES: Final = 0
"""White space in ASCII, as Python has it; so is what lies behind the text."""
PUNCTUATIONS: Final = 1
"""Punctuation in ASCII."""
UPPERS: Final = 2
LOWERS: Final = 3
WIDE: Final = 4
"""A part of a character that is not ASCII."""
APOSTROPHES: Final = 5
EXCLAMATIONS: Final = 6
QUESTIONS: Final = 7


@inlined
def n_numbers(length: Int) -> np.int64:
    """Count the numbers that a text of so many bytes takes, with a block behind it."""
    return np.int64(N_KINDS * (length // BLOCK + 2))


@subroutine
def mark_blocks(text: U8, start: Int, end: Int, padded: U8, blocks: Blocks) -> None:
    """Mark the bytes from ``start`` to ``end``; ``padded`` is room for a block."""
    base = np.int64(0)
    for at in range(start, end, BLOCK):
        if at + BLOCK <= len(text):
            _mark(text, at, end - at, blocks, base)
        else:
            for i in range(len(text) - at):
                padded[i] = text[at + i]
            _mark(padded, 0, end - at, blocks, base)
        base += N_KINDS
    blocks[base : base + N_KINDS] = 0
    blocks[base + SPACES] = ~np.uint64(0)


@inlined
def _mark(text: U8, at: Int, n: Int, blocks: Blocks, base: Int) -> None:
    """Mark the block that begins at ``at``; of n bytes, if that is less than a block."""
    own = ~np.uint64(0) >> np.uint64(max(0, BLOCK - n))
    space = bytes_between(text, at, ord("\t"), ord("\r")) | bytes_between(text, at, 0x1C, ord(" "))
    upper = bytes_between(text, at, ord("A"), ord("Z"))
    lower = bytes_between(text, at, ord("a"), ord("z"))
    digit = bytes_between(text, at, ord("0"), ord("9"))
    graphic = bytes_between(text, at, ord("!"), ord("~"))
    wide = bytes_between(text, at, TWO_BYTES, 0xFF)
    apostrophe = bytes_between(text, at, ord("'"), ord("'"))
    exclamation = bytes_between(text, at, ord("!"), ord("!"))
    question = bytes_between(text, at, ord("?"), ord("?"))
    blocks[base + SPACES] = space | ~own
    blocks[base + PUNCTUATIONS] = graphic & ~(upper | lower | digit) & own
    blocks[base + UPPERS] = upper & own
    blocks[base + LOWERS] = lower & own
    blocks[base + WIDE] = wide & own
    blocks[base + APOSTROPHES] = apostrophe & own
    blocks[base + EXCLAMATIONS] = exclamation & own
    blocks[base + QUESTIONS] = question & own


@inlined
def bits_from(blocks: Blocks, kind: Int, at: Int) -> np.uint64:
    """Which of the 64 bytes from a place of the text on are of a kind: the lowest bit is first."""
    place = N_KINDS * (at >> 6) + kind
    shift = np.uint64(at & BLOCK - 1)
    first, second = element(blocks, place), element(blocks, place + N_KINDS)
    return np.uint64(first >> shift | second << np.uint64(1) << np.uint64(BLOCK - 1) - shift)


@subroutine
def count_kind(blocks: Blocks, kind: Int, length: Int) -> np.int64:
    """Count the bytes of a kind in a text of so many bytes."""
    n = np.int64(0)
    for place in range(kind, kind + N_KINDS * ((length + BLOCK - 1) // BLOCK), N_KINDS):
        n += count_ones(element(blocks, place))
    return n
