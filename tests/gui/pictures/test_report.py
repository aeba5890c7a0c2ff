from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.exporters.page.evil import NAMES, evil_content
from tests.gui.plot.figures import bars_figure, per_vm_figure
from tests.samples import sample
from workbench.answers.storyboard.answer import Fact
from workbench.charts.claim import BarClaim, ClaimBar
from workbench.charts.content import Card, Content
from workbench.charts.figure import Axis, Bars, Figure, Look, Panel
from workbench.charts.tables import Cell, Column, Spark, TableData, empty_columns
from workbench.exporters.assemble import job_of
from workbench.exporters.document.document import Document, Section, Slide
from workbench.exporters.export import check_pdf, export
from workbench.exporters.wanted import Wanted
from workbench.gui.pictures.flow import Flow
from workbench.gui.pictures.head import PAD, big_font, card_rows
from workbench.gui.pictures.painter import QtPainter
from workbench.gui.pictures.report import A4_PT, write_report
from workbench.gui.pictures.report_story import _figure_height
from workbench.gui.pictures.report_table import _plans, _written, flow_table
from workbench.gui.plot.ink import Ink
from workbench.gui.services.assets import ui_font
from workbench.model.problem import Problem, Severity
from workbench.session.state import State
from workbench.words.numbers import MISSING

pytestmark = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")


def _story(rows: int = 3) -> Document:
    measured = ((Cell(f"W10-{n}", f"W10-{n}"), Cell(f"{n}.5", n + 0.5)) for n in range(rows))
    columns = (Column("VM", numeric=False), Column("IOPS"))
    table = TableData(columns, (*measured, (Cell("gone", "gone"), Cell("—"))), "legend of it", "Worst VMs")
    return Document(
        "A study",
        "15 runs",
        (Slide("MCSIO cuts it by 93.0 %.", evidence="n = 3", caveats=("boot not compared",)),),
        sections=(
            Section("Overview", Content("What does it cost?", "mean", figure=bars_figure(), tables=(table,))),
            Section("Per VM", Content("Which VM?", figure=per_vm_figure())),
        ),
        problems=(Problem(Severity.WARNING, "a.csv", "x", "A cell is no number.", "left empty", 44, 3),),
        sources=(table,),
    )


def _run(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, check=True)
    return done.stdout.decode("utf-8")


