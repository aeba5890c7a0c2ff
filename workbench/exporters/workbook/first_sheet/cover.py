"""The head of the first sheet: title, customer, author, the measured data, and a logo. Empty parts are omitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from openpyxl.drawing.image import Image
from openpyxl.worksheet.worksheet import Worksheet

from workbench.answers.findings.compute import Finding
from workbench.answers.storyboard.shown import StudyFindings
from workbench.charts.tables import TableData
from workbench.exporters.wanted import Face
from workbench.exporters.workbook.cells import BODY, QUIET, TITLE, put
from workbench.exporters.workbook.columns import StudyGroups
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.sheets.compare import CompareLines
from workbench.measures.significance.differences import Difference
from workbench.words.captions import as_sentences
from workbench.words.numbers import plural

# Space to the right of the title, in pixels, and its column.
_LOGO_WIDE, _LOGO_TALL, _LOGO_AT = 170, 60, "M1"


def write_cover(making: Making, sheet: Worksheet, column: int, title: str, face: Face, counted: str) -> int:
    """Write the head from a column on; returns the first row below it, after an empty one."""
    put(sheet, 1, column, title, making.notes, font=TITLE)
    row = 2
    stated = (("Customer", face.customer), ("Author", face.author))
    people = [f"{name}: {words}" for name, words in stated if words]
    if people:
        put(sheet, row, column, ", ".join((*people, f"{datetime.now(UTC):%Y-%m-%d}")), making.notes, font=BODY)
        row += 1
    put(sheet, row, column, counted, making.notes, font=QUIET)
    if face.logo is not None:
        _logo(making, sheet, face.logo)
    return row + 2


def counts(studies: Sequence[StudyGroups]) -> str:
    """The numbers of runs, configurations, files and messages."""
    runs = [run for study in studies for run in study.study.runs]
    excluded = sum(len(group.excluded) for study in studies for group in study.groups)
    files = [report for study in studies for report in study.study.files]
    parts = [
        plural(len(runs), "run") + (f" ({excluded} excluded)" if excluded else ""),
        plural(sum(len(study.groups) for study in studies), "configuration"),
    ]
    messages = sum(len(study.study.problems) for study in studies)
    sentences = [
        ", ".join(parts),
        f"{sum(report.recognised for report in files)} of {len(files)} files were recognised",
        f"The import report contains {plural(messages, 'message')}",
    ]
    return as_sentences(sentences)


def _logo(making: Making, sheet: Worksheet, file: Path) -> None:
    # Read completely, because an open image keeps its file open.
    picture = Image(BytesIO(file.read_bytes()))
    scale = min(_LOGO_WIDE / picture.width, _LOGO_TALL / picture.height, 1.0)
    picture.width, picture.height = round(scale * picture.width), round(scale * picture.height)
    sheet.add_image(picture, _LOGO_AT)
    sheet.row_dimensions[1].height = 30
    # A sheet with an image has a drawing, with or without charts.
    making.words.setdefault(sheet.title, [])


@dataclass(frozen=True, eq=False)
class CoverFindings:
    """The findings of one study (as a table and as values), its comparison with its lines, and the total number of
    findings."""

    table: TableData | None = None
    facts: StudyFindings | None = None
    compared: tuple[StudyGroups, CompareLines] | None = None
    total: int = 0

    def finding(self, key: str | None) -> Finding | None:
        """The finding of a row."""
        findings = self.facts.findings if self.facts else ()
        return next((finding for finding in findings if finding.key == key), None)

    def difference(self, finding: Finding | None) -> Difference | None:
        """The line of the comparison for a finding; None for a finding of another answer."""
        lines = self.compared[1].lines if self.compared and finding and finding.change else ()
        wanted = (finding.configuration, finding.phase, finding.figure) if finding else ()
        fitting = (row for row in lines if (row.configuration, row.phase, row.measure.key) == wanted and row.change)
        return next(fitting, None)
