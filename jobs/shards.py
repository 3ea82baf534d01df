"""Which files a job reads: literal paths, folders and globs become shards in a fixed order."""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tonelog.jobs.errors import ConfigError, InputError

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
        return f"{Path(self.path).stem}-{digest[:8]}"


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
        filled = _fill_date(path, day)
        found = list(_expand(filled))
        if not found:
            raise InputError(
                filled,
                f"no Parquet file here (looked in {Path.cwd()})",
                "expected a file, a folder of *.parquet files, or a glob",
                "check the path" + (" and the date" if filled != path else ""),
            )
        for file in found:
            shards.setdefault(os.path.realpath(file), Shard(os.path.normpath(file)))
    return list(shards.values())


def _fill_date(path: str, day: date | None) -> str:
    if day is None and _DATE.search(path):
        raise ConfigError(path, "needs a date", "expected --date", "pass --date yesterday, say")
    return _DATE.sub(lambda match: format(day, match[1] or ""), path)


def _expand(path: str) -> Iterator[str]:
    if not os.path.exists(path):  # noqa: PTH110 - a literal string may be a glob
        for match in sorted(glob.glob(path, recursive=True)):  # noqa: PTH207 - keeps spelling
            yield from _expand(match)
    elif not os.path.isdir(path):  # noqa: PTH112 - as above
        yield path
    else:
        for folder, folders, files in os.walk(path, onerror=_raise):
            folders[:] = sorted(name for name in folders if name[0] not in "._")
            for name in sorted(files):
                if name[0] not in "._" and name.endswith(".parquet"):
                    yield os.path.join(folder, name)  # noqa: PTH118 - keeps spelling


def _raise(error: OSError) -> None:
    raise InputError(
        str(error.filename), f"cannot be read ({error.strerror})", "allow it or leave it out"
    )
