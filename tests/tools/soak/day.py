"""A round with the window: opens, shows, changes and exports studies; starts and cancels imports; kills workers;
closes.

Every round does the same in another order, with other moments of Cancel and kill, so rounds can be compared.
"""

from __future__ import annotations

import gc
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from tests.tools.benchmarks.windows import until
from tests.tools.soak.closed import free_all_of
from tests.tools.soak.watch import children, is_worker
from workbench.answers.registry import PAGES
from workbench.gui.commands.palette import CommandPalette
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.store.column_store import Store

SAMPLE = Path(__file__).parents[3] / "sample_data"
STUDIES = ("xenapp-pvs-ram-cache", "windows-7-mcs-and-pvs")
# The exports of each study.
_ENDINGS = ((".csv", ".svg"), (".html", ".xlsx"))
_SHORT_PAGES = ("timeline", "compare")
_PHASES = ("boot", "logon", "steady")
_PAUSES_S = 0.4


class Day:
    """Rounds in a separate folder; the seed chooses their order. `short` rounds open one study, show two pages and
    export only CSV."""

    def __init__(self, folder: Path, seed: int, short: bool = False) -> None:
        self._folder, self._dice = folder, random.Random(seed)
        self._store, self._out, self._fresh = Store(folder / "store"), folder / "out", folder / "fresh"
        self._studies: tuple[str, ...] = STUDIES[:1] if short else STUDIES
        self._pages = _SHORT_PAGES if short else tuple(page.key for page in PAGES)
        self._endings = ((".csv",),) if short else _ENDINGS
        self._copies, self._study = 0, STUDIES[0]
        self.done: dict[str, int] = {}
        self._out.mkdir(parents=True, exist_ok=True)
        os.environ |= {
            "VDI_WORKBENCH_SETTINGS": str(folder / "settings.json"),
            "VDI_WORKBENCH_JOURNALS": str(folder / "journals"),
        }

    def round(self) -> None:
        """Uses one window from its start to its end."""
        self._day()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()
        gc.collect()
        QApplication.processEvents()

    def _day(self) -> None:
        window = MainWindow(self._store, State(), Settings(), remembers=True)
        window.resize(1400, 800)
        window.show()
        until(lambda: not window.busy)
        for name in self._dice.sample(self._studies, len(self._studies)):
            self._study = name
            self._open(window, SAMPLE / name)
            parts: list[Callable[[MainWindow], None]] = [self._look, self._choose, self._export, self._cancel]
            for part in self._dice.sample(parts, len(parts)):
                self._do(window, part)
        for part in (self._kill_a_worker, self._save):
            self._do(window, part)
        window.guard.give_up()
        window.close()
        # Qt keeps rules of its style sheet for viewports of deleted widgets. The program makes one window and ends with
        # it; here many windows follow each other, and the kept rules would count as growth.
        free_all_of(window)
        window.deleteLater()

    def _do(self, window: MainWindow, part: Callable[[MainWindow], None]) -> None:
        part(window)
        name = part.__name__.strip("_")
        self.done[name] = self.done.get(name, 0) + 1

    def _open(self, window: MainWindow, *paths: Path) -> None:
        opened: list[object] = []
        link = window.importer.opened.connect(opened.append)
        window.open_paths(list(paths))
        until(lambda: bool(opened) and not window.busy)
        window.importer.opened.disconnect(link)

    def _look(self, window: MainWindow) -> None:
        for page in self._dice.sample(self._pages, len(self._pages)):
            window.workspace.apply(page=page)
            until(lambda: not window.busy)
            window.grab()

    def _choose(self, window: MainWindow) -> None:
        run = min(window.workspace.library.figures or ())
        for act in (
            window.toggle_theme,
            lambda: window.act("tables.toggle_runs"),
            *(partial(window.workspace.apply, phase=phase) for phase in self._dice.sample(_PHASES, len(_PHASES))),
            lambda: window.runs.exclude_with([run], "fan broke"),
            window.history.undo,
            window.toggle_theme,
            window.show_palette,
        ):
            act()
            until(lambda: not window.busy)
        for palette in window.findChildren(CommandPalette):
            palette.close()

    def _export(self, window: MainWindow) -> None:
        for ending in self._endings[STUDIES.index(self._study)]:
            shutil.rmtree(self._out)
            self._out.mkdir()
            window.export_to(self._out / f"report{ending}")
            until(lambda: not window.exports.running and not window.busy)
            assert any(self._out.glob(f"report*{ending}")), window.strip.message.full

    def _cancel(self, window: MainWindow) -> None:
        """Starts to read new files, and cancels at some moment."""
        window.folders.add([self._never_read()])
        self._wait(window)
        window.importer.cancel()
        until(lambda: not window.importer.running and not window.busy)

    def _kill_a_worker(self, window: MainWindow) -> None:
        """Starts to read new files; one of the processes is killed, and the import ends by itself."""
        window.folders.add([self._never_read()])
        self._wait(window)
        workers = [child for child in children(os.getpid()) if is_worker(child)]
        if workers and window.importer.running:
            with suppress(ProcessLookupError):
                os.kill(self._dice.choice(workers), signal.SIGKILL)
        until(lambda: not window.importer.running and not window.busy)

    def _save(self, window: MainWindow) -> None:
        window.sessions.save_to(self._out / "work.vdiwb")
        until(lambda: not window.busy)

    def _wait(self, window: MainWindow) -> None:
        end = time.monotonic() + self._dice.random() * _PAUSES_S
        until(lambda: time.monotonic() > end or not window.importer.running)

    def _never_read(self) -> Path:
        """A copy of a study with every file cut at its end, so it is not in the store."""
        self._copies += 1
        shutil.rmtree(self._fresh, ignore_errors=True)
        fresh = self._fresh / str(self._copies)
        shutil.copytree(SAMPLE / STUDIES[0], fresh)
        for file in fresh.rglob("*.?sv"):
            lines = file.read_bytes().splitlines(keepends=True)
            file.write_bytes(b"".join(lines[: -1 - self._copies % 50]))
        return fresh
