"""The work done while calls fail: an import, a workspace file, a bundle, each export and every other written file, of a
small study, in a folder that holds all written files."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from openpyxl import Workbook

from workbench.answers.common.spec import UsageError
from workbench.answers.limits.file import limits_toml
from workbench.answers.limits.limit import Limit
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.file_replace import reason
from workbench.model.mapping import ColumnMapping, MappedColumn, TimeFormat
from workbench.model.run import Study
from workbench.session.bundle import BundledFile, save_anonymous_bundle, save_bundle, sources_of
from workbench.session.document import SessionDocument, SessionError, save_session
from workbench.session.journal import write_journal
from workbench.session.settings import Settings, save_settings
from workbench.study.discovery.folders import find_sources
from workbench.study.importing import workers
from workbench.study.importing.mappings import save_mapping
from workbench.study.store.column_store import default_store
from workbench.study.store.columns import ColumnsError
from workbench.study.store.temporary import write_whole

SAMPLE = Path(__file__).parents[3] / "sample_data" / "xenapp-pvs-ram-cache"
EARLIER = b"what was saved here before\n"
_LIMITS = '[[limits]]\nmeasure = "iops_per_vm"\nphase = "steady"\nat_most = 1e9\n'
# This many small files share one file of the store.
_LOGS = 40


@dataclass(frozen=True, slots=True)
class Room:
    """A folder with the store, the written files, and the system's temporary files; the study is next to it."""

    folder: Path
    study: Path

    @property
    def store(self) -> Path:
        return self.folder / "store"

    @property
    def out(self) -> Path:
        return self.folder / "out"

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    def prepare(self, store: Path) -> None:
        """Empties the folder except for a copy of this store."""
        for folder in (self.out, self.temporary):
            folder.mkdir(parents=True)
        shutil.copytree(store, self.store)

    def enter(self) -> None:
        """Makes this process write all files here from now on."""
        os.environ |= {
            "VDI_WORKBENCH_STORE": str(self.store),
            "VDI_WORKBENCH_SETTINGS": str(self.out / "settings.json"),
            "VDI_WORKBENCH_MAPPINGS": str(self.out / "mappings.json"),
            "TMPDIR": str(self.temporary),
        }
        tempfile.tempdir = str(self.temporary)
        # With one worker the order of the calls is nearly constant; a forked worker has everything loaded.
        os.cpu_count = lambda: 1
        workers.DEAF_CONTEXT = get_context("fork")  # type: ignore[assignment]


