"""Calls that fail, one after another, while the program writes: one failure and one kill for each way of writing; a
command runs all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.tools.faults.__main__ import HALVES, ROOT
from tests.tools.faults.disks import FULL, LOCKED, STORE_READ_ONLY
from tests.tools.faults.judge import content, left_behind, state, torn
from tests.tools.faults.points import Outcome, Point, points_of
from tests.tools.faults.shim import preloaded, why_not
from tests.tools.faults.sweep import KEPT, SHORTLY, _plan, latest, planned
from tests.tools.faults.work import EARLIER, OPERATIONS

NAMES = [operation.name for operation in OPERATIONS]
needs_shim = pytest.mark.skipif(bool(why_not()), reason=why_not())


def _swept(folder: Path, *further: str) -> list[Outcome]:
    command = [sys.executable, "-m", "tests.tools.faults", "--folder", str(folder), *further]
    program = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=3600)
    outcomes = [outcome for kept in folder.glob(f"*/{KEPT}") for outcome in latest(kept)]
    assert outcomes, program.stderr
    assert (program.returncode == 0) == (not any(outcome.wrong for outcome in outcomes)), program.stderr
    return outcomes


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    """For each way of writing, a call that fails and a kill."""
    return _swept(tmp_path_factory.mktemp("faults"), "--short")


@needs_shim
@pytest.mark.parametrize("name", SHORTLY)
def test_that_a_failed_call_leaves_the_old_or_new_file_and_a_sentence(short: list[Outcome], name: str) -> None:
    outcomes = [outcome for outcome in short if outcome.point.operation == name]
    assert [outcome.point.mode for outcome in outcomes] == ["fail", "kill"]
    assert [outcome for outcome in outcomes if outcome.wrong] == []
    assert all(outcome.call for outcome in outcomes if outcome.point.mode == "fail"), "some call of it has failed"


@pytest.mark.slow
@needs_shim
def test_that_a_sweep_lists_its_calls_and_kills_and_full_disks_with_their_number(tmp_path: Path) -> None:
    outcomes = _swept(tmp_path, "--one-in", "20", "settings")
    assert [outcome for outcome in outcomes if outcome.wrong] == []
    assert planned(tmp_path / "settings") == {"settings": len(outcomes)}
    modes = {outcome.point.mode for outcome in outcomes}
    assert {"fail", "kill"} <= modes
    assert FULL not in modes or {STORE_READ_ONLY, LOCKED} <= modes


@pytest.mark.slow
@needs_shim
def test_that_a_sweep_resumes_and_repeats_failed_cases(tmp_path: Path) -> None:
    first = _swept(tmp_path, "--short", "workspace")
    kept = tmp_path / "workspace" / KEPT
    lines = kept.read_text("utf-8").splitlines(keepends=True)
    spoiled = lines[0].replace('"wrong":[]', '"wrong":["torn"]')
    assert spoiled != lines[0]
    kept.write_text("".join((spoiled, lines[1][:20])), encoding="utf-8")
    again = _swept(tmp_path, "--short", "workspace")
    assert [outcome.point for outcome in again] == [outcome.point for outcome in first]
    assert len(kept.read_text("utf-8").splitlines()) == 3, "one was tried again, and one had not been kept whole"


def test_that_the_last_complete_line_of_each_fault_counts_and_all_planned_faults_are_included(tmp_path: Path) -> None:
    def line(at: int, *wrong: str) -> bytes:
        return msgspec.json.encode(Outcome(Point("settings", at, "fail"), "open", 1, "old", "", wrong)) + b"\n"

    kept = tmp_path / KEPT
    kept.write_bytes(line(1, "torn") + line(2) + line(1) + line(3)[:20])
    assert [(outcome.point.at, outcome.wrong) for outcome in latest(kept)] == [(1, ()), (2, ())]
    # The next line is added after the last complete one.
    assert kept.read_bytes() == line(1, "torn") + line(2) + line(1)
    _plan(tmp_path, "settings", 3)
    _plan(tmp_path, "xlsx", 2)
    assert planned(tmp_path) == {"settings": 3, "xlsx": 2}


@needs_shim
def test_that_the_shim_makes_only_the_named_call_fail(tmp_path: Path) -> None:
    program = """
