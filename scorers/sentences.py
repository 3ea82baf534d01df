r"""Sentences of a text: a rule-based splitter, compiled, behind expressions and Series.

Made for what agents write: markdown, code fences, abbreviations, file names and numbers, emoji,
CJK. The rules are in ``tonelog.scorers.splitter``, its words and characters as data.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
import numpy as np
import polars as pl
import pyarrow as pa

from .kernels.compiled import I64, U8, Texts, as_texts
from .splitter.characters import char_classes
from .splitter.cursor import LONGEST_ABBREVIATION
from .splitter.places import count_chars, drop_code, gather
from .splitter.spans import Spans, find_sentences

__all__ = [
    "SPANS",
    "SPLITTER_VERSION",
    "Abbreviation",
    "CodePolicy",
    "Spans",
    "find_sentences",
    "sentence_spans",
    "split_sentences",
    "without_code",
]

SPLITTER_VERSION = "2"
"""Raised whenever the same text begins to be split in another way; part of tone's signature."""

CodePolicy = Literal["skip", "keep"]
"""What to do with fenced code blocks, which are no prose: leave them out, or keep them."""

Abbreviation = Annotated[
    str, msgspec.Meta(pattern=r"^[^\W_]+(\.[^\W_]+)*\.?$", max_length=LONGEST_ABBREVIATION)
]
"""The type of a further abbreviation: one word that may have dots, the last one given or not."""

SPANS: Final = pl.Schema(
    {
        "row": pl.Int64,
        "sentence_index": pl.Int32,
        "start": pl.Int32,
        "end": pl.Int32,
        "sentence": pl.String,
    }
)
"""The columns of ``sentence_spans``."""


def split_sentences(
    text: pl.Expr, *, code: CodePolicy = "keep", abbreviations: tuple[str, ...] = ()
) -> pl.Expr:
    r"""Split each text of n strings (nullable) into its sentences: n lists of strings.

    Sentences are exact substrings in order, trimmed of Unicode white space; only white space lies
    between them, and text without a terminator is a sentence too. A fenced code block, closed or
    not, is one sentence. Null stays null; a blank text gives an empty list.

    Args:
        text: an expression of strings.
        code: "skip" leaves fenced code blocks out.
        abbreviations: more words after whose dot a sentence goes on; English ones are known.

    Example:
        >>> text = pl.lit("It works, e.g. on main.py v1.2. Ship it?\n- Tests pass!")
        >>> pl.select(split_sentences(text)).item().to_list()
        ['It works, e.g. on main.py v1.2.', 'Ship it?', '- Tests pass!']
    """

    def split(series: pl.Series) -> pl.Series:
        texts = as_texts(series)
        spans = find_sentences(texts, skip_code=code == "skip", abbreviations=abbreviations)
        lists = pa.LargeListArray.from_arrays(
            spans.offsets,
            _strings(*gather(texts.bytes, spans.starts, spans.ends)),
            mask=series.is_null().to_arrow(),
        )
        return pl.Series(series.name, lists)

    return text.map_batches(split, return_dtype=pl.List(pl.String), is_elementwise=True)


def sentence_spans(
    texts: pl.Series, *, code: CodePolicy = "keep", abbreviations: tuple[str, ...] = ()
) -> pl.DataFrame:
    """Find the sentences of n strings (nullable) with their places, one row per sentence.

    Returns:
        ``row`` (0 to n - 1), ``sentence_index`` (from 0 in each text), ``start`` and ``end``
        (characters, end exclusive; all Int32 but ``row``, Int64) and ``sentence``, such that
        ``text[start:end] == sentence``. The sentences are those of ``split_sentences``.

    Example:
        >>> sentence_spans(pl.Series(["Hi.  Bye"])).rows()
        [(0, 0, 0, 3, 'Hi.'), (0, 1, 5, 8, 'Bye')]
    """
    content, text_offsets = as_texts(texts)
    starts, ends, offsets = find_sentences(
        Texts(content, text_offsets), skip_code=code == "skip", abbreviations=abbreviations
    )
    row = np.repeat(np.arange(len(texts)), np.diff(offsets))
    first, last = count_chars(content, text_offsets, starts, ends, offsets)
    return pl.DataFrame(
        {
            "row": row,
            "sentence_index": np.arange(len(row)) - offsets[row],
            "start": first,
            "end": last,
            "sentence": pl.Series(_strings(*gather(content, starts, ends))),
        },
        schema_overrides=SPANS,
    )


def without_code(text: pl.Expr) -> pl.Expr:
    r"""Take the lines of fenced code blocks out of each text of n strings (nullable).

    Example:
        >>> pl.select(without_code(pl.lit("It is:\n```\nx\n```\nSo."))).item()
        'It is:\nSo.'
    """

    def strip(series: pl.Series) -> pl.Series:
        stripped = pl.Series(series.name, _strings(*drop_code(*as_texts(series), char_classes())))
        return stripped.set(series.is_null(), None)

    return text.map_batches(strip, return_dtype=pl.String, is_elementwise=True)


def _strings(content: U8, offsets: I64) -> pa.LargeStringArray:
    """Give strings that lie one behind the other as an array, without a copy."""
    n = len(offsets) - 1
    return pa.LargeStringArray.from_buffers(n, pa.py_buffer(offsets), pa.py_buffer(content))
