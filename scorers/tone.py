"""Tone: how near a response's sentiment is to its reference's, or how steady it is in itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError
from typing import ClassVar, Final, Literal, Self

import polars as pl

from .afinn import sentiment as afinn
from .base import Flag, Positive, Scorer, ScorerError, band, divide, is_blank
from .kernels.compiled import as_texts
from .sentences import (
    SPANS,
    SPLITTER_VERSION,
    Abbreviation,
    CodePolicy,
    find_sentences,
    sentence_spans,
    without_code,
)
from .sentiment import (
    SENTIMENT,
    VERSIONS,
    parse_lexicon,
    sentiment,
    span_sentiment,
)

SENTENCES: Final = pl.Schema([*SPANS.items(), *SENTIMENT.items()])
"""The columns of a response's sentences."""


@dataclass(frozen=True)
class ToneScorer(Scorer):
    """Tone consistency by VADER sentiment.

    The sentiment of a text is the mean of its sentences' compounds (``aggregate="mean"``), as
    VADER's authors advise, since the compound of a long text saturates; or the compound of the
    whole text (``aggregate="whole"``). For a text of one sentence the two agree.

    * comparison: ``difference = |response_sentiment - reference_sentiment|`` and
      ``score = scale * max(0, 1 - difference / max_difference)``
    * stability: over the response's sentences, ``avg_sentiment`` is the mean,
      ``sentiment_variance`` the population variance, and
      ``score = scale * max(0, 1 - sentiment_variance / max_variance)``

    With ``profile="mastra"`` all is as Mastra's evals ship it, bit for bit: sentiment is AFINN's
    (tokens, words and emoji; ``tonelog.scorers.afinn``), sentences are the original's, code is
    text, and each pair is compared if it has a reference that is not empty, else its stability
    counts. Only a null response is unscored, and each mode fills its own fields alone. Needs the
    extra ``mastra``; ``aggregate``, ``code``, ``lexicon`` and ``abbreviations`` do not
    apply.

    Columns are those of ``fields``: sentiments in [-1, 1], difference in [0, 2], variance in
    [0, 1]. ``n_charged`` counts sentences with compound != 0. The stability fields are filled in
    both modes, the comparison fields in comparison only. A null or blank text, and one without
    any sentence outside code, leave the pair unscored. Source: the tone consistency metric and
    scorer of Mastra's evals, whose own worked numbers imply the defaults; VADER (Hutto and
    Gilbert 2014).

    Attributes:
        profile: "tonelog", or "mastra" for the original's shipped numbers.
        mode: "auto" is comparison if the job maps a reference, else stability.
        aggregate: "mean" or "whole".
        code: fenced code blocks are no tone: "skip" leaves them out, "keep" scores them.
        scale: multiplies the score, last. Above 0, at most 1,000.
        max_difference: the difference at which a comparison scores 0. Above 0.
        max_variance: the variance at which stability scores 0. Above 0.
        lexicon: more words and valences, as lines in VADER's format; in a config, their file.
        abbreviations: more words behind whose dot a sentence goes on; common English ones are
            known.

    Raises:
        ScorerError: an option is outside its range.

    Example:
        >>> pairs = pl.DataFrame({"response": ["Great. Bad."], "reference": ["Great."]})
        >>> ToneScorer().score(pairs).select("mode", "score", "difference").row(0)
        ('comparison', 0.4164, 0.5836)
    """

    profile: Literal["tonelog", "mastra"] = "tonelog"
    mode: Literal["auto", "comparison", "stability"] = "auto"
    aggregate: Literal["mean", "whole"] = "mean"
    code: CodePolicy = "skip"
    scale: Positive = 1.0
    max_difference: Positive = 1.0
    max_variance: Positive = 1.0
    lexicon: str | None = field(default=None, metadata={"file": True})
    abbreviations: tuple[Abbreviation, ...] = ()

    name: ClassVar[str] = "tone"
    fields: ClassVar[pl.Schema] = pl.Schema(
        {
            "score": pl.Float64,
            "mode": pl.String,
            "band": pl.String,
            "response_sentiment": pl.Float64,
            "reference_sentiment": pl.Float64,
            "difference": pl.Float64,
            "avg_sentiment": pl.Float64,
            "sentiment_variance": pl.Float64,
            "n_sentences": pl.Int32,
            "n_charged": pl.Int32,
            "unscored": pl.String,
        }
    )
    flags: ClassVar[Mapping[str, Flag]] = {
        "uncharged": Flag(
            pl.col("n_charged") == 0,
            warn_above=0.5,
            warning="have no sentence that VADER finds charged: it knows English only, and calls "
            "a response without charged words perfectly stable",
        ),
        "one_sentence": Flag(pl.col("n_sentences") == 1),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_lexicon(self.lexicon)
        if self.profile == "mastra":
            try:
                afinn.versions()
            except PackageNotFoundError as error:
                message = (
                    f"profile: 'mastra' needs the package {error.name}; "
                    "pip install 'tonelog[mastra]'"
                )
                raise ScorerError(message) from None

    @property
    def needs_reference(self) -> bool:
        """Only a comparison reads the reference."""
        return self.mode == "comparison"

    @property
    def versions(self) -> dict[str, str]:
        """The formula's version, the splitter's, VADER's, and how Python sums; or AFINN's."""
        if self.profile == "mastra":
            return super().versions | afinn.versions()
        return super().versions | {"sentences": SPLITTER_VERSION} | VERSIONS

    def resolve(self, *, has_reference: bool) -> Self:
        """Turn "auto" into the one mode of a job, so that no job mixes two statistics."""
        if self.mode != "auto":
            return self
        return replace(self, mode="comparison" if has_reference else "stability")

    def score(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Score n pairs: n rows of ``fields``; see the class for formulas and nulls."""
        if self.mode == "auto":
            return self.resolve(has_reference="reference" in pairs.columns).score(pairs)
        if self.mode == "stability":
            pairs = pairs.with_columns(pl.lit(None, pl.String).alias("reference"))
        make = self._mastra_features if self.profile == "mastra" else self._features
        difference = (pl.col("response_sentiment") - pl.col("reference_sentiment")).abs()
        distance = (
            pl.when(pl.col("mode") == "comparison")
            .then(divide(difference, self.max_difference))
            .otherwise(divide(pl.col("sentiment_variance"), self.max_variance))
        )
        unscaled = pl.max_horizontal(0.0, 1 - distance)
        return make(pairs).with_columns(
            (unscaled * self.scale).alias("score"),
            band(unscaled).alias("band"),
            difference.alias("difference"),
        )[self.fields.names()]

    def sentences(self, responses: pl.Series) -> pl.DataFrame | None:
        """List the sentences that scores rest on: rows of ``SENTENCES``; None under "mastra"."""
        if self.profile == "mastra":
            return None
        spans = sentence_spans(responses, code=self.code, abbreviations=self.abbreviations)
        return spans.with_columns(sentiment(spans["sentence"], self.lexicon))

    def _features(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Add mode, sentiments, what the sentences say, and why a pair has no score."""
        pairs = pairs.with_columns(self._sentiment(pairs["response"]))
        unscored = _why_unscored("response", pl.col("n_sentences"))
        if self.mode == "comparison":
            reference = self._sentiment(pairs["reference"])
            pairs = pairs.with_columns(reference.select(pl.all().name.prefix("reference_")))
            counted = pl.col("reference_n_sentences")
            unscored = pl.coalesce(unscored, _why_unscored("reference", counted))
        else:
            pairs = pairs.with_columns(pl.lit(None, pl.Float64).alias("reference_sentiment"))
        return pairs.with_columns(
            pl.lit(self.mode).alias("mode"),
            pl.col("sentiment").alias("response_sentiment"),
            unscored.alias("unscored"),
        )

    def _mastra_features(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Add the same as shipped: each pair in its own mode, only a null response unscored."""
        compared = pl.col("reference").is_not_null() & (pl.col("reference") != "")
        texts = pairs.select(
            pl.when(compared).then("response").alias("compared"),
            pl.when(compared).then("reference").alias("reference"),
            pl.when(~compared).then("response").alias("alone"),
        )
        modes = pl.when(compared).then(pl.lit("comparison")).otherwise(pl.lit("stability"))
        null = pl.col("response").is_null()
        return pairs.with_columns(afinn.sentence_comparative(texts["alone"])).with_columns(
            modes.alias("mode"),
            afinn.comparative(texts["compared"]).alias("response_sentiment"),
            afinn.comparative(texts["reference"]).alias("reference_sentiment"),
            pl.when(null).then(pl.lit("response_null")).alias("unscored"),
        )

    def _sentiment(self, texts: pl.Series) -> pl.DataFrame:
        """Make n rows of ``sentiment`` and what ``span_sentiment`` gives."""
        skip_code = self.code == "skip"
        content = as_texts(texts)
        spans = find_sentences(content, skip_code=skip_code, abbreviations=self.abbreviations)
        features = span_sentiment(content.bytes, *spans, self.lexicon)
        if self.aggregate == "mean":
            return features.with_columns(pl.col("avg_sentiment").alias("sentiment"))
        if skip_code:
            texts = texts.to_frame().select(without_code(pl.first())).to_series()
        whole = sentiment(texts, self.lexicon)["compound"]
        return features.with_columns(whole.alias("sentiment"))


def _why_unscored(side: str, n_sentences: pl.Expr) -> pl.Expr:
    """Name the reason why a text has no sentiment; null if it has one."""
    return (
        pl.when(pl.col(side).is_null())
        .then(pl.lit(f"{side}_null"))
        .when(is_blank(pl.col(side)))
        .then(pl.lit(f"{side}_blank"))
        .when(n_sentences == 0)
        .then(pl.lit("no_sentences"))
    )
