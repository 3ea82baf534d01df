"""Every bit that vaderSentiment gives, over many texts of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random

import polars as pl
import pytest

from tests.scorers.vader.exactness import (
    BOOSTERS,
    LEXICON,
    NAMED,
    NEGATIONS,
    Salads,
    mismatches,
    quick_sets,
)
from tonelog.scorers.sentences import split_sentences

# vaderSentiment takes time in the square of a text's length.
LONGEST = 1500
SHARD = 40_000


def test_each_rule_is_kept_to_the_bit() -> None:
    sets = quick_sets()
    assert sum(len(texts) for _, texts in sets) > 50_000
    for own, texts in sets:
        assert mismatches(texts, own) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 112))
def test_each_rule_is_kept_in_many_more_texts(seed: int) -> None:
    assert mismatches(Salads(seed).texts(SHARD)) == []


# Real texts


def test_real_texts_score_the_same(shared: Path) -> None:
    assert mismatches(real_texts(shared)[::40]) == []


@pytest.mark.slow
def test_all_real_texts_and_their_sentences_score_the_same(shared: Path) -> None:
    texts = real_texts(shared)
    assert len(texts) > 100_000
    assert mismatches(texts) == []


@lru_cache(maxsize=1)
def real_texts(shared: Path) -> list[str]:
    """Give every distinct text of the shared logs, its beginning if it is long, and sentences."""
    columns = [
        column.alias("text")
        for path in sorted((shared / "logs").rglob("*.parquet"))
        for column in pl.read_parquet(path)
    ]
    strings = pl.concat([leaf for column in columns for leaf in leaves(column)])
    whole = strings.drop_nulls().unique(maintain_order=True)
    sentences = whole.to_frame().select(split_sentences(pl.col("text"))).to_series().explode()
    texts = pl.concat([whole, sentences.drop_nulls()]).str.slice(0, LONGEST)
    return texts.unique(maintain_order=True).to_list()


def leaves(column: pl.Series) -> Iterator[pl.Series]:
    """Give each column of strings within a nested one."""
    if column.dtype == pl.String:
        yield column
    elif isinstance(column.dtype, pl.List):
        yield from leaves(column.explode())
    elif isinstance(column.dtype, pl.Struct):
        for field in column.struct.fields:
            yield from leaves(column.struct.field(field).alias("text"))


# Characters


def in_contexts(points: range) -> list[str]:
    """Put each character alone, within a word, between two words, and behind a word in capitals."""
    contexts = ("{}", "go{}od", "good{}bad", "it is GREAT{} bad")
    chars = [chr(point) for point in points if not 0xD800 <= point < 0xE000]
    return [context.format(char) for char in chars for context in contexts]


@pytest.mark.parametrize(
    "points", [range(1, 0x700), range(0x700, 0x3100, 7), range(0x3100, 0x20000, 41)]
)
def test_characters_score_the_same_in_every_place(points: range) -> None:
    assert mismatches(in_contexts(points)) == []


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 0x20000, 0x4000))
def test_every_character_scores_the_same_in_every_place(start: int) -> None:
    assert mismatches(in_contexts(range(max(1, start), start + 0x4000))) == []


# One's own words

ODD_WORDS = {
    # A capital sigma is lowered by its place in the word.
    "σοφός": 2.5, "ας": 1.5, "σ": 1.0, "κακοσ": -2.0, "σ'ας": -1.5, "ας\U000e0100": 1.1,  # noqa: RUF001 - a sigma
    "naïve": -1.2, "straße": 0.7, "über": 1.9, "i̇stanbul": 2.2, "kelvin": 1.3, "ⱥb": 1.7,
    "中文": 2.1, "𐐨𐐩𐐪": -1.9, "\U0001d400": 0.8, "é": 1.4, "þorn": 1.6,
    ":::": 1.2, "'": -0.6, "!!!": 0.9, "?": -0.4, "...": -0.3, "n't": 1.1, "-": 0.2,
    "isn't": 2.2, "won't": -1.3, "don’t": 1.5, "ain't-so": -0.9,  # noqa: RUF001 - as typed
    "ZIB": 3.0, "Zob": -3.0, "É": 3.0, "a b": 3.0, ".dot": 3.0, "dot.": 3.0,
    "zero": 0.0, "minus": -0.0, "huge": 1e300, "tiny": 5e-324, "most": -1e308,
    "long" * 2_000: 1.8, "\u017f" * 999: -1.8, "Ⱥ".lower() * 500: 2.6,
    "\x00": 1.0, "a\x00b": -2.0, "\u200b": 0.4, "face": 0.5, "with": -0.5,
}  # fmt: skip


def test_odd_words_of_ones_own_score_as_in_vaders_lexicon() -> None:
    words = list(ODD_WORDS)
    alone = [*words, *(word.upper() for word in words), *(f"x {word} X" for word in words)]
    behind = [f"{word}{behind}" for word in words for behind in ("'", "Σ", "\U000e0100", ".", "a")]
    texts = [*alone, *behind, *Salads(1, words).texts(6_000)]
    assert mismatches(texts, ODD_WORDS) == []


@pytest.mark.parametrize("seed", range(8))
def test_words_of_vaders_rules_may_be_in_the_lexicon_too(seed: int) -> None:
    random = Random(seed)  # noqa: S311 - the same words in every run
    parts = [part for phrase in (*BOOSTERS, "the bomb", "to die for") for part in phrase.split()]
    words = random.sample([*NAMED * 3, *NEGATIONS, *parts], 30)
    own = {word: random.randint(-40, 40) / 10 for word in words}
    assert mismatches(Salads(seed, words).texts(1_500), own) == []


def test_a_hundred_thousand_words_of_ones_own_are_all_found() -> None:
    own = {f"w{number * 7919:x}": (number % 79 - 39) / 10 for number in range(100_000)}
    words = list(own)
    near = [word + "0" for word in words[:2_000]] + [word[:-1] for word in words[:2_000]]
    texts = [*map(" ".join, zip(words[::2], words[1::2], strict=True)), *near]
    assert mismatches(texts, own) == []


@pytest.mark.parametrize("value", [2.0, 0.0, -1.5])
def test_a_but_with_a_valence_of_its_own_keeps_it(value: float) -> None:
    own = {"but": value}
    pieces = ("good", "but", "nice", "bad", "x")
    texts = [
        f"{a} {b} {c} {d}{end}"
        for a in pieces for b in pieces for c in pieces for d in pieces for end in ("", "!")
    ]  # fmt: skip
    assert mismatches(texts, own) == []


def test_words_score_the_same_wherever_a_block_of_64_bytes_ends() -> None:
    parts = ["good", "NOT good", "isn't", "(good)", "good!?", "'", "\u00e9 good", "\U0001f600"]
    fills = ["x", " ", ".", "'", "-", "a ", "good ", "n't ", "\u00e9", "\u3000"]
    texts = [
        part + fill * n + other
        for n in (*range(24, 34), *range(54, 70), *range(120, 132))
        for fill in fills
        for part, other in zip(parts, parts[3:] + parts[:3], strict=True)
    ]
    assert mismatches(texts) == []


def test_every_lexicon_word_is_found_in_its_place_among_others() -> None:
    assert mismatches([" ".join(LEXICON[at : at + 5]) for at in range(0, len(LEXICON), 5)]) == []
