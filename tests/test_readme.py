"""The README's commands, snippets and tables, run and compared as they stand."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tonelog.jobs.config import load_config
from tonelog.scorers.base import UNSCORED, score_columns
from tonelog.scorers.registry import scorer_class

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
_TIMING = re.compile(r"in [\d.,]+ s \([\d,]+ rows/s\)")


def blocks(language: str) -> list[str]:
    """Give the README's code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def run(command: str, folder: Path, **environment: str) -> str:
    """Run a shell command and give what it prints, notes and errors included."""
    scripts = str(Path(sys.executable).parent)
    path = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(  # noqa: S602 - the README's own commands
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return _TIMING.sub("in TIME", done.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder in which the demo was run."""
    folder = tmp_path_factory.mktemp("readme")
    printed = run("tonelog demo", folder)
    # The sessions take place in the demo's folder, the snippets beside it.
    assert "the 5 worst runs of 2026-03-03" in printed
    return folder


def test_the_sessions_print_what_the_readme_says(folder: Path) -> None:
    for session in blocks("console"):
        for step in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
            command, _, expected = step.partition("\n")
            shown = run(command, folder / "tonelog-demo")
            printed = [line.rstrip() for line in shown.splitlines()]
            assert printed == [
                line.rstrip() for line in _TIMING.sub("in TIME", expected).splitlines()
            ], command


def test_the_snippets_run_as_doctests(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    snippets = [block for block in blocks("python") if block.startswith(">>>")]
    assert len(snippets) == 4
    for snippet in snippets:
        test = doctest.DocTestParser().get_doctest(snippet, {}, "README.md", "README.md", 0)
        report: list[str] = []
        doctest.DocTestRunner().run(test, out=report.append)
        assert not report, "".join(report)


def test_the_example_scorer_installs_as_a_plug_in(folder: Path, tmp_path: Path) -> None:
    code = next(block for block in blocks("python") if not block.startswith(">>>"))
    assert len(code.split("class ")[1].splitlines()) <= 20
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    (source / "word_overlap.py").write_text(code, encoding="utf-8")
    (source / "pyproject.toml").write_text(
        '[project]\nname = "word-overlap"\nversion = "1"\n'
        + blocks("toml")[-1]
        + '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[tool.setuptools]\npy-modules = ["word_overlap"]\n',
        encoding="utf-8",
    )
    pip = f"{sys.executable} -m pip install --quiet --no-deps --no-build-isolation --no-index"
    print(run(f"{pip} --target {target} {source}", folder))  # noqa: T201 - shown if the test fails
    listed = run("tonelog list scorers", folder, PYTHONPATH=str(target))
    assert "column word_overlap_score  double" in listed
    printed = run(
        f"tonelog score tonelog-demo/logs --scorer word_overlap -o {tmp_path / 'out'}",
        folder,
        PYTHONPATH=str(target),
    )
    assert "unscored by word_overlap: 21 (10 reference_null, 11 response_null)" in printed


def test_the_config_files_run(folder: Path) -> None:
    nightly, laptop = (ROOT / "configs" / name for name in ("nightly.toml", "laptop.toml"))
    printed = run(
        f"tonelog score --config {nightly} --date 2026-03-03 -o by-night", folder / "tonelog-demo"
    )
    assert "agent=travel model=heron-2-mini" in printed
    assert (folder / "tonelog-demo/by-night/summary/run_date=2026-03-03/summary.parquet").is_file()
    printed = run(f"tonelog score --config {laptop} tonelog-demo/logs -o by-hand", folder)
    assert "model=heron-2  " in printed
    assert len(list((folder / "by-hand/sentences").iterdir())) == 4


def test_the_commented_defaults_of_nightly_are_the_defaults() -> None:
    text = (ROOT / "configs/nightly.toml").read_text(encoding="utf-8")
    with_comments = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    tables = tomllib.loads(with_comments)
    assert tables["run"]["batch_rows"] == load_config().run.batch_rows
    assert tables["consistency"] == {"by": [], "cap": load_config().consistency.cap}
    assert tables["limits"]["cell_bytes"] == load_config().limits.cell_bytes
    for name in ("tone", "textual_difference"):
        scorer = scorer_class(name)
        for option, value in tables["scorers"][name].items():
            assert option == "lexicon" or scorer(**{option: value}) == scorer()


@pytest.mark.parametrize("name", ["tone", "textual_difference", "content_similarity"])
def test_every_column_and_option_is_in_the_readme(name: str) -> None:
    scorer = scorer_class(name)
    for column in score_columns(scorer):
        assert f"`{name}_{column}`" in README
    section = README.split("## Scorers")[1].split("## The config file")[0]
    for option in vars(scorer()):
        assert f"`{option}`" in section


def test_every_reason_and_config_key_is_in_the_readme() -> None:
    for reason in UNSCORED:
        assert f"`{reason}`" in README
    config = load_config()
    for section in ("input", "source", "output", "summary", "consistency", "limits", "run"):
        for key in vars(getattr(config, section)):
            assert f"`{section}.{key}`" in README


def test_ci_runs_the_readme_commands() -> None:
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    first, second = (block.strip() for block in blocks("sh"))
    assert second in ci
    assert first in ci
