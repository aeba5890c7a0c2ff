from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.exporters.page.evil import NAMES, evil_content
from tests.gui.plot.figures import bars_figure, per_vm_figure
from workbench.charts.content import Content
from workbench.charts.palette import ThemeName
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.export import check_pdf
from workbench.exporters.story import Section, Story, Told
from workbench.gui.pictures.report import write_report
from workbench.model.problem import Problem, Severity

pytestmark = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")


def _story(rows: int = 3) -> Story:
    measured = ((Cell(f"W10-{n}", f"W10-{n}"), Cell(f"{n}.5", n + 0.5)) for n in range(rows))
    columns = (Column("VM", numeric=False), Column("IOPS"))
    table = TableData(columns, (*measured, (Cell("gone", "gone"), Cell("—"))), "legend of it", "Worst VMs")
    return Story(
        "A study", "15 runs", (Told("MCSIO cuts it by 93.0 %.", "n = 3", ("boot not compared",)),),
        (Section("Overview", Content("What does it cost?", "mean", figure=bars_figure(), tables=(table,))),
         Section("Per-VM IOPS", Content("Which VM?", figure=per_vm_figure()))),
        problems=(Problem(Severity.WARNING, "a.csv", "x", "A cell is no number.", "left empty", 44, 3),),
        provenance=(table,),
    )  # fmt: skip


def _run(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, check=True)
    return done.stdout.decode("utf-8")


def test_that_a_report_has_a_page_for_each_part_and_says_its_number(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    assert write_report(path, _story()) == ()
    check_pdf(path)
    told = _run("pdfinfo", path)
    assert "Title:           A study" in told
    assert "A4" in told
    count = int(told.split("Pages:")[1].split()[0])
    pages = _run("pdftotext", "-layout", path, "-").split("\f")[:count]
    # Title, findings, overview with its table, per-VM IOPS, method, problems, provenance.
    assert count == 8
    assert all(f"{number} of {count}" in page for number, page in enumerate(pages, 1))
    assert "MCSIO cuts it by 93.0 %." in pages[1]
    assert "What does it cost?" in pages[2]
    assert "70.0" in pages[2]
    assert "Which VM?" in pages[4]
    entry = next(line for line in pages[0].splitlines() if "Per-VM IOPS" in line)
    assert entry.split()[-1] == "5"


def test_that_a_report_has_the_numbers_of_its_tables_and_a_legend(qtbot: QtBot, tmp_path: Path) -> None:
    write_report(tmp_path / "a.pdf", _story())
    text = _run("pdftotext", "-layout", tmp_path / "a.pdf", "-")
    for words in (
        "W10-2",
        "2.5",
        "legend of it",
        "not available, never 0",
        "A cell is no number.",
        "left empty",
    ):
        assert words in text


def test_that_rows_left_out_are_told(qtbot: QtBot, tmp_path: Path) -> None:
    told = write_report(tmp_path / "a.pdf", _story(100))
    assert (
        told[0] == "Overview, Worst VMs: the first 40 of 101 rows; the exported page (.html) holds them all."
    )
    assert "the first 40 of 101 rows" in _run("pdftotext", "-layout", tmp_path / "a.pdf", "-")


@pytest.mark.parametrize("name", NAMES)
def test_that_a_name_becomes_no_link_and_no_script(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    story = Story(name, name, (Told(name, name, (name,)),), (Section(name, evil_content(name)),))
    write_report(tmp_path / "a.pdf", story)
    held = (tmp_path / "a.pdf").read_bytes()
    assert not any(key in held for key in (b"/URI", b"/JavaScript", b"/JS", b"/Launch", b"/OpenAction"))
    assert "-1" in _run("pdftotext", tmp_path / "a.pdf", "-").replace("\u2212", "-")


def test_that_a_report_is_whole_or_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 cut")
    with pytest.raises(OSError, match="not whole"):
        check_pdf(tmp_path / "a.pdf")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_that_the_same_story_gives_the_same_report(qtbot: QtBot, tmp_path: Path, theme: ThemeName) -> None:
    for name in ("a", "b"):
        write_report(tmp_path / f"{name}.pdf", _story(), theme)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
