"""For every test: no screen is needed, and a thread that outlives its test is a failure."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# No test reads through a mapping that somebody has made on this machine.
os.environ["VDI_WORKBENCH_MAPPINGS"] = os.devnull

import pytest
from hypothesis import strategies

GRACE_S = 5.0
# Threads of libraries that live as long as the process by design.
BYTECODE = pytest.StashKey[str]()
LASTING = ("pool_manager_loop", "pool_scheduler", "task_scheduler", "pytest_timeout", "QueueFeederThread", "Dummy-")


def pytest_configure(config: pytest.Config) -> None:
    """Keeps bytecode in a temporary folder where the environment forbids it beside the source: otherwise each process
    that a test starts would compile the program and its libraries, which takes longer than most commands."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        config.stash[BYTECODE] = os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="bytecode-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes that folder."""
    if BYTECODE in config.stash:
        shutil.rmtree(config.stash[BYTECODE], ignore_errors=True)


def pytest_collection_finish() -> None:
    """Modules and collected tests live as long as the process: no garbage collection looks through them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _tables_of_characters() -> None:
    """Makes Hypothesis' tables of characters, which a clean clone lacks: the first test that drew a text would take
    seconds for them on a busy machine, and fail as too slow. They are kept on disk for the other processes."""
    strategies.text().validate()


@pytest.fixture(autouse=True)
def _no_leaked_threads() -> Iterator[None]:
    """Fails a test that leaves a thread running which it has started."""
    before = set(threading.enumerate())
    yield
    leaked = _left_over(before)
    end = time.monotonic() + GRACE_S
    while leaked and time.monotonic() < end:
        time.sleep(0.02)
        leaked = _left_over(before)
    assert not leaked, f"threads still running after the test: {', '.join(thread.name for thread in leaked)}"


def _left_over(before: set[threading.Thread]) -> list[threading.Thread]:
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before and thread.is_alive() and not thread.name.startswith(LASTING)
    ]
