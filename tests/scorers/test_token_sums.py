"""The kernels that cut tokens and look them up, with a lexicon of the tests' own."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

from tonelog.scorers.compiled import as_texts
from tonelog.scorers.token_sums import kinds_of_bytes, lexicon_of, sentence_moments


def moments(
    texts: list[str], meanings: dict[str, int], stops: str = ".!?"
) -> list[tuple[float, ...]]:
    """Give mean, variance, number of sentences and of charged ones of each text."""
    lexicon = lexicon_of(
        as_texts(pl.Series(list(meanings), dtype=pl.String)),
        np.array(list(meanings.values()), np.int8),
    )
    series = pl.Series(texts, dtype=pl.String)
    columns = sentence_moments(*as_texts(series), kinds_of_bytes(stops), lexicon)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_words_of_one_key_are_told_apart() -> None:
    """The key of a token is a polynomial in 33 over its bytes: 33 * 97 + 124 = 33 * 98 + 91."""
    assert moments(["a|", "b[", "B[", "A|"], {"a|": 2}, stops="") == [
        (1.0, 0.0, 1, 1),
        (0.0, 0.0, 1, 0),
        (0.0, 0.0, 1, 0),
        (1.0, 0.0, 1, 1),
    ]
    assert moments(["a|", "b["], {"a|": 2, "b[": 4}, stops="")[1] == (2.0, 0.0, 1, 1)


def test_a_word_is_no_longer_than_its_bytes() -> None:
    found = moments(["a", "aa", "\x00a", "a\x00", "\x00", ""], {"a": 2, "\x00": 4}, stops="")
    assert [mean for mean, *_ in found] == [1.0, 0.0, 0.0, 0.0, 2.0, 0.0]


def test_words_that_share_slots_are_told_apart() -> None:
    """Half of all words of up to four letters, in a table of 64 places."""
    words = ["".join(word) for n in range(1, 5) for word in product("ab", repeat=n)]
    known = {word: 2 * (1 + k) for k, word in enumerate(words[::2])}
    found = moments(words, known, stops="")
    assert [mean for mean, *_ in found] == [known.get(word, 0) / 2 for word in words]


def test_a_lone_white_space_is_part_of_a_token() -> None:
    texts = ["a\tb", "a\u3000b", "a \tb", "\ta\tb\u3000", "a\t"]
    found = moments(texts, {"a\tb": 2, "a\u3000b": 4, "a": 6}, stops="")
    assert [mean for mean, *_ in found] == [1.0, 2.0, 1.5, 1.0, 3.0]


def test_only_the_next_token_is_negated_and_in_its_sentence_only() -> None:
    found = moments(["not a a", "not, not a", "not. a", "a not"], {"a": 2, "not": 1})
    assert [mean for mean, *_ in found] == [0.0, -1 / 3, 0.0, 0.5]
    assert moments(["not. a"], {"a": 2, "not": 1}, stops="")[0][0] == -0.5


@pytest.mark.parametrize(
    ("text", "n"),
    [
        *[("", 1), ("...", 1), ("... a", 1), ("a", 1), ("a.", 1), ("a. b", 1), (" .", 1)],
        *[(". .", 1), ("a. . ! b?", 4), ("a.!?b.", 2), ("a\n.\n.", 2)],
    ],
)
def test_sentences_are_text_and_the_stops_behind_it(text: str, n: int) -> None:
    assert moments([text], {"a": 2})[0][2] == n


def test_a_text_may_have_as_many_sentences_as_it_has_room_for() -> None:
    assert moments(["a." * 100_000, " !" * 7, "a. "], {"a": 2}) == [
        (1.0, 0.0, 100_000, 100_000),
        (0.0, 0.0, 7, 0),
        (1.0, 0.0, 1, 1),
    ]


def test_no_text_and_no_word() -> None:
    assert moments([], {"a": 2}) == []
    assert moments(["a. b."], {}) == [(0.0, 0.0, 2, 0)]
