"""A folder followed while its test runs: new rows are read, and the final state equals a plain import."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.answers.common.document import summary_table, to_json
from workbench.measures.phase_table import run_figures
from workbench.model.reading import Reading
from workbench.model.run import Study
from workbench.readers.perfmon import growing as growth
from workbench.study import following as followed
from workbench.study.discovery.folders import find_sources
from workbench.study.following import Following, begin, end, look, studies_of, touched
from workbench.study.importing.build import build_studies
from workbench.study.importing.source import ImportSource, read_source
from workbench.study.store.column_store import Store

RUN = Path(__file__).parents[3] / "sample_data" / "xenapp-pvs-ram-cache" / "xenapp-1gb"


def _whole(sources: tuple[ImportSource, ...], store: Store, *_: object) -> list[tuple[ImportSource, Reading]]:
    return [(source, read_source(source.path, source.name, store)) for source in sources]


def _imported(paths: list[Path], store: Store) -> tuple[Study, ...]:
    found = find_sources(paths, store)
    return build_studies(found, _whole(found.sources, store))


def _json(studies: tuple[Study, ...]) -> str:
    figures = [run_figures(run) for study in studies for run in study.runs]
    return to_json(summary_table(figures, [problem for study in studies for problem in study.problems]))


def _files(studies: tuple[Study, ...]) -> list[object]:
    return [report for study in studies for report in study.files]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A study of one run with only a manifest."""
    run = tmp_path / "lab" / RUN.name
    (run / "guest").mkdir(parents=True)
    shutil.copy(RUN / "run.toml", run)
    return run


@pytest.fixture
def follow(lab: Path, store: Store) -> Iterator[Callable[[], Following]]:
    begun: list[Following] = []

    def start() -> Following:
        store.prepare()
        begun.append(begin((lab.parent,), store))
        return begun[-1]

    yield start
    for following in begun:
        end(following)


def _write(lab: Path, share: float, name: str = "guest") -> None:
    """Continues the simulated test until this part of every file is written."""
    for source in sorted((RUN / name).iterdir()):
        data = source.read_bytes()
        target = lab / name / source.name
        done = target.stat().st_size if target.exists() else 0
        with target.open("ab") as stream:
            stream.write(data[done : max(done, int(share * len(data)))])


@pytest.mark.parametrize("seed", range(3))
def test_that_a_replayed_test_ends_with_the_figures_of_a_normal_import(
    lab: Path, store: Store, follow: Callable[[], Following], tmp_path: Path, seed: int
) -> None:
    following, draw = follow(), random.Random(seed)
    shutil.copy(RUN / "events.csv", lab)
    studies: tuple[Study, ...] = ()
    for now, share in enumerate([*sorted(draw.random() for _ in range(8)), 1.0]):
        _write(lab, share)
        following, found = look(following, 60.0 * now, _whole)
        studies = studies_of(following, found, 60.0 * now)
    assert [run.running for study in studies for run in study.runs] == [True]
    offline = _imported([lab.parent], Store(tmp_path / "other"))
    ended = studies_of(following, find_sources([lab.parent]), 60.0 * 9 + followed.IDLE_S)
    assert _json(ended) == _json(offline)
    assert _json(studies).replace('"running": true', '"running": false') == _json(offline)
    assert _files(ended) == _files(offline)
    assert not list((store.root / "v1" / "columns").iterdir())


