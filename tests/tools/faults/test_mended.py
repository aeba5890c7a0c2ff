"""Regression tests of the faults that the sweep has found."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openpyxl.worksheet._writer import WorksheetWriter

from tests.exporters.jobs import exported, library_of
from tests.exporters.studies import replicate_study
from tests.processes import ROOT
from tests.tools.faults.work import SAMPLE
from workbench.cli import main
from workbench.exporters.safe_file import ExportError
from workbench.gui.pictures.painter import QtPainter
from workbench.session.bundle import save_bundle
from workbench.session.document import SessionDocument, SessionError
from workbench.study.anonymising.collecting import pseudonyms_of
from workbench.study.anonymising.pseudonyms import write_key


def test_that_a_report_that_replaced_the_old_one_counts_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: object
) -> None:
    target, opened = tmp_path / "report.pdf", builtins.open

    def denied(file: Any, *arguments: Any, **named: Any) -> Any:
        if file == target or file == str(target):
            raise OSError(5, "Input/output error", str(file))
        return opened(file, *arguments, **named)

    monkeypatch.setattr(builtins, "open", denied)
    written = exported(library_of(replicate_study(tmp_path / "data")), target, painter=QtPainter(), only=("overview",))
    assert written.files == (target,)
    assert target.read_bytes().startswith(b"%PDF-")


def test_that_a_bundle_with_unreadable_columns_is_named_and_the_earlier_one_kept(tmp_path: Path) -> None:
    study = replicate_study(tmp_path / "data")
    bundle = tmp_path / "work.vdibundle"
    save_bundle(bundle, SessionDocument(), (study,), ())
    earlier = bundle.read_bytes()
    columns = study.runs[0].recordings[0].store_file
    Path(columns or "").unlink()
    with pytest.raises(
        SessionError, match=r"^work\.vdibundle was not saved\. .* An earlier file of this name is unchanged\.$"
    ):
        save_bundle(bundle, SessionDocument(), (study,), ())
    assert bundle.read_bytes() == earlier


# A limit on file sizes replaces a full disk: Qt and openpyxl reach it with every file. Started
# with -B, because otherwise the bytecode would be cut off as well.
FULL = """
import resource, signal, sys
from workbench.cli import main
if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
    sys.exit(main(["export", sys.argv[1], "-o", sys.argv[2], "--only", "overview"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no sizes of files")
@pytest.mark.parametrize(("name", "most"), [("report.pdf", 20_000), ("report.png", 20_000), ("report.xlsx", 4_000)])
def test_that_a_file_without_disk_space_is_rejected_with_the_reason_and_leaves_no_file(
    tmp_path: Path, name: str, most: int
) -> None:
    temporary, target, store = tmp_path / "temporary", tmp_path / "out" / name, tmp_path / "store"
    temporary.mkdir()
    target.parent.mkdir()
    target.write_bytes(b"earlier")
    assert main(["import", str(SAMPLE), "--store", str(store)]) == 0
    environment = os.environ | {"TMPDIR": str(temporary), "VDI_WORKBENCH_STORE": str(store)}
    command = [sys.executable, "-B", "-c", FULL, str(SAMPLE), str(target), str(most)]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    said = f"{name} was not written: File too large. The earlier file is unchanged."
    assert ended.stderr.splitlines() == [f"{said} Choose another place."]
    assert ended.returncode == 2
    assert target.read_bytes() == b"earlier"
    assert [*temporary.iterdir(), *target.parent.iterdir()] == [target]


def test_that_a_workbook_with_an_incomplete_temporary_sheet_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = WorksheetWriter.write

    def cut_off(self: WorksheetWriter) -> None:
        whole(self)
        os.truncate(self.out, Path(self.out).stat().st_size - 40)

    monkeypatch.setattr(WorksheetWriter, "write", cut_off)
    target = tmp_path / "report.xlsx"
    with pytest.raises(ExportError, match=r"report\.xlsx was not written: the system's temporary folder"):
        exported(library_of(replicate_study(tmp_path / "data")), target, only=("overview",))
    assert not target.exists()


def test_that_an_incomplete_key_keeps_the_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, names = tmp_path / "names.csv", pseudonyms_of((replicate_study(tmp_path / "data"),))
    write_key(key, names)
    earlier = key.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_key(key, names)
    assert key.read_bytes() == earlier
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["names.csv"]
