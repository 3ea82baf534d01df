r"""Sentences of a text: a rule-based splitter as one regular expression, run by polars.

The Rust engine behind polars is linear in the text and has no look-ahead, so a sentence is spelt
out as what it may contain, then how it ends. Made for what agents write: markdown, code fences,
abbreviations, file names and numbers, emoji, CJK.
"""

from __future__ import annotations

from typing import Final, Literal

import polars as pl

SPLITTER_VERSION = "1"
"""Raised whenever the same text begins to be split in another way; part of tone's signature."""

CodePolicy = Literal["skip", "keep"]
"""What to do with fenced code blocks, which are no prose: leave them out, or keep them."""

# Abbreviations after which a sentence goes on, whatever follows.
_NEED_FOLLOWER = (
    r"[Ee]\.g|[Ii]\.e|[Cc]f|[Vv]s|[Vv]iz|[Aa]pprox|[Ii]ncl|[Ee]xcl|[Ee]sp|[Rr]esp|[Mm]ax|[Mm]in"
    r"|al|[Dd]ept"
    r"|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Mt|Gen|Col|Lt|Sgt|Capt|Rev|Hon|Gov|Sen|Rep|Pres"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
# Abbreviations after which a sentence goes on before a digit.
_NEED_NUMBER = r"[Ff]igs?|[Ee]qs?|Nos?|pp?|[Vv]ol|[Cc]h|[Ss]ec|[Rr]ef"
# Abbreviations after which a sentence goes on before a lower-case letter or a digit.
_MAY_END = r"etc|[ap]\.m|(?:\p{L}\.)+\p{L}|Inc|Ltd|Co|Corp|Ph\.D|Bros"

_STOP_MARKS = r".!?…‽؟।۔"
_CLOSERS = r"\"'”’»)\]}*_~\p{Extended_Pictographic}\x{FE0F}\x{200D}"
_STOP = rf"[{_STOP_MARKS}]+[{_CLOSERS}]*(?:[ \t]*\p{{Extended_Pictographic}}\x{{FE0F}}?)*"
_CJK_STOP = r"[。！？｡]+[」』”’）】》！？。]*"
_OPENERS = r"(\[{\"'“‘«*_"

# The white space after a sentence: up to the last line break, but not into the next line.
_GAP = r"(?:(?:[^\S\n]*\n)+|[^\S\n]+)"
# A fenced block, closed or not, is one unit. Behind backticks, no other may stand in the line.
_FENCE = (
    r"(?m:^)[ \t]*(?:`{3,}[^`\n]*(?:\n(?s:.)*?(?:(?m:^)[ \t]*`{3,}[^\n]*|\z)|\z)"
    r"|~{3,}[^\n]*(?:\n(?s:.)*?(?:(?m:^)[ \t]*~{3,}[^\n]*|\z)|\z))"
    rf"{_GAP}?"
)
# What a block line begins with; such a line does not run on into an ordinary one.
_MARKER = r"(?:(?:[-*+•>]+|#+|\d{1,3}[.)]|\p{Ll}[.)]|\[[ xX]\])[ \t]+|\|)+"
_TOKENS = (
    r"`[^`\n]*`",
    rf"(?:{_NEED_FOLLOWER}|\p{{Lu}})\.[ \t]+",
    rf"(?:{_NEED_NUMBER})\.[ \t]+\d",
    rf"(?:{_MAY_END})\.[ \t]+[\p{{Ll}}\d]",
    # An ellipsis breaks before a capital only. Bounded, so that a wall of dots stays linear.
    r"(?:\.[ .]{0,6}\.|…)[ \t]+[\p{Ll}\d]",
    # A quotation or bracket that goes on in lower case: "Is it done?" he asked.
    rf"[{_STOP_MARKS}]+[\"'”’»)\]]+[ \t]+\p{{Ll}}",
    # A stop with a character right behind it is none: 3.14, main.py, e.g., "x.", he said.
    rf"[{_STOP_MARKS}]+[{_CLOSERS}]*[^\s{_STOP_MARKS}{_CLOSERS}]",
    r"[\s&&[^\r\n]]+",
    rf"[{_OPENERS}]",
    rf"[^\s{_STOP_MARKS}。！？｡`{_OPENERS}]+",
    r"`",
)
# An ordinary line that is wrapped goes on: the next one begins with a letter or an opening mark.
_WRAP = r"\r?\n[ \t]*[\p{L}(\"'“‘]"
_INDENTED_WRAP = r"\r?\n[ \t]+[\p{L}(\"'“‘]"
_END = rf"(?:(?:{_STOP}|{_CJK_STOP})*{_GAP}|{_CJK_STOP}|(?:{_STOP})*\z)"
_TOKEN = "|".join(_TOKENS)
_SEGMENT = (
    rf"{_FENCE}"
    rf"|\s*{_MARKER}(?:{_TOKEN}|{_INDENTED_WRAP})*{_END}"
    rf"|(?:{_TOKEN}|{_WRAP})+{_END}"
    rf"|{_STOP}{_GAP}?"
    rf"|{_GAP}"
    r"|(?s:.)"
)

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


def split_sentences(text: pl.Expr, *, code: CodePolicy = "keep") -> pl.Expr:
    r"""Split each text of n strings (nullable) into its sentences: n lists of strings.

    Sentences are exact substrings in order, trimmed of Unicode white space; only white space lies
    between them, and text without a terminator is a sentence too. A fenced code block, closed or
    not, is one sentence. Null stays null; a blank text gives an empty list.

    Args:
        text: an expression of strings.
        code: "skip" leaves fenced code blocks out.

    Example:
        >>> text = pl.lit("It works, e.g. on main.py v1.2. Ship it?\n- Tests pass!")
        >>> pl.select(split_sentences(text)).item().to_list()
        ['It works, e.g. on main.py v1.2.', 'Ship it?', '- Tests pass!']
    """
    segment = pl.element()
    sentence = segment.str.strip_chars()
    wanted = sentence != ""
    if code == "skip":
        wanted &= ~_is_fence(segment, segment.shift(1))
    return _segments(text).list.eval(sentence.filter(wanted))


def sentence_spans(texts: pl.Series, *, code: CodePolicy = "keep") -> pl.DataFrame:
    """Find the sentences of n strings (nullable) with their places, one row per sentence.

    Returns:
        ``row`` (0 to n - 1), ``sentence_index`` (from 0 in each text), ``start`` and ``end``
        (characters, end exclusive; all Int32 but ``row``, Int64) and ``sentence``, such that
        ``text[start:end] == sentence``. The sentences are those of ``split_sentences``.

    Example:
        >>> sentence_spans(pl.Series(["Hi.  Bye"])).rows()
        [(0, 0, 0, 3, 'Hi.'), (0, 1, 5, 8, 'Bye')]
    """
    segment, sentence = pl.col("segment"), pl.col("sentence")
    wanted = sentence != ""
    if code == "skip":
        wanted &= ~_is_fence(segment, segment.shift(1).over("row"))
    before = segment.str.len_chars().cum_sum().over("row") - segment.str.len_chars()
    leading = segment.str.len_chars() - segment.str.strip_chars_start().str.len_chars()
    return (
        texts.alias("text")
        .to_frame()
        .select(pl.int_range(pl.len()).alias("row"), _segments(pl.col("text")).alias("segment"))
        .filter(pl.col("segment").list.len() > 0)
        .explode("segment")
        .with_columns(
            segment.str.strip_chars().alias("sentence"), (before + leading).alias("start")
        )
        .filter(wanted)
        .select(
            "row",
            pl.int_range(pl.len(), dtype=pl.Int32).over("row").alias("sentence_index"),
            pl.col("start").cast(pl.Int32),
            (pl.col("start") + sentence.str.len_chars()).cast(pl.Int32).alias("end"),
            "sentence",
        )
    )


def without_code(text: pl.Expr) -> pl.Expr:
    """Take the fenced code blocks out of each text of n strings (nullable), the rest as it is."""
    segment = pl.element()
    kept = segment.filter(~_is_fence(segment, segment.shift(1)))
    return _segments(text).list.eval(kept).list.join("")


def _segments(text: pl.Expr) -> pl.Expr:
    """Cut each text into segments that tile it: a sentence with the white space around it."""
    return text.str.extract_all(_SEGMENT)


def _is_fence(segment: pl.Expr, before: pl.Expr) -> pl.Expr:
    """Whether a segment is a fenced block: it begins like one, at the beginning of a line."""
    begins_line = before.str.ends_with("\n").fill_null(value=True)
    return begins_line & segment.str.contains(r"^[ \t]*(?:`{3,}[^`\n]*(?:\n|$)|~~~)")
