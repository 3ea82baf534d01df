"""The scorers of the originals: one run, or a batch of runs, with what each is compared with.

Shapes and names only: every number comes from the project's scorers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast
from uuid import uuid4

from ..base import Scorer, ScorerError
from ..registry import create_scorer
from .metrics import measure_pairs


class Run(NamedTuple):
    """One run, before its score."""

    run_id: str
    input: object
    output: str | None
    ground_truth: object


@dataclass(frozen=True)
class RunResult:
    """What a scorer gave for one run.

    Attributes:
        run_id: the id given, else a new UUID; in ``run_evals``, the item's index.
        score: None if the run could not be scored, never 0.0 for that.
        unscored: None, or why there is no score.
        analyze_step_result: the numbers behind the score, and ``unscored`` again.
        reference: what the output was compared with: "input", "ground_truth", a text, or None.
        input: the run's input, as given.
        output: the run's response.
        ground_truth: the run's ground truth, as given.
    """

    run_id: str
    score: float | None
    unscored: str | None
    analyze_step_result: dict[str, object]
    reference: str | None
    input: object
    output: str | None
    ground_truth: object

    @property
    def preprocess_step_result(self) -> dict[str, object]:
        """The same numbers, under the name where the originals ship them."""
        return self.analyze_step_result


@dataclass(frozen=True)
class RunScorer:
    """A scorer of runs: it compares each output with what ``reference`` names.

    Attributes:
        id: its name among other scorers.
        scorer: what makes the numbers; its mode is decided here, once for all runs.
        reference: "input" or "ground_truth" of the same run, or a text for all runs; None for a
            scorer that reads no reference.

    Raises:
        ScorerError: a reference is needed and there is none.
    """

    id: str
    scorer: Scorer
    reference: str | None

    def __post_init__(self) -> None:
        scorer = self.scorer.resolve(has_reference=self.reference is not None)
        if scorer.needs_reference and self.reference is None:
            raise ScorerError(
                f"{self.id}: no reference; expected 'input', 'ground_truth' or a text to compare "
                "with; pass reference="
            )
        object.__setattr__(self, "scorer", scorer)
        # What is recorded is what was compared.
        if not scorer.needs_reference:
            object.__setattr__(self, "reference", None)

    def run(
        self,
        *,
        output: str | None,
        input: object = None,  # noqa: A002 - the originals' name
        ground_truth: object = None,
        run_id: str | None = None,
    ) -> RunResult:
        """Score one run's output.

        Raises:
            ScorerError: the output, or what it is compared with, is no text.
        """
        run = Run(str(uuid4()) if run_id is None else run_id, input, output, ground_truth)
        return self.run_batch([run])[0]

    def run_batch(self, runs: Sequence[Run]) -> list[RunResult]:
        """Score n runs as one batch: n results in the same order; see ``run``."""
        pairs = [(run.output, self.reference_of(run)) for run in runs]
        return [
            RunResult(
                score=one.score,
                unscored=cast("str | None", one.info["unscored"]),
                analyze_step_result=one.info,
                reference=self.reference,
                **run._asdict(),
            )
            for run, one in zip(runs, measure_pairs(self.scorer, pairs), strict=True)
        ]

    def reference_of(self, run: Run) -> object:
        """Give what a run's output is compared with."""
        if self.reference == "input":
            return run.input
        return run.ground_truth if self.reference == "ground_truth" else self.reference


def create_tone_scorer(
    *,
    reference: str | None = None,
    id: str = "tone-scorer",  # noqa: A002 - the originals' name
    **options: object,
) -> RunScorer:
    """Make the tone scorer; ``options`` are those of ``ToneScorer``.

    Args:
        reference: "ground_truth", "input" or a text: all runs are compared with it, and one
            without it is unscored. None or "": stability of the output alone.
        id: another id, to use two of them together.
        **options: of ``ToneScorer``.

    Raises:
        ScorerError: an unknown option, a value outside its range, or a missing reference.

    Example:
        >>> scorer = create_tone_scorer(reference="ground_truth")
        >>> result = scorer.run(
        ...     input="How was your experience with our service?",
        ...     output="The service was great.",
        ...     ground_truth="The service was excellent and exceeded expectations!",
        ... )
        >>> result.reference, result.analyze_step_result["reference_sentiment"]
        ('ground_truth', 0.6114)
    """
    return RunScorer(id, create_scorer("tone", **options), reference or None)


def create_textual_difference_scorer(
    *,
    reference: str = "input",
    id: str = "textual-difference-scorer",  # noqa: A002 - the originals' name
    **options: object,
) -> RunScorer:
    """Make the textual difference scorer; ``options`` are those of ``TextualDifferenceScorer``.

    Args:
        reference: "input" (as the original has it), "ground_truth", or a text.
        id: another id, to use two of them together.
        **options: of ``TextualDifferenceScorer``.

    Raises:
        ScorerError: an unknown option, a value outside its range, or a missing reference.

    Example:
        >>> scorer = create_textual_difference_scorer(reference="ground_truth")
        >>> scorer.run(
        ...     input="What is the capital of France?",
        ...     output="The capital of France is Paris!",
        ...     ground_truth="The capital of France is Paris.",
        ... ).analyze_step_result["changes"]
        1
    """
    return RunScorer(id, create_scorer("textual_difference", **options), reference)
