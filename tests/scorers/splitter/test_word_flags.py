"""The table of the splitter's words: what it finds, and that it finds it at once."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase

import numpy as np
import pytest

from tonelog.scorers.kernels.word_hash import NO_FOLD, hash_word
from tonelog.scorers.splitter.vocabulary import ALWAYS, SAYS
from tonelog.scorers.splitter.word_flags import _hash, flags_of, word_table


def flags(word: str, abbreviations: tuple[str, ...] = ()) -> int:
    content = np.frombuffer(f"x{word}x".encode(), np.uint8)
    return int(flags_of(content, 1, len(content) - 1, word_table(abbreviations)))


@pytest.mark.parametrize("word", ["", "a", "Dr", "\u6211\u8bf4", "eight888", "approximately", "\0"])
def test_kernels_hash_a_word_as_the_table_does(word: str) -> None:
    content = np.frombuffer(word.encode(), np.uint8)
    assert hash_word(content, 0, len(content), NO_FOLD) == _hash(word)


def test_words_are_found_with_their_flags_and_others_are_not() -> None:
    assert flags("Dr")
    assert flags("\u8bf4") & SAYS
    assert not flags("Drs.")
    assert not flags("")
    assert not flags("exmpl") & ALWAYS
    assert flags("exmpl", ("exmpl.",)) & ALWAYS
    assert flags("Exmpl", ("exmpl.",)) & ALWAYS


def test_a_word_is_looked_for_in_few_slots() -> None:
    table = word_table()
    taken = table != 0
    rng = Random(6)  # noqa: S311 - the same words in every run
    words = {"".join(rng.choices(ascii_lowercase, k=rng.randint(1, 12))) for _ in range(5_000)}

    def n_slots(word: str) -> int:
        ahead = np.roll(taken, -(_hash(word) % len(table)))
        return int(np.argmin(ahead))

    assert np.mean([n_slots(word) for word in words]) < 2