import os, sys
from pathlib import Path
from tests.tools.faults.shim import Mode, Shim
folder, shim = Path(sys.argv[1]), Shim()
def write():
    (folder.parent / "outside").write_text("not counted")
    with (folder / "a.part").open("wb") as stream:
        stream.write(b"0123456789")
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(folder / "a.part", folder / "a")
shim.arm(folder, Mode.COUNT)
write()
for at in range(1, shim.count + 1):
    (folder / "a").unlink()
    shim.arm(folder, Mode.FAIL, at, 28)
    try:
        write()
    except OSError as error:
        print(at, shim.call.split()[0], error.errno, sorted(p.name for p in folder.iterdir() if p.stat().st_size))
    shim.disarm()
    (folder / "a.part").unlink(missing_ok=True)
    (folder / "a").write_text("a")
"""
    folder = tmp_path / "watched"
    folder.mkdir()
    command = [sys.executable, "-c", program, str(folder)]
    environment = os.environ | preloaded(tmp_path)
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.splitlines() == [
        "1 open 28 []",
        "2 write 28 ['a.part']",
        "3 fsync 28 ['a.part']",
        "4 rename 28 ['a.part']",
    ]


def test_that_a_partly_written_file_is_detected(tmp_path: Path) -> None:
    file, whole = tmp_path / "a.csv", b"run,iops\r\na,1\r\n"
    earlier, new = {"a.csv": EARLIER}, {"a.csv": content(whole), "a.key": content(b"key")}
    for data, shown in ((whole, "both"), (EARLIER, "old")):
        file.write_bytes(data)
        assert not torn(tmp_path, earlier, new)
        assert state(tmp_path, earlier, new) == shown
    for damage in (EARLIER[:-1], b"run,iops\r\na,", b""):
        file.write_bytes(damage)
        assert torn(tmp_path, earlier, new)
    file.unlink()
    assert torn(tmp_path, earlier, new)
    file.write_bytes(whole)
    (tmp_path / "a.key").write_bytes(b"ke")
    assert torn(tmp_path, earlier, new) == ["a.key is neither the earlier nor the new one"]
    (tmp_path / "a.key").write_bytes(b"key")
    assert state(tmp_path, earlier, new) == "new"
    (tmp_path / ".a.part").touch()
    assert left_behind(tmp_path, earlier, new) == [".a.part"]


def test_that_the_first_and_last_calls_are_tested_and_the_stated_number_between() -> None:
    points = points_of("xlsx", 700, 19, 20, 60, 60)
    failing = [point.at for point in points if point.mode == "fail"]
    assert failing[:20] == list(range(1, 21))
    assert failing[-20:] == list(range(681, 701))
    assert len(failing) == 100
    assert sum(point.mode == "kill" for point in points) == 60
    assert points == points_of("xlsx", 700, 19, 20, 60, 60)
    few = points_of("settings", 5, 19, 20, 60, 60)
    assert [point.at for point in few] == [*range(1, 6), *range(1, 6)]


def test_that_both_halves_cover_every_operation_once() -> None:
    assert sorted(name for half in HALVES for name in half) == sorted(NAMES)


def test_that_the_listing_of_a_replaced_kit_names_the_files_of_both(tmp_path: Path) -> None:
    ours, theirs = ({"path": "a.cmd", "sha256": value} for value in ("1", "2"))
    earlier, new = (json.dumps({"files": [entry]}).encode() for entry in (ours, theirs))
    known = {"kit.json": earlier}, {"kit.json": content(new)}
    (tmp_path / "kit.json").write_text(json.dumps({"files": [ours, theirs]}))
    assert not torn(tmp_path, *known)
    for entries in ([], [ours, theirs, {"path": "b.cmd", "sha256": "3"}], [ours, {"path": "a.cmd", "sha256": "3"}]):
        (tmp_path / "kit.json").write_text(json.dumps({"files": entries}))
        assert torn(tmp_path, *known) == ["kit.json is neither the earlier nor the new one"]
