"""Texts that VADER's rules act on, and the comparison with what vaderSentiment says of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from string import punctuation
from typing import Final

import polars as pl
from vaderSentiment import vaderSentiment

from tests.oracles import WHITE_SPACE
from tonelog.scorers.sentiment import sentiment

BOOSTERS: Final = sorted(vaderSentiment.BOOSTER_DICT)
NEGATIONS: Final = sorted(vaderSentiment.NEGATE)
_ANALYZER: Final = vaderSentiment.SentimentIntensityAnalyzer()
LEXICON: Final = sorted(_ANALYZER.lexicon)
EMOJI: Final = sorted(_ANALYZER.emojis)

KELVIN: Final = "\u212a"
NAMED: Final = (
    *("no", "or", "nor", "never", "so", "this", "without", "doubt", "least", "at", "very"),
    *("kind", "of", "but", "sort", "just", "enough"),
)
_PLAIN: Final = (
    "the",
    "agent",
    "wrote",
    "a",
    "file",
    "to",
    "disk",
    "x",
    "in",
    "2026",
    "e.g.",
    "it",
)
_WIDE: Final = (
    *("\u0130stanbul", "\u212a", "\ufb01ne", "\u039f\u0394\u039f\u03a3", "stra\u00dfe", "\u00c9"),
    *("\u4e2d\u6587", "na\u00efve", "\u01c5", "\u2160", "\u00aa", "e\u0301", "go\x00od"),
    *("\U0001d400", "\U00010400", "\U0010ffff", "\u00bfgood", "good\u2026", "\u201cgood\u201d"),
)
# Words that are upper case, or are not, by letters beyond ASCII.
_CASES: Final = (
    "\u00c9",
    "A\u00c9",
    "\u2160",
    "A\u00df",
    "A\u00aa",
    "A\u01c5",
    "\u00e9",
    "A\u4e2d",
)
# Each mark asks for a word: L of the lexicon, B a booster, N a negation, X a plain one.
_PATTERNS: Final = (
    *("never so L", "never this L", "never so X L", "never this X L", "never X so L", "X so L"),
    *("X X so L", "X X this L", "N X this L", "never X X L", "so this L", "never so this L"),
    *("without doubt L", "without a doubt L", "without doubt X L", "without X doubt L"),
    *("without L", "without X L", "doubt X L", "without L L"),
    *("at least L", "the least L", "least L", "very least L", "at very least L", "L least L"),
    *("no L", "no X L", "no X X L", "no X or L", "no X nor L", "no L nor L", "no L or L"),
    *("no no L", "no", "X no", "no B L", "or no L", "L no L"),
    *("kind of L", "X kind of L", "X X kind of L", "kind of X L", "a kind L", "kind", "kind of"),
    *("sort of L", "X sort of L", "X sort of X L", "just enough L", "X just enough L", "sortof L"),
    *("kind of sort of L", "sort of kind of L", "X sort of kind of L", "B kind of L"),
    *("N L", "N X L", "N X X L", "B L", "B X L", "B X X L", "N B L", "B N L", "N N L", "B B L"),
    *("B B B L", "N N N L", "N B N L", "B N B L", "L L L L", "N L L", "B L L", "N L X L"),
    *("L but L", "L L but L", "L but L but L", "but L", "L but", "X but X L"),
)
_IDIOMS: Final = (
    *("the shit", "the bomb", "bad ass", "badass", "bus stop", "yeah right", "kiss of death"),
    *("to die for", "beating heart", "cut the mustard", "hand to mouth", "upper hand"),
)
_AROUND: Final = (
    *("X X X I", "X X X I L", "X X X I X L", "X X X I X X L", "I", "X I", "I L", "N X X I"),
    *("B I", "N I", "X X X L I", "X X sort of I", "X X X I but L", "X X least I", "L X I"),
    *("X X X I X X X I X X X I", "X X L I L"),
)
_ENDS: Final = ("!", "!!", "!!!", "!!!!!", "?", "??", "???", "????", "?!?!", ".", "...", "!?", " !")
_ASIDE: Final = (".", ",", "'", '"', "...", "(", ")", "*", "-", "n't", "N'T", "n\u2019t", "!", "?")
_SPACES: Final = (*WHITE_SPACE, "\x1c", "\x1d", "\x1e", "\x1f", "  ", "\r\n")
_NO_SPACES: Final = ("", "\u200b", "\u2060", "\ufeff", "\u180e", "\x00", "\xad", "\u200d", "\ufe0f")


@lru_cache(maxsize=1)
def _by_valence() -> tuple[dict[float, list[str]], list[str]]:
    """Words by their valence, and those whose valence's negative is another's too."""
    words: dict[float, list[str]] = defaultdict(list)
    for word, valence in _ANALYZER.lexicon.items():
        if word.isascii() and word.islower() and word.isalpha() and word not in NAMED:
            words[valence].append(word)
    return words, sorted(word for value in words for word in words[value] if -value in words)


class Salads:
    """A seeded source of texts; most are of the kinds that VADER's rules are about.

    Half of the lexicon's words in them are one's own, if there are any.
    """

    def __init__(self, seed: int, own: Sequence[str] = ()) -> None:
        self._random = Random(seed)  # noqa: S311 - the same texts in every run
        self._own = own
        self._kinds: tuple[tuple[int, Callable[[], str]], ...] = (
            (44, self._mixed),
            (16, self._few_values),
            (14, self._balanced),
            (4, self._whole_numbers),
            (8, self._shouted),
            (6, self._wide),
            (4, self._long),
            (4, self._glued),
        )

    def texts(self, count: int) -> list[str]:
        """Make the next texts."""
        weights = [weight for weight, _ in self._kinds]
        kinds = [kind for _, kind in self._kinds]
        return [kind() for kind in self._random.choices(kinds, weights, k=count)]

    def sums(self, count: int) -> list[str]:
        """Make texts that Python's versions sum up in different ways."""
        kinds = (self._balanced, self._whole_numbers, self._whole_numbers)
        return [self._random.choice(kinds)() for _ in range(count)]

    def _mixed(self) -> str:
        return self._join(self._piece() for _ in range(self._random.randint(1, 5))) + self._end()

    def _few_values(self) -> str:
        """Words of two or three valences around a "but": the first equal one counts."""
        words, _ = _by_valence()
        valences = self._random.choices(sorted(words), k=self._random.randint(1, 3))
        # Halves and 1.5 times of a valence meet others.
        valences += [v * f for v in valences for f in (0.5, 1.5, 2, 3, -0.74) if v * f in words]
        pieces = [
            self._random.choice(words[self._random.choice(valences)])
            if self._random.random() < 0.8
            else self._random.choice(_PLAIN)
            for _ in range(self._random.randint(2, 10))
        ]
        pieces.insert(self._random.randint(0, len(pieces)), "but")
        if self._random.random() < 0.2:
            pieces.insert(self._random.randint(0, len(pieces)), self._random.choice(("but", "BUT")))
        return self._join(pieces) + self._end()

    def _balanced(self) -> str:
        """Words whose sum is 0, or nearly so in floats."""
        words, paired = _by_valence()
        pieces = []
        for word in self._random.choices(paired, k=self._random.randint(1, 5)):
            pieces += [word, self._random.choice(words[-_ANALYZER.lexicon[word]])]
        self._random.shuffle(pieces)
        if self._random.random() < 0.3:
            pieces = [f"{self._random.choice(_PLAIN)} {word}" for word in pieces]
        if self._random.random() < 0.2:
            pieces.insert(self._random.randint(0, len(pieces)), "but")
        return self._join(pieces) + self._random.choice(("", "!", "!!", "??"))

    def _whole_numbers(self) -> str:
        """Phrases with a valence that is an int to Python, and words that take it back to 0."""
        words, _ = _by_valence()
        first, second = self._random.choice(sorted(words)), self._random.choice(sorted(words))
        idiom, whole = self._random.choice((("the shit", 3), ("the bomb", 3), ("yeah right", -2)))
        rest = [first, second, round(-whole - first - second, 1)]
        pieces = [self._random.choice(words[value]) for value in rest if value in words]
        pieces.insert(self._random.choice((0, 0, self._random.randint(0, len(pieces)))), idiom)
        if self._random.random() < 0.3:
            pieces.insert(self._random.randint(0, len(pieces)), self._random.choice(_IDIOMS[:9]))
        if self._random.random() < 0.2:
            pieces.insert(0, "no")
        spaced = [f"x x x {piece}" for piece in pieces]
        if self._random.random() < 0.2:
            spaced.insert(self._random.randint(0, len(pieces)), "but")
        return " ".join(spaced) + self._random.choice(("", "!", "!!!", "??"))

    def _shouted(self) -> str:
        words = self._mixed().upper().split(" ")
        if self._random.random() < 0.3:
            words.insert(self._random.randint(0, len(words)), self._random.choice(_CASES))
        return " ".join(words)

    def _wide(self) -> str:
        pieces = [self._piece(), self._random.choice(_WIDE), self._random.choice(EMOJI)]
        pieces += self._random.choices(_WIDE, k=self._random.randint(0, 2))
        pieces += [self._swapped(self._piece()), self._random.choice(EMOJI)]
        self._random.shuffle(pieces)
        return "".join(
            piece
            + self._random.choice((" ", " ", " ", *self._random.choices(_SPACES + _NO_SPACES)))
            for piece in pieces[: self._random.randint(1, 6)]
        )

    def _long(self) -> str:
        return self._join(self._piece() for _ in range(self._random.randint(10, 30))) + self._end()

    def _glued(self) -> str:
        return "".join(
            self._random.choice(
                (self._piece(), *self._random.choices(_ASIDE + _NO_SPACES + _SPACES))
            )
            for _ in range(self._random.randint(2, 9))
        )

    def _piece(self) -> str:
        kind = self._random.random()
        if kind < 0.6:
            template = self._random.choice(_PATTERNS)
        elif kind < 0.75:
            idiom = self._cased(self._random.choice(_IDIOMS))
            template = self._random.choice(_AROUND).replace("I", idiom)
        else:
            template = self._random.choice(("L", "L", "X", "X X", "X X X", "B", "N", "E", "M"))
        return " ".join(self._word(word) for word in template.split())

    def _word(self, word: str) -> str:
        sources: dict[str, Sequence[str]] = {
            "L": LEXICON, "B": BOOSTERS, "N": NEGATIONS, "X": _PLAIN, "E": EMOJI, "M": NAMED,
        }  # fmt: skip
        source = sources.get(word, (word,))
        if word == "L" and self._own and self._random.random() < 0.5:
            source = self._own
        word = self._cased(self._random.choice(source))
        if self._random.random() < 0.05:
            word += self._random.choice(_ASIDE)
        if self._random.random() < 0.04:
            word = self._random.choice(_ASIDE) + word
        return word

    def _cased(self, word: str) -> str:
        kind = self._random.random()
        if kind < 0.84:
            return word
        return (str.upper, str.upper, str.title, str.swapcase, self._swapped)[int(kind * 100) % 5](
            word
        )

    @staticmethod
    def _swapped(word: str) -> str:
        """Put the Kelvin sign, whose lower case is ASCII, and a letter whose is two."""
        return word.replace("k", KELVIN).replace("i", "\u0130")

    def _join(self, pieces: Iterable[str]) -> str:
        return "".join(
            piece + (" " if self._random.random() < 0.96 else self._random.choice(_SPACES))
            for piece in pieces
        )[:-1]

    def _end(self) -> str:
        return self._random.choice(_ENDS) if self._random.random() < 0.4 else ""


