"""Sentiment: what vaderSentiment says, to the last bit, through every door."""

from __future__ import annotations

import statistics
from fractions import Fraction
from random import Random
from statistics import fmean, pvariance

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from tests.oracles import compound_of, polarity
from tests.scorers.pairs import nullable_texts, unicode_texts
from tonelog.scorers import ScorerError, ToneScorer
from tonelog.scorers.sentiment import parse_lexicon, sentence_sentiment, sentiment

FIELDS = ("compound", "pos", "neu", "neg")
NOTHING = (None,) * 4

BOOSTERS = ("very", "extremely", "kind", "of", "kinda", "sort", "sorta", "barely", "VERY", "just")
NEGATIONS = ("not", "never", "isn't", "isn\u2019t", "without", "doubt", "no", "nor", "or", "NOT")
MODIFIERS = ("so", "this", "least", "at", "but", "BUT", "the", "of", "x", "a")
IDIOMS = ("the bomb", "yeah right", "kiss of death", "cut the mustard", "to die for", "bad ass")
MARKS = ("!", "!!!!!", "?", "??", "????", ".", ",", "...", ":)", ":(", ":-D", "<3", "'", '"ok."')
ODDITIES = (
    *("\U0001f600", "\U0001f622\U0001f622", "\u2764\ufe0f", "x\U0001f44d"),
    *("\U0001f468\u200d\U0001f469", "\u212aind", "stra\u00dfe", "\u0130", "\x1cgood", "go\x00od"),
    *("\u3000", "\u200bgood", "\u00e9"),
)


def word_salads(count: int) -> list[str]:
    """Make texts of words that VADER knows, of what modifies them, and of what may confuse it."""
    random = Random(20)  # noqa: S311 - the same texts in every run
    words = sorted(SentimentIntensityAnalyzer().lexicon)
    kinds = (BOOSTERS, NEGATIONS, MODIFIERS, IDIOMS, MARKS, ODDITIES)

    def piece() -> str:
        if random.random() < 0.4:
            word = random.choice(words)
            return random.choice((str, str, str, str.upper, str.title))(word)
        return random.choice(random.choice(kinds))

    def salad() -> str:
        glue = random.choices((" ", "", "\n", "  "), (12, 1, 1, 1), k=12)
        return "".join(piece() + space for space in glue[: random.randint(1, 12)])

    return [salad() for _ in range(count)]


def bits(texts: list[str | None]) -> list[str]:
    """What vaderSentiment gives for each text, written out."""
    return [repr(NOTHING if text is None else polarity(text)) for text in texts]


def column(*texts: str | None) -> pl.Series:
    """Make a Series of texts."""
    return pl.Series("text", texts, dtype=pl.String)


# The numbers


def test_sentiment_is_that_of_vader_bit_for_bit() -> None:
    salads = word_salads(4000)
    assert [repr(row) for row in sentiment(column(*salads)).rows()] == bits([*salads])
    assert sum(polarity(text)[0] != 0 for text in salads) > 2000


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "!", "ok.", "no,", "GREAT", "Great great", "GREAT DAY", "great DAY"),
        *("never so good", "it is so this good", "without a doubt good", "kind of good"),
        *("not very good at all", "the least good", "at least good", "good but bad but good"),
        *("no good", "no very good", "no or good", "it is the bomb", "hand to mouth good day"),
        *("good!!!!!!", "bad?", "bad??", "bad????", "ON!\U0001f51b good", "good\U0001f600good"),
        *("isn\u2019t good", "isn't good", "\x1cgood\x1fbad", "good " * 400, "VERY good ok"),
        *("good " * 3 + "bad " * 3, "sux but awesome", "not sux", "Catch utf-8 emoji \U0001f484"),
    ],
)
def test_quirk_of_vader_is_kept(text: str) -> None:
    assert [repr(row) for row in sentiment(column(text)).rows()] == bits([text])


@given(st.lists(nullable_texts | unicode_texts, max_size=9))
def test_any_text_has_the_sentiment_that_vader_gives(many: list[str | None]) -> None:
    assert [repr(row) for row in sentiment(column(*many)).rows()] == bits(many)


