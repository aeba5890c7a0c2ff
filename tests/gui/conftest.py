"""The real window, offscreen, with a separate store and settings."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.conftest import KeptThreads
from tests.gui.kept_window import KeptWindow
from tests.samples import shared_store
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.spec import Lazy, PageSpec
from workbench.answers.limits.file import FILE
from workbench.answers.logons.vsimax_models import VARIABLE
from workbench.answers.trend.spec import FOLDER
from workbench.charts.content import Content
from workbench.gui.commands.files import export_task
from workbench.gui.pages.page_view import load_parts
from workbench.gui.services.importer import Importer, Opened, _Import
from workbench.gui.services.theme import apply_theme, running_application, style_sheet
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import Settings
from workbench.session.state import State
from workbench.study.importing.workers import DEAF_CONTEXT
from workbench.study.store.column_store import Store
from workbench.words.numbers import decimal_mark

SAMPLE = Path(__file__).parents[2] / "sample_data"
SWEEP = SAMPLE / "rds-mcsio-cache-sweep"
# Slow systems wait longer: packaging/windows_python.py sets it for Wine.
LONG_MS = int(os.environ.get("TESTS_WAIT_MS", "60000"))
# Moments that are equal in every file of tests.
_COMMON = ("new", "timeline", "damaged")
# The readings of folders that do not change, by the folder of the store and their paths.
_READ: dict[tuple[Path, tuple[Path, ...]], Opened] = {}
_KEPT_ANSWERS = 400


@pytest.fixture(autouse=True, scope="module")
def collected_here() -> Iterator[None]:
    """Frees Qt's objects only on the window's thread, as in the program."""
    gc.disable()
    yield
    gc.collect()
    # The remaining objects stay: the next file need not search them again.
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def collected_after_each() -> Iterator[None]:
    """Objects of a test are deleted with it; longer-lived ones are not searched."""
    yield
    gc.collect(1)


@pytest.fixture(autouse=True)
def no_key_held() -> Iterator[None]:
    """After a test no key is held. If a test presses Ctrl with a key, Qt treats Ctrl as held until the next key. A
    click of a later test would then add to the selection."""
    yield
    if QGuiApplication.instance() is not None and QGuiApplication.keyboardModifiers():
        QTest.keyRelease(QWindow(), Qt.Key.Key_Control)


@pytest.fixture(autouse=True, scope="session")
def sample_read_once() -> Iterator[None]:
    """Windows of this process that open the same folders of the sample with the same store share the reading, its
    library and everything cached with both. Tests of the reading open other folders, or replace `_read`."""
    read = Importer._read

    def shared(importer: Importer, paths: list[Path], this: _Import) -> Opened:
        key = (importer.store.root, tuple(paths))
        if key not in _READ:
            opened = read(importer, paths, this)
            if opened.cancelled or not all(path.is_relative_to(SAMPLE) for path in paths):
                return opened
            _READ[key] = opened
        return _READ[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Importer, "_read", shared)
        yield


@pytest.fixture(autouse=True, scope="session")
def sample_answered_once(sample_read_once: None) -> Iterator[Callable[[PageSpec, Library, Choices], Content]]:
    """Windows and exports of this process that show such a shared reading share the answers for equal states. An answer
    that reads another file is computed each time. A test that replaces something inside an answer may get the cached
    one, so it uses `answers_computed`. Returns the function that computes answers."""
    answer = PageSpec.answer

    # With the function that answers and the decimal mark, because tests replace them.
    @lru_cache(maxsize=_KEPT_ANSWERS)
    def kept(spec: PageSpec, library: Library, choices: Choices, _function: object, _mark: str) -> Content:
        return answer(spec, library, choices)

    def shared(spec: PageSpec, library: Library, choices: Choices) -> Content:
        reads_files = VARIABLE in os.environ or {FILE, FOLDER} & dict(choices.inputs).keys()
        if reads_files or not any(opened.library is library for opened in list(_READ.values())):
            return answer(spec, library, choices)
        function = spec.question.load() if isinstance(spec.question, Lazy) else spec.question
        return kept(spec, library, choices, function, decimal_mark())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PageSpec, "answer", shared)
        yield answer


@pytest.fixture
def answers_computed(
    sample_answered_once: Callable[[PageSpec, Library, Choices], Content], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every answer of this test is computed."""
    monkeypatch.setattr(PageSpec, "answer", sample_answered_once)


@pytest.fixture(autouse=True)
def prompt_disks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of these tests answer even on a busy machine, because the window waits for them."""
    monkeypatch.setattr("workbench.gui.services.tasks.PROMPT_S", 20.0)


@pytest.fixture(scope="session")
def store() -> Store:
    """The store of all window tests. It is that of the other tests, too: one process of the suite reads the sample."""
    return Store(shared_store())


@pytest.fixture
def own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window of this test keeps settings and journals in its folder."""
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path / "journals"))


