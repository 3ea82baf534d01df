"""The benchmarks' texts and logs are what their figures are said to be of."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from tests.benchmarks.corpora import charged_share, joined, sentences, texts
from tests.benchmarks.logs import pairs, write_logs
from tonelog.scorers.similarity import pair_word_distance


def test_sentences_are_distinct_and_seeded_and_about_100_characters() -> None:
    some = sentences(2_000)
    assert len(set(some)) == 2_000
    assert some[:50] == sentences(50)
    assert some != sentences(2_000, seed=1)
    assert 95 < sum(map(len, some)) / len(some) < 105


@pytest.mark.parametrize("chars", [120, 600, 5_000])
def test_texts_have_exactly_so_many_characters(chars: int) -> None:
    some = texts(100, chars=chars)
    assert {len(text) for text in some} == {chars}
    assert len(set(some)) == 100


def test_four_words_in_a_hundred_are_charged() -> None:
    assert 0.035 < charged_share(sentences(1_000)) < 0.045


def test_joined_texts_reach_their_length() -> None:
    assert joined(["ab", "cd", "ef", "g"], chars=4) == ["ab cd", "ef g"]


def test_half_of_the_references_are_near_and_half_are_unrelated() -> None:
    frame = pairs(200)
    distance = pair_word_distance(*frame.get_columns())
    words = frame["response"].str.split(" ").list.len()
    assert ((distance < words * 0.2) == (pl.int_range(200, eager=True) % 2 == 0)).all()


def test_a_log_has_its_shards_row_groups_and_texts_of_its_own(tmp_path: Path) -> None:
    write_logs(tmp_path, rows=25_000, shards=2, group_rows=5_000)
    files = sorted(tmp_path.iterdir())
    assert [pq.read_metadata(file).num_rows for file in files] == [12_500, 12_500]
    assert [pq.read_metadata(file).num_row_groups for file in files] == [3, 3]
    log = pl.read_parquet(files)
    assert log["response"].n_unique() == log["run_id"].n_unique() == 25_000
    assert log["response"].str.len_chars().unique().to_list() == [600]
    assert log.select("model", "agent").n_unique() == 20
    assert sum(file.stat().st_size for file in files) > 25_000 * 600 / 2, "texts are not repeated"