def test_single_words_follow_the_published_formula() -> None:
    words = column("It is great.", "It is good.", "It is bad.", "It is here.")
    expected = [compound_of(3.1), compound_of(1.9), compound_of(-2.5), 0.0]
    assert sentiment(words)["compound"].to_list() == expected


def test_null_has_no_sentiment_and_empty_text_has_zeros() -> None:
    expected = pl.DataFrame(
        [NOTHING, (0.0, 0.0, 0.0, 0.0), NOTHING],
        orient="row",
        schema=dict.fromkeys(FIELDS, pl.Float64),
    )
    assert_frame_equal(sentiment(column(None, "", None)), expected, check_exact=True)
    assert_frame_equal(sentiment(column(None)), expected[:1])
    assert_frame_equal(sentiment(column()), expected.clear())


# The doors


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    """Give texts with a key, also within a struct."""
    texts = ["It is good.", None, "BAD!", "", "It is good.", "Love \U0001f600", "no"]
    return pl.DataFrame({"key": [1, 2, 1, 3, 2, 1, 3], "text": texts}).with_columns(
        pl.struct(said="text").alias("nested")
    )


def test_expression_gives_what_the_series_gives(frame: pl.DataFrame) -> None:
    expected = sentiment(frame["text"])
    assert expected.columns == list(FIELDS)
    expression = sentiment(pl.col("text"))
    assert_frame_equal(frame.select(expression).unnest("text"), expected, check_exact=True)
    lazy = frame.lazy().select(expression)
    assert lazy.collect_schema()["text"] == pl.Struct(dict.fromkeys(FIELDS, pl.Float64))
    assert_frame_equal(lazy.collect().unnest("text"), expected, check_exact=True)
    streamed = lazy.collect(engine="streaming").unnest("text")
    assert_frame_equal(streamed, expected, check_exact=True)


def test_expression_reads_struct_fields_and_literals(frame: pl.DataFrame) -> None:
    expected = sentiment(frame["text"])
    nested = frame.select(sentiment(pl.col("nested").struct.field("said"))).to_series()
    assert_frame_equal(nested.struct.unnest(), expected, check_exact=True)
    literal = pl.select(sentiment(pl.lit("It is good."))).to_series().struct.unnest()
    assert_frame_equal(literal, expected[:1], check_exact=True)


def test_expression_works_in_groups_windows_and_filters(frame: pl.DataFrame) -> None:
    flat = frame.with_columns(sentiment(frame["text"]))
    compound = sentiment(pl.col("text")).struct.field("compound")
    assert_frame_equal(
        frame.group_by("key", maintain_order=True).agg(compound, compound.sum().alias("sum")),
        flat.group_by("key", maintain_order=True).agg(
            "compound", pl.col("compound").sum().alias("sum")
        ),
    )
    assert_frame_equal(
        frame.select(compound.max().over("key")), flat.select(pl.col("compound").max().over("key"))
    )
    assert_frame_equal(
        frame.filter(compound > 0).select("key"), flat.filter(pl.col("compound") > 0).select("key")
    )


def test_sliced_and_chunked_series_keep_their_order(frame: pl.DataFrame) -> None:
    expected = sentiment(frame["text"])
    assert_frame_equal(sentiment(frame["text"][2:6]), expected[2:6], check_exact=True)
    chunked = frame["text"][:3].append(frame["text"][3:])
    assert chunked.n_chunks() == 2
    assert_frame_equal(sentiment(chunked), expected, check_exact=True)


# The lexicon


def test_lexicon_adds_and_overrides_words() -> None:
    words = "zib\t2.0\ngreat\t-1.5\t0.9\t[1, 2]\n\n"
    scored = sentiment(column("It is zib.", "It is great.", "It is bad."), words)
    expected = [compound_of(2), compound_of(-1.5), compound_of(-2.5)]
    assert scored["compound"].to_list() == expected


def test_lexicon_does_not_leak_into_other_calls() -> None:
    text = column("It is zib and great.")
    before = sentiment(text).row(0)
    assert sentiment(text, "zib\t2").row(0) != before
    assert sentiment(text, "zib\t-2").row(0) != sentiment(text, "zib\t2").row(0)
    assert sentiment(text, "great\t-3").row(0) != before
    assert sentiment(text, "").row(0) == before
    assert sentiment(text).row(0) == before == polarity(text.item())


