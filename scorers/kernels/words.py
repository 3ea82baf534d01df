"""The words of a text, as ``str.split()`` gives them, and which of them are those of another."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .compiled import U8, Int, compiled, inlined
from .utf8 import TWO_BYTES, common_head, common_tail, decode_char, is_inside
from .word_hash import NO_FOLD, hash_word

Numbers = npt.NDArray[np.uint32]
Bits = npt.NDArray[np.uint64]

_LAST_SPACE: Final = 0x3000
_EIGHT: Final = 8


class Words(NamedTuple):
    """The words of a text.

    Attributes:
        text: the text.
        edges: where the first word begins and ends, the second begins, and so on.
        hashes: of each word. Among words of one length, up to eight bytes, only equal ones agree.
    """

    text: U8
    edges: Numbers
    hashes: Bits


@lru_cache(maxsize=1)
def white_space() -> U8:
    """Tell of each character whether ``str.split()`` splits on it; of a later one, it does not."""
    return np.array([chr(code).isspace() for code in range(_LAST_SPACE + 1)], np.uint8)


@compiled
def without_shared_ends(a: U8, b: U8, spaces: U8) -> tuple[U8, U8]:
    """Cut what both texts begin and end with, up to a space in ASCII: it has the same words."""
    head = common_head(a, b)
    if head < max(len(a), len(b)):
        while head > 0 and not _is_ascii_space(a[head - 1], spaces):
            head -= 1
    a, b = a[head:], b[head:]
    tail = common_tail(a, b)
    while tail > 0 and not _is_ascii_space(a[len(a) - tail], spaces):
        tail -= 1
    return a[: len(a) - tail], b[: len(b) - tail]


@inlined
def _is_ascii_space(byte: Int, spaces: U8) -> bool:
    return bool(byte < TWO_BYTES and spaces[byte])


@compiled
def find_words(text: U8, spaces: U8, edges: Numbers, hashes: Bits) -> Words:
    """Find the words of a text; the arrays have room for them."""
    n_edges = np.uint64(0)
    before = np.uint8(1)
    for at in range(len(text)):
        byte = text[at]
        if byte < TWO_BYTES:
            space = spaces[byte]
        elif is_inside(byte):
            space = before
        else:
            character = decode_char(text, at)
            space = spaces[character] if character < len(spaces) else np.uint8(0)
        # Written at each byte, kept at an edge: a branch would be mispredicted at every word.
        edges[n_edges] = at
        n_edges += np.uint64(space ^ before)
        before = space
    edges[n_edges] = len(text)
    n = np.int64(n_edges + np.uint64(1)) >> 1
    for k in range(n):
        hashes[k] = hash_word(text, np.int64(edges[2 * k]), np.int64(edges[2 * k + 1]), NO_FOLD)
    return Words(text, edges, hashes[:n])


@compiled
def table_size(n: Int) -> int:
    """Give a power of two, so large that at most half of the table fills up."""
    size = 2
    while size < 2 * n:
        size *= 2
    return size


@compiled
def number_words(words: Words, known: Words, n_new: Int, slots: Numbers, numbers: Numbers) -> None:
    """Give each word its number among the known ones, from 1; 0 if it is not there.

    Of the words, the first ``n_new`` become known. ``slots`` is the hash table: a word's number
    stands in the first free slot from the one on that its hash names.
    """
    text, edges, hashes = words.text, words.edges, words.hashes
    known_text, known_edges, known_hashes = known.text, known.edges, known.hashes
    mask = np.uint64(len(slots) - 1)
    for k in range(len(hashes)):
        start, end = np.int64(edges[2 * k]), np.int64(edges[2 * k + 1])
        slot = hashes[k] & mask
        number = slots[slot]
        while number > 0:
            if known_hashes[number - np.uint32(1)] == hashes[k]:
                at = np.uint64(2) * np.uint64(number)
                other_end = np.int64(known_edges[at - np.uint64(1)])
                other = np.int64(known_edges[at - np.uint64(2)])
                if other_end - other == end - start and (
                    end - start <= _EIGHT or _is_same(text, start, end, known_text, other)
                ):
                    break
            slot = (slot + np.uint64(1)) & mask
            number = slots[slot]
        if number == 0 and k < n_new:
            number = np.uint32(k + 1)
            slots[slot] = number
        numbers[k] = number


@inlined
def _is_same(text: U8, start: Int, end: Int, other: U8, at: Int) -> bool:
    i = 0
    while i < end - start and text[start + i] == other[at + i]:
        i += 1
    return bool(i == end - start)
