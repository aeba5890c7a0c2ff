"""The window with 1,000 runs: the longest time its event loop is blocked during import, reopening, a visit of every
page, hiding, editing and undoing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.many_runs import write_runs
from tests.tools.benchmarks.windows import NAMES, Heartbeat, empty_window, open_study, switch, until
from workbench.answers.registry import PAGES
from workbench.gui.shell.main_window import MainWindow
from workbench.model.metric import Quantity
from workbench.study.store.column_store import Store

LIMIT_MS = 100.0
_METRICS = (Quantity.READ_IOPS, Quantity.WRITE_IOPS, Quantity.IOPS)
# Other pages have no chooser of phases or metrics, or do the same work for it.
_CHOSEN = ("overview", "compare", "per-vm-iops")


def run() -> Iterator[dict[str, Any]]:
    """Two rows for each action: processor time of the window's thread, and elapsed time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_runs(folder / "study")
        with empty_window(Store(folder / "store")) as window:
            for what, act in works(window, folder / "study"):
                heart = Heartbeat()
                act()
                clock, busy = heart.longest_ms()
                of = f"{what} (limit)"
                yield _row(f"Longest block: {of}", busy, 1.0)
                yield _row(f"Longest freeze: {of}", clock, None)


def works(window: MainWindow, study: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """The actions of the window, in this order."""
    yield "importing", lambda: open_study(window, study)
    yield "opening the stored study", lambda: open_study(window, study)
    for spec in PAGES:
        if spec.key != window.workspace.state.page:
            yield f"showing *{spec.name}*", lambda key=spec.key: switch(window, page=key)  # type: ignore[misc]
        if spec.key in _CHOSEN:
            yield (
                f"changing the phase on *{spec.name}*",
                lambda: [switch(window, phase=phase) for phase in ("boot", "logon", "steady")],
            )
        if spec.key == "compare":
            yield (
                f"changing the metric on *{spec.name}*",
                lambda: [switch(window, metric=metric) for metric in _METRICS],
            )
    for page in ("overview", "compare"):
        switch(window, page=page)
        yield from _changes(window, page)


def _changes(window: MainWindow, page: str) -> Iterator[tuple[str, Callable[[], object]]]:
    state = window.workspace.state
    group = window.workspace.library.groups(state)[5]
    edit = replace(state.edits_of(group.runs[0].run.folder), configuration="Another build")
    yield f"hiding a configuration on *{NAMES[page]}*", lambda: switch(window, hidden=frozenset({group.label}))
    yield f"showing the hidden configuration again on *{NAMES[page]}*", lambda: _undone(window)
    yield (
        f"moving a run to another configuration on *{NAMES[page]}*",
        lambda: switch(window, edits=state.with_edits(edit).edits),
    )
    yield f"undoing the move on *{NAMES[page]}*", lambda: _undone(window)


def _undone(window: MainWindow) -> None:
    drawn = window.page.content
    window.history.undo()
    until(lambda: window.page.content is not drawn and not window.busy)


def _row(what: str, ours: float, target: float | None) -> dict[str, Any]:
    return {"what": what, "ours_ms": ours, "baseline_ms": LIMIT_MS, "ratio": ours / LIMIT_MS, "target": target}
