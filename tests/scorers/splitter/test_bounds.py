"""The splitter with every access to an array checked, in a copy of its sources."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Final

import polars as pl
import pytest

from tests.scorers.cases import GOLD, read_cases
from tests.scorers.copies import Copy
from tests.scorers.splitter.test_spans import ADVERSARIAL
from tests.scorers.test_sentences import STRUCTURE
from tonelog.scorers.sentences import sentence_spans

_SPLIT: Final = r"""
import json, sys
import polars as pl
from tonelog.scorers import sentences as module
assert module.__file__.startswith(sys.argv[2]), module.__file__
texts = pl.Series(json.load(open(sys.argv[1])))
# All of them, and each alone, whose bytes end where the text does.
spans = [module.sentence_spans(part) for part in (texts, *(texts[i : i + 1] for i in range(999)))]
print(json.dumps([frame.select("start", "end").rows() for frame in spans]))
"""


@pytest.mark.slow
def test_no_splitting_reads_or_writes_beyond_its_arrays(tmp_path: Path) -> None:
    rng = Random(8)  # noqa: S311 - the same texts in every run
    texts = [case.text for case in read_cases(GOLD)]
    texts += [pattern * times for pattern in ADVERSARIAL for times in (1, 2, 40)]
    texts += ["".join(rng.choices(STRUCTURE, k=rng.randrange(24))) for _ in range(30_000)]
    rng.shuffle(texts)
    copy = Copy(tmp_path / "copy")
    variables = copy.check_arrays()
    written = tmp_path / "texts.json"
    written.write_text(json.dumps(texts))
    found = json.loads(copy.run(_SPLIT, str(written), str(copy.folder), **variables))
    series = pl.Series(texts)
    parts = (series, *(series[i : i + 1] for i in range(999)))
    expected = [sentence_spans(part).select("start", "end").rows() for part in parts]
    assert [[tuple(span) for span in spans] for spans in found] == expected
