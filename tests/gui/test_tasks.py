"""Background work: every failure is reported, and no part of the program waits for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from polars.exceptions import PanicException
from pytestqt.qtbot import QtBot

from tests.gui.conftest import LONG_MS
from workbench.gui.services.tasks import Tasks


@pytest.fixture
def tasks(qtbot: QtBot) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.shut_down()


def panics(_: object = None) -> None:
    """Like polars with a damaged file: the raised object is not an Exception."""
    raise PanicException("range end index 4398046512968 out of range for slice of length 2136")


def test_that_a_worker_panic_is_reported_as_failed_and_ends_the_busy_state(tasks: Tasks, qtbot: QtBot) -> None:
    failures: list[BaseException] = []
    with qtbot.waitSignal(tasks.became_idle, timeout=LONG_MS):
        tasks.run("import", panics, lambda _: None, failures.append)
    assert [type(error) for error in failures] == [PanicException]
    assert not tasks.busy


def test_that_a_panic_while_handling_a_result_is_reported_as_failed(tasks: Tasks, qtbot: QtBot) -> None:
    failures: list[BaseException] = []
    with qtbot.waitSignal(tasks.became_idle, timeout=LONG_MS):
        tasks.run("page", lambda: 1, panics, failures.append)
    assert [type(error) for error in failures] == [PanicException]


@pytest.mark.parametrize("work", [panics, lambda: 1 / 0])
def test_that_failed_work_without_a_handler_is_shown_by_the_window(
    tasks: Tasks, qtbot: QtBot, work: Callable[[], object]
) -> None:
    failures: list[BaseException] = []
    tasks.failed.connect(failures.append)
    with qtbot.waitSignal(tasks.became_idle, timeout=LONG_MS):
        tasks.run("counters", work, lambda _: None)
    assert len(failures) == 1
    assert not tasks.busy