def test_lexicon_reaches_the_expression_and_the_sentences() -> None:
    text, words = "It is zib.", "zib\t2"
    expression = sentiment(pl.lit(text), words).struct.field("compound")
    assert pl.select(expression).item() == compound_of(2)
    sentences = pl.Series([[text]])
    assert sentence_sentiment(sentences, words)["avg_sentiment"].to_list() == [compound_of(2)]


def test_lexicon_of_vader_itself_changes_nothing() -> None:
    words = SentimentIntensityAnalyzer().lexicon
    lines = "\n".join(f"{word}\t{valence!r}\t0.5\t[]" for word, valence in words.items())
    salads = column(*word_salads(300))
    assert_frame_equal(sentiment(salads, lines), sentiment(salads), check_exact=True)


@pytest.mark.parametrize(
    ("lexicon", "number"),
    [
        ("zib", 1),
        ("zib 2", 1),
        ("zib\ttwo", 1),
        ("zib\t", 1),
        ("\t2", 1),
        ("zib\t2\n\nzob,1", 3),
        ("zib\t1,5", 1),
    ],
)
def test_bad_line_of_a_lexicon_is_refused_by_its_number(lexicon: str, number: int) -> None:
    line = lexicon.splitlines()[number - 1]
    for use in (parse_lexicon, lambda words: sentiment(column("a"), words), tone_with):
        with pytest.raises(ScorerError) as error:
            use(lexicon)
        assert str(error.value).startswith(f"lexicon: line {number} is {line!r}; expected ")


@pytest.mark.parametrize("valence", ["nan", "inf", "-inf", "1e999"])
def test_valence_that_is_not_finite_is_refused(valence: str) -> None:
    with pytest.raises(ScorerError, match="lexicon: line 1"):
        ToneScorer(lexicon=f"zib\t{valence}")


def tone_with(lexicon: str) -> ToneScorer:
    """Make a tone scorer with a lexicon."""
    return ToneScorer(lexicon=lexicon)


# The sentences of a text


def test_sentences_are_summed_up_in_these_rows() -> None:
    sentences = pl.Series(
        [["It is good.", "It is bad.", "It is here."], None, [], ["It is good."]],
        dtype=pl.List(pl.String),
    )
    good, bad = compound_of(1.9), compound_of(-2.5)
    three = (good, bad, 0.0)
    expected = pl.DataFrame(
        {
            "avg_sentiment": [fmean(three), None, None, good],
            "sentiment_variance": [pvariance(three), None, None, 0.0],
            "n_sentences": [3, 0, 0, 1],
            "n_charged": [2, 0, 0, 1],
        },
        schema_overrides={"n_sentences": pl.Int32, "n_charged": pl.Int32},
    )
    assert_frame_equal(sentence_sentiment(sentences), expected, rel_tol=0, abs_tol=1e-15)


@pytest.mark.parametrize("rows", [[], [None], [[]], [None, []]])
def test_rows_without_sentences_have_no_sentiment(rows: list[list[str] | None]) -> None:
    scored = sentence_sentiment(pl.Series(rows, dtype=pl.List(pl.String)))
    assert scored.rows() == [(None, None, 0, 0)] * len(rows)


@given(st.lists(st.lists(st.sampled_from(word_salads(40)), min_size=1), min_size=1, max_size=5))
def test_mean_and_variance_are_the_exact_ones_rounded_once(rows: list[list[str]]) -> None:
    scored = sentence_sentiment(pl.Series(rows, dtype=pl.List(pl.String)))
    for row, (mean, variance, n_sentences, n_charged) in zip(rows, scored.rows(), strict=True):
        compounds = [polarity(sentence)[0] for sentence in row]
        # What VADER means by 0.4939 is that decimal, not the binary number next to it.
        decimals = [Fraction(repr(compound)) for compound in compounds]
        assert mean == float(statistics.mean(decimals))
        assert variance == float(statistics.pvariance(decimals))
        assert n_sentences == len(row)
        assert n_charged == sum(compound != 0 for compound in compounds)
