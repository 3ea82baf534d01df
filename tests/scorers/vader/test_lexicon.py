"""The tables, as read from vaderSentiment."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from vaderSentiment import vaderSentiment

from tonelog.scorers.kernels.compiled import Texts
from tonelog.scorers.vader import lexicon as module
from tonelog.scorers.vader.lexicon import (
    BEGINS_PHRASE,
    BOOSTS,
    CONTINUES_PHRASE,
    IN_LEXICON,
    NEGATES,
    Lexicon,
    make_lexicon,
)

PLAIN = make_lexicon({})


def texts_of(texts: Texts) -> list[str]:
    ends = zip(texts.offsets[:-1], texts.offsets[1:], strict=True)
    return [texts.bytes[start:end].tobytes().decode() for start, end in ends]


def marked(lexicon: Lexicon, mark: int) -> set[str]:
    words = texts_of(lexicon.keys)
    return {word for word, marks in zip(words, lexicon.marks, strict=True) if marks & mark}


def test_words_that_rules_name_have_the_codes_of_their_names() -> None:
    words = texts_of(PLAIN.keys)
    assert words[:2] == ["", ""]
    named = [
        *("no", "or", "nor", "never", "so", "this", "without", "doubt"),
        *("least", "at", "very", "kind", "of", "but"),
    ]
    assert [words[getattr(module, word.upper())] for word in named] == named
    assert len(set(words)) == len(words) - 1


def test_each_word_has_the_valence_that_vader_reads() -> None:
    valences = dict(zip(texts_of(PLAIN.keys), PLAIN.valences.tolist(), strict=True))
    vaders = vaderSentiment.SentimentIntensityAnalyzer().lexicon
    assert {word: valences[word] for word in vaders} == vaders
    # Of lines with the same word the last counts, for VADER as for a dict.
    assert valences["lol"] == vaders["lol"] == 1.8
    assert marked(PLAIN, IN_LEXICON) == set(vaders)
    assert {word for word in valences if valences[word]} <= set(vaders)


def test_each_word_has_its_marks() -> None:
    assert marked(PLAIN, BOOSTS) == set(vaderSentiment.BOOSTER_DICT)
    assert marked(PLAIN, NEGATES) - {""} == {
        word for word in texts_of(PLAIN.keys) if vaderSentiment.negated([word])
    }
    assert PLAIN.marks[module.OTHER] == 0
    assert PLAIN.marks[module.OTHER_NT] == NEGATES
    assert marked(PLAIN, BEGINS_PHRASE) == {
        "the",
        "bad",
        "bus",
        "yeah",
        "kiss",
        "to",
        "beating",
        "just",
        "kind",
        "sort",
    }
    assert marked(PLAIN, CONTINUES_PHRASE) == {
        "shit",
        "bomb",
        "ass",
        "stop",
        "right",
        "of",
        "die",
        "heart",
        "enough",
    }


def test_phrases_have_their_valences_and_boosts() -> None:
    words = texts_of(PLAIN.keys)
    phrases = [" ".join(words[code] for code in row if code >= 0) for row in PLAIN.phrases]
    specials, boosts = vaderSentiment.SPECIAL_CASES, vaderSentiment.BOOSTER_DICT
    assert phrases == [text for text in (*specials, *boosts) if " " in text]
    rows = zip(
        *(phrases, PLAIN.phrase_valences, PLAIN.phrase_is_whole, PLAIN.phrase_boosts), strict=True
    )
    for phrase, valence, is_whole, boost in rows:
        assert valence == specials[phrase] if phrase in specials else np.isnan(valence)
        assert is_whole == isinstance(specials.get(phrase), int)
        assert boost == boosts.get(phrase, 0)
    assert set(np.array(phrases)[PLAIN.phrase_is_whole]) == {
        "the shit", "the bomb", "yeah right", "to die for",
    }  # fmt: skip


def test_ones_own_words_are_added_or_replace_vaders() -> None:
    own = {"zib": 2.0, "good": -1.0, "but": 0.5, "very": 0.1}
    lexicon = make_lexicon(own)
    valences = dict(zip(texts_of(lexicon.keys), lexicon.valences.tolist(), strict=True))
    assert {word: valences[word] for word in own} == own
    assert marked(lexicon, IN_LEXICON) == marked(PLAIN, IN_LEXICON) | set(own)
    assert marked(lexicon, BOOSTS) == marked(PLAIN, BOOSTS)
    assert lexicon.valences[module.BUT] == 0.5


def test_constants_are_vaders() -> None:
    assert (PLAIN.capitals, PLAIN.negation) == (0.733, -0.74)


def arrays(lexicon: Lexicon) -> Iterator[npt.NDArray[np.generic]]:
    for field in lexicon:
        yield from (field if isinstance(field, Texts) else [np.asarray(field)])


def test_tables_of_the_same_words_are_the_same() -> None:
    pairs = zip(arrays(make_lexicon({"zib": 1.0})), arrays(make_lexicon({"zib": 1.0})), strict=True)
    assert all(left.dtype == right.dtype for left, right in pairs)
    pairs = zip(arrays(PLAIN), arrays(make_lexicon({})), strict=True)
    assert all(left.tobytes() == right.tobytes() for left, right in pairs)
