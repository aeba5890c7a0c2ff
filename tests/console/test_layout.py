"""Tables on terminals of every width and encoding."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.table import Table

from workbench.console.tables import laid_out, text_table

ROOT = Path(__file__).parents[2]
HEADERS = ("Run", "Phase", "Total I/O per VM", "IOPS", "Read", "Write", "Measured")
ROWS = (
    ("mcs-5vm", "steady state", "24\u2009921", "351", "60.2", "10.0", "99.9\u2009%"),
    ("a-run-with-a-rather-long-name", "boot", "1\u2009234\u2009567", "0.561", "0.0501", "0.511", "100\u2009%"),
)


def table() -> Table:
    made = text_table(HEADERS, left=2)
    for row in ROWS:
        made.add_row(*row)
    return made


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_that_no_number_is_split_or_lost_at_any_width(width: int) -> None:
    lines = laid_out(table(), width).splitlines()
    assert max(map(len, lines)) <= width
    for row in ROWS:
        for number in row[2:]:
            assert sum(number in line for line in lines) >= 1, (width, number)


def test_that_every_block_repeats_the_row_names() -> None:
    text = laid_out(table(), 40, keys=1)
    blocks = text.strip("\n").split("\n\n")
    assert len(blocks) > 1
    assert all("mcs-5vm" in block for block in blocks)
    heads = [word for block in blocks for word in block.split("─")[0].split() if word != "Run"]
    assert sorted(heads) == sorted(word for head in HEADERS[1:] for word in head.split())


def test_that_a_table_that_fits_is_one_block() -> None:
    text = laid_out(table(), 120)
    assert text.count("Run") == 1
    assert "Total I/O per VM" in text


def test_that_a_very_narrow_terminal_still_has_output() -> None:
    assert "351" in laid_out(table(), 1)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals are of Unix")
def test_that_a_terminal_without_unicode_has_plain_symbols(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    code = "from workbench.console.streams import speak_utf8; speak_utf8(); print('24\\u2009921 — 2²⁰ ≥ … é')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdout=theirs,
        stdin=theirs,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        timeout=60,
        check=False,
    )
    said = os.read(ours, 1000).decode("ascii")
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0, done.stderr
    assert said.strip() == "24 921 - 2^20 >= ... \\xe9"
