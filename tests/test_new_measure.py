"""A new metric is one entry: the toy queue appears everywhere, and no file of the program names it.

The cases run in a separate process, which adds the entry before it loads the rest of the program.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CASES = "tests/new_measure/cases.py"


def test_that_one_entry_adds_a_metric_to_every_place_that_shows_metrics() -> None:
    options = ["-n", "0", "-p", "no:cacheprovider", "-p", "tests.new_measure.entry"]
    command = [sys.executable, "-m", "pytest", *options, CASES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert "8 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


def test_that_no_other_file_of_the_program_names_the_new_metric() -> None:
    named = [
        path.relative_to(ROOT)
        for path in (ROOT / "workbench").rglob("*.py")
        if "toy queue" in path.read_text(encoding="utf-8").casefold().replace("_", " ")
    ]
    assert named == []
