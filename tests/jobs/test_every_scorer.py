"""Every scorer of the registry: one pair alone, a batch, and a whole job give the same bits."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import polars as pl
import pytest

from tests.jobs.logs import TEXTS, read_parts, score, write_log
from tonelog.scorers import create_scorer, score_frame, score_one
from tonelog.scorers.registry import scorer_class, scorer_classes

RESPONSES = list(TEXTS) * 2
REFERENCES = [*TEXTS[1:], "Great!", *TEXTS[2:], "It works!", None]


def scorers_and_profiles() -> list[tuple[str, dict[str, str]]]:
    """List every scorer with every one of its profiles, were it to have any."""
    found: list[tuple[str, dict[str, str]]] = []
    for name in scorer_classes():
        kind: Any = scorer_class(name)
        hints = get_type_hints(kind)
        named = {field.name for field in dataclasses.fields(kind)}
        profiles = get_args(hints["profile"]) if "profile" in named else ()
        found += [(name, {"profile": profile}) for profile in profiles] or [(name, {})]
    return found


def test_there_are_three_scorers_and_two_profiles() -> None:
    assert scorers_and_profiles() == [
        ("tone", {"profile": "tonelog"}),
        ("tone", {"profile": "mastra"}),
        ("textual_difference", {"profile": "tonelog"}),
        ("textual_difference", {"profile": "mastra"}),
        ("content_similarity", {}),
    ]


@pytest.mark.parametrize("references", ["one", "list"])
@pytest.mark.parametrize(("name", "options"), scorers_and_profiles())
def test_one_pair_a_batch_and_a_job_give_the_same_bits(
    tmp_path: Path, name: str, options: dict[str, str], references: Literal["one", "list"]
) -> None:
    given: list[Any] = REFERENCES
    if references == "list":
        given = [[one, two] for one, two in zip(REFERENCES, reversed(REFERENCES), strict=True)]
    columns: dict[str, object] = {"response": RESPONSES, "reference": given}
    log = write_log(tmp_path / "log.parquet", columns)
    settings = [part for k, v in options.items() for part in ("--set", f"scorers.{name}.{k}={v}")]
    assert score(log, tmp_path / "out", "--scorer", name, *settings).code == 0
    scorer = create_scorer(name, **options)
    dtype = pl.List(pl.String) if references == "list" else pl.String
    frame = pl.DataFrame(columns, schema={"response": pl.String, "reference": dtype})
    batch = score_frame(frame, [scorer], reference="reference")
    names = [column for column in batch.columns if column.startswith(f"{name}_")]
    job = read_parts(tmp_path / "out").select(names)
    assert job.rows() == batch.select(names).rows()
    resolved = scorer.resolve(has_reference=True)
    alone = [score_one(resolved, *pair).fields for pair in frame.rows()]
    assert [tuple(fields.values()) for fields in alone] == job.rows()
    assert job[f"{name}_score"].drop_nulls().len() > len(TEXTS) // 2
