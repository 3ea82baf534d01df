"""How kernels see texts, and where their code is cached."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from tests.scorers.pairs import nullable_texts
from tonelog.scorers.kernels.compiled import as_texts
from tonelog.scorers.kernels.instructions import element
from tonelog.scorers.kernels.utf8 import decode_char, encode_char, next_char

ROOT = Path(__file__).resolve().parents[3]


def read_back(series: pl.Series) -> list[str]:
    """Cut the texts out of what a kernel sees."""
    texts = as_texts(series)
    assert texts.offsets.dtype == np.int64
    assert not texts.bytes.flags.writeable
    assert not texts.offsets.flags.writeable
    assert len(texts.offsets) == len(series) + 1
    ends = zip(texts.offsets[:-1], texts.offsets[1:], strict=True)
    return [texts.bytes[start:end].tobytes().decode() for start, end in ends]


# Texts


@pytest.mark.parametrize(
    "texts",
    [
        [],
        [None],
        [""],
        [None, None, ""],
        ["a"],
        ["", "ab", None, "\u00e9\U0001f600", "a text of more than twelve bytes", "x"],
        ["\x00", "\x00\x00"],
    ],
)
def test_texts_are_read_as_they_are_and_nulls_as_empty(texts: list[str | None]) -> None:
    series = pl.Series(texts, dtype=pl.String)
    expected = [text or "" for text in texts]
    assert read_back(series) == expected
    for start in range(len(texts) + 1):
        for length in range(len(texts) + 1 - start):
            assert read_back(series.slice(start, length)) == expected[start : start + length]


@given(st.lists(nullable_texts, max_size=6), st.lists(nullable_texts, max_size=6))
def test_chunks_are_read_in_order(first: list[str | None], second: list[str | None]) -> None:
    series = pl.Series(first, dtype=pl.String).append(pl.Series(second, dtype=pl.String))
    assert read_back(series) == [text or "" for text in (*first, *second)]
    assert read_back(series[1:-1]) == [text or "" for text in (*first, *second)][1:-1]
    assert read_back(series.reverse()) == [text or "" for text in (*first, *second)][::-1]


def test_offsets_of_a_slice_far_in_a_long_series() -> None:
    series = pl.Series([f"text number {n}" for n in range(100_000)])
    assert read_back(series[99_990:99_993]) == [f"text number {n}" for n in range(99_990, 99_993)]


# Characters


def test_characters_are_decoded_written_and_passed() -> None:
    points = [
        *(0, 1, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF),
        *range(0x80, 0xD800, 97),
        *range(0x10000, 0x110000, 997),
    ]
    room = np.zeros(8, np.uint8)
    for point in points:
        data = chr(point).encode()
        text = np.frombuffer(b"a" + data, np.uint8)
        assert decode_char(text, 1) == point
        assert next_char(text, 1) == 1 + len(data)
        assert encode_char(point, room, 2) == 2 + len(data)
        assert room[2 : 2 + len(data)].tobytes() == data


def test_element_reads_arrays_of_all_kinds_and_steps() -> None:
    @njit  # type: ignore[untyped-decorator]
    def read(array: npt.NDArray[np.number], index: int) -> float:
        return float(element(array, index))

    for dtype in (np.uint8, np.int32, np.int64, np.float64, np.uint32):
        array = np.arange(7).astype(dtype)
        assert [read(array, i) for i in range(7)] == list(range(7))
        assert [read(array[2:6], i) for i in range(4)] == [2, 3, 4, 5]
        array.flags.writeable = False
        assert read(array, 6) == 6


# The cache

USES_A_KERNEL = r"""
import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import numpy as np
    from tonelog.scorers.vader.lexicon import make_lexicon
    from tonelog.scorers.vader.tokens import _count_emoji as kernel

    text = np.frombuffer("\U0001f600".encode(), np.uint8)
    starts, ends, n_emoji = np.array([0]), np.array([4]), np.empty(1, np.int64)
    for _ in range(2):
        kernel(text, starts, ends, make_lexicon({}).characters, n_emoji)
print(n_emoji, sum(kernel.stats.cache_hits.values()))
for warning in caught:
    print(warning.category.__name__, warning.message)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Copy the package to a folder of its own, without any cache."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "scorers", tmp_path / "copy" / "tonelog" / "scorers", ignore=ignored)
    return tmp_path / "copy"


def run(package: Path, **variables: Path) -> list[str]:
    """Use a kernel in a process of its own; give what it prints."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    environment = kept | {name: str(path) for name, path in variables.items()}
    completed = subprocess.run(
        [sys.executable, "-c", USES_A_KERNEL],
        env=environment | {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert completed.stderr == ""
    return completed.stdout.splitlines()


def cached(folder: Path) -> bool:
    return any(path.name.startswith("tokens._count_emoji") for path in folder.rglob("*.nbi"))


def make_read_only(package: Path) -> None:
    """Let no cache be made beside the sources, for root neither: a file has its folder's name."""
    for folder in (package / "tonelog" / "scorers").iterdir():
        if folder.is_dir():
            (folder / "__pycache__").touch()


def test_code_is_cached_beside_the_sources(package: Path, tmp_path: Path) -> None:
    places = {"HOME": tmp_path / "home", "XDG_CACHE_HOME": tmp_path / "user"}
    assert run(package, **places) == ["[1] 0"]
    assert cached(package)
    assert not cached(tmp_path / "user")
    assert run(package, **places) == ["[1] 1"]


@pytest.mark.parametrize(
    ("changed", "hits"),
    [
        ("vader/emoji.py", 0),
        ("kernels/utf8.py", 0),
        ("afinn/token_sums.py", 1),
        ("splitter/vocabulary.py", 1),
        ("tone.py", 1),
        ("base.py", 1),
    ],
)
def test_code_is_stale_if_the_sources_change_that_it_is_compiled_from(
    package: Path, tmp_path: Path, changed: str, hits: int
) -> None:
    places = {"HOME": tmp_path / "home", "XDG_CACHE_HOME": tmp_path / "user"}
    assert run(package, **places) == ["[1] 0"]
    with (package / "tonelog" / "scorers" / changed).open("a") as source:
        source.write("# changed\n")
    assert run(package, **places) == [f"[1] {hits}"]


def test_code_is_cached_where_the_environment_says(package: Path, tmp_path: Path) -> None:
    assert run(package, HOME=tmp_path, NUMBA_CACHE_DIR=tmp_path / "given") == ["[1] 0"]
    assert cached(tmp_path / "given")
    assert not cached(package)
    assert run(package, HOME=tmp_path, NUMBA_CACHE_DIR=tmp_path / "given") == ["[1] 1"]


def test_code_is_cached_for_the_user_where_the_package_is_read_only(
    package: Path, tmp_path: Path
) -> None:
    make_read_only(package)
    places = {"HOME": tmp_path / "home", "XDG_CACHE_HOME": tmp_path / "user"}
    assert run(package, **places) == ["[1] 0"]
    assert cached(tmp_path / "user")
    assert run(package, **places) == ["[1] 1"]


def test_nothing_is_cached_where_nothing_can_be_written_and_that_is_said_once(
    package: Path, tmp_path: Path
) -> None:
    make_read_only(package)
    (tmp_path / "file").touch()
    places = {"HOME": tmp_path / "file", "XDG_CACHE_HOME": tmp_path / "file"}
    said = run(package, **places)
    assert said[0] == "[1] 0"
    assert len(said) == 2
    assert said[1].startswith("RuntimeWarning compiled kernels: no folder for the cache can be ")
    assert "NUMBA_CACHE_DIR" in said[1]
