"""The window during long work: it never blocks for long, and Cancel works. Benchmarks measure the speed; the limits
here are several times wider, so only a real standstill exceeds them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.benchmarks.bench_gap import CANCEL_MS, LIMIT_MS, cancelled_ms, works
from tests.tools.benchmarks.windows import Heartbeat, write_study
from workbench.gui.shell.main_window import MainWindow

pytestmark = [pytest.mark.slow, pytest.mark.qt_log_ignore("This plugin does not support", extend=True)]
SAMPLES = 9_000


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Three runs of 150 VMs, 130 MB."""
    with tempfile.TemporaryDirectory() as name:
        write_study(Path(name, "study"), 3, SAMPLES)
        yield Path(name)


def test_that_import_and_answers_and_export_never_block_the_window(window: MainWindow, folder: Path) -> None:
    longest: dict[str, float] = {}
    for what, act in works(window, folder):
        heart = Heartbeat()
        act()
        longest[what] = heart.longest_ms()[0]
    assert len(longest) == 4
    assert {what: gap for what, gap in longest.items() if gap > 8 * LIMIT_MS} == {}


def test_that_cancel_works_at_once_and_keeps_loaded_results(window: MainWindow, folder: Path) -> None:
    copy = folder / "copy"
    # A different length, so the store has no part of it yet.
    write_study(copy, 3, SAMPLES + 1_000)
    assert cancelled_ms(window, copy) < 5 * CANCEL_MS
    assert any(report.reader for report in window.workspace.library.files)
