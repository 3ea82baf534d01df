"""Summaries again, by other keys, from the scored parts of an output folder."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from ..console import show_line, show_summaries
from ..errors import InputError
from ..output.manifest import append_journal, read_manifests
from ..output.summary import summarize_scored
from ..plan import Plan
from ..prepare import find_groupings


def resummarize(root: Path, by: Sequence[str] = ()) -> None:
    """Replace the summary and bands tables of every partition, and print them.

    Args:
        root: an output folder of ``score``.
        by: key columns of the scored table; the run's own if there are none.

    Raises:
        ConfigError: the folder is no output of ours, or a key is no column of it.
        InputError: a part cannot be read.
    """
    by = tuple(dict.fromkeys(by))
    for tree, manifest in read_manifests(root).items():
        plan = msgspec.convert(manifest["plan"], Plan)
        groupings = find_groupings(by) if by else plan.groupings
        for part in manifest["parts"]:
            _check_part(root, tree.relative(tree.file("scored", part["stem"])), part["files"])
        stems = [part["stem"] for part in manifest["parts"]]
        summaries = summarize_scored(tree, plan, stems, groupings, by or plan.by)
        append_journal(tree, summaries.files)
        if tree.day:
            show_line(f"run_date={tree.day}")
        show_summaries(summaries)
    show_line(f"output: {root}")


def _check_part(root: Path, name: str, files: Mapping[str, str]) -> None:
    """Refuse a part that is not of the last finished run, whose signatures we know."""
    path = root / name
    if path.is_file():
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == files[name]:
                return
    raise InputError(
        str(path), "is not the part of the last run that ended", "expected that", "run score again"
    )