def known_words() -> list[str]:
    """Each word and emoji that VADER knows, alone and before another."""
    words = [*LEXICON, *BOOSTERS, *NEGATIONS, *_IDIOMS]
    return [
        *words,
        *(f"{word} good" for word in (*BOOSTERS, *NEGATIONS)),
        *(f"good{char}bad {char} {char}{char}x" for char in EMOJI),
        *(word.upper() for word in words),
        *(
            f"{word.replace('k', KELVIN)}{end}"
            for word in words
            if "k" in word
            for end in ("", ".")
        ),
        *(f"{word.upper()} x" for word in words),
        *(f"a x {word} good" for word in (*BOOSTERS, *NEGATIONS, *_IDIOMS)),
    ]


RULE_WORDS: Final = {
    "very": 0.4,
    "hardly": -0.6,
    "kinda": 1.0,
    "not": -0.5,
    "isn't": 0.8,
    "nor": -0.3,
    "but": 0.7,
    "least": -0.2,
    "the": 0.1,
}
"""Words of VADER's rules that its lexicon does not have: what it would change if it had them."""


def quick_sets() -> list[tuple[dict[str, float], list[str]]]:
    """Make texts that also have to tell every mutant, and one's own words for each list."""
    # Two characters of four bytes; capitals and small letters beyond ASCII, beside a capital word.
    rare = ["", "o\u212a.", "GOOD \u00c9", "GOOD \u00c9\u00e9"]
    marked = [f"{mark}good{mark}" for mark in punctuation]
    return [
        # No word is found in capitals.
        ({"ZIB": 3.0}, ["ZIB", "zib", "Zib"]),
        ({}, [*rare, *marked, *Salads(20).texts(20_000), *known_words()]),
        (RULE_WORDS, Salads(21, list(RULE_WORDS)).texts(5_000)),
    ]


def as_said(texts: Iterable[str], own: Mapping[str, float] | None = None) -> list[str]:
    """What vaderSentiment gives for each text, with one's own words in its lexicon, written out."""
    analyzer = vaderSentiment.SentimentIntensityAnalyzer()
    analyzer.lexicon.update(own or {})
    fields = ("compound", "pos", "neu", "neg")
    scores = map(analyzer.polarity_scores, texts)
    return [repr(tuple(score[field] for field in fields)) for score in scores]


def as_compiled(texts: Sequence[str], own: Mapping[str, float] | None = None) -> list[str]:
    """What the compiled VADER gives for each text, written out."""
    lexicon = None
    if own is not None:
        lexicon = "\n".join(f"{word}\t{valence!r}" for word, valence in own.items())
    return [repr(row) for row in sentiment(pl.Series(texts, dtype=pl.String), lexicon).rows()]


def mismatches(
    texts: Sequence[str], own: Mapping[str, float] | None = None
) -> list[tuple[str, str, str]]:
    """Texts whose scores differ in any bit, with what vaderSentiment says and what we say."""
    both = zip(texts, as_said(texts, own), as_compiled(texts, own), strict=True)
    return [(text, said, ours) for text, said, ours in both if said != ours]