def test_that_a_look_reads_only_appended_bytes_and_counts_their_rows(
    lab: Path, follow: Callable[[], Following], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []
    take = growth._taken
    monkeypatch.setattr(growth, "_taken", lambda *given: taken.append(take(*given)) or taken[-1])
    following = follow()
    _write(lab, 0.5)
    following, _ = look(following, 0.0, _whole)
    before = sum(file.stat().st_size for file in (lab / "guest").iterdir())
    rows = sum(file.reading.report.rows for file in following.files.values() if file.reading)
    taken.clear()
    _write(lab, 0.6)
    following, _ = look(following, 5.0, _whole)
    grown = sum(file.stat().st_size for file in (lab / "guest").iterdir()) - before
    longest = max(len(line) for file in (lab / "guest").iterdir() for line in file.read_bytes().splitlines(True))
    assert abs(sum(taken) - grown) < longest * len(taken)
    now = sum(file.reading.report.rows for file in following.files.values() if file.reading)
    assert following.new_rows == now - rows > 0


def test_that_an_unchanged_file_or_half_a_line_gives_no_new_rows(lab: Path, follow: Callable[[], Following]) -> None:
    following = follow()
    _write(lab, 0.5)
    following, _ = look(following, 0.0, _whole)
    assert following.changed
    following, _ = look(following, 5.0, _whole)
    assert not following.changed
    file = next((lab / "guest").iterdir())
    with file.open("ab") as stream:
        stream.write(b'"05/10')
    following, _ = look(following, 10.0, _whole)
    assert not following.changed
    assert following.grew_at == 0.0


def test_that_a_new_segment_and_a_replaced_file_are_read(
    lab: Path, follow: Callable[[], Following], tmp_path: Path
) -> None:
    following = follow()
    first = min((RUN / "guest").iterdir())
    lines = first.read_bytes().splitlines(True)
    segment = lab / "guest" / "first.csv"
    segment.write_bytes(b"".join(lines[:20]))
    following, _ = look(following, 0.0, _whole)
    (lab / "guest" / "second.csv").write_bytes(b"".join((lines[0], *lines[20:40])))
    following, found = look(following, 5.0, _whole)
    assert following.new_rows == 20
    segment.write_bytes(b"".join((lines[0], *lines[5:12])))
    following, found = look(following, 10.0, _whole)
    now = studies_of(following, found, 9999.0)
    assert _json(now) == _json(_imported([lab.parent], Store(tmp_path / "other")))
    segment.unlink()
    following, found = look(following, 15.0, _whole)
    assert following.changed
    assert _json(studies_of(following, found, 9999.0)) == _json(_imported([lab.parent], Store(tmp_path / "third")))


def test_that_other_files_are_read_completely_and_not_at_every_look(lab: Path, follow: Callable[[], Following]) -> None:
    following, read = follow(), list[str]()

    def whole(sources: tuple[ImportSource, ...], store: Store, *_: object) -> list[tuple[ImportSource, Reading]]:
        read.extend(source.path.name for source in sources)
        return _whole(sources, store)

    lines = (RUN / "events.csv").read_bytes().splitlines(True)
    for now in (0.0, 5.0, 10.0, followed.WHOLE_S):
        (lab / "events.csv").write_bytes(b"".join(lines[: 3 + int(now)]))
        following, _ = look(following, now, whole)
    assert read == ["events.csv"] * 2
    assert not any("perf" in name for name in read)


def test_that_a_failed_look_counts_no_row_twice(
    lab: Path, follow: Callable[[], Following], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    following = follow()
    _write(lab, 0.3)
    following, _ = look(following, 0.0, _whole)
    take = growth._taken

    def torn(*given: object) -> int:
        take(*given)  # type: ignore[arg-type]
        raise OSError("the share is gone")

    _write(lab, 0.6)
    monkeypatch.setattr(growth, "_taken", torn)
    following, _ = look(following, 5.0, lambda *_: [])
    monkeypatch.setattr(growth, "_taken", take)
    _write(lab, 1.0)
    following, found = look(following, 40.0, _whole)
    offline = _imported([lab.parent], Store(tmp_path / "other"))
    assert _json(studies_of(following, found, 9999.0)) == _json(offline)


def test_that_only_a_run_with_new_data_is_running(lab: Path, store: Store, follow: Callable[[], Following]) -> None:
    done = lab.parent / "finished"
    shutil.copytree(RUN, done)
    _imported([lab.parent], store)
    following = follow()
    _write(lab, 0.5)
    following, found = look(following, 0.0, _whole)
    runs = [run for study in studies_of(following, found, 1.0) for run in study.runs]
    assert {run.name: run.running for run in runs} == {RUN.name: True, "finished": False}
    assert {run.name: touched(following, run) for run in runs} == {RUN.name: True, "finished": False}
    later = [run for study in studies_of(following, found, followed.IDLE_S) for run in study.runs]
    assert not any(run.running for run in later)


def test_that_samples_of_earlier_looks_do_not_accumulate(lab: Path, follow: Callable[[], Following]) -> None:
    following = follow()
    for now in range(12):
        _write(lab, (now + 1) / 12)
        following, _ = look(following, float(now), _whole)
    files = len(list((lab / "guest").iterdir()))
    assert len(list(following.folder.rglob("*.arrow"))) <= 2 * files
    end(following)
    assert not following.folder.exists()
    assert replace(following, files={}).grew_at is None
