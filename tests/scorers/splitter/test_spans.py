"""Spans of sentences: places in bytes, for a kernel, and in a time that grows with the text."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import TIMES, is_linear
from tests.scorers.pairs import nullable_texts
from tonelog.scorers.kernels.compiled import Texts, as_texts
from tonelog.scorers.sentences import find_sentences, split_sentences


@given(st.lists(nullable_texts, max_size=8), st.booleans())
def test_spans_are_the_sentences_of_each_text(many: list[str | None], skip: bool) -> None:  # noqa: FBT001 - hypothesis gives it
    series = pl.Series(many, dtype=pl.String)
    texts = as_texts(series)
    starts, ends, offsets = find_sentences(texts, skip_code=skip)
    content = texts.bytes.tobytes()
    found = [content[start:end].decode() for start, end in zip(starts, ends, strict=True)]
    column = split_sentences(pl.col("text"), code="skip" if skip else "keep")
    expected = series.alias("text").to_frame().select(column).to_series().to_list()
    assert len(offsets) == len(many) + 1
    assert [found[offsets[i] : offsets[i + 1]] for i in range(len(many))] == [
        sentences or [] for sentences in expected
    ]


def test_texts_may_begin_anywhere_in_the_bytes() -> None:
    texts = as_texts(pl.Series(["No. Not this.", "It is. So.", "", "D"]))
    starts, ends, offsets = find_sentences(Texts(texts.bytes, texts.offsets[1:]))
    found = [texts.bytes[a:b].tobytes() for a, b in zip(starts, ends, strict=True)]
    assert found == [b"It is.", b"So.", b"D"]
    assert offsets.tolist() == [0, 2, 2, 3]


ADVERSARIAL = (
    *("a", ".", ". ", ".\t", "a.", "A. ", "e.g. ", "1. ", "3.", "? ", '."', ".)", "…", "… a", '"'),
    *("`", "`a ", "```\n", "\n ```x", "\n~~~\n", "```a", "\n", "\r\n", "\n\n", " ", "\n  ", "- "),
    *("- \n", "#", "|", "> ", "[", "*", "。", "。」", "😀", ". 😀", "\u3000", "No. 1 ", "(a. B) "),
    *("(", ")", "((a. ", ". [1", "[1]", "<", "<br>", ".</b>", ":(", '" a. "', "' a. '", "“a. "),
    *(
        "「。",
        "``` `` ` ",
        "!",
        "a! ",
        "Key: v\n",
        "a\n---\n",
        "|a|\n---|---\n",
        "{\n",
        "}\n",
        "1) A ",
    ),
    *("• A. ", " . ", "._ ", ".*", "~", "Best,\n", "a@b$ ", "\ta\n", "at x\n", "\u200d", "。**a"),
    *("J. R. ", "A.A.", "\n'", "`a\n", "=\n", ".  )", "user@", "é", "xx' "),
)


@pytest.mark.parametrize("unit", ADVERSARIAL)
def test_time_grows_with_the_text_and_not_with_its_square(unit: str) -> None:
    text = unit * (25_000 // len(unit.encode()))
    short, long = (as_texts(pl.Series([text * times])) for times in (1, TIMES))
    assert is_linear(find_sentences, short, long)
