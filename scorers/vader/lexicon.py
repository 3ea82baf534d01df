"""VADER's words, phrases and emoji as tables for the kernels, read from ``vaderSentiment``."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from vaderSentiment import vaderSentiment

from ..kernels.compiled import Texts, as_texts
from ..kernels.unicode import FREE, Characters, characters
from ..kernels.word_table import Slots, make_slots

VERSION: Final = version("vaderSentiment")

EMOJI: Final = FREE
"""A mark of characters, here only."""

# Words that the rules name have fixed codes, so that a kernel can know them. The first two codes
# stand for all words that VADER does not know, without and with "n't" in them.
NO_WORD: Final = -1
OTHER: Final = 0
OTHER_NT: Final = 1
NO: Final = 2
OR: Final = 3
NOR: Final = 4
NEVER: Final = 5
SO: Final = 6
THIS: Final = 7
WITHOUT: Final = 8
DOUBT: Final = 9
LEAST: Final = 10
AT: Final = 11
VERY: Final = 12
KIND: Final = 13
OF: Final = 14
BUT: Final = 15
_NAMED: Final = (
    *("no", "or", "nor", "never", "so", "this", "without", "doubt"),
    *("least", "at", "very", "kind", "of", "but"),
)

# Marks of words.
IN_LEXICON: Final = 1
BOOSTS: Final = 2
NEGATES: Final = 4
BEGINS_PHRASE: Final = 8
CONTINUES_PHRASE: Final = 16


class Lexicon(NamedTuple):
    """Tables of what VADER knows. A word's code is its row in the first four.

    Attributes:
        keys: the words.
        valences: of lexicon words; 0.0 for others.
        boosts: what a word adds to the strength of the next ones; 0.0 for nothing.
        marks: ``IN_LEXICON``, ``BOOSTS``, ``NEGATES``, ``BEGINS_PHRASE``, ``CONTINUES_PHRASE``
            (as the second word).
        slots: a hash table from words to codes.
        sieve: what tells most words that are not in it.
        phrases: three codes a row; the last is ``NO_WORD`` in a phrase of two words.
        phrase_valences: what a phrase puts in the place of a valence; NaN for nothing.
        phrase_is_whole: whether that is an int, which Python's ``sum`` takes otherwise.
        phrase_boosts: what a phrase adds to a valence; 0.0 for nothing.
        characters: lower case and marks of characters.
        emoji: their code points, sorted.
        descriptions: what stands for each of them.
        capitals: what capitals add to the strength of a word.
        negation: what a negation multiplies a valence by.
    """

    keys: Texts
    valences: npt.NDArray[np.float64]
    boosts: npt.NDArray[np.float64]
    marks: npt.NDArray[np.uint8]
    slots: Slots
    sieve: Slots
    phrases: npt.NDArray[np.int32]
    phrase_valences: npt.NDArray[np.float64]
    phrase_is_whole: npt.NDArray[np.bool_]
    phrase_boosts: npt.NDArray[np.float64]
    characters: Characters
    emoji: npt.NDArray[np.int64]
    descriptions: Texts
    capitals: float
    negation: float


def make_lexicon(own: Mapping[str, float]) -> Lexicon:
    """Make the tables of VADER's words and one's own valences, which replace VADER's."""
    analyzer = vaderSentiment.SentimentIntensityAnalyzer()
    valences = analyzer.lexicon | dict(own)
    specials, boosts = vaderSentiment.SPECIAL_CASES, vaderSentiment.BOOSTER_DICT
    # The rules look for phrases of two and three words.
    phrases = [words for words in map(str.split, specials | boosts) if len(words) > 1]
    vocabulary = [*_NAMED, *vaderSentiment.NEGATE, *boosts, *valences]
    words = ["", "", *dict.fromkeys(vocabulary + [word for words in phrases for word in words])]
    code = {word: number for number, word in enumerate(words)} | {"": NO_WORD}
    phrase_texts = [" ".join(words) for words in phrases]
    special = [specials.get(text) for text in phrase_texts]
    emoji = sorted((ord(char), text) for char, text in analyzer.emojis.items() if len(char) == 1)
    keys = as_texts(pl.Series(words))
    slots, sieve = make_slots(keys, first=NO)
    table = _with_emoji([char for char, _ in emoji])
    return Lexicon(
        keys=keys,
        valences=np.array([valences.get(word, 0.0) for word in words]),
        boosts=np.array([boosts.get(word, 0.0) for word in words]),
        marks=_marks(words, valences, phrases),
        slots=slots,
        sieve=sieve,
        phrases=np.array(
            [[code[word] for word in (*words, "")[:3]] for words in phrases], np.int32
        ),
        phrase_valences=np.array([np.nan if valence is None else valence for valence in special]),
        phrase_is_whole=np.array([isinstance(valence, int) for valence in special]),
        phrase_boosts=np.array([boosts.get(text, 0.0) for text in phrase_texts]),
        characters=table,
        emoji=np.array([char for char, _ in emoji], np.int64),
        descriptions=as_texts(pl.Series([text for _, text in emoji])),
        capitals=vaderSentiment.C_INCR,
        negation=vaderSentiment.N_SCALAR,
    )


def _marks(
    words: list[str], valences: Mapping[str, float], phrases: list[list[str]]
) -> npt.NDArray[np.uint8]:
    marks = np.zeros(len(words), np.uint8)
    marks[[word in valences for word in words]] |= IN_LEXICON
    marks[[word in vaderSentiment.BOOSTER_DICT for word in words]] |= BOOSTS
    marks[[vaderSentiment.negated([word]) for word in words]] |= NEGATES
    for place, mark in enumerate((BEGINS_PHRASE, CONTINUES_PHRASE)):
        marks[np.isin(words, [phrase[place] for phrase in phrases])] |= mark
    marks[OTHER_NT] |= NEGATES
    return marks


def _with_emoji(emoji: list[int]) -> Characters:
    table = characters().copy()
    table[emoji] |= np.uint32(EMOJI)
    table.flags.writeable = False
    return table
