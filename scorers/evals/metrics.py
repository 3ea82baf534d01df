"""The metrics of the originals: the numbers of one pair, by the scorers' own batch path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from ..base import Scorer, ScorerError, score_pairs
from ..registry import create_scorer
from ..tone import ToneScorer

_PAIRS: Final = pl.Schema(
    dict.fromkeys(("response", "response_problem", "reference", "reference_problem"), pl.String())
)
_TONE_INFO: Final = {
    "comparison": ("response_sentiment", "reference_sentiment", "difference"),
    "stability": ("avg_sentiment", "sentiment_variance"),
}
"""What the original tells beside the score of tone, by mode."""


@dataclass(frozen=True)
class MetricResult:
    """What a metric measured.

    Attributes:
        score: None if the pair could not be scored, never 0.0 for that.
        info: the numbers behind the score, and ``unscored``: None, or why there is no score.
    """

    score: float | None
    info: dict[str, object]


class ToneConsistencyMetric:
    """The tone metric; ``options`` are those of ``ToneScorer``.

    Raises:
        ScorerError: an unknown option, or a value outside its range.

    Example:
        >>> metric = ToneConsistencyMetric()
        >>> result = metric.measure(
        ...     "I love this amazing product!", "This product is wonderful and fantastic!"
        ... )
        >>> result.score, result.info["response_sentiment"], result.info["reference_sentiment"]
        (0.9473, 0.8748, 0.8221)
        >>> metric.measure(
        ...     "This product is fantastic and amazing!", "The product is excellent and wonderful!"
        ... ).score
        1.0
        >>> result = metric.measure("Great service! Friendly staff. Perfect atmosphere.", "")
        >>> [round(result.info[key], 4) for key in ("avg_sentiment", "sentiment_variance")]
        [0.5749, 0.0045]
        >>> round(result.score, 4)
        0.9955
        >>> round(metric.measure(
        ...     "The service is excellent. The staff is friendly. The atmosphere is perfect.",
        ...     "",  # Empty string for single-text analysis
        ... ).score, 4)
        0.9986
    """

    def __init__(self, **options: object) -> None:
        self.scorer = create_scorer("tone", **options)

    def measure(self, input: str | None, output: str | None = "") -> MetricResult:  # noqa: A002
        """Compare the tone of ``input``, the response, with that of ``output``, the reference.

        Without a reference ("" or None) stability is measured, unless ``mode`` says otherwise.
        """
        return _measure(self.scorer.resolve(has_reference=bool(output)), input, output)


class TextualDifferenceMetric:
    """The textual difference metric; ``options`` are those of ``TextualDifferenceScorer``.

    Raises:
        ScorerError: an unknown option, or a value outside its range.

    Example:
        >>> result = TextualDifferenceMetric().measure("The cat sat.", "The cat sat down.")
        >>> round(result.score, 4), result.info["changes"], result.info["unscored"]
        (0.5842, 2, None)
    """

    def __init__(self, **options: object) -> None:
        self.scorer = create_scorer("textual_difference", **options)

    def measure(self, input: str | None, output: str | None) -> MetricResult:  # noqa: A002
        """Compare ``input``, the response, with ``output``, the reference ("" is a text)."""
        return _measure(self.scorer, input, output)


def measure_pairs(scorer: Scorer, pairs: Sequence[tuple[object, object]]) -> list[MetricResult]:
    """Score n pairs (response, reference) as one batch, by a scorer as ``resolve`` gave it."""
    rows = [(*_text("response", one), *_text("reference", other)) for one, other in pairs]
    scored = score_pairs(scorer, pl.DataFrame(rows, schema=_PAIRS, orient="row"))
    return [
        MetricResult(row["score"], {field: row[field] for field in _info_fields(scorer, row)})
        for row in scored.iter_rows(named=True)
    ]


def _info_fields(scorer: Scorer, row: dict[str, Any]) -> list[str]:
    """Name the fields that are told beside a score: of the mode that the pair was scored in."""
    if isinstance(scorer, ToneScorer):
        return [*_TONE_INFO[row["mode"] or scorer.mode], "unscored"]
    return [field for field in scorer.fields if field not in {"score", "band"}]


def _measure(scorer: Scorer, response: str | None, reference: str | None) -> MetricResult:
    return measure_pairs(scorer, [(response, reference)])[0]


def _text(side: str, text: object) -> tuple[str | None, str | None]:
    """Give the text as a column can hold it, and the problem if it cannot."""
    if not isinstance(text, str | None):
        raise ScorerError(f"{side}: is {text!r}; expected a str or None; give its text")
    try:
        (text or "").encode()
    except UnicodeEncodeError:  # half of a surrogate pair, as cut JSON has it
        return None, f"{side}_not_utf8"
    return text, None
