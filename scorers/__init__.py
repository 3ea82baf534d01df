"""Scorers of agent responses: columns in, columns out."""

from tonelog.scorers.base import (
    Flag,
    Scorer,
    ScorerError,
    ScoreResult,
    band,
    score_frame,
    score_one,
    score_pairs,
)
from tonelog.scorers.evals import EvalsResult, EvalsSummary, run_evals
from tonelog.scorers.metrics import MetricResult, TextualDifferenceMetric, ToneConsistencyMetric
from tonelog.scorers.registry import create_scorer
from tonelog.scorers.runs import (
    RunResult,
    RunScorer,
    create_textual_difference_scorer,
    create_tone_scorer,
)
from tonelog.scorers.sentences import split_sentences
from tonelog.scorers.textual_difference import TextualDifferenceScorer
from tonelog.scorers.tone import ToneScorer

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
