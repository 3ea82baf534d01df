"""Evals as the originals run them: a target is called with each item, its outputs are scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ..base import ScorerError
from .run_scorers import Run, RunResult, RunScorer
from .targets import Outcome, Target, call_target

Item = Mapping[str, Any]


@dataclass(frozen=True)
class EvalsSummary:
    """How many items there were.

    Attributes:
        total_items: all items, those of a failed target included.
        not_scorable: per scorer id, the items with an output that got no score.
    """

    total_items: int
    not_scorable: dict[str, int]


@dataclass(frozen=True)
class EvalsResult:
    """What ``run_evals`` found.

    Attributes:
        scores: per scorer id, the mean over the scored items; an id without any is left out.
        summary: counts of items.
        errors: by the item's index, why the target gave no output.
    """

    scores: dict[str, float]
    summary: EvalsSummary
    errors: dict[int, str]


def run_evals(
    *,
    data: Iterable[Item],
    scorers: Iterable[RunScorer],
    target: Target,
    on_item_complete: Callable[[Item, str | None, Mapping[str, RunResult]], object] | None = None,
    concurrency: int = 1,
) -> EvalsResult:
    """Call a target with each item's input, then score all outputs, one batch per scorer.

    Args:
        data: mappings with ``input`` and, optionally, ``ground_truth``.
        scorers: scorers of different ids.
        target: a function, or a coroutine function, from an input to the response's text or None.
            A function is called in a thread of its own. If it fails, so does its item alone.
        on_item_complete: called once per item, in order, after the scoring, with the item, the
            output and the results by scorer id (None and no results if the target failed).
        concurrency: how many calls may run at once.

    Raises:
        ScorerError: no data, an item without what a scorer reads, or scorers of one id.

    Example:
        >>> from tonelog.scorers import create_textual_difference_scorer
        >>> answers = {
        ...     "Summarize the concept of recursion": "Recursion is when a function calls itself.",
        ...     "What is the capital of France?": "The capital of France is Paris.",
        ... }
        >>> scorer = create_textual_difference_scorer(reference="ground_truth")
        >>> result = run_evals(
        ...     data=[
        ...         {
        ...             "input": "Summarize the concept of recursion",
        ...             "ground_truth": "Recursion is when a function calls itself to solve a "
        ...             "problem by breaking it into smaller subproblems.",
        ...         },
        ...         {
        ...             "input": "What is the capital of France?",
        ...             "ground_truth": "The capital of France is Paris.",
        ...         },
        ...     ],
        ...     scorers=[scorer],
        ...     target=answers.get,
        ...     on_item_complete=lambda item, output, results: print(results[scorer.id].score),
        ... )
        0.24427058090424428
        1.0
        >>> round(result.scores[scorer.id], 4), result.summary.total_items
        (0.6221, 2)
    """
    items, scorers = list(data), list(scorers)
    _check(items, scorers, concurrency)
    outcomes = call_target(target, [item["input"] for item in items], concurrency)
    runs = {
        index: Run(str(index), item["input"], outcome.output, item.get("ground_truth"))
        for index, (item, outcome) in enumerate(zip(items, outcomes, strict=True))
        if outcome.error is None
    }
    results = {
        scorer.id: dict(zip(runs, scorer.run_batch(list(runs.values())), strict=True))
        for scorer in scorers
    }
    if on_item_complete is not None:
        for index, (item, outcome) in enumerate(zip(items, outcomes, strict=True)):
            done = {name: found[index] for name, found in results.items() if index in found}
            on_item_complete(item, outcome.output, done)
    return _summarize(results, outcomes)


def _check(items: Sequence[Item], scorers: Sequence[RunScorer], concurrency: int) -> None:
    """Refuse what could not be scored, before a target is called, which may cost money."""
    if not items:
        raise ScorerError("data: no items; expected at least one; give a mapping with 'input'")
    ids = [scorer.id for scorer in scorers]
    if not ids or len(set(ids)) < len(ids):
        raise ScorerError(
            f"scorers: there are {ids}; expected at least one, and different ids; pass id= to the "
            "function that makes one"
        )
    if concurrency < 1:
        raise ScorerError(f"concurrency: is {concurrency!r}; expected at least 1; raise it")
    for index, item in enumerate(items):
        if not isinstance(item, Mapping) or "input" not in item:
            raise ScorerError(
                f"data: item {index} is {item!r}; expected a mapping with 'input'; mend it"
            )
        run = Run(str(index), item["input"], None, item.get("ground_truth"))
        for scorer in scorers:
            reference = scorer.reference_of(run)
            if not isinstance(reference, str | None):
                raise ScorerError(
                    f"data: item {index} has {reference!r} as its {scorer.reference}; expected a "
                    f"str or None, which {scorer.id} can read; give its text"
                )


def _summarize(
    results: Mapping[str, Mapping[int, RunResult]], outcomes: Sequence[Outcome]
) -> EvalsResult:
    """Average the scores of each scorer, and count what is not in them."""
    found = {name: [one.score for one in runs.values()] for name, runs in results.items()}
    scores = {name: [one for one in many if one is not None] for name, many in found.items()}
    not_scorable = {name: len(found[name]) - len(many) for name, many in scores.items()}
    return EvalsResult(
        {name: fmean(many) for name, many in scores.items() if many},
        EvalsSummary(len(outcomes), not_scorable),
        {index: one.error for index, one in enumerate(outcomes) if one.error is not None},
    )
