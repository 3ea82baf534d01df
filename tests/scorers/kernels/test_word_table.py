"""The table of words, with words of the tests' own."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random

import numpy as np
import polars as pl

from tonelog.scorers.kernels.compiled import as_texts
from tonelog.scorers.kernels.word_hash import FOLD_CASE, hash_word
from tonelog.scorers.kernels.word_table import find_word, make_slots

FIRST = 2
# Pairs whose hashes have the same upper half, which is all that a slot keeps of one.
ALIKE = (
    ("ecjglynso", "rzwajsgho"),
    ("ipnonqdpa", "vkflkuskh"),
    ("layfsjvxs", "kwsnyqjof"),
    ("swbszduva", "tescfvqpc"),
)


def codes_of(known: Iterable[str], asked: Iterable[str]) -> list[int]:
    """Look words up in a table; codes begin behind two that are left out, and 0 is unknown."""
    keys = as_texts(pl.Series(["left", "out", *known]))
    slots, sieve = make_slots(keys, FIRST)
    assert len(slots) > 2 * (len(keys.offsets) - 1)
    found = []
    for word in asked:
        # Bytes on both sides, which are none of the word's.
        data = f"a{word}a".encode()
        text = np.frombuffer(data, np.uint8)
        end = len(data) - 1
        found.append(int(find_word(text, 1, end, slots, sieve, keys.bytes, keys.offsets)))
    return found


def test_words_are_found_by_their_places() -> None:
    known = ["good", "bad", ":)", "\u00e9t\u00e9", "a", "good\u0301"]
    assert codes_of(known, known) == [2, 3, 4, 5, 6, 7]
    near = ["goo", "oods", "gooda", "agood", "", ":", "\u00e9t", "left", "out", "\u00c9T\u00c9"]
    assert codes_of(known, near) == [0] * len(near)


def test_ascii_letters_are_found_in_any_case() -> None:
    assert codes_of(["good", ":d"], ["GOOD", "gOod", ":D"]) == [2, 2, 3]
    # But a key in capitals is never found, as no word in lower case is equal to it.
    assert codes_of([":D", "Good"], [":D", ":d", "Good", "good"]) == [0, 0, 0, 0]


def test_punctuation_is_not_folded_as_letters_are() -> None:
    assert codes_of(["@a", "[b"], ["`a", "@A", "{b", "[B"]) == [0, 2, 0, 3]


def test_a_word_is_as_long_as_it_is() -> None:
    asked = ["a", "aa", "\x00a", "a\x00", "\x00", ""]
    assert codes_of(["a", "\x00"], asked) == [2, 0, 0, 0, 3, 0]


def test_nothing_is_found_in_a_table_of_no_words() -> None:
    assert codes_of([], ["a", "", "left"]) == [0, 0, 0]


def test_words_of_one_hash_are_told_apart() -> None:
    for first, second in ALIKE:
        assert upper_half(first) == upper_half(second)
        assert codes_of([first], [first, second]) == [2, 0]
        assert codes_of([second, first], [first, second]) == [3, 2]
    several = [word for pair in ALIKE for word in pair]
    assert codes_of(several, several) == list(range(2, 10))


def upper_half(word: str) -> int:
    data = np.frombuffer(word.encode(), np.uint8)
    return int(hash_word(data, 0, len(data), FOLD_CASE)) >> 32


def test_sieve_lets_few_of_the_unknown_through() -> None:
    words = ["".join(word) for word in product("abcdef", repeat=6)]
    Random(5).shuffle(words)  # noqa: S311 - the same order in every run
    known, unknown = words[:9_000], words[9_000:]
    _, sieve = make_slots(as_texts(pl.Series(["left", "out", *known])), FIRST)
    bits = np.unpackbits(sieve.view(np.uint8), bitorder="little")

    def passes(word: str) -> bool:
        data = np.frombuffer(word.encode(), np.uint8)
        return bool(bits[int(hash_word(data, 0, len(data), FOLD_CASE)) % len(bits)])

    assert all(map(passes, known))
    assert np.mean([passes(word) for word in unknown]) < 1 / 16


def test_all_of_many_words_are_found_and_no_others() -> None:
    words = ["".join(word) for n in range(1, 7) for word in product("abcd_", repeat=n)]
    Random(4).shuffle(words)  # noqa: S311 - the same order in every run
    known, unknown = words[:9_000], words[9_000:]
    assert codes_of(known, known) == list(range(2, 9_002))
    assert not any(codes_of(known, unknown))
