"""The table of known tokens, with words of the tests' own."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
import polars as pl

from tonelog.scorers.compiled import as_texts
from tonelog.scorers.known_tokens import lexicon_of, may_know, meaning_of, mix
from tonelog.scorers.token_sums import kinds_of_bytes


def look_up(tokens: Iterable[str], known: dict[str, int]) -> list[int]:
    """Look each token up, as the token loop does."""
    words = as_texts(pl.Series(list(known), dtype=pl.String))
    lexicon = lexicon_of(words, np.array(list(known.values()), np.int8))
    kinds = kinds_of_bytes("")
    found = []
    for token in tokens:
        data = np.frombuffer(token.encode(), np.uint8)
        key = np.int64(0)
        for byte in data:
            key = mix(key, kinds[byte] & 0xFF)
        found.append(int(meaning_of(data, key, kinds, lexicon)))
        assert may_know(key, lexicon[0]) or token.lower() not in known
    return found


def test_words_of_one_key_are_told_apart() -> None:
    """The key of a token is a polynomial in 33 over its bytes: 33 * 97 + 124 = 33 * 98 + 91."""
    assert look_up(["a|", "b[", "B[", "A|"], {"a|": 2}) == [2, 0, 0, 2]
    assert look_up(["a|", "b[", "B[", "A|"], {"a|": 2, "b[": 3}) == [2, 3, 3, 2]


def test_a_word_is_as_long_as_it_is() -> None:
    known = {"a": 2, "\x00": 4}
    assert look_up(["a", "aa", "\x00a", "a\x00", "\x00", ""], known) == [2, 0, 0, 0, 4, 0]


def test_words_that_share_slots_are_told_apart() -> None:
    """Half of all words of up to four letters, in a table of 64 places."""
    words = ["".join(word) for n in range(1, 5) for word in product("ab", repeat=n)]
    known = {word: 1 + k for k, word in enumerate(words[::2])}
    assert look_up(words, known) == [known.get(word, 0) for word in words]


def test_nothing_is_known_of_no_words() -> None:
    assert look_up(["a", ""], {}) == [0, 0]
