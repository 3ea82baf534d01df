"""Which files a job reads: literal paths, folders and globs become shards in a fixed order."""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import chain
from pathlib import Path

from ..errors import ConfigError, InputError

_DATE = re.compile(r"\{date(?::([^}]*))?\}")


@dataclass(frozen=True)
class Shard:
    """One Parquet file of the input.

    Attributes:
        path: as the user would write it.
    """

    path: str

    @property
    def part(self) -> str:
        """The stem of the files made from it: its own stem and 8 hex digits of its path's hash.

        Example:
            >>> Shard("runs/a.parquet").part
            'a-d757b002'
        """
        digest = hashlib.sha256(self.path.encode("utf-8", "surrogateescape")).hexdigest()
        # Room for endings within the 255 bytes that a name may have.
        stem = Path(self.path).stem.encode()[:160].decode(errors="ignore")
        return f"{stem}-{digest[:8]}"


def list_shards(paths: Iterable[str], day: date | None = None) -> list[Shard]:
    """List the shards of inputs, each file once, in the order of the inputs, then of their names.

    An input is literal if it exists, else a glob. A folder gives all ``*.parquet`` files below it;
    names that begin with a dot or an underscore are passed over, as other readers do.

    Raises:
        ConfigError: a path asks for ``{date}`` and the job has none.
        InputError: an input gives no file.
    """
    shards: dict[str, Shard] = {}
    for path in paths:
        found = list(chain.from_iterable(map(_walk, _literal(path, day))))
        if not found:
            filled = _fill_date(path, day)
            raise InputError(
                filled,
                "no Parquet file here" + ("" if Path(filled).is_absolute() else f" ({Path.cwd()})"),
                "expected a file, a folder of *.parquet files, or a glob",
                "check the path" + (" and the date" if filled != path else ""),
            )
        for file in found:
            shards.setdefault(os.path.realpath(file), Shard(os.path.normpath(file)))
    return list(shards.values())


def input_folders(paths: Iterable[str], day: date | None = None) -> list[Path]:
    """List the folders among the inputs, dates and globs filled in."""
    literal = chain.from_iterable(_literal(path, day) for path in paths)
    return [Path(path) for path in literal if Path(path).is_dir()]


def _fill_date(path: str, day: date | None) -> str:
    if day is None and _DATE.search(path):
        raise ConfigError(path, "needs a date", "expected --date", "pass --date yesterday, say")
    return _DATE.sub(lambda match: format(day, match[1] or ""), path)


def _literal(path: str, day: date | None) -> list[str]:
    """Turn one input into literal paths: itself if it exists, else what matches it as a glob."""
    filled = _fill_date(path, day)
    if os.path.exists(filled):  # noqa: PTH110 - a Path would lose the spelling
        return [filled]
    return sorted(glob.glob(filled, recursive=True))  # noqa: PTH207 - as above


def _walk(path: str) -> Iterator[str]:
    """Give a file, or all shards below a folder."""
    if not os.path.isdir(path):  # noqa: PTH112 - as above
        yield path
        return
    for folder, folders, files in os.walk(path, onerror=_raise):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        for name in sorted(files):
            if name[0] not in "._" and name.endswith(".parquet"):
                yield os.path.join(folder, name)  # noqa: PTH118 - as above


def _raise(error: OSError) -> None:
    raise InputError(
        str(error.filename), f"cannot be read ({error.strerror})", "allow it or leave it out"
    )
