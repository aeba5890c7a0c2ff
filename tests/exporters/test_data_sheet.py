"""The sheet of data: one row for each value, to pivot, and the sheets that a length shows."""

from __future__ import annotations

from io import BytesIO

import pytest
from openpyxl import Workbook, load_workbook

from tests.exporters.documents import SWEEP, sample_document
from tests.exporters.reading import load_sheets
from tests.samples import sample
from workbench.exporters.workbook.cells import signed_format
from workbench.exporters.workbook.sheets.data import COLUMNS


@pytest.fixture(scope="module")
def review() -> Workbook:
    return load_sheets(sample_document(SWEEP, "xlsx", "review"), "Summary", "Data")


def rows_of(book: Workbook) -> list[dict[str, object]]:
    return [
        dict(zip(COLUMNS, row, strict=True))
        for row in book["Data"].iter_rows(min_row=2, max_col=len(COLUMNS), values_only=True)
    ]


def test_that_the_data_is_an_excel_table_with_its_head_in_the_first_row(review: Workbook) -> None:
    sheet = review["Data"]
    (table,) = sheet.tables.values()
    assert [cell.value for cell in sheet[1]] == list(COLUMNS)
    assert table.ref == sheet.dimensions
    # The print area is an empty cell next to the table.
    assert sheet[sheet.print_area.rpartition("!")[2].replace("$", "")].value is None


def test_that_each_run_phase_and_metric_has_a_row_with_a_number_and_its_unit(review: Workbook) -> None:
    rows = rows_of(review)
    steady = [row for row in rows if (row["Phase"], row["Metric"]) == ("steady state", "IOPS per VM")]
    # By hand: 15 runs of five configurations, 105 I/O a second under MCS and 7 % of them with 4 GB.
    assert len(steady) == 15
    means = {
        name: sum(row["Value"] for row in steady if row["Configuration"] == name) / 3 for name in ("MCS", "MCSIO 4 GB")
    }
    assert means == pytest.approx({"MCS": 105.0, "MCSIO 4 GB": 7.35}, rel=0.005)
    best = [row for row in steady if row["Configuration"] == "MCSIO 4 GB"]
    assert {row["Verdict"] for row in best} == {"better"}
    assert [best[0][name] for name in ("Low", "Change", "High")] == pytest.approx([-93.2, -93.0, -92.8], abs=0.06)
    assert all(row["Verdict"] is None for row in steady if row["Configuration"] == "MCS")
    assert all(isinstance(row["Value"], int | float) for row in rows)
    assert {row["Unit"] for row in rows if row["Metric"] == "Read latency"} == {"ms"}
    # 60 users in 15 runs.
    assert sum(row["Kind"] == "logon" and row["Metric"] == "Logon time" for row in rows) == 900


def test_that_a_study_of_benchmarks_has_rows_and_an_answer_on_the_first_sheet() -> None:
    library = sample("storage-benchmarks")
    counted = sum(row.iops is not None for study in library.studies for row in study.benchmarks)
    book = load_workbook(BytesIO(sample_document("storage-benchmarks", "xlsx", "review").read_bytes()), read_only=True)
    rows = rows_of(book)
    assert sum(row["Metric"] == "IOPS" for row in rows) == counted > 10
    words = {str(value) for row in book["Summary"].values for value in row}
    assert any("one run each" in text for text in words)


def test_that_a_review_shows_eight_sheets_and_its_recommendation_once(review: Workbook) -> None:
    visible = [sheet.title for sheet in review if sheet.sheet_state == "visible"]
    assert len(visible) <= 8
    assert {"Summary", "Data"} <= set(visible)
    cells = [str(cell.value) for row in review["Summary"].iter_rows() for cell in row]
    assert sum(text.startswith("Recommended: MCSIO 4 GB") and "finding" not in text for text in cells) == 1
    links = [cell.hyperlink.location for row in review["Summary"].iter_rows() for cell in row if cell.hyperlink]
    assert links
    assert {link.rpartition("!")[0].strip("'") for link in links} <= set(visible)


def test_that_a_value_that_rounds_to_zero_has_no_sign() -> None:
    assert signed_format("0.0", '"%"') == '[>=0.05]+0.0"%";[<=-0.05]-0.0"%";"0""%"'
