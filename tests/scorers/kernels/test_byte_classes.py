"""Marks of bytes, 64 at a time, beside Python's own word about each byte."""

from __future__ import annotations

import string
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from tonelog.scorers.kernels import byte_classes as blocks
from tonelog.scorers.kernels.byte_classes import (
    BLOCK,
    bits_from,
    count_kind,
    mark_blocks,
    n_numbers,
)

KINDS: dict[int, Callable[[int], bool]] = {
    blocks.SPACES: lambda byte: chr(byte).isspace() and byte < 128,
    blocks.PUNCTUATIONS: lambda byte: chr(byte) in string.punctuation,
    blocks.UPPERS: lambda byte: chr(byte) in string.ascii_uppercase,
    blocks.LOWERS: lambda byte: chr(byte) in string.ascii_lowercase,
    blocks.WIDE: lambda byte: byte >= 128,
    blocks.APOSTROPHES: lambda byte: byte == ord("'"),
    blocks.EXCLAMATIONS: lambda byte: byte == ord("!"),
    blocks.QUESTIONS: lambda byte: byte == ord("?"),
}
ALL_BYTES = bytes(range(256))


def marked(content: bytes, start: int, end: int) -> blocks.Blocks:
    """Mark a text in room that is full of other bits."""
    numbers = np.full(n_numbers(end - start), 0x5555555555555555, np.uint64)
    padded = np.full(BLOCK, ord("?"), np.uint8)
    mark_blocks(np.frombuffer(content, np.uint8), start, end, padded, numbers)
    return numbers


def expected_bits(content: bytes, kind: int, at: int) -> int:
    """Give what each of the 64 bytes from a place on is; behind the text there is space."""
    window = content[at : at + BLOCK]
    bits = [KINDS[kind](byte) for byte in window] + [kind == blocks.SPACES] * (BLOCK - len(window))
    return sum(bit << i for i, bit in enumerate(bits))


def test_there_is_a_number_for_each_kind() -> None:
    assert sorted(KINDS) == list(range(blocks.N_KINDS))


@pytest.mark.parametrize("kind", KINDS)
def test_each_byte_is_what_python_says(kind: int) -> None:
    numbers = marked(ALL_BYTES, 0, 256)
    for at in range(256):
        assert bits_from(numbers, kind, at) == expected_bits(ALL_BYTES, kind, at)


@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 127, 128, 129, 200])
@pytest.mark.parametrize("start", [0, 1, 30])
@pytest.mark.parametrize("behind", [0, 1, 63, 64, 100])
def test_what_lies_around_a_text_is_none_of_its(size: int, start: int, behind: int) -> None:
    rng = Random(size)  # noqa: S311 - the same bytes in every run
    text = bytes(rng.choices(b"aB.'!? \t\xc3", k=size))
    numbers = marked(b"!" * start + text + b"?" * behind, start, start + size)
    for kind, is_kind in KINDS.items():
        for at in range(size):
            assert bits_from(numbers, kind, at) == expected_bits(text, kind, at)
        if kind != blocks.SPACES:
            assert count_kind(numbers, kind, size) == sum(map(is_kind, text))


def test_an_empty_text_is_space() -> None:
    numbers = marked(b"", 0, 0)
    assert [int(bits_from(numbers, kind, 0)) for kind in KINDS] == [(1 << 64) - 1, *[0] * 7]
    assert count_kind(numbers, blocks.EXCLAMATIONS, 0) == 0
