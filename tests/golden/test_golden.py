"""Golden jobs: a small log and its config give exactly these tables, columns and types."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.job import CASES, FOLDER, run_case


@pytest.mark.parametrize("case", CASES)
def test_a_golden_job_gives_exactly_its_tables(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = run_case(case, tmp_path)
    expected = {"columns.txt", "scored.ndjson", "summary.ndjson", "bands.ndjson"}
    assert found.keys() >= expected
    for name, text in found.items():
        golden = (FOLDER / case / name).read_text(encoding="utf-8")
        assert text.splitlines() == golden.splitlines(), f"{case}/{name}"


def test_there_are_golden_jobs() -> None:
    assert CASES == ["comparison", "references", "stability"]
