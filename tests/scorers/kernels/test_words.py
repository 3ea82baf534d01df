"""Words: where ``str.split()`` finds them, and told apart by their bytes, not by their hashes."""

from __future__ import annotations

import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.scorers.pairs import texts
from tests.scorers.random_pairs import PYTHON_SPACE
from tonelog.scorers.kernels.compiled import U8
from tonelog.scorers.kernels.words import (
    Words,
    find_words,
    number_words,
    table_size,
    white_space,
    without_shared_ends,
)

spaced = st.lists(texts | st.sampled_from(PYTHON_SPACE), max_size=8).map("".join)


def words_of(text: str) -> Words:
    """Find the words of a text."""
    content = as_bytes(text)
    edges = np.empty(len(content) + 1, np.uint32)
    return find_words(content, white_space(), edges, np.empty(len(content), np.uint64))


def as_bytes(text: str) -> U8:
    """Give a text as kernels see it."""
    return np.frombuffer(text.encode(), np.uint8)


def numbers_of(words: Words, known: Words) -> list[list[int]]:
    """Number the words of a text among themselves, and those of another among them."""
    slots = np.zeros(table_size(len(known.hashes)), np.uint32)
    own, other = (np.empty(len(some.hashes), np.uint32) for some in (known, words))
    number_words(known, known, len(known.hashes), slots, own)
    number_words(words, known, 0, slots, other)
    return [own.tolist(), other.tolist()]


def test_all_white_space_of_python_is_in_the_table() -> None:
    spaces = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    assert [chr(code) for code in np.flatnonzero(white_space())] == spaces
    assert sorted(PYTHON_SPACE) == spaces


@given(spaced)
def test_words_are_those_of_split(text: str) -> None:
    found = words_of(text)
    content = bytes(found.text)
    edges = found.edges[: 2 * len(found.hashes)].reshape(-1, 2).tolist()
    assert [content[start:end].decode() for start, end in edges] == text.split()


@given(spaced, spaced)
def test_equal_words_have_one_number_and_others_another(left: str, right: str) -> None:
    own, other = numbers_of(words_of(right), words_of(left))
    known = left.split()
    assert own == [known.index(word) + 1 for word in known]
    assert other == [known.index(word) + 1 if word in known else 0 for word in right.split()]


def test_words_of_one_hash_are_told_apart() -> None:
    known = words_of("nine99999 nine99998 nine9999 nine99999 ninety-nine")
    words = words_of("nine99998 ninety-nine nine99997")
    collided = [some._replace(hashes=np.zeros_like(some.hashes)) for some in (words, known)]
    assert numbers_of(*collided) == [[1, 2, 3, 1, 5], [2, 5, 0]]


@given(spaced, spaced, spaced, spaced)
def test_ends_are_cut_only_with_whole_words(head: str, left: str, right: str, tail: str) -> None:
    texts = head + left + tail, head + right + tail
    cut = without_shared_ends(as_bytes(texts[0]), as_bytes(texts[1]), white_space())
    left_words, right_words = (text.split() for text in texts)
    left_cut, right_cut = (bytes(text).decode().split() for text in cut)
    n_left, n_right = len(left_words) - len(left_cut), len(right_words) - len(right_cut)
    assert n_left == n_right
    # What was cut off may be equal words at several places: one of them has to fit.
    assert any(
        left_words[n : n + len(left_cut)] == left_cut
        and right_words[n : n + len(right_cut)] == right_cut
        and left_words[:n] == right_words[:n]
        and left_words[n + len(left_cut) :] == right_words[n + len(right_cut) :]
        for n in range(n_left + 1)
    )
