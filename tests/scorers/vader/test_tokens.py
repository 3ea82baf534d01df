"""Words of texts, and what is seen of them."""

from __future__ import annotations

import string
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from vaderSentiment import vaderSentiment

from tests.scorers.vader.exactness import Salads
from tonelog.scorers.vader.lexicon import NO_WORD, OTHER, OTHER_NT, make_lexicon
from tonelog.scorers.vader.tokens import IS_UPPER, tokenize

OWN = {"σοφός": 2.0, "straße": 1.0, ":::": 1.5, "i̇x": 1.2, "good.bad": 1.0}
LEXICON = make_lexicon(OWN)
_ANALYZER = vaderSentiment.SentimentIntensityAnalyzer()
KEYS = [
    LEXICON.keys.bytes[start:end].tobytes().decode()
    for start, end in zip(LEXICON.keys.offsets[:-1], LEXICON.keys.offsets[1:], strict=True)
]
KNOWN = {word: code for code, word in enumerate(KEYS) if code > OTHER_NT}


class Seen(NamedTuple):
    """What is seen of a text: known words ("" for others, "n't" for others with it), and so on."""

    words: list[str]
    upper: list[int]
    but: int
    emphasis: float


def seen(*texts: str) -> list[Seen]:
    """Cut texts, which lie in one buffer, into tokens."""
    data = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, data)])
    found = tokenize(np.frombuffer(b"".join(data), np.uint8), ends[:-1], ends[1:], LEXICON)
    codes = [code >> 1 for code in found.tokens.tolist()]
    names = {OTHER: "", OTHER_NT: "n't"}
    in_lexicon = [place for place, code in enumerate(codes) if LEXICON.marks[code] & 1]
    assert found.in_lexicon.tolist() == in_lexicon
    rows = []
    for i in range(len(texts)):
        start, end = found.offsets[i : i + 2].tolist()
        upper = [int(token) & IS_UPPER for token in found.tokens[start:end]]
        assert sum(upper) == found.n_upper[i]
        words = [names.get(code, KEYS[code]) for code in codes[start:end]]
        but = int(found.but[i])
        rows.append(Seen(words, upper, but - start if but != NO_WORD else -1, found.emphasis[i]))
    return rows


def seen_by_hand(text: str) -> Seen:
    """Cut a text into tokens with VADER's own code."""
    words = vaderSentiment.SentiText(text).words_and_emoticons
    lowered = [word.lower() for word in words]
    known = [
        word if word in KNOWN else "n't" if vaderSentiment.negated([word]) else ""
        for word in lowered
    ]
    but = lowered.index("but") if "but" in lowered else -1
    emphasis = _ANALYZER._punctuation_emphasis(text)  # noqa: SLF001 - VADER's own
    return Seen(known, [word.isupper() for word in words], but, emphasis)