@pytest.fixture
def exports_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exports of this test are written by a thread. A process takes a second to start; its failures are tested in
    test_export.py."""

    class End(SimpleNamespace):
        """One end of the pipe, which the window closes once the process has it."""

        def close(self) -> None:
            pass

    class Here(Thread):
        """A thread instead of the process."""

        def __init__(self, target: Callable[[End], None], args: tuple[End], **_: object) -> None:
            super().__init__(target=target, args=args, daemon=True)

        def kill(self) -> None:
            pass

        close = kill

    def pipe() -> tuple[object, End]:
        ours, theirs = DEAF_CONTEXT.Pipe()
        return ours, End(send=theirs.send, recv_bytes=theirs.recv_bytes, whole=theirs)

    monkeypatch.setattr(export_task, "DEAF_CONTEXT", SimpleNamespace(Pipe=pipe, Process=Here))


@pytest.fixture(scope="session")
def kept_window(store: Store, kept_threads: KeptThreads, qapp: QApplication) -> Iterator[KeptWindow]:
    """The window that the tests of all files share."""
    load_parts()
    kept = KeptWindow(partial(make_window, store))
    kept_threads.append(lambda: kept.threads)
    yield kept
    kept.end()


@pytest.fixture
def no_kept_window(kept_window: KeptWindow) -> None:
    """Closes the kept window, because a theme that this test sets would style it, too, which takes seconds."""
    kept_window.end()


@pytest.fixture
def new_window(qtbot: QtBot, store: Store, own_files: None) -> Iterator[MainWindow]:
    """A window that only this test uses, for its start and its end. A test that uses it gets it as `window` and in
    `opened` and `timeline`, too."""
    window = make_window(store)
    settle(window, qtbot)
    yield window
    leave(window)
    window.deleteLater()
    # Now, not when an event loop runs again, because every remaining window is styled, visible or not.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    """An empty window, 1600 x 900. All tests share it; each test gets it like a new one."""
    return shared_window(request, qtbot, "new", lambda _: None)


@pytest.fixture
def opened(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    """The window with the sample's cache sweep."""
    return window_with(request, qtbot, SWEEP)


@pytest.fixture
def sample(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    """The window with all studies of the sample."""
    return window_with(request, qtbot, SAMPLE)


@pytest.fixture
def damaged(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    """The window at the import report of the damaged study."""

    return window_at(request, qtbot, "damaged", "damaged", "import-report")


@pytest.fixture
def timeline(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    """The window at the timeline of a study of four runs."""

    return window_at(request, qtbot, "timeline", "windows-7-mcs-and-pvs", "timeline")


def window_at(request: pytest.FixtureRequest, qtbot: QtBot, moment: str, study: str, page: str) -> MainWindow:
    """The shared window at a page of a study of the sample."""

    def way(window: MainWindow) -> None:
        open_and_wait(window, qtbot, SAMPLE / study)
        after(window, qtbot, lambda: window.workspace.apply(page=page))

    return shared_window(request, qtbot, moment, way)


def window_with(request: pytest.FixtureRequest, qtbot: QtBot, folder: Path) -> MainWindow:
    """The shared window with a folder that no test changes."""
    return shared_window(request, qtbot, folder, lambda window: open_and_wait(window, qtbot, folder, unchanged=True))


def shared_window(
    request: pytest.FixtureRequest, qtbot: QtBot, moment: str | Path, way: Callable[[MainWindow], object]
) -> MainWindow:
    """The shared window in a state; the function brings it there the first time."""
    if "new_window" in request.fixturenames:
        window: MainWindow = request.getfixturevalue("new_window")
        way(window)
        return window
    if moment != "new" and "window" in request.fixturenames:
        request.getfixturevalue("window")
    kept: KeptWindow = request.getfixturevalue("kept_window")
    key = moment if moment in _COMMON or isinstance(moment, Path) else (request.path, moment)
    return kept.at(key, way, lambda window: settle(window, qtbot))


def make_window(store: Store) -> MainWindow:
    """A new window, 1600 x 900, in the light theme."""
    in_light_theme()
    window = MainWindow(store, State(), Settings(preferences={"decimals": "point"}))
    window.resize(1600, 900)
    window.show()
    return window


def in_light_theme() -> None:
    """Gives the application the light theme if needed: a new one would style every widget of the kept window again."""
    application = running_application()
    if not application.styleSheet() == application.property("sheet") == style_sheet("light"):
        apply_theme(application, "light")


def open_and_wait(window: MainWindow, qtbot: QtBot, *paths: Path, unchanged: bool = False) -> None:
    """Opens paths and waits until everything is shown. Readings of folders that tests of the module leave unchanged
    are shared with later windows with that store."""
    importer = window.importer
    with qtbot.waitSignal(importer.opened, timeout=LONG_MS) as signal:
        window.open_paths(list(paths))
    settle(window, qtbot)
    if unchanged and isinstance(signal.args, list):
        _READ[importer.store.root, paths] = signal.args[0]


def leave(window: MainWindow) -> None:
    """Closes a window without saving its work."""
    window.guard.give_up()
    window.close()


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Waits until no work is running."""
    while window.busy:
        # Not `waitUntil`, which looks only every 10 ms.
        with qtbot.waitSignal(window.tasks.became_idle, timeout=LONG_MS):
            pass


def after(window: MainWindow, qtbot: QtBot, act: Callable[[], object]) -> None:
    """Calls a function that changes the window, and waits until the window has updated."""
    act()
    settle(window, qtbot)
