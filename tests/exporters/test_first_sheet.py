"""The first sheet of the workbook: findings with change and verdict, and the chart that the strongest points at."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from lxml import etree
from openpyxl import load_workbook
from syrupy.assertion import SnapshotAssertion

from tests.exporters.documents import SWEEP, document, sample_document
from tests.exporters.jobs import library_of
from tests.exporters.reading import Reopened
from workbench.console.loading import load_studies
from workbench.study.store.column_store import Store
from workbench.words.numbers import THIN

CHANGE = "Change (italics: no formula)"


@pytest.fixture(scope="module")
def book() -> Reopened:
    return Reopened(sample_document(SWEEP, "xlsx"), "Summary", "Summary data")


def _row_of(sheet, words: str) -> dict[str, object]:
    """The row of the first finding with this beginning, by the headings of its columns."""
    head = next(row for row in sheet.iter_rows(min_col=4) if row[0].value == "No.")
    line = next(row for row in sheet.iter_rows(min_col=4) if str(row[1].value).startswith(words))
    return {above.value: cell.value for above, cell in zip(head, line, strict=True) if above.value}


def _chart(book: Reopened) -> etree._Element:
    """The chart of the first sheet: openpyxl writes that sheet's first."""
    with zipfile.ZipFile(book.path) as archive:
        return etree.fromstring(archive.read("xl/charts/chart1.xml"))


def _shapes(book: Reopened) -> etree._Element:
    with zipfile.ZipFile(book.path) as archive:
        relations = etree.fromstring(archive.read("xl/charts/_rels/chart1.xml.rels"))
        return etree.fromstring(archive.read(relations[0].get("Target")[1:]))


def test_that_a_finding_has_its_change_interval_verdict_and_runs(book: Reopened) -> None:
    row = _row_of(book.results["Summary"], "'MCSIO 4 GB' cuts IOPS per VM in steady state")
    # By hand: 105 and 7.35 I/O a second, and 7.35 / 105 - 1 = -93.0 %.
    assert row[CHANGE] == pytest.approx(-93.0, abs=0.05)
    assert row["Interval"] == f"[−93.2, −92.8]{THIN}%"
    assert row["Verdict"] == "✓ better"
    assert (row["n"], row["Evidence"]) == (3, "Compare")


def test_that_the_change_of_a_comparison_is_a_formula_and_one_of_another_answer_is_in_italics(
    book: Reopened, snapshot: SnapshotAssertion
) -> None:
    sheet = book.formulas["Summary"]
    assert str(_row_of(sheet, "'MCSIO 4 GB' cuts IOPS per VM in steady state")[CHANGE]) == snapshot
    exported_alone = _row_of(sheet, "'MCSIO 4 GB' cuts IOPS on shared storage")[CHANGE]
    assert exported_alone == pytest.approx(-93.0, abs=0.05)
    cell = next(cell for row in sheet.iter_rows(min_col=10, max_col=10) for cell in row if cell.value == exported_alone)
    assert cell.font.i


def test_that_a_finding_without_a_change_has_dashes_and_no_verdict(book: Reopened) -> None:
    row = _row_of(book.formulas["Summary"], f"4{THIN}GB is the smallest tested RAM cache")
    assert {row[name] for name in (CHANGE, "Interval", "Verdict")} == {"—"}


def test_that_the_chart_highlights_the_claimed_bar_with_cells_that_follow_the_comparison(book: Reopened) -> None:
    chart = _chart(book)
    fills = [point.find(".//{*}srgbClr").get("val") for point in chart.iter("{*}dPt")]
    # By hand: 42 % of #0072B2 on white.
    assert fills[0][-6:] == "94C4DF"
    assert len(set(fills)) == 5
    assert "Summary data" in chart.findtext(".//{*}val//{*}f")
    values = [cell.value for row in book.formulas["Summary data"].iter_rows(min_row=5) for cell in row]
    assert sum(str(value).startswith("=") for value in values) == 5


def test_that_the_bracket_above_the_chart_goes_from_bar_to_bar(book: Reopened) -> None:
    chart, shapes = _chart(book), _shapes(book)
    layout = chart.find(".//{*}plotArea/{*}layout/{*}manualLayout")
    top, tall = (float(layout.find(f"{{*}}{name}").get("val")) for name in "yh")
    high = float(chart.find(".//{*}valAx/{*}scaling/{*}max").get("val"))
    arrow = next(shape for shape in shapes if shape.find(".//{*}tailEnd") is not None)
    start, end = (float(arrow.findtext(f"{{*}}{name}/{{*}}y")) for name in ("from", "to"))
    assert start == pytest.approx(top + tall * (1 - 105.0 / high), abs=0.005)
    assert end == pytest.approx(top + tall * (1 - 7.35 / high), abs=0.005)
    assert [text.text for text in shapes.iter("{*}t")] == [f"−93.0{THIN}%", "[−93.2, −92.8]"]
    assert chart[-1].tag.endswith("userShapes")


def test_that_a_workbook_of_benchmarks_begins_with_a_chart_and_shows_no_empty_table(tmp_path):
    book = load_workbook(sample_document("storage-benchmarks", "xlsx", "review"))
    assert len(book["Summary"]._charts) == 1
    shown = {sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"}
    assert {"Summary", "Data", "Benchmarks"} <= shown
    assert not shown & {"Phase table", "Configurations"}
    assert not any(book[title].print_area for title in ("Phase table", "Configurations"))


def test_that_a_study_without_phases_shows_the_sheets_that_have_data(tmp_path: Path) -> None:
    """One recording of one VM without storage counters: its chart is on Timeline, and no table has rows."""
    study = tmp_path / "lab" / "run-01"
    study.mkdir(parents=True)
    rows = "".join(f'"11/02/2026 09:{minute:02d}:00.000","{minute}"\n' for minute in range(30))
    (study / "host.csv").write_text(f'"(PDH-CSV 4.0) (UTC)(0)","\\\\HOST\\Memory\\Available MBytes"\n{rows}')
    book = load_workbook(
        document(library_of(*load_studies([study.parent], Store(tmp_path / "store"))), "lab.xlsx", "review")
    )
    shown = {sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"}
    assert "Timeline" in shown
    assert not shown & {"Data", "Phase table", "Configurations", "IOPS", "Cache"}


@pytest.mark.parametrize(
    ("study", "times"), [("damaged", ("11:15 min", "11:15 min")), ("xenapp-pvs-ram-cache", ("13:39 min", "27:53 min"))]
)
def test_that_the_chart_of_an_answer_about_times_shows_these_times(study: str, times: tuple[str, ...]) -> None:
    book = Reopened(sample_document(study, "xlsx", "review"), "Summary", "Summary data")
    chart = _chart(book)
    assert "".join(chart.find(".//{*}title").itertext()) == "Time to overflow (min)"
    labels = [label.find("{*}numFmt").get("formatCode").strip('"') for label in chart.iter("{*}dLbl")]
    assert tuple(label.removeprefix("about\u00a0").replace("\u202f", " ") for label in labels) == times
    # Each part of the answer is on one line with its label.
    facts = [row for row in book.formulas["Summary"].iter_rows(min_col=4, max_col=6, max_row=12) if row[2].font.b]
    parts = [(label, words) for label, _, words in facts if label.value and words.value and not label.font.b]
    assert len(parts) == 2
    assert all(label.alignment.vertical == words.alignment.vertical == "top" for label, words in parts)
    # The bars have the minutes and seconds of their labels.
    values = [float(value.text) for value in chart.findall(".//{*}val//{*}v")]
    assert [f"{int(value)}:{60 * (value % 1):02.0f} min" for value in values] == list(times)
