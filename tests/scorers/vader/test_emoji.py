"""Emoji as the words that VADER reads instead."""

from __future__ import annotations

import numpy as np
import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from tonelog.scorers.vader.emoji import count_emoji, describe_emoji
from tonelog.scorers.vader.lexicon import make_lexicon

LEXICON = make_lexicon({})
DESCRIPTIONS: dict[str, str] = SentimentIntensityAnalyzer().emojis
GRIN, CRY = "\U0001f600", "\U0001f622"


def described(text: str) -> str:
    """Put words for the emoji of a text that has other text, and emoji, on both sides."""
    data = f"{GRIN}{text}{GRIN}".encode()
    buffer = np.frombuffer(data, np.uint8)
    start, end = len(GRIN.encode()), len(data) - len(GRIN.encode())
    longest = int(np.diff(LEXICON.descriptions.offsets).max()) + 1
    n_emoji = count_emoji(buffer[start:end], LEXICON.characters)
    assert n_emoji == sum(char in DESCRIPTIONS for char in text)
    room = np.full(end - start + n_emoji * longest + 4, 0xFF, np.uint8)
    length = describe_emoji(
        *(buffer, start, end, LEXICON.characters, LEXICON.emoji),
        *(LEXICON.descriptions.bytes, LEXICON.descriptions.offsets, room),
    )
    assert (room[length:] == 0xFF).all()
    return room[:length].tobytes().decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("no emoji", "no emoji"),
        (GRIN, "grinning face"),
        (f"x{GRIN}", "x grinning face"),
        (f"x {GRIN}", "x grinning face"),
        # No space goes behind, and other white space counts as none before.
        (f"{GRIN}x", "grinning facex"),
        (f"x\n{GRIN}", "x\n grinning face"),
        (f"x\u3000{GRIN}", "x\u3000 grinning face"),
        (f"{GRIN}{CRY}", "grinning face crying face"),
        (f"{GRIN} {CRY} ", "grinning face crying face "),
        ("\u00e9\U0001f600\u00e9", "\u00e9 grinning face\u00e9"),
        ("ON!\U0001f51b", "ON! ON! arrow"),
        # Of several code points only those that are emoji by themselves are known.
        ("\U0001f468\u200d\U0001f4bb", "man\u200d laptop computer"),
        ("\u2764\ufe0f", "red heart\ufe0f"),
        ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
        ("\U0001f1e9\U0001f1ea", "\U0001f1e9\U0001f1ea"),
    ],
)
def test_emoji_becomes_its_description(text: str, expected: str) -> None:
    assert described(text) == expected


def test_each_emoji_of_one_character_has_its_description() -> None:
    known = [char for char in DESCRIPTIONS if len(char) == 1]
    assert len(known) == 1_212
    for char in known:
        assert described(f"a{char}b {char}") == f"a {DESCRIPTIONS[char]}b {DESCRIPTIONS[char]}"


def test_no_other_character_is_an_emoji() -> None:
    others = [chr(point) for point in range(0x20000) if not 0xD800 <= point < 0xE000]
    text = "".join(char for char in others if char not in DESCRIPTIONS)
    assert described(text) == text
