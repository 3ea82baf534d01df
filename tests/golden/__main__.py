"""Write the expected files anew, after a change that is meant: ``python -m tests.golden``.

Read the difference before it is committed, and say it in the changelog.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.golden.job import CASES, FOLDER, run_case


def main() -> None:
    """Run every case and write what it gives."""
    for case in CASES:
        with tempfile.TemporaryDirectory() as work:
            os.chdir(work)
            for name, text in run_case(case, Path(work)).items():
                (FOLDER / case / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
