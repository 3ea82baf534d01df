"""Scorers by name: the project's own, and those of other packages (entry points)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Final, cast

from .base import Scorer, ScorerError

ENTRY_POINTS: Final = "tonelog.scorers"
"""The group in which another package names its scorer classes."""

_OWN: Final = {
    "tone": "tonelog.scorers.tone:ToneScorer",
    "textual_difference": "tonelog.scorers.textual_difference:TextualDifferenceScorer",
    "content_similarity": "tonelog.scorers.content_similarity:ContentSimilarityScorer",
}


def scorer_classes() -> dict[str, str]:
    """Name every scorer installed and where its class is (``module:class``).

    Raises:
        ScorerError: two packages give the same name.
    """
    found = dict(_OWN)
    for point in sorted(entry_points(group=ENTRY_POINTS)):
        if found.setdefault(point.name, point.value) != point.value:
            message = (
                f"{point.name}: two scorers have this name, {found[point.name]} and "
                f"{point.value}; expected one; uninstall one of the packages"
            )
            raise ScorerError(message)
    return found


def scorer_class(name: str) -> type[Scorer]:
    """Import the scorer class of that name.

    Raises:
        ScorerError: no installed package has it.

    Example:
        >>> scorer_class("tone").__name__
        'ToneScorer'
    """
    found = scorer_classes()
    if name not in found:
        raise ScorerError(unknown("scorer", name, found))
    module, _, attribute = found[name].partition(":")
    return cast("type[Scorer]", getattr(import_module(module), attribute))


def create_scorer(name: str, /, **options: object) -> Scorer:
    """Make the scorer of that name with options.

    Raises:
        ScorerError: no such scorer or option, or a value outside the option's range.

    Example:
        >>> create_scorer("tone", scale=100).signature.split("|")[2]
        'aggregate:mean'
    """
    kind = scorer_class(name)
    known = [option.name for option in dataclasses.fields(cast("type", kind))]
    for option in options:
        if option not in known:
            message = f"{name}: {unknown('option', option, known)}"
            raise ScorerError(message)
    return cast("Scorer", cast("type", kind)(**options))


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is not known, and which one may have been meant."""
    known = sorted(known)
    near = get_close_matches(name, known, n=1)
    advice = f"did you mean {near[0]!r}?" if near else "use one of these"
    return f"unknown {what} {name!r}; there are {', '.join(known) or 'none'}; {advice}"
