"""The kernels that cut sentences and tokens and sum them up, with a lexicon of the tests' own."""

from __future__ import annotations

import polars as pl
import pytest

from tonelog.scorers.afinn.token_sums import kinds_of_bytes, make_lexicon, sentence_moments
from tonelog.scorers.kernels.compiled import as_texts


def moments(
    texts: list[str], meanings: dict[str, int], stops: str = ".!?"
) -> list[tuple[float, ...]]:
    """Give mean, variance, number of sentences and of charged ones of each text."""
    series = pl.Series(texts, dtype=pl.String)
    columns = sentence_moments(*as_texts(series), kinds_of_bytes(stops), make_lexicon(meanings))
    return list(zip(*(column.tolist() for column in columns), strict=True))


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