def test_that_a_report_has_a_page_for_each_part_and_page_numbers(
    qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = tmp_path / "a.pdf"
    assert write_report(path, _story()) == ()
    check_pdf(path)
    told = _run("pdfinfo", path)
    assert "Title:           A study" in told
    assert "A4" in told
    count = int(told.split("Pages:")[1].split()[0])
    pages = _run("pdftotext", "-layout", path, "-").split("\f")[:count]
    # The answer, contents, findings, overview with its table, per-VM IOPS, and the last parts.
    assert count == 6
    assert all(f"{number} of {count}" in page for number, page in enumerate(pages, 1))
    assert pages[0] == snapshot
    assert pages[2] == snapshot
    assert "What does it cost?" in pages[3]
    assert "70.0" in pages[3]
    assert "Which VM?" in pages[4]
    entry = next(line for line in pages[1].splitlines() if "Per VM" in line)
    assert entry.split()[-1] == "5"


def test_that_a_report_has_the_numbers_of_its_tables_and_a_legend(qtbot: QtBot, tmp_path: Path) -> None:
    write_report(tmp_path / "a.pdf", _story())
    text = _run("pdftotext", "-layout", tmp_path / "a.pdf", "-")
    for words in ("W10-2", "2.5", "legend of it", "not available, never 0", "A cell is no number.", "Left empty"):
        assert words in text


def test_that_omitted_rows_are_reported(qtbot: QtBot, tmp_path: Path) -> None:
    told = write_report(tmp_path / "a.pdf", _story(100))
    assert "Table “Worst VMs” under “Overview”: first 16 of 101 rows. The exported page (.html) shows all rows." in told
    assert "first 16 of 101 rows" in _run("pdftotext", "-layout", tmp_path / "a.pdf", "-")


@pytest.mark.parametrize("name", NAMES)
def test_that_a_name_becomes_no_link_and_no_script(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    story = Document(
        name, name, (Slide(name, evidence=name, caveats=(name,)),), sections=(Section(name, evil_content(name)),)
    )
    write_report(tmp_path / "a.pdf", story)
    # Without the compressed streams, which may contain any bytes; objects, such as actions, are outside of them.
    held = re.sub(rb"stream\r?\n.*?endstream", b"", (tmp_path / "a.pdf").read_bytes(), flags=re.DOTALL)
    assert b"/Page" in held
    assert b"/ObjStm" not in held
    assert not any(key in held for key in (b"/URI", b"/JavaScript", b"/JS", b"/Launch", b"/OpenAction"))
    assert "-1" in _run("pdftotext", tmp_path / "a.pdf", "-").replace("\u2212", "-")


def test_that_a_report_is_complete_or_rejected(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 cut")
    with pytest.raises(OSError, match="incomplete"):
        check_pdf(tmp_path / "a.pdf")


def test_that_the_same_content_gives_the_same_report(qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_report(tmp_path / f"{name}.pdf", _story())
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_that_every_file_is_in_the_sources(qtbot: QtBot, tmp_path: Path) -> None:
    story = _story(100)
    assert len(write_report(tmp_path / "a.pdf", replace(story, sections=()))) == 0
    assert "W10-99" in _run("pdftotext", "-layout", tmp_path / "a.pdf", "-")


def test_that_notes_below_a_chart_are_on_its_page(qtbot: QtBot, tmp_path: Path) -> None:
    said = "The table Worst VMs stands under Overview."
    section = Section("Per VM", Content("Which VM?", figure=per_vm_figure()), (said,))
    write_report(tmp_path / "a.pdf", Document("A study", sections=(section,)))
    pages = _run("pdftotext", "-layout", tmp_path / "a.pdf", "-").split("\f")
    assert [number for number, page in enumerate(pages) if said in page] == [2]
    assert "Which VM?" in pages[2]


def test_that_no_path_without_points_is_drawn(qtbot: QtBot, tmp_path: Path) -> None:
    # Both ends of the interval fall on one row of pixels.
    bars = Bars("MCSIO", np.array([99.8]), Look("MCSIO"), np.array([99.8]), np.array([99.8]))
    panel = Panel("Boot", Axis("", categories=("MCSIO",)), Axis("Change", "%"), (bars,))
    figure = Figure("a", "What changed?", "", (panel,))
    write_report(tmp_path / "a.pdf", Document("A study", sections=(Section("Compare", Content("?", figure=figure)),)))
    drawn = _drawing((tmp_path / "a.pdf").read_bytes())
    assert drawn.count(b"h") > 0
    assert _closed_without_points(drawn) == 0


def _drawing(held: bytes) -> bytes:
    """The operators of all pages, which Qt packs with zlib."""
    found = []
    for start in re.finditer(rb"stream\r?\n", held):
        try:
            found.append(zlib.decompressobj().decompress(held[start.end() :]))
        except zlib.error:
            continue
    return b"\n".join(one for one in found if b" cm\n" in one)


def _closed_without_points(drawn: bytes) -> int:
    """How often a path is closed (`h`) that has no point yet (ISO 32000-1, 8.5.2)."""
    begun, wrong = False, 0
    for word in drawn.split():
        if word in (b"m", b"l", b"c", b"re"):
            begun = True
        elif word == b"h":
            wrong += not begun
        elif word in (b"n", b"S", b"s", b"f", b"f*", b"B", b"B*", b"b", b"b*"):
            begun = False
    return wrong


def test_that_a_long_name_and_a_hash_are_wrapped_and_complete(qtbot: QtBot, tmp_path: Path) -> None:
    digest, name = "0123456789abcdef" * 4, "Lab-" * 40
    columns = tuple(Column(f"C{n}", numeric=False) for n in range(8))
    row = tuple(Cell(text, text) for text in (*[f"{name}{n}" for n in range(7)], digest))
    table = TableData(columns, (row,), "", "Files")
    write_report(tmp_path / "a.pdf", Document("A study", sources=(table,)))
    boxes = _run("pdftotext", "-bbox", tmp_path / "a.pdf", "-")
    edge = max(float(found) for found in re.findall(r'xMax="([0-9.]+)"', boxes))
    # A4 is 595 points wide.
    assert edge < 595 - 20
    said = _run("pdftotext", "-raw", tmp_path / "a.pdf", "-").replace("\u200b", "")
    assert all(text in "".join(said.split()) for text in (digest, *(f"{name}{n}" for n in range(7))))


def _claimed(title: str, **given: object) -> Slide:
    names = ("MCS", "MCSIO")
    bars = tuple(
        ClaimBar(name, Look(name), value, str(value)) for name, value in zip(names, (105.0, 0.001), strict=True)
    )
    panel = Panel("Boot", Axis("", categories=names), Axis("IOPS per VM"), ())
    claim = BarClaim(bars, 1, 0, "\u221293.0 %", "[\u221293.2, \u221292.8]", 7.3, 7.4)
    return Slide(title, Figure("story-a", "?", "", (panel,)), claims=(claim,), of_story=True, **given)  # type: ignore[arg-type]


def _long_story(sections: int) -> Document:
    views = tuple(
        Section(f"View {n}", Content(f"Question {n}?", figure=bars_figure()), key=f"page{n}") for n in range(sections)
    )
    slides = (_claimed("MCSIO saves most.", evidence_key="page30:"), _claimed("It is the first."))
    return replace(_story(), slides=slides, sections=views, summary=("MCSIO saves most.", "Recommended: MCSIO."))


def test_that_a_report_has_at_most_25_pages_per_study_and_names_omitted_parts(qtbot: QtBot, tmp_path: Path) -> None:
    told = write_report(tmp_path / "a.pdf", _long_story(80))
    assert len(PdfReader(tmp_path / "a.pdf").pages) <= 25
    text = " ".join(_run("pdftotext", tmp_path / "a.pdf", "-").split())
    left_out = [words for words in told if "is omitted" in words]
    assert len(left_out) >= 80 - 2 * 25
    # Parts with one reason share a sentence.
    assert all(words.partition(" is omitted")[0] in text for words in left_out)
    # The evidence of a finding has priority.
    assert "Question 30?" in text
    assert len(PdfReader(tmp_path / "a.pdf").pages) > 20


def test_that_short_parts_share_a_page_without_overlap(qtbot: QtBot, tmp_path: Path) -> None:
    write_report(tmp_path / "a.pdf", _long_story(4))
    pages = _run("pdftotext", "-layout", tmp_path / "a.pdf", "-").split("\f")
    (shared,) = (page for page in pages if "Question 0?" in page)
    lines = shared.splitlines()
    first, second = (next(at for at, line in enumerate(lines) if f"Question {number}?" in line) for number in (0, 1))
    # The first chart, with the names below its axis, ends before the second heading.
    assert any("MCS" in line for line in lines[first:second])
    assert "Question 2?" not in shared
    entries = {
        name: line.split()[-1] for line in pages[1].splitlines() for name in ("View 0", "View 1") if name in line
    }
    assert entries["View 0"] == entries["View 1"] == str(pages.index(shared) + 1)


def test_that_bookmarks_and_contents_link_to_the_pages(
    qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    write_report(tmp_path / "a.pdf", replace(_story(), author="Ann", customer="Contoso"))
    reader = PdfReader(tmp_path / "a.pdf")
    texts = [page.extract_text().replace("\t", " ") for page in reader.pages]
    marks = {item.title: reader.get_destination_page_number(item) for item in _flat(reader.outline)}
    assert "Which VM?" in texts[marks["Per VM"] or 0]
    assert texts[marks["Problems"] or 0] == snapshot
    links = [link.get_object() for link in reader.pages[1]["/Annots"]]
    places = {page.indirect_reference.idnum: n for n, page in enumerate(reader.pages) if page.indirect_reference}
    assert {places[link["/Dest"][0].idnum] for link in links} == {marks[title] for title in marks}
    assert reader.metadata is not None
    assert (reader.metadata.title, reader.metadata.author) == ("A study", "Ann")
    assert "VDI Workbench" in str(reader.metadata.producer)
    assert reader.trailer["/Root"]["/Lang"] == "en"


def _flat(items: object) -> list[Any]:
    assert isinstance(items, list)
    return [item for part in items for item in (_flat(part) if isinstance(part, list) else [part])]


def test_that_the_answer_and_its_chart_come_before_any_list(qtbot: QtBot, tmp_path: Path) -> None:
    write_report(tmp_path / "a.pdf", replace(_long_story(2), limits=("One lab.",)))
    first = _run("pdftotext", "-layout", "-l", 1, tmp_path / "a.pdf", "-")
    places = [first.index(words) for words in ("MCSIO saves most.", "Recommended: MCSIO.", "\u221293.0 %", "One lab.")]
    assert places == sorted(places)
    assert _closed_without_points(_drawing((tmp_path / "a.pdf").read_bytes())) == 0


def test_that_a_brief_is_one_page_with_its_answer_and_a_review_has_at_most_twelve(qtbot: QtBot, tmp_path: Path) -> None:
    pages = {}
    for length in ("brief", "review"):
        path = tmp_path / f"{length}.pdf"
        request = Wanted(path, length=length)  # type: ignore[arg-type]
        export(job_of(sample("rds-mcsio-cache-sweep"), State(), request), QtPainter())
        pages[length] = len(PdfReader(path).pages)
        first = _run("pdftotext", "-l", "1", path, "-")
        # By hand: the sizing plan of the sample for 500 users.
        assert all(text in first for text in ("MCSIO 4 GB", "5 disks", "7 hosts", "−93.0"))
    assert pages["brief"] == 1
    assert 1 < pages["review"] <= 12


def test_that_a_brief_without_an_answer_is_one_page(qtbot: QtBot, tmp_path: Path) -> None:
    story = _long_story(4)
    slides = tuple(replace(slide, facts=()) for slide in story.slides)
    write_report(tmp_path / "a.pdf", replace(story, slides=slides, length="brief"))
    assert len(PdfReader(tmp_path / "a.pdf").pages) == 1


def test_that_no_page_has_only_the_heading_of_findings(qtbot: QtBot, tmp_path: Path) -> None:
    story = _long_story(2)
    lead = replace(story.slides[0], facts=(Fact("Reason", "MCSIO saves most."),))
    write_report(tmp_path / "a.pdf", replace(story, slides=(lead,), appendix=(), length="review"))
    pages = [page.extract_text() for page in PdfReader(tmp_path / "a.pdf").pages]
    assert len(pages) > 1
    assert not any("Findings" in page.splitlines()[:1] for page in pages)


@pytest.mark.parametrize("name", ["rds-mcsio-cache-sweep", "storage-benchmarks"])
def test_that_the_last_page_of_findings_and_of_the_report_has_more_than_a_few_lines(
    name: str, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.pdf"
    export(job_of(sample(name), State(), Wanted(path, length="full")), QtPainter())
    pages = _run("pdftotext", "-bbox", path, "-").split("<page ")[1:]
    foot = 780.0
    lowest = [max(y for y in map(float, re.findall(r'yMax="([\d.]+)"', page)) if y < foot) for page in pages]
    assert lowest[-1] > 0.25 * A4_PT[1]
    # One sentence of a finding with its evidence needs less space.
    assert min(lowest) > 0.12 * A4_PT[1]


def test_that_every_block_of_a_wide_table_has_its_key_columns_and_no_text_is_cut(qtbot: QtBot) -> None:
    reasons = ["because " * 40, "short"]
    columns = (
        *(Column(name, numeric=False) for name in ("Phase", "Configuration", "Metric")),
        *(Column(f"Number {at}") for at in range(24)),
        Column("Why", numeric=False),
    )
    rows = tuple(
        (Cell("steady"), Cell("MCSIO 512 MB"), Cell("IOPS"), *(Cell("12,345.6") for _ in range(24)), Cell(why))
        for why in reasons
    )
    plans = _plans(TableData(columns, rows), 700.0)
    assert len(plans) > 1
    assert {plan.places[:3] for plan in plans} == {(0, 1, 2)}
    assert sorted(place for plan in plans for place in plan.places[3:]) == list(range(3, 28))
    assert all(sum(plan.widths) <= 700.0 for plan in plans)
    # A text of 320 characters has enough space for its lines.
    wide = next(plan.widths[plan.places.index(27)] for plan in plans if 27 in plan.places)
    assert QFontMetricsF(plans[-1].plain).horizontalAdvance(reasons[0]) < 8 * wide


def test_that_a_sentence_wraps_in_the_space_next_to_short_columns_before_it_begins_a_new_block(qtbot: QtBot) -> None:
    columns = (
        Column("Where", numeric=False),
        Column("Line"),
        Column("What", numeric=False),
        Column("Done", numeric=False),
    )
    rows = tuple((Cell("guest/a.csv"), Cell(str(at)), Cell("because " * 22), Cell("kept " * 30)) for at in range(9))
    first, *rest = _plans(TableData(columns, rows), 480.0)
    assert first.places == (0, 1, 2)
    assert sum(first.widths) <= 480.0
    assert [plan.places for plan in rest] == [(0, 3)]


def test_that_a_short_column_keeps_its_width_next_to_a_long_text(qtbot: QtBot) -> None:
    columns = tuple(Column(name, numeric=False) for name in ("Configuration", "Why"))
    row = (Cell("MCSIO 512 MB, no overflow"), Cell("because " * 40))
    (plan,) = _plans(TableData(columns, (row,)), 500.0)
    assert plan.widths[0] > QFontMetricsF(plan.plain).horizontalAdvance(row[0].text)
    assert sum(plan.widths) <= 500.0


def test_that_cards_without_room_go_to_the_next_page(qtbot: QtBot, tmp_path: Path) -> None:
    look = Look("MCS")
    cards = tuple(Card(f"Configuration {at:02d}", look, "105", "IOPS", "baseline, n = 3") for at in range(60))
    section = Section("Overview", Content("What does each one cost?", cards=cards))
    write_report(tmp_path / "a.pdf", Document("A study", sections=(section,)))
    boxes = _run("pdftotext", "-bbox", tmp_path / "a.pdf", "-")
    said = re.findall(r'yMax="([0-9.]+)">(\d\d)</word>', boxes)
    assert {number for _, number in said} >= {f"{at:02d}" for at in range(60)}
    # A4 is 842 points high, and the foot begins 60 points above its end.
    assert max(float(below) for below, _ in said) < 842 - 60


def test_that_no_number_of_a_card_is_cut(qtbot: QtBot) -> None:
    ink = Ink("light")
    cards = tuple(Card("Load", Look("MCS"), number, "IOPS", "") for number in ("1", "2", "3", "4", "123 456.7"))
    for width in (500.0, 700.0, 900.0):
        for row in card_rows(ink, cards, width):
            wide = QFontMetricsF(big_font(ink)).horizontalAdvance("123 456.7\u2009IOPS")
            assert wide <= row.wide - 2 * PAD or len(row.cards) <= 3


def test_that_a_report_has_the_day_of_the_export_its_language_and_no_hash(qtbot: QtBot, tmp_path: Path) -> None:
    digest = "0123456789abcdef" * 4
    columns = tuple(Column(name, numeric=False) for name in ("File", "SHA-256"))
    files = TableData(columns, ((Cell("a.csv"), Cell(digest)),), "", "Files")
    story = Document("A study", date="2026-11-28", language="de", sources=(files,))
    write_report(tmp_path / "a.pdf", story)
    read = PdfReader(tmp_path / "a.pdf")
    assert read.metadata is not None
    assert read.metadata.creation_date == datetime(2026, 11, 28, tzinfo=UTC)
    assert read.trailer["/Root"]["/Lang"] == "de"
    said = "".join(page.extract_text() for page in read.pages)
    assert "a.csv" in said
    assert digest[:16] not in "".join(said.split())


def test_that_a_short_table_is_not_split_and_a_cut_one_ends_with_its_page(qtbot: QtBot) -> None:
    def flow(used: float) -> Flow:
        made = Flow(Ink("light"), QRectF(0, 0, 800, 1000))
        made.words("Before", ui_font(10.0))
        made.y = used
        return made

    def table(rows: int) -> TableData:
        columns = (Column("Name", numeric=False), Column("IOPS"))
        return TableData(columns, tuple((Cell(f"row {at}"), Cell(str(at))) for at in range(rows)))

    short, long = flow(850), flow(500)
    assert flow_table(short, table(8), "Table") == ""
    assert (short.number, len(short.pages[0])) == (2, 1)
    cut = flow_table(long, table(200), "Table", 40)
    assert long.number == 1
    assert 20 <= int(re.findall(r"first (\d+) of 200", cut)[0]) < 40


def test_that_a_long_column_with_few_texts_wraps_before_a_column_that_every_row_needs(qtbot: QtBot) -> None:
    columns = tuple(Column(name, numeric=False) for name in ("Limit", "Configuration", "Why"))
    limit, why = "IOPS per VM in steady state vs. 'MCS' ≤ −80 %", "overflowed: mcsio-256-r1, mcsio-256-r2, mcsio-256-r3"
    rows = tuple((Cell(limit), Cell("MCSIO 256 MB"), Cell(why if at % 6 == 0 else "")) for at in range(18))
    (plan,) = _plans(TableData(columns, rows), 520.0)
    metrics = QFontMetricsF(plan.plain)
    assert plan.widths[0] > metrics.horizontalAdvance(limit)
    assert plan.widths[2] < metrics.horizontalAdvance(why)


def test_that_a_table_on_paper_has_no_column_without_a_value_and_no_broken_interval(qtbot: QtBot) -> None:
    interval = "[\u22129.7, \u22124.2]\u2009%"
    columns = (Column("Configuration", numeric=False), Column("Interval", numeric=False), Column("Excluded"))
    long = "a configuration with a name that takes several lines of a narrow column " * 3
    table = TableData(columns, ((Cell(long), Cell(interval), Cell("")),) * 3)
    written = _written(table)
    assert [column.title for column in written.columns] == ["Configuration", "Interval"]
    (plan,) = _plans(written, 300)
    assert QFontMetricsF(plan.plain).horizontalAdvance(written.rows[0][1].text) <= plan.widths[1]


@pytest.mark.parametrize(
    "cell",
    [
        Cell("", look=Look("MCS")),
        Cell("", icon="warning"),
        Cell("", ticked=True),
        Cell("", spark=Spark((1.0,), 1.0, Look("MCS"))),
    ],
)
def test_that_a_column_is_empty_on_paper_exactly_if_it_is_on_screen(qtbot: QtBot, cell: Cell) -> None:
    columns = tuple(Column(title) for title in ("Configuration", "Signs", "Excluded"))
    table = TableData(columns, ((Cell("MCS"), cell, Cell(MISSING)), (Cell("MCSIO"), Cell(""), Cell(""))))
    shown = [column for at, column in enumerate(columns) if at not in empty_columns(table)]
    assert [*_written(table).columns] == shown == [*columns[:2]]


def test_that_a_report_draws_every_column_of_a_wide_figure(qtbot: QtBot, tmp_path: Path) -> None:
    panels = per_vm_figure().panels
    wide = replace(
        per_vm_figure(),
        panels=tuple(replace(panels[0], title=f"Name {at}", column=at) for at in range(9)),
        scrolls=True,
    )
    write_report(tmp_path / "a.pdf", replace(_story(), sections=(Section("Per VM", Content("?", figure=wide)),)))
    text = _run("pdftotext", tmp_path / "a.pdf", "-")
    assert "Shown: the first" not in text
    assert [at for at in range(9) if f"Name {at}" not in text] == []


def test_that_the_words_below_a_cut_table_are_on_its_page(qtbot: QtBot) -> None:
    # The text below is longer than the legend: it counts the rows and explains the dash.
    columns = (Column("VM", numeric=False), Column("IOPS"))
    rows = tuple((Cell(f"W10-{at}"), Cell(MISSING)) for at in range(40))
    table = TableData(columns, rows, "A legend of the table. " * 10, "Worst VMs")
    for used in range(500, 640, 4):
        flow = Flow(Ink("light"), QRectF(0, 0, 200, 1000))
        flow.words("Before", ui_font(10.0))
        flow.y = float(used)
        assert "of 40 rows" in flow_table(flow, table, "Worst VMs", 16, 30.0)
        # If less than half of the rows fit, all of them go to the next pages.
        assert flow.left_over >= 30.0 or flow.number > 1, used
        assert flow.number == 1 or used > 560, used


def test_that_headings_take_few_lines_if_the_page_has_room(qtbot: QtBot) -> None:
    columns = (Column("VM", numeric=False), *(Column("Cache disk used at its peak", "MB") for _ in range(3)))
    table = TableData(columns, ((Cell("W10-1"), *(Cell("1.0", 1.0) for _ in range(3))),))
    (plan,) = _plans(table, 700.0)
    metrics = QFontMetricsF(plan.strong)
    needed = metrics.horizontalAdvance("Cache disk used at its peak")
    assert min(plan.widths[1:]) >= needed
    assert sum(plan.widths) <= 700.0
    (narrow,) = _plans(table, 300.0)
    assert sum(narrow.widths) <= 300.0


def test_that_the_table_of_all_values_has_one_heading_on_the_first_page(qtbot: QtBot, tmp_path: Path) -> None:
    request = Wanted(tmp_path / "a.pdf", length="review")
    export(job_of(sample("vdi-login-storm"), State(), request), QtPainter())
    first = _run("pdftotext", "-layout", tmp_path / "a.pdf", "-").split("\f")[0]
    assert first.count("All values") == 1
    assert "All configurations" not in first


def test_that_a_figure_of_several_panels_below_each_other_is_taller(qtbot: QtBot) -> None:
    panel = bars_figure().panels[0]
    one, two = (Figure("f", "How much?", "", (panel,) * count) for count in (1, 2))
    assert _figure_height(two) > 1.3 * _figure_height(one)
