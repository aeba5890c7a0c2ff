"""A cancelled opening or saving of a bundle leaves no partial result, at any moment."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from tests.builders import disk_csv
from workbench.cancellation import Cancelled, beside, cancelled_by
from workbench.console.loading import load_studies
from workbench.model.run import Study
from workbench.session.bundle import load_bundle, save_bundle, sources_of
from workbench.session.document import SessionDocument
from workbench.study.store.column_store import Store
from workbench.study.store.columns import read_table

ROWS = 3_000


class After(Event):
    """A cancel that arrives after the work has checked for it that many times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def is_set(self) -> bool:
        self.times -= 1
        return self.times < 0


@pytest.fixture
def small_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes small tables unpack in parts, like tables of gigabytes."""
    monkeypatch.setattr("workbench.session.bundle._VALUES", 1_000)


@pytest.fixture
def studies(tmp_path: Path) -> tuple[Study, ...]:
    for number in range(3):
        path = tmp_path / "lab" / "MCS" / f"{number}.csv"
        disk_csv(path, f"V{number}", [None, *(number + row / 7 for row in range(1, ROWS))], [2.0] * ROWS)
    return load_studies([tmp_path / "lab"], Store(tmp_path / "first"))


@pytest.fixture
def saved(tmp_path: Path, studies: tuple[Study, ...]) -> Path:
    save_bundle(tmp_path / "all.vdibundle", SessionDocument(), studies, ())
    return tmp_path / "all.vdibundle"


def figures(studies: tuple[Study, ...]) -> list[list[list[float]]]:
    tables = []
    for recording in (recording for study in studies for run in study.runs for recording in run.recordings):
        times, columns = read_table(recording, [series.column for series in recording.series])
        tables.append([times.tolist(), *(np.nan_to_num(values).tolist() for values in columns.values())])
    return tables


def asked_of(work: object) -> int:
    """The number of times that the work checks for a cancel."""
    counted = After(10**9)
    with cancelled_by(counted):
        work()  # type: ignore[operator]
    return 10**9 - counted.times


@pytest.mark.usefixtures("small_stretches")
def test_that_opening_a_bundle_can_be_cancelled_any_time_and_leaves_no_partial_table(
    tmp_path: Path, saved: Path, studies: tuple[Study, ...]
) -> None:
    times = asked_of(lambda: load_bundle(saved, Store(tmp_path / "other")))
    assert times > 3 * 9
    for number in range(0, times, 3):
        store = Store(tmp_path / f"store{number}")
        with cancelled_by(After(number)), pytest.raises(Cancelled):
            load_bundle(saved, store)
        left = [file.name for file in store.root.rglob("*") if file.is_file()]
        assert [name for name in left if not name.startswith("bundle-")] == []
        assert figures(load_bundle(saved, store).studies) == figures(studies)


def test_that_ctrl_c_ends_the_opening_of_a_bundle(tmp_path: Path, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.session.bundle._VALUES", 4)  # about 750 parts of each table
    store, begun = Store(tmp_path / "store"), time.monotonic()

    def ctrl_c() -> None:
        if any(store.root.rglob("*.part")):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        beside(lambda: load_bundle(saved, store), ctrl_c)
    assert time.monotonic() - begun < 10
    assert [file for file in store.root.rglob("*") if ".part" in file.name] == []


def test_that_a_cancelled_save_keeps_the_bundle(tmp_path: Path, saved: Path, studies: tuple[Study, ...]) -> None:
    before = saved.read_bytes()
    places = {f"{number}.csv": tmp_path / "lab" / "MCS" / f"{number}.csv" for number in range(3)}

    def save() -> None:
        save_bundle(saved, SessionDocument(), studies[:0], sources_of(places))

    for number in range(asked_of(lambda: sources_of(places)) + 1):
        with cancelled_by(After(number)), pytest.raises(Cancelled):
            save()
        assert saved.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["all.vdibundle"]