@pytest.mark.parametrize(
    ("text", "words", "upper"),
    [
        ("", [], []),
        (" \t\n\x1c\u3000 ", [], []),
        ("good", ["good"], [0]),
        ("\x1fgood\x1cbad\x85good\u2028bad\xa0", ["good", "bad", "good", "bad"], [0, 0, 0, 0]),
        # What is no white space to Python joins two words.
        ("good\u200bbad good\x00bad good\ufeff", ["", "", ""], [0, 0, 0]),
        # Punctuation goes from both ends, ASCII's only.
        ("'good' (bad), \"good\"...", ["good", "bad", "good"], [0, 0, 0]),
        ("\u201cgood\u201d good\u2026 \u00bfgood", ["", "", ""], [0, 0, 0]),
        ("good.bad ..good.bad.. goo.d", ["good.bad", "good.bad", ""], [0, 0, 0]),
        # But not if two characters or fewer remain.
        ("ok ok. no no, no!", ["ok", "", "no", "", ""], [0, 0, 0, 0, 0]),
        (":) :-) :))) ;)", [":)", ":-)", "", ";)"], [0, 0, 0, 0]),
        ("::: :::. '", [":::", "", ""], [0, 0, 0]),
        ("\u00e9\u00e9. \u00e9\u00e9\u00e9.", ["", ""], [0, 0]),
        # Lower case is Unicode's.
        ("\u212aIND Kind STRAßE", ["kind", "kind", "straße"], [1, 0, 0]),
        ("\u0130X ΣΟΦΌΣ σοφόσ", ["i̇x", "σοφός", ""], [1, 1, 0]),
        # Upper case too; what has no case does not count.
        ("A 1 A1 a1 $A. \u2160 \u01c5 \u00aa A\u00aa", [""] * 9, [1, 0, 1, 0, 1, 1, 0, 0, 0]),
        ("GREAT! GREATß \u4e2dA", ["great", "", ""], [1, 0, 1]),
        # An n't makes a word a negation, an apostrophe as printed does not.
        (
            "xn't XN'T xn't! n't.x xn\u2019t xn' t",
            ["n't"] * 4 + ["", "", ""],
            [0, 1, 0, 0, 0, 0, 0],
        ),
        ("n't 'n't' \u00e9n'tx n''t", ["n't", "n't", "n't", ""], [0, 0, 0, 0]),
        ("\U0001f600x x\U0001f600", ["grinning", "", "", "grinning", ""], [0] * 5),
    ],
)
def test_words_are_cut_stripped_and_known(text: str, words: list[str], upper: list[int]) -> None:
    (row,) = seen(text)
    assert (row.words, row.upper) == (words, upper)


@pytest.mark.parametrize(
    ("text", "emphasis"),
    [
        *(("a", 0.0), ("a!", 0.292), ("a! b!", 2 * 0.292), ("!!!!", 4 * 0.292)),
        *(("!!!!!!!!!", 4 * 0.292), ("?", 0.0), ("??", 0.36), ("?a?b?", 0.54), ("????", 0.96)),
        *(("?????????", 0.96), ("!??", 0.292 + 0.36), ("\u00e9!\u00e9?\u00e9?", 0.292 + 0.36)),
        *(("\uff01\uff1f\uff1f", 0.0), ("\U0001f51b", 0.292), ("x\u203c", 2 * 0.0)),
    ],
)
def test_marks_are_counted_wherever_they_stand(text: str, emphasis: float) -> None:
    (row,) = seen(text)
    assert row.emphasis == emphasis


@pytest.mark.parametrize(
    ("text", "but"),
    [
        *(("a b", -1), ("but", 0), ("a 'BUT' but", 1), ("a buT. but", 1), ("butt abut b.ut", -1)),
        *(("a \u00e9 but\u00e9 but", 3), ("", -1)),
    ],
)
def test_first_but_is_found(text: str, but: int) -> None:
    assert [row.but for row in seen("but", text, "but a")] == [0, but, 0]


def test_random_texts_are_cut_as_vader_cuts_them() -> None:
    texts = [text for text in Salads(11).texts(6_000) if not set(text) & set(_ANALYZER.emojis)]
    random = Random(3)  # noqa: S311 - the same texts in every run
    pieces = (
        *string.punctuation,
        *"aN'tT' ",
        "\u00e9",
        "\u3000",
        "n't",
        "good",
        "\u03a3",
        "\u0130",
    )
    texts += ["".join(random.choices(pieces, k=random.randint(1, 14))) for _ in range(6_000)]
    expected = [seen_by_hand(text) for text in texts]
    for row, text, by_hand in zip(seen(*texts), texts, expected, strict=True):
        # Of words that negate, those that are known have their own codes.
        assert row == by_hand, text


def test_texts_in_utf_8_need_no_more_room_than_is_made() -> None:
    for text in ("a " * 99 + "a", "a", " ", "\U0001f600" * 50, "a\U0001f600" * 50, "\u3000a" * 50):
        assert len(seen(text, text)[1].words) == len(seen(text)[0].words)


def test_long_words_are_no_keys() -> None:
    (row,) = seen(f"{'g' * 100_000} {'é' * 100_000} {'K' * 100_000} good")
    assert row.words == ["", "", "", "good"]
    assert seen("x" * 9_999 + "n't " + "é" * 9_999 + "N'T")[0].words == ["n't", "n't"]
