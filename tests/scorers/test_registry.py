"""The registry: scorers by name, those of other packages, and what it says of unknown names."""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import ClassVar

import polars as pl
import pytest

from tonelog.scorers import Scorer, ScorerError, TextualDifferenceScorer, ToneScorer
from tonelog.scorers.registry import (
    create_scorer,
    scorer_class,
    scorer_classes,
    unknown,
)

OWN = ("tone", "textual_difference", "content_similarity")


@dataclass(frozen=True)
class LengthScorer(Scorer):
    """Scores a response by its length: what another package may bring."""

    most: int = 10

    name: ClassVar[str] = "length"
    fields: ClassVar[pl.Schema] = pl.Schema({"score": pl.Float64, "unscored": pl.String})

    def score(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Divide the length by the most."""
        return pairs.select(
            (pl.col("response").str.len_chars() / self.most).alias("score"),
            pl.lit(None, pl.String).alias("unscored"),
        )


def install(patch: pytest.MonkeyPatch, *points: tuple[str, str]) -> None:
    """Make entry points as if other packages were installed."""
    module = ModuleType("acme_scorers")
    module.LengthScorer = LengthScorer  # type: ignore[attr-defined]
    patch.setitem(sys.modules, "acme_scorers", module)

    def entry_points(*, group: str) -> list[EntryPoint]:
        assert group == "tonelog.scorers"
        return [EntryPoint(name, value, group) for name, value in points]

    patch.setattr("tonelog.scorers.registry.entry_points", entry_points)


def test_own_scorers_are_there_by_name() -> None:
    assert scorer_class("tone") is ToneScorer
    assert scorer_class("textual_difference") is TextualDifferenceScorer
    assert set(scorer_classes()) >= set(OWN)


@pytest.mark.parametrize("name", OWN)
def test_name_is_that_of_the_class(name: str) -> None:
    assert scorer_class(name).name == name
    assert create_scorer(name).signature.startswith(f"{name}|")


def test_scorer_is_made_with_options_of_their_declared_type() -> None:
    scorer = create_scorer("tone", scale=100, mode="stability")
    assert scorer == ToneScorer(scale=100.0, mode="stability")
    assert isinstance(scorer, ToneScorer)
    assert isinstance(scorer.scale, float)
    assert create_scorer("tone") == ToneScorer()


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("tome", "tone"),
        ("Tone", "tone"),
        ("textual_diff", "textual_difference"),
        ("textual-difference", "textual_difference"),
    ],
)
def test_unknown_scorer_suggests_the_near_name(name: str, near: str) -> None:
    with pytest.raises(ScorerError) as error:
        create_scorer(name)
    message = str(error.value)
    assert message.startswith(f"unknown scorer {name!r}; there are ")
    assert "textual_difference, tone" in message
    assert message.endswith(f"did you mean {near!r}?")


@pytest.mark.parametrize(
    ("scorer", "option", "near"),
    [
        ("tone", "max_diference", "max_difference"),
        ("tone", "lexikon", "lexicon"),
        ("textual_difference", "weight", "weighting"),
        ("textual_difference", "scales", "scale"),
    ],
)
def test_unknown_option_suggests_the_near_name(scorer: str, option: str, near: str) -> None:
    with pytest.raises(ScorerError) as error:
        create_scorer(scorer, **{option: 1})
    message = str(error.value)
    assert message.startswith(f"{scorer}: unknown option {option!r}; there are ")
    assert message.endswith(f"did you mean {near!r}?")


@pytest.mark.parametrize("option", ["name", "fields", "version", "flags"])
def test_what_is_no_option_cannot_be_set(option: str) -> None:
    with pytest.raises(ScorerError, match=f"tone: unknown option '{option}'"):
        create_scorer("tone", **{option: "x"})


def test_name_without_a_near_one_lists_all() -> None:
    assert unknown("color", "zzz", ["b", "a"]) == (
        "unknown color 'zzz'; there are a, b; use one of these"
    )
    assert unknown("color", "zzz", []) == "unknown color 'zzz'; there are none; use one of these"


def test_scorer_of_another_package_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, ("length", "acme_scorers:LengthScorer"))
    assert scorer_classes()["length"] == "acme_scorers:LengthScorer"
    assert create_scorer("length", most=5) == LengthScorer(most=5)
    assert create_scorer("tone") == ToneScorer()
    with pytest.raises(
        ScorerError,
        match=r"there are content_similarity, length, textual_difference, tone; did you",
    ):
        create_scorer("lenght")
    with pytest.raises(ScorerError, match="length: option most is 'x'"):
        create_scorer("length", most="x")


def test_scorer_of_a_package_that_is_gone_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        install(patch, ("length", "acme_scorers:LengthScorer"))
        assert "length" in scorer_classes()
    assert "length" not in scorer_classes()


@pytest.mark.parametrize(
    "points",
    [
        [("tone", "acme_scorers:LengthScorer")],
        [("length", "acme_scorers:LengthScorer"), ("length", "other_scorers:LengthScorer")],
    ],
)
def test_name_given_twice_is_refused(
    monkeypatch: pytest.MonkeyPatch, points: list[tuple[str, str]]
) -> None:
    install(monkeypatch, *points)
    name, value = points[-1]
    with pytest.raises(ScorerError, match=f"^{name}: two scorers have this name") as error:
        scorer_classes()
    assert value in str(error.value)
    assert "uninstall one of the packages" in str(error.value)


def test_entry_point_seen_twice_is_no_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    point = ("length", "acme_scorers:LengthScorer")
    install(monkeypatch, point, point)
    assert create_scorer("length") == LengthScorer()


@pytest.mark.parametrize("name", OWN)
def test_scorers_are_frozen(name: str) -> None:
    scorer = create_scorer(name)
    with pytest.raises(dataclasses.FrozenInstanceError):
        scorer.scale = 2  # type: ignore[attr-defined]