# The normal way to start workers, outside of these tests.
_AS_THE_PROGRAM = workers.DEAF_CONTEXT


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation that writes: its name, the file or folder that it replaces (empty: only the store), and its
    function, which returns the exit status of the program. `before` writes the earlier files. If it has several
    `parts`, each may be the earlier or the new one."""

    name: str
    file: str
    run: Callable[[Room], int]
    before: Callable[[Room], object] | None = None
    parts: bool = False

    def prepare(self, room: Room) -> None:
        """Writes the earlier files."""
        if self.before is not None:
            self.before(room)
        elif self.file:
            (room.out / self.file).write_bytes(EARLIER)


def make_study(folder: Path) -> None:
    """A study of two runs, loose logs and an archive."""
    shutil.copytree(SAMPLE, folder)
    logs = folder / "logs"
    logs.mkdir()
    for number in range(_LOGS):
        rows = "".join(f"{1000 * at}, {100 * number + at}, {at % 2}, 0\n" for at in range(1, 21))
        (logs / f"vdi_iops.{number}.log").write_text(rows, encoding="ascii")
    with zipfile.ZipFile(folder / "packed.zip", "w") as archive:
        for file in sorted((folder / "xenapp-3gb" / "guest").iterdir()):
            archive.write(file, f"packed/{file.name}")
    (folder.parent / "limits.toml").write_text(_LIMITS, encoding="utf-8")
    book = Workbook()
    book.active["A1"], book.active["A3"] = "{{text:study}}", "{{table:overview:Phase table}}"
    book.active["A40"] = "{{figure:overview}}"
    book.save(folder.parent / "template.xlsx")


def change_study(folder: Path) -> None:
    """The study after another measurement: every kind of file has one row more."""
    for number in range(_LOGS):
        with (folder / "logs" / f"vdi_iops.{number}.log").open("a", encoding="ascii") as stream:
            stream.write("21000, 77, 1, 0\n")
    for file in folder.glob("*/guest/*.csv"):
        lines = file.read_text("utf-8").splitlines(keepends=True)
        file.write_text("".join(lines[:-1]), encoding="utf-8", newline="")


def do_import(room: Room) -> int:
    """Fills the store on the console."""
    return main(["import", str(room.study), "--store", str(room.store)])


def _export(ending: str, *further: str) -> Operation:
    file = f"report.{ending}"

    def run(room: Room) -> int:
        return main(["export", str(room.study), "-o", str(room.out / file), *further])

    return Operation(ending, file, run)


def _with_template(room: Room) -> int:
    template = room.study.parent / "template.xlsx"
    return main(["export", str(room.study), "-o", str(room.out / "filled.xlsx"), "--template", str(template)])


def _anonymised(room: Room) -> int:
    key = ["--anonymise", "--key", str(room.out / "names.csv")]
    return main(["export", str(room.study), "-o", str(room.out / "anonymous.csv"), *key])


def _junit(room: Room) -> int:
    limits = ["--limits", str(room.study.parent / "limits.toml"), "--format", "junit"]
    return main(["check", str(room.study), *limits, "-o", str(room.out / "check.xml")])


def _kit(*further: str) -> Callable[[Room], int]:
    return lambda room: main(["kit", "-o", str(room.out / "kit"), *further])


def _keep(room: Room) -> int:
    return main(["trend", str(room.study), "--history", str(room.out / "history"), "--keep"])


def _kept_before(room: Room) -> None:
    """A file of the study without the line of its last run."""
    assert _keep(room) == 0
    for file in (room.out / "history").iterdir():
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))


def _limits(room: Room) -> int:
    limit = Limit("iops_per_vm", phase="steady", bound=1e9)
    return _own_file(room, "limits.toml", lambda file: write_whole(file, limits_toml((limit,)).encode()))


def _journal(room: Room) -> int:
    return _own_file(
        room, "a.journal", lambda file: write_journal(file, None, SessionDocument(paths=(str(room.study),)))
    )


def _own_file(room: Room, name: str, write: Callable[[Path], None]) -> int:
    """Writes one of the files for which the window has a separate error message."""
    try:
        write(room.out / name)
    except OSError as error:
        print(f"{name} was not written: {reason(error)}.", file=sys.stderr)
        return 2
    return 0


def _mapped_before(_: Room) -> None:
    assert save_mapping(ColumnMapping(("Clock",), ",", 0, TimeFormat.YEAR_FIRST, ()))


def _mapping(room: Room) -> int:
    columns = (MappedColumn(1),)
    mapping = ColumnMapping(("Time", "Load"), ";", 0, TimeFormat.YEAR_FIRST, columns)
    if save_mapping(mapping):
        return 0
    print("mappings.json was not written.", file=sys.stderr)
    return 2


def _save(room: Room) -> int:
    return _said(lambda: save_session(room.out / "work.vdiwb", SessionDocument(paths=(str(room.study),))))


def _bundle(room: Room) -> int:
    return _said(lambda: save_bundle(room.out / "work.vdibundle", *_bundled(room)))


def _anonymous_bundle(room: Room) -> int:
    key = room.out / "names.csv"
    return _said(lambda: save_anonymous_bundle(room.out / "anonymous.vdibundle", *_bundled(room), key))


def _bundled(room: Room) -> tuple[SessionDocument, tuple[Study, ...], tuple[BundledFile, ...]]:
    places = {source.name: source.path for source in find_sources([room.study], default_store()).sources}
    files = {name: path for name, path in places.items() if path.is_file()}
    studies = load_studies([room.study], default_store())
    return SessionDocument(paths=(str(room.study),)), studies, sources_of(files)


def _settings(room: Room) -> int:
    if save_settings(Settings(theme="dark")):
        return 0
    print(f"{room.out / 'settings.json'} was not written.", file=sys.stderr)
    return 2


def _said(work: Callable[[], None]) -> int:
    """Runs the work, and prints the message that the window shows if it fails."""
    try:
        work()
    except (SessionError, ColumnsError, UsageError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _samples(room: Room) -> int:
    # polars reads the columns before a damaged file is read again, and its threads are missing in a forked worker.
    workers.DEAF_CONTEXT = _AS_THE_PROGRAM
    return main(["export", str(room.study), "-o", str(room.out / "report.parquet"), "--only", "data"])


_ONE_PAGE = ("--only", "overview")
OPERATIONS = (
    Operation("import", "", do_import),
    Operation("workspace", "work.vdiwb", _save),
    Operation("bundle", "work.vdibundle", _bundle),
    Operation("anonymous-bundle", "anonymous.vdibundle", _anonymous_bundle, parts=True),
    Operation("settings", "settings.json", _settings),
    Operation("mapping", "mappings.json", _mapping, _mapped_before),
    Operation("journal", "a.journal", _journal),
    Operation("limits", "limits.toml", _limits),
    Operation("history", "history", _keep, _kept_before),
    Operation("kit", "kit", _kit(), _kit("--question", "cpu")),
    Operation("junit", "check.xml", _junit),
    Operation("anonymous", "anonymous.csv", _anonymised, parts=True),
    Operation("template", "filled.xlsx", _with_template),
    *(_export(ending, *_ONE_PAGE) for ending in ("xlsx", "pptx", "html", "pdf", "png", "svg")),
    replace(_export("md", *_ONE_PAGE), parts=True),
    _export("csv"),
    Operation("parquet", "report.parquet", _samples),
)


def numbers(room: Room, every_sample: bool) -> int:
    """Prints the figures of the study at the next start, and writes every sample on request."""
    status = main(["summary", str(room.study), "--format", "json"])
    if every_sample:
        status = max(
            status, main(["export", str(room.study), "--only", "data", "-o", str(room.folder / "samples.csv")])
        )
    return status
