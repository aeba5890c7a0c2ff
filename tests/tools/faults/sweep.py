"""The sweep: all points of one operation after another, recorded in a file so it can resume."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from importlib import import_module
from multiprocessing import resource_tracker
from pathlib import Path

import msgspec

from tests.tools.faults import disks
from tests.tools.faults.points import Clean, Outcome, Point, Trial, forked, points_of
from tests.tools.faults.shim import Shim
from tests.tools.faults.work import OPERATIONS, Operation, Room, change_study, do_import, make_study

SEED = 19
KEPT = "outcomes.jsonl"
# Number of faults of each started operation.
PLANNED = "planned.json"
# The first and the last 20 calls, 60 others, and 60 kills.
WHOLE = (20, 60, 60)
# Every test run tries one failing call and one kill for each way of writing.
SHORT = (0, 1, 1)
SHORTLY = ("import", "workspace", "bundle", "settings", "history", "kit", "xlsx")
# One export represents the others, because they load the same modules.
_LOADING = ("workspace", "settings", "html")


def trials(folder: Path, names: Iterable[str], shim: Shim | None) -> Iterator[Trial]:
    """The operations with these names in a folder; everything that they need is loaded."""
    study, empty, filled = folder / "study", folder / "empty", folder / "filled"
    for made in (study, empty, filled, folder / "room"):
        shutil.rmtree(made, ignore_errors=True)
    wanted = [operation for operation in OPERATIONS if operation.name in set(names)]
    make_study(study)
    empty.mkdir()
    room = Room(folder / "room", study)
    room.prepare(empty)
    _in(room, Operation("", "", do_import), folder)
    shutil.copytree(room.store, empty, dirs_exist_ok=True)
    change_study(study)
    _in(room, Operation("", "", do_import), folder)
    shutil.copytree(room.store, filled)
    _load(room, wanted)
    for operation in wanted:
        store = filled if operation.file else empty
        (folder / operation.name).mkdir(exist_ok=True)
        yield Trial(operation, folder / operation.name / "room", study, store, shim)


def swept(folder: Path, names: Iterable[str], many: tuple[int, int, int], on_disks: bool) -> Iterator[Outcome]:
    """Every outcome, stored in the folder at once; successful ones are not repeated."""
    shim, kept = Shim(), folder / KEPT
    known = {outcome.point.key: outcome for outcome in latest(kept) if not outcome.wrong}
    reason = disks.why_not(folder / "disk") if on_disks else ""
    if reason:
        print(f"Left out: {reason}.", file=sys.stderr)
    figures: dict[bool, str] = {}
    with kept.open("ab") as stream:
        for trial in trials(folder, names, shim):
            alone = not trial.operation.file
            clean = trial.clean(figures.get(alone, ""))
            figures[alone] = clean.figures
            ends, between, kills = many
            points = points_of(trial.operation.name, clean.calls, SEED, ends, between, kills)
            if on_disks and not reason:
                points += disks.points_of(trial.operation.name)
            _plan(folder, trial.operation.name, len(points))
            for point in points:
                outcome = known.get(point.key) or _tried(trial, point, clean, folder)
                if point.key not in known:
                    stream.write(msgspec.json.encode(outcome) + b"\n")
                    stream.flush()
                yield outcome


def planned(folder: Path) -> dict[str, int]:
    """The number of faults of each operation that a sweep has reached."""
    file = folder / PLANNED
    return msgspec.json.decode(file.read_bytes(), type=dict[str, int]) if file.exists() else {}


def _plan(folder: Path, operation: str, faults: int) -> None:
    (folder / PLANNED).write_bytes(msgspec.json.encode(planned(folder) | {operation: faults}))


def _tried(trial: Trial, point: Point, clean: Clean, folder: Path) -> Outcome:
    if point.mode in ("fail", "kill"):
        return trial.tried(point, clean)
    return disks.tried(trial, point, clean, folder / trial.operation.name, folder / "disk.words")


def latest(kept: Path) -> list[Outcome]:
    """The last outcome of each fault in a file; a last line that was cut off does not count."""
    lines = kept.read_bytes().splitlines(keepends=True) if kept.exists() else []
    whole = [line for line in lines if line.endswith(b"\n")]
    if len(whole) < len(lines):
        kept.write_bytes(b"".join(whole))
    outcomes = (msgspec.json.decode(line, type=Outcome) for line in whole)
    return list({outcome.point.key: outcome for outcome in outcomes}.values())


def _in(room: Room, operation: Operation, folder: Path) -> None:
    def run() -> int:
        room.enter()
        return operation.run(room)

    status, words = forked(run, folder / "words")
    assert status == 0, words


def _load(room: Room, wanted: list[Operation]) -> None:
    """Loads code and word lists in this process, from which the tested processes are forked. It starts no thread,
    because forked processes would lack it."""
    resource_tracker.ensure_running()
    for name in ("readers.perfmon.reader", "readers.tables.mapped", "exporters.data.samples"):
        import_module(f"workbench.{name}")
    loading = {*_LOADING, *(operation.name for operation in wanted if operation.name in ("xlsx", "pptx", "template"))}
    small = all(operation.name in ("import", "workspace", "settings") for operation in wanted)
    for operation in OPERATIONS:
        if operation.name in (loading - {"html"} if small else loading):
            room.enter()
            operation.run(room)


def timed(outcomes: Iterator[Outcome], minutes: float) -> Iterator[Outcome]:
    """Yields the outcomes until the time is over; a sentence says how to resume."""
    end = time.monotonic() + 60 * minutes
    for outcome in outcomes:
        yield outcome
        if time.monotonic() > end:
            print("The time is over; the same command goes on from here.", file=sys.stderr)
            return
