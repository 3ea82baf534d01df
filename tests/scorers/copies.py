"""Copies of the scorers in a folder of their own, to change, and to run in their own process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

# What it replaces looks at nothing, not even in numba's own checks.
_CHECKED: Final = """

from tonelog.scorers.kernels.compiled import inlined


@inlined
def element(array: Any, index: Any) -> Any:
    if index < 0 or index >= len(array):
        raise IndexError("beyond the array")
    return array[index]
"""


class Copy:
    """A copy of the scorers, with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.scorers = folder / "tonelog" / "scorers"
        self.folder = folder
        self.cache = folder / "cache"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "scorers", self.scorers, ignore=ignored)
        # Compiled code is kept as long as this class keeps it, whatever the sources say.
        self.replace(
            "kernels/compiled.py", "        return _sources(self._package)", '        return ""'
        )

    def replace(self, source: str, before: str, after: str) -> str:
        """Put a text in the place of another, which stands there once; give the old source."""
        path = self.scorers / source
        old = path.read_text()
        if old.count(before) != 1:
            message = f"{source}: {before!r} stands there {old.count(before)} times"
            raise ValueError(message)
        path.write_text(old.replace(before, after))
        return old

    def check_arrays(self) -> dict[str, str]:
        """Let each access to an array be checked, with these variables in the environment."""
        with (self.scorers / "kernels" / "instructions.py").open("a") as source:
            source.write(_CHECKED)
        return {"NUMBA_BOUNDSCHECK": "1"}

    def run(self, script: str, *args: str, **variables: str) -> str:
        """Run a script that imports this copy, and give what it prints.

        Raises:
            RuntimeError: it failed.
        """
        environment = {"PYTHONPATH": str(self.folder), "NUMBA_CACHE_DIR": str(self.cache)}
        completed = subprocess.run(
            [sys.executable, "-c", script, *args],
            env=os.environ | environment | {"PYTHONDONTWRITEBYTECODE": "1"} | variables,
            cwd=self.folder,
            check=False,
            capture_output=True,
            text=True,
        )
        if completed.returncode:
            raise RuntimeError(completed.stderr)
        return completed.stdout
