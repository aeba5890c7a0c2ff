"""Archives that tests create, and their readings."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.study.test_import_pool import drained
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.run import Study
from workbench.study.discovery.folders import Found, find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.pool import ImportJob
from workbench.study.store.column_store import Store

# Windows cannot delete an archive that a worker has open, so the workers end before their archives are deleted.
WORKERS = [pytest.mark.usefixtures("own_workers")] if sys.platform == "win32" else []
EVENTS = b"time,event,vm,user,detail\n2016-05-10T09:00:00+01:00,power_on,W10-001,,\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A study of two runs, one with a run.toml, as a folder."""
    root = tmp_path / "lab"
    disk_csv(root / "mcs" / "guest" / "W10-001.csv", "W10-001", [1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    disk_csv(root / "mcs" / "guest" / "W10-002.csv", "W10-002", [7.0, 8.0, None], [1.0, 1.0, 1.0])
    (root / "mcs" / "run.toml").write_bytes(b'\xef\xbb\xbfconfiguration = "MCS plain"\r\nprovisioning = "MCS"\r\n')
    (root / "mcs" / "events.csv").write_bytes(EVENTS)
    disk_csv(root / "pvs" / "W10-001.csv", "W10-001", [9.0, 9.0], [2.0, 2.0])
    (root / "notes.bin").write_bytes(bytes(range(256)))
    return root


def packed(path: Path, members: dict[str, bytes] | Path, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip archive of these members, or of everything below a folder."""
    if isinstance(members, Path):
        members = {f.relative_to(members).as_posix(): f.read_bytes() for f in sorted(members.rglob("*")) if f.is_file()}
    with zipfile.ZipFile(path, "w", method) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return path


def read(store: Store, *paths: Path) -> tuple[Found, dict[str, Reading]]:
    found = find_sources(list(paths), store)
    job = ImportJob(found.sources, store, 2)
    job.start()
    return found, drained(job)


def studies(store: Store, *paths: Path) -> tuple[Study, ...]:
    found = find_sources(list(paths), store)
    job = ImportJob(found.sources, store, 2)
    job.start()
    by_name = {source.name: source for source in found.sources}
    readings = [(by_name[name], reading) for name, reading in drained(job).items()]
    return build_studies(found, readings)


def refused(readings: dict[str, Reading]) -> dict[str, str]:
    """The name and code of each rejected file; each problem names its file."""
    found: dict[str, str] = {}
    for name, reading in readings.items():
        for problem in reading.problems:
            if problem.severity is Severity.REFUSED:
                assert problem.file == name
                found[name] = problem.code
    return found


def recognised(readings: dict[str, Reading]) -> set[str]:
    return {name for name, reading in readings.items() if reading.report.recognised}


def spooled(store: Store) -> list[Path]:
    return list((store.root / "v1" / "spool").glob("*"))


def shape(study: Study) -> list[object]:
    """The content of a study, without the names of its files."""
    return [
        (
            run.name,
            run.configuration,
            run.vms,
            len(run.events),
            sorted((rec.file.rsplit("/", 1)[-1], rec.rows, rec.first_us, rec.hosts) for rec in run.recordings),
        )
        for run in study.runs
    ]


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
