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
from tonelog.scorers.registry import create_scorer
from tonelog.scorers.sentences import split_sentences
from tonelog.scorers.textual_difference import TextualDifferenceScorer
from tonelog.scorers.tone import ToneScorer

__all__ = [
    "Flag",
    "ScoreResult",
    "Scorer",
    "ScorerError",
    "TextualDifferenceScorer",
    "ToneScorer",
    "band",
    "create_scorer",
    "score_frame",
    "score_one",
    "score_pairs",
    "split_sentences",
]
