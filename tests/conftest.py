"""For every test: no screen is needed, and a thread that outlives its test is a failure."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# No test uses a column mapping from this machine. This file never exists; a device in its place
# would be replaced by the first test that saves a mapping as root.
os.environ["VDI_WORKBENCH_MAPPINGS"] = str(Path(tempfile.gettempdir()) / f"no-mappings-{os.getpid()}.json")

import pytest
from hypothesis import settings, strategies

from tests.builders import steady_runs
from tests.kept_workers import KeptWorkers
from tests.samples import SAMPLE, SHARED, read_once, shared_store
from workbench.console import running

# Other load on the machine must not fail a test.
settings.register_profile("any-load", deadline=None)
settings.load_profile("any-load")

TESTS = Path(__file__).parent
GRACE_S = 5.0
KeptThreads = list[Callable[[], set[threading.Thread]]]
BYTECODE = pytest.StashKey[str]()
SHARED_FOLDER = pytest.StashKey[str]()
# Each takes a processor for more than seven seconds; longest first.
LONG = (
    # Compares every attribute of a window, so it runs before files that leave anything behind.
    "gui/test_kept_window.py",
    "exporters/test_german.py",
    "console/test_same_bytes.py",
    "docs/test_commands_in_docs.py",
    "gui/test_export.py",
    "gui/test_journeys.py",
    "gui/test_findings_after_renames.py",
    "exporters/workbook/test_printed_pages.py",
    "exporters/test_workbook_pages.py",
    "test_one_failure.py",
    "exporters/test_valid.py",
    "gui/test_computing.py",
    "gui/test_sessions.py",
    "gui/test_unsaved_work.py",
    "docs/test_generated_pages.py",
    "exporters/test_documents.py",
    "gui/test_start.py",
    "gui/test_german_fits.py",
    "gui/test_no_internal_keys.py",
    "exporters/test_book.py",
    "readers/test_hostile_content.py",
    "test_hostile_studies.py",
    "gui/test_leaves_nothing.py",
    "pollution/test_row_damages.py",
    "exporters/test_safety.py",
    "gui/test_limits_page.py",
    "gui/test_sources_of_answers.py",
    "gui/test_live_edges.py",
    "gui/test_pages.py",
    "gui/test_stalled_share.py",
    "measures/test_error_rates.py",
    "gui/test_translation.py",
    "test_cli.py",
    "measures/test_properties.py",
    "tools/fuzz/test_fuzz.py",
    "snapshots/test_snapshots.py",
    "sample_data/test_damaged_study.py",
    "gui/test_kept_by_qt.py",
    "gui/test_causes_search.py",
)
# Threads of libraries that by design run until the process ends.
LASTING = ("pool_manager_loop", "pool_scheduler", "task_scheduler", "pytest_timeout", "QueueFeederThread", "Dummy-")


def pytest_configure(config: pytest.Config) -> None:
    """Keeps bytecode in a temporary folder if the environment forbids it next to the source: otherwise each process
    that a test starts would compile the program and its libraries, which takes longer than most commands."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        config.stash[BYTECODE] = os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="bytecode-")
    # The first process makes the folder, and the others inherit its name.
    if SHARED not in os.environ:
        config.stash[SHARED_FOLDER] = os.environ[SHARED] = tempfile.mkdtemp(prefix="shared-by-tests-")
    # No test uses files that the program has stored on this machine before.
    os.environ["VDI_WORKBENCH_STORE"] = str(shared_store())


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes these folders."""
    for key in (BYTECODE, SHARED_FOLDER):
        if key in config.stash:
            shutil.rmtree(config.stash[key], ignore_errors=True)
    if SHARED_FOLDER in config.stash:
        del os.environ[SHARED]


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Excludes collected modules and tests from garbage collection. In a run of everything, every second worker imports
    the files backwards: in a clean clone two workers then compile each file once, not twice."""
    gc.disable()
    whole = collector.config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if isinstance(collector, pytest.Session) and whole and os.environ.get("PYTEST_XDIST_WORKER", "0")[-1] in "13":
        for file in sorted(TESTS.rglob("test_*.py"), reverse=True):
            # A file that cannot be imported is reported when it is collected.
            with suppress(Exception, pytest.skip.Exception):
                import_module(".".join(file.relative_to(TESTS.parent).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the slowest files first: a process that began one of them last would work alone at the end."""
    longest = {TESTS / file: place for place, file in enumerate(LONG)}
    items.sort(key=lambda item: longest.get(item.path, len(LONG)))


def pytest_collection_finish() -> None:
    """Modules and collected tests live as long as the process, so garbage collection skips them. It also runs less
    often, because tests make many objects that live until they end, above all cells of workbooks."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def _tables_of_characters() -> None:
    """Makes the character tables of Hypothesis, which a clean clone does not have. Otherwise the first test that draws
    a text would need seconds for them on a busy machine, and fail as too slow. They are kept on disk for the other
    processes."""
    strategies.text().validate()


@pytest.fixture(scope="session")
def kept_threads() -> KeptThreads:
    """The names of threads that outlive a test, because their owner is kept for the next test."""
    return []


@pytest.fixture(autouse=True, scope="session")
def kept_workers(kept_threads: KeptThreads) -> Iterator[KeptWorkers]:
    """The workers that imports in this process use."""
    workers = KeptWorkers()
    kept_threads.append(lambda: workers.threads)
    with pytest.MonkeyPatch.context() as patch:
        workers.serve(patch)
        yield workers
    workers.end()


@pytest.fixture(autouse=True, scope="session")
def _sample_read_once() -> Iterator[None]:
    """Commands in this process read the sample once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "load_studies", read_once(SAMPLE))
        yield


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands of this test use a separate store."""
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


@pytest.fixture
def lab(tmp_path: Path, own_store: None) -> Path:
    """Two runs of one VM on disk: 4,320 I/O in steady state with MCS, and a quarter of that with a cache."""
    steady_runs(tmp_path / "lab")
    return tmp_path / "lab"


@pytest.fixture
def own_workers(kept_workers: KeptWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports of this test start and end workers as the program does."""
    kept_workers.leave(monkeypatch)


@pytest.fixture(autouse=True)
def _no_leaked_threads(kept_workers: KeptWorkers, kept_threads: KeptThreads) -> Iterator[None]:
    """Fails a test that leaves a thread running."""
    before = set(threading.enumerate())
    yield
    end = time.monotonic() + GRACE_S
    while (leaked := _left_over(before).difference(*(kept() for kept in kept_threads))) and time.monotonic() < end:
        time.sleep(0.02)
    assert not leaked, f"threads still running after the test: {', '.join(thread.name for thread in leaked)}"


def _left_over(before: set[threading.Thread]) -> set[threading.Thread]:
    return {
        thread
        for thread in threading.enumerate()
        if thread not in before and thread.is_alive() and not thread.name.startswith(LASTING)
    }
