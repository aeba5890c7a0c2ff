"""Ctrl+C on the console, while libraries load and after: one line and status 130, no traceback, no lock left behind."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.processes import ROOT, ended, running, until_ready
from workbench import cancellation
from workbench.cancellation import leave_behind, postponed
from workbench.study.importing.workers import DEAF_CONTEXT

KEPT = "Stopped. Imported files stay in the column store.\n"
# Prints `ready` when the program begins to load its libraries: its own handling begins there, and Python's own
# start takes longer than any fixed time on a busy machine.
START = """
import sys
from importlib.abc import MetaPathFinder

class Ready(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "workbench.cli":
            print("ready", flush=True)

sys.meta_path.insert(0, Ready())
from workbench.vdiwb import main
sys.exit(main())
"""

on_posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no signal to a group of processes")


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Enough files for a cancel during the reading."""
    for number in range(200):
        disk_csv(tmp_path / "lab" / "mcs" / f"V{number}.csv", f"V{number}", [1.0] * 20, [1.0] * 20)
    return tmp_path / "lab"


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Python's own handling of Ctrl+C, for any test runner."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@on_posix
@pytest.mark.parametrize(
    "after_s", [0.0, 0.3, *(pytest.param(after_s, marks=pytest.mark.slow) for after_s in (0.1, 0.5, 0.8, 1.2, 1.6))]
)
def test_that_ctrl_c_during_the_start_of_the_console_prints_one_line(lab: Path, after_s: float) -> None:
    with running("-c", START, "summary", str(lab)) as program:
        until_ready(program)
        time.sleep(after_s)
        os.killpg(program.pid, signal.SIGINT)
        assert ended(program) in ((130, "Stopped.\n"), (130, KEPT))


@on_posix
def test_that_ctrl_c_during_the_start_of_workers_prints_one_line(lab: Path, tmp_path: Path) -> None:
    with running("-c", START, "summary", str(lab)) as program:
        end = time.monotonic() + 60
        # The store is made right before the workers are started.
        while not (tmp_path / "store").is_dir():
            assert time.monotonic() < end
            time.sleep(0.005)
        time.sleep(0.1)
        os.killpg(program.pid, signal.SIGINT)
        assert ended(program) == (130, KEPT)


@on_posix
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))])
def test_that_ctrl_c_at_a_random_moment_of_reading_leaves_no_partial_file(lab: Path, tmp_path: Path, seed: int) -> None:
    store = tmp_path / "store"
    with running("-c", START, "summary", str(lab)) as program:
        end = time.monotonic() + 60
        while not store.is_dir() and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(random.Random(seed).uniform(0.0, 3.0))
        os.killpg(program.pid, signal.SIGINT)
        # A fast machine may have read everything before the cancel.
        assert ended(program)[0] in (130, 0, -signal.SIGINT)
    assert [path for path in store.rglob("*") if ".part" in path.name or path.suffix == ".owner"] == []


# A share that stops answering: requests for its folders never return.
STALLED = """
import os, sys, time
from workbench.vdiwb import main

def asks(_folder):
    print("ready", flush=True)
    time.sleep(600)

os.scandir = asks
sys.exit(main())
"""


@on_posix
def test_that_ctrl_c_ends_the_console_while_a_share_does_not_answer(lab: Path) -> None:
    with running("-c", STALLED, "summary", str(lab)) as program:
        until_ready(program)
        begun = time.monotonic()
        os.killpg(program.pid, signal.SIGINT)
        assert ended(program) == (130, KEPT)
        assert time.monotonic() - begun < 5.0


@on_posix
def test_that_a_second_ctrl_c_ends_the_program_at_once() -> None:
    program_text = (
        "import time; from workbench.cancellation import ended_in_order\n"
        "with ended_in_order():\n"
        "    try:\n"
        "        print('ready', flush=True); time.sleep(60)\n"
        "    except KeyboardInterrupt:\n"
        "        print('tidying', flush=True); time.sleep(60)\n"
    )
    with running("-c", program_text) as program:
        until_ready(program)
        os.killpg(program.pid, signal.SIGINT)
        assert program.stdout is not None
        assert program.stdout.readline() == "tidying\n"
        os.killpg(program.pid, signal.SIGINT)
        assert ended(program) == (130, "Stopped.\n")


@pytest.mark.usefixtures("ctrl_c")
def test_that_a_postponed_ctrl_c_is_raised_at_the_next_check(snapshot: SnapshotAssertion) -> None:
    steps: list[str] = []

    def stopped() -> None:
        with postponed() as stop_if_asked:
            stop_if_asked()
            signal.raise_signal(signal.SIGINT)
            steps.append("not within the locks of others")
            stop_if_asked()
            steps.append("never reached")

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert steps == snapshot
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("ctrl_c")
def test_that_a_postponed_ctrl_c_is_raised_at_the_end_at_the_latest() -> None:
    with pytest.raises(KeyboardInterrupt), postponed():
        signal.raise_signal(signal.SIGINT)


def test_that_the_program_first_loads_the_module_that_handles_ctrl_c() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts["vdiwb"] == "workbench.vdiwb:main"


def handles() -> int:
    """The open files and pipes of this process."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="a process lists its handles in /proc")
def test_that_an_abandoned_process_that_ends_later_leaves_no_memory() -> None:
    """A killed worker that needed more than half a second to end on a busy machine once left two handles open."""
    DEAF_CONTEXT.Process(target=int).start()  # the first process starts one that tracks shared resources
    before = handles()
    process = DEAF_CONTEXT.Process(target=time.sleep, args=(1.0,))
    process.start()
    leave_behind(process)
    assert [process] == cancellation._LEFT_BEHIND
    del process
    end = time.monotonic() + 20
    while cancellation._LEFT_BEHIND and time.monotonic() < end:
        time.sleep(0.02)
    while handles() > before and time.monotonic() < end:
        time.sleep(0.02)
    assert handles() <= before
