"""What is done while calls fail: an import, a workspace file, a bundle and each export, of a small study, in a folder
that holds everything that is written."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from workbench.answers.common.command import UsageError
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.session.bundle import save_bundle, sources_of
from workbench.session.document import Document, SessionError, save_session
from workbench.session.settings import Settings, save_settings
from workbench.study.discovery.folders import find_sources
from workbench.study.importing import workers
from workbench.study.store.column_store import default_store
from workbench.study.store.columns import ColumnsError

SAMPLE = Path(__file__).parents[2] / "sample_data" / "xenapp-pvs-ram-cache"
EARLIER = b"what was saved here before\n"
# So many small files share one of the store.
_LOGS = 40


@dataclass(frozen=True, slots=True)
class Room:
    """A folder with the store, what is written, and the system's temporary files; the study lies beside it."""

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
        """Empty, but for a copy of this store."""
        for folder in (self.out, self.temporary):
            folder.mkdir(parents=True)
        shutil.copytree(store, self.store)

    def enter(self) -> None:
        """Everything that this process writes goes here from now on."""
        os.environ |= {
            "VDI_WORKBENCH_STORE": str(self.store),
            "VDI_WORKBENCH_SETTINGS": str(self.out / "settings.json"),
            "VDI_WORKBENCH_MAPPINGS": str(self.folder / "mappings.json"),
            "TMPDIR": str(self.temporary),
        }
        tempfile.tempdir = str(self.temporary)
        # With one worker the calls come in nearly the same order each time; one that is forked has everything loaded.
        os.cpu_count = lambda: 1
        workers.DEAF_CONTEXT = get_context("fork")  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that writes: its name, the file that it replaces (empty: the store alone), and how it is done; it
    returns the exit status of the program."""

    name: str
    file: str
    run: Callable[[Room], int]


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


def change_study(folder: Path) -> None:
    """The same study after another measurement: every kind of file has one row more."""
    for number in range(_LOGS):
        with (folder / "logs" / f"vdi_iops.{number}.log").open("a", encoding="ascii") as stream:
            stream.write("21000, 77, 1, 0\n")
    for file in folder.glob("*/guest/*.csv"):
        lines = file.read_text("utf-8").splitlines(keepends=True)
        file.write_text("".join(lines[:-1]), encoding="utf-8", newline="")


def do_import(room: Room) -> int:
    """Fills the store on the console."""
    return main(["import", str(room.study), "--store", str(room.store)])


def _export(ending: str) -> Operation:
    file = f"report.{ending}"

    def run(room: Room) -> int:
        pages = () if ending == "csv" else ("--only", "overview")
        return main(["export", str(room.study), "-o", str(room.out / file), *pages])

    return Operation(ending, file, run)


def _save(room: Room) -> int:
    return _said(lambda: save_session(room.out / "work.vdiwb", Document(paths=(str(room.study),))))


def _bundle(room: Room) -> int:
    def save() -> None:
        places = {each.name: each.path for each in find_sources([room.study], default_store()).sources}
        files = {name: path for name, path in places.items() if path.is_file()}
        studies = load_studies([room.study], default_store())
        save_bundle(room.out / "work.vdibundle", Document(paths=(str(room.study),)), studies, sources_of(files))

    return _said(save)


def _settings(room: Room) -> int:
    if save_settings(Settings(theme="dark")):
        return 0
    print(f"{room.out / 'settings.json'} was not written.", file=sys.stderr)
    return 2


def _said(work: Callable[[], None]) -> int:
    """Does it, and prints the sentence that the window shows where it fails."""
    try:
        work()
    except (SessionError, ColumnsError, UsageError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


OPERATIONS = (
    Operation("import", "", do_import),
    Operation("workspace", "work.vdiwb", _save),
    Operation("bundle", "work.vdibundle", _bundle),
    Operation("settings", "settings.json", _settings),
    *map(_export, ("xlsx", "pptx", "html", "pdf", "csv", "png", "svg")),
)


def numbers(room: Room, every_sample: bool) -> int:
    """Prints the figures of the study, as the next start shows them, and writes every sample if so wanted."""
    status = main(["summary", str(room.study), "--format", "json"])
    if every_sample:
        status = max(
            status, main(["export", str(room.study), "--only", "data", "-o", str(room.folder / "samples.csv")])
        )
    return status
