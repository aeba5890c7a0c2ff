"""A cluster leaves the same bytes in the store as this machine, with any failure."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.cluster.cases import CASES, Case, Lab, kill_when, local, shares_of, tried, write_lab
from tests.tools.cluster.running import Cluster
from tests.tools.cluster.stores import Parts, difference

needs_distributed = pytest.mark.usefixtures("distributed")


@pytest.fixture(scope="module")
def distributed() -> None:
    pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return write_lab(tmp_path_factory.mktemp("share") / "lab", large=6, megabytes=0.5, small=70)


@pytest.fixture(scope="module")
def expected(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Parts:
    return local(lab, tmp_path_factory.mktemp("own") / "store")[1]


@needs_distributed
def test_that_two_workers_store_the_bytes_of_this_machine(lab: Lab, expected: Parts, tmp_path: Path) -> None:
    result = tried(Case("2 workers", 2), lab, expected, tmp_path / "case")
    assert (result.errors, result.differing) == ((), ())


@pytest.mark.slow
@needs_distributed
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_that_the_store_is_the_same_for_any_cluster_failure(
    case: Case, lab: Lab, expected: Parts, tmp_path: Path
) -> None:
    if case.slow and (sys.platform != "linux" or shutil.which("cc") is None):
        pytest.skip("a slow share needs Linux and a C compiler")
    result = tried(case, lab, expected, tmp_path / "case")
    assert (result.errors, result.differing) == ((), ())


def _program(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code], text=True)


def test_that_a_worker_killed_after_the_import_is_not_tested() -> None:
    with _program("") as ended, _program("import time; time.sleep(60)") as worker:
        ended.wait()
        with pytest.raises(AssertionError, match="had ended"):
            kill_when(lambda: True, Cluster("", (worker.pid,), worker), ended)
    with _program("import time; time.sleep(60)") as running, _program("import time; time.sleep(60)") as worker:
        kill_when(lambda: True, Cluster("", (worker.pid,), worker), running)
        assert worker.wait() != 0
        running.kill()


def test_that_a_changed_byte_and_a_missing_part_are_reported_as_differences() -> None:
    one, two, three = (frozenset({digit}) for digit in (b"1", b"2", b"3"))
    assert difference({"a": one, "b": two, "c": three}, {"a": one, "b": one}) == ["b", "c"]


def test_that_the_content_of_a_store_does_not_depend_on_the_number_of_workers(lab: Lab, expected: Parts) -> None:
    kinds = {name.partition(" ")[0] for name in expected}
    assert kinds == {"note", "description", "columns", "sums"}
    assert len(expected) == len(kinds) * (lab.large + lab.small)
    assert all(len(contents) == 1 for contents in expected.values())


def test_that_a_profile_counts_the_innermost_function_of_the_project() -> None:
    ours = str(Path(__file__).parents[3] / "workbench" / "study" / "store" / "columns.py")
    inner = {"description": {"filename": "polars.py", "name": "write"}, "count": 3, "children": {}}
    outer = {"description": {"filename": ours, "name": "put"}, "count": 4, "children": {"write": inner}}
    other = {"description": {"filename": "dask.py", "name": "wait"}, "count": 6, "children": {}}
    root = {"description": {"filename": "", "name": ""}, "count": 10, "children": {"put": outer, "wait": other}}
    assert shares_of(root) == {"columns.put": 1.0}
