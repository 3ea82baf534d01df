"""Scorers of agent responses: columns in, columns out."""

from .base import (
    Flag,
    Scorer,
    ScorerError,
    ScoreResult,
    band,
    score_frame,
    score_one,
    score_pairs,
)
from .evals.metrics import MetricResult, TextualDifferenceMetric, ToneConsistencyMetric
from .evals.run_evals import EvalsResult, EvalsSummary, run_evals
from .evals.run_scorers import (
    RunResult,
    RunScorer,
    create_textual_difference_scorer,
    create_tone_scorer,
)
from .registry import create_scorer
from .sentences import split_sentences
from .textual_difference import TextualDifferenceScorer
from .tone import ToneScorer

__all__ = [
    "EvalsResult",
    "EvalsSummary",
    "Flag",
    "MetricResult",
    "RunResult",
    "RunScorer",
    "ScoreResult",
    "Scorer",
    "ScorerError",
    "TextualDifferenceMetric",
    "TextualDifferenceScorer",
    "ToneConsistencyMetric",
    "ToneScorer",
    "band",
    "create_scorer",
    "create_textual_difference_scorer",
    "create_tone_scorer",
    "run_evals",
    "score_frame",
    "score_one",
    "score_pairs",
    "split_sentences",
]
