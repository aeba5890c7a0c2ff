"""The longest time the window's event loop is blocked during an import, an export and analyses."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.compared import against
from tests.tools.benchmarks.windows import Heartbeat, empty_window, open_study, switch, until, write_study
from workbench.answers.registry import PAGES
from workbench.gui.services.importer import Opened
from workbench.gui.shell.main_window import MainWindow
from workbench.model.metric import Quantity
from workbench.study.store.column_store import Store

LIMIT_MS, CANCEL_MS = 100.0, 1_000.0
CONFIGURATIONS = 3
# Three runs of 150 VMs: about 300 MB.
SAMPLES = 22_000


def run(samples: int = SAMPLES) -> Iterator[dict[str, Any]]:
    """Rows for importing a study, reopening it, the pages' answers with their phases and metrics, an export, and
    cancelling."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        megabytes = write_study(folder / "study", CONFIGURATIONS, samples)
        with empty_window(Store(folder / "store"), "per-vm-iops") as window:
            for what, act in works(window, folder):
                heart = Heartbeat()
                act()
                clock, busy = heart.longest_ms()
                of = f"{what} ({megabytes:,.0f} MB of data)"
                yield _row(f"Longest freeze: {of} (limit)", clock, LIMIT_MS, 1.0)
                yield _row(f"Longest block: {of} (limit)", busy, LIMIT_MS, None)
        with empty_window(Store(folder / "second"), "per-vm-iops") as window:
            taken = cancelled_ms(window, folder / "study")
        of = f"importing up to the first chart ({megabytes:,.0f} MB of data)"
        yield _row(f"Response to Cancel: {of} (limit)", taken, CANCEL_MS, 1.0)


def works(window: MainWindow, folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """The actions of the window with the study below `folder`, in this order."""
    yield "importing up to the first chart", lambda: open_study(window, folder / "study")
    yield "opening a stored study", lambda: open_study(window, folder / "study")
    yield "showing all pages, phases, metrics and findings", lambda: _look_at_everything(window)
    yield "exporting a workbook", lambda: _export(window, folder / "study.xlsx")


def _look_at_everything(window: MainWindow) -> None:
    for spec in PAGES:
        _go(window, page=spec.key)
        for view, _ in spec.views:
            _go(window, page_views=window.workspace.state.with_page_view(spec.key, view).page_views)
        for phase in ("boot", "logon", "steady"):
            _go(window, phase=phase)
    _go(window, page="per-vm-iops")
    for metric in (Quantity.READ_IOPS, Quantity.WRITE_IOPS, Quantity.IOPS):
        _go(window, metric=metric)


def _go(window: MainWindow, **changes: Any) -> None:
    if any(getattr(window.workspace.state, key) != value for key, value in changes.items()):
        switch(window, **changes)


def _export(window: MainWindow, path: Path) -> None:
    window.export_to(path)
    until(lambda: not window.busy)
    assert path.exists()


def cancelled_ms(window: MainWindow, study: Path) -> float:
    """Cancels an import after its first file; returns the milliseconds until the window shows what was loaded. If that
    takes more than a second, the window says instead that nothing was opened."""
    opened: list[Opened] = []
    said: list[str] = []
    done: list[int] = []
    window.importer.opened.connect(opened.append)
    window.importer.failed.connect(said.append)
    window.importer.progressed.connect(lambda progress: done.append(progress.files_done))
    window.open_paths([study])
    # The first known file is a run.toml; wait for a file of samples, too.
    until(lambda: bool(done) and done[-1] > CONFIGURATIONS)
    start = time.perf_counter()
    window.importer.cancel()
    until(lambda: bool(opened or said) and not window.busy)
    taken = (time.perf_counter() - start) * 1e3
    assert opened[0].cancelled if opened else "Cancelled" in said[0]
    return taken


def _row(what: str, ours: float, limit: float, target: float | None) -> dict[str, Any]:
    return against(what, "ms", ours, limit, target)
