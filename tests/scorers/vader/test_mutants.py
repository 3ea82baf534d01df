"""Copies of the sources: with a rule broken, and with every access to an array checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scorers.copies import Copy
from tests.scorers.vader.exactness import Salads, as_said
from tests.scorers.vader.mutants import MUTANTS, count_mismatches, counts, write_expected
from tests.scorers.vader.test_exactness import ODD_WORDS, in_contexts

Part = tuple[dict[str, float], list[str], list[str]]


def test_each_rule_has_its_mutants() -> None:
    assert {mutant.rule for mutant in MUTANTS} == set(range(1, 21))
    assert len({mutant[:4] for mutant in MUTANTS}) == len(MUTANTS)


def test_each_mutant_changes_what_stands_in_its_source_once(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    for _, source, before, after, _ in MUTANTS:
        old = copy.replace(source, before, after)
        assert compile((copy.scorers / source).read_text(), source, "exec")
        (copy.scorers / source).write_text(old)
    with pytest.raises(ValueError, match="stands there 0 times"):
        copy.replace("vader/valence.py", "no such text", "")


@pytest.mark.slow
def test_each_mutant_is_told_and_the_unbroken_copy_is_not() -> None:
    told = list(counts(MUTANTS))
    assert [count for mutant, count in told if mutant is None] == [0, 0]
    assert [mutant for mutant, count in told if mutant is not None and count == 0] == []


@pytest.mark.slow
def test_no_kernel_reads_or_writes_beyond_its_arrays(tmp_path: Path) -> None:
    checked = Copy(tmp_path / "copy")
    variables = checked.check_arrays()
    texts = [
        *in_contexts(range(1, 0x20000, 23)),
        *Salads(31, list(ODD_WORDS)).texts(8_000),
        *("", "a", "\u00e9", "\U0001f600", "'", "n'", "'t", "n't", " ", "\u3000", "\u0130" * 9_000),
        *(word * times + end for word in ODD_WORDS for times in (1, 2) for end in ("", "\u03a3")),
        *("\U0001f600" * 500, "a\U0001f600 " * 500, "good but " * 500, "\u212a" * 6_001),
    ]
    # Each text alone in its batch ends where the buffer ends.
    alone: list[Part] = [({}, [text], as_said([text])) for text in texts[::997]]
    expected = tmp_path / "expected.json"
    expected.write_text(json.dumps([(ODD_WORDS, texts, as_said(texts, ODD_WORDS)), *alone]))
    assert count_mismatches(checked, expected, **variables) == 0
    write_expected(expected)
    assert count_mismatches(checked, expected, **variables) == 0


@pytest.mark.slow
def test_checked_copy_would_tell(tmp_path: Path) -> None:
    checked = Copy(tmp_path / "copy")
    variables = checked.check_arrays()
    checked.replace("vader/tokens.py", "first < at < end - 1", "first < at")
    expected = tmp_path / "expected.json"
    expected.write_text(json.dumps([({}, ["\u00e9n'"], as_said(["\u00e9n'"]))]))
    with pytest.raises(RuntimeError, match="IndexError"):
        count_mismatches(checked, expected, **variables)
