"""Hashes of words: what counts, and what does not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tonelog.scorers.kernels.word_hash import FOLD_CASE, NO_FOLD, eight_bytes, hash_word

WORDS = [
    b"".join(word) for n in range(4) for word in product((b"a", b"B", b"\0", b"\xc3"), repeat=n)
]


def hashed(word: bytes, fold: int = NO_FOLD, *, before: bytes = b"", behind: bytes = b"") -> int:
    text = np.frombuffer(before + word + behind, np.uint8)
    return int(hash_word(text, len(before), len(before) + len(word), fold))


def test_bytes_are_loaded_up_to_the_end_and_no_further() -> None:
    text = np.frombuffer(b"abcdefghijkl", np.uint8)
    for at, end in product(range(12), range(13)):
        if at < end:
            expected = int.from_bytes(bytes(text[at : min(end, at + 8)]), "little")
            assert eight_bytes(text, at, end) == expected


@pytest.mark.parametrize("fold", [NO_FOLD, FOLD_CASE])
@pytest.mark.parametrize("word", [b"", b"a", b"good", b"eight888", b"nine99999", b"a" * 40])
def test_hash_is_of_the_word_alone(word: bytes, fold: int) -> None:
    expected = hashed(word, fold)
    for before, behind in product((b"", b"x", b"x" * 9), (b"", b"y", b"y" * 9)):
        assert hashed(word, fold, before=before, behind=behind) == expected


def test_short_words_with_the_same_hash_are_equal() -> None:
    by_length: dict[int, list[bytes]] = {}
    for word in WORDS:
        by_length.setdefault(len(word), []).append(word)
    for words in by_length.values():
        assert len({hashed(word) for word in words}) == len(words)


def test_each_byte_of_a_long_word_counts() -> None:
    word = bytes(range(64, 64 + 33))
    changed = {hashed(word[:i] + b"!" + word[i + 1 :]) for i in range(len(word))}
    assert len(changed | {hashed(word)}) == len(word) + 1


def test_any_case_takes_capitals_as_small_letters() -> None:
    for word in (b"good", b"goodness", b"Goodness!", b"The goodness of them"):
        assert hashed(word, FOLD_CASE) == hashed(word.upper(), FOLD_CASE)
        assert hashed(word) != hashed(word.upper())
    assert hashed(b"good", FOLD_CASE) != hashed(b"goad", FOLD_CASE)
