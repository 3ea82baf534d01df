"""Compiled code that is cached holds no table: changed words score anew at once."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tests.scorers.vader.exactness import as_said
from tonelog.scorers.sentiment import sentiment

# In capitals, so that of VADER's numbers those for capitals and negations count too.
TEXT = "\U0001f600 It is not so VERY GOOD, kind of, x x x x the bomb"

SCORES = """
import sys
import polars as pl
from vaderSentiment import vaderSentiment
from tonelog.scorers.sentiment import sentiment
from tonelog.scorers.kernels import word_table
from tonelog.scorers.vader import polarity, tokens

fields = ("compound", "pos", "neu", "neg")
said = vaderSentiment.SentimentIntensityAnalyzer().polarity_scores(sys.argv[1])
print(repr(tuple(said[field] for field in fields)))
print(repr(sentiment(pl.Series([sys.argv[1]])).row(0)))
print(vaderSentiment.__file__)
kernels = (polarity._score, tokens._tokenize, tokens._count_emoji, word_table._fill)
print(sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels))
"""


@pytest.fixture(scope="module")
def warm() -> str:
    """Score the text, so that the kernels are compiled and in the cache; give what comes out."""
    return repr(sentiment(pl.Series([TEXT])).row(0))


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("vader_lexicon.txt", "\ngood\t1.9\t", "\ngood\t2.9\t"),
        ("vader_lexicon.txt", "\ngood\t1.9\t", "\ngoof\t1.9\t"),
        ("emoji_utf8_lexicon.txt", "\U0001f600\tgrinning face", "\U0001f600\tawful face"),
        ("vaderSentiment.py", "C_INCR = 0.733", "C_INCR = 0.9"),
        ("vaderSentiment.py", "N_SCALAR = -0.74", "N_SCALAR = -0.5"),
        ("vaderSentiment.py", '"very": B_INCR', '"very": 1.5'),
        ("vaderSentiment.py", '"the bomb": 3,', '"the bomb": -1,'),
        ("vaderSentiment.py", '"nor", "not",', '"nor",'),
    ],
)
def test_changed_file_of_vader_changes_the_scores(
    warm: str, tmp_path: Path, file: str, before: str, after: str
) -> None:
    spec = importlib.util.find_spec("vaderSentiment")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    package = shutil.copytree(spec.submodule_search_locations[0], tmp_path / "vaderSentiment")
    content = (package / file).read_text(encoding="utf-8")
    assert content.count(before) == 1
    (package / file).write_text(content.replace(before, after), encoding="utf-8")
    completed = subprocess.run(
        [sys.executable, "-c", SCORES, TEXT],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    said, ours, used, misses = completed.stdout.splitlines()
    assert used == str(package / "vaderSentiment.py")
    assert ours == said != warm
    assert misses == "0"


def test_changed_value_of_ones_own_changes_the_scores(warm: str) -> None:
    assert [warm] == as_said([TEXT])
    for value in (1.9, 2.0, -2.0):
        ours = repr(sentiment(pl.Series([TEXT]), f"good\t{value}").row(0))
        assert [ours] == as_said([TEXT], {"good": value})
        assert (ours == warm) == (value == 1.9)
