"""The output folder: where each table lies, whose folder it is, and the record of every run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from ..errors import ConfigError
from ..log.shards import Shard

TABLES = ("scored", "sentences", "summary", "bands", "consistency")
TEMPORARY = ".tonelog-tmp"
"""Ending of a file that is being written; its name also begins with a dot."""

_JOURNAL = "_manifest/journal.jsonl"


@dataclass(frozen=True)
class OutputTree:
    """One partition of an output folder: all of it, or that of a date.

    Attributes:
        root: the output folder.
        day: the run's date, which names the partition; None for a folder without partitions.
    """

    root: Path
    day: date | None = None

    def folder(self, table: str) -> Path:
        """Where a table's files of this partition lie."""
        return self.root / table / (f"run_date={self.day}" if self.day else "")

    def file(self, table: str, stem: str) -> Path:
        """Where one file of a table lies."""
        return self.folder(table) / f"{stem}.parquet"

    @property
    def partials(self) -> Path:
        """Where the partials of this partition's parts lie."""
        return self.folder("_manifest") / "partials"

    @property
    def manifest(self) -> Path:
        """Where this partition's manifest lies."""
        return self.folder("_manifest") / "manifest.json"

    def relative(self, path: Path) -> str:
        """Name a file as the journal does."""
        return path.relative_to(self.root).as_posix()


def check_output(tree: OutputTree, shards: Iterable[Shard], folders: Iterable[Path]) -> None:
    """Refuse an output folder that is not ours, or that lies in the input or around it.

    Args:
        tree: where the job would write.
        shards: what it would read.
        folders: the folders among its inputs.

    Raises:
        ConfigError: so it is, or the folder mixes runs with and without ``--date``.
    """
    root = tree.root.resolve()
    for folder in folders:
        if folder.resolve() in (root, *root.parents):
            raise ConfigError(
                str(tree.root),
                f"lies inside the input {folder}",
                "expected another folder",
                "pass -o",
            )
    for shard in shards:
        if root in Path(shard.path).resolve().parents:
            raise ConfigError(
                shard.path, f"lies inside the output {tree.root}", "expected a log", "pass -o"
            )
    existing = next(path for path in (tree.root, *tree.root.parents) if path.exists())
    if not existing.is_dir():
        raise ConfigError(
            str(existing), "is a file", "expected a folder", "pass -o with another one"
        )
    if existing == tree.root:
        _check_ours(tree)


def _check_ours(tree: OutputTree) -> None:
    """Refuse a folder that this project did not write, or that holds the other kind of run."""
    root = tree.root
    if not (root / _JOURNAL).is_file():
        if any(root.iterdir()):
            raise ConfigError(
                str(root),
                "is not empty, and no output of tonelog",
                "expected an empty or new folder",
                "pass -o with another one",
            )
        return
    for entry in read_journal(root):
        if (entry["run_date"] is None) != (tree.day is None):
            raise ConfigError(
                str(root),
                f"holds runs {'with' if entry['run_date'] else 'without'} --date",
                "expected one kind in one folder",
                "pass -o with another folder, or run as before",
            )


def read_journal(root: Path) -> Iterator[dict[str, Any]]:
    """Read the journal of an output folder: one entry for each file that was published."""
    with (root / _JOURNAL).open(encoding="utf-8") as lines:
        for line in lines:
            # A run that was killed while it wrote the journal may have left half a line.
            with suppress(json.JSONDecodeError):
                yield json.loads(line)


def append_journal(tree: OutputTree, files: Mapping[str, str]) -> None:
    """Record published files (path below the output folder, and SHA-256) durably."""
    path = tree.root / _JOURNAL
    path.parent.mkdir(parents=True, exist_ok=True)
    day = str(tree.day) if tree.day else None
    entries = ({"run_date": day, "file": file, "sha256": digest} for file, digest in files.items())
    with path.open("ab") as journal:
        if journal.tell() and not _ends_line(path):
            journal.write(b"\n")
        journal.writelines(json.dumps(entry).encode() + b"\n" for entry in entries)
        journal.flush()
        os.fsync(journal.fileno())


def _ends_line(path: Path) -> bool:
    """Whether a file's last line is whole."""
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


def remove_stale(tree: OutputTree, current: Iterable[str]) -> None:
    """Remove the files of this partition that earlier runs published and this one did not."""
    day = str(tree.day) if tree.day else None
    old = {entry["file"] for entry in read_journal(tree.root) if entry["run_date"] == day}
    for name in old - set(current):
        (tree.root / name).unlink(missing_ok=True)


def remove_temporary(tree: OutputTree) -> None:
    """Remove what a worker that was stopped had not finished writing."""
    for path in tree.root.rglob(f".*{TEMPORARY}"):
        path.unlink(missing_ok=True)


def write_manifest(tree: OutputTree, manifest: dict[str, Any]) -> None:
    """Write this partition's manifest, whole or not at all."""
    text = json.dumps(manifest, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    temporary = tree.manifest.with_name(f".{tree.manifest.name}")
    tree.manifest.parent.mkdir(parents=True, exist_ok=True)
    # A path may hold bytes that are no text; escaped, they are JSON.
    temporary.write_bytes(text.encode("utf-8", "backslashreplace"))
    temporary.replace(tree.manifest)


def read_manifests(root: Path) -> dict[OutputTree, dict[str, Any]]:
    """Read the manifests of an output folder by partition, in the order of dates.

    Raises:
        ConfigError: the folder is no output of tonelog.
    """
    if not (root / _JOURNAL).is_file():
        raise ConfigError(
            str(root), "is no output of tonelog", "expected a folder that score wrote", "check it"
        )
    found = {}
    for path in sorted((root / "_manifest").rglob("manifest.json")):
        _, is_dated, day = path.parent.name.partition("run_date=")
        tree = OutputTree(root, date.fromisoformat(day) if is_dated else None)
        found[tree] = json.loads(path.read_text(encoding="utf-8"))
    if not found:
        raise ConfigError(
            str(root), "holds no run that has ended", "expected one", "run score again"
        )
    return found
