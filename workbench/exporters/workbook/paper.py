"""What every sheet has on screen and on paper: a way back to the first sheet, a head, rows that Excel accepts."""

from __future__ import annotations

from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from workbench.exporters.workbook.cells import INPUT
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.names import quoted

# Excel's own limit for the height of a row, in points.
MOST_HEIGHT = 409.0
# Characters of a head or foot that are safe beside the codes around them (Excel takes 255).
_HEAD = 160
BACK = "← Summary"


def finish_sheets(making: Making, first: Worksheet, title: str) -> None:
    """Dresses every sheet of the workbook, of which `first` is the one to come back to."""
    for sheet in making.book.worksheets:
        if sheet is not first:
            _link_back(sheet, first)
        # An ampersand begins a code in heads and feet.
        sheet.oddHeader.left.text = title[:_HEAD].replace("&", "&&")
        sheet.oddHeader.right.text = "&A"
        for dimension in sheet.row_dimensions.values():
            if dimension.height is not None and dimension.height > MOST_HEIGHT:
                dimension.height = MOST_HEIGHT
        # Every sheet to be read has a print area; numbers behind charts are for looking up.
        if sheet.sheet_state == "visible" and not making.is_numbers(sheet.title) and not sheet.print_area:
            sheet.print_area = sheet.dimensions


def _link_back(sheet: Worksheet, first: Worksheet) -> None:
    """In the first free cell below the title; where there is none the title itself leads back."""
    free = next((row for row in (2, 3) if sheet.cell(row, 1).value is None and not _has_more(sheet, row)), 1)
    cell = sheet.cell(free, 1)
    if cell.value is None:
        cell.value, cell.font = BACK, INPUT
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quoted(first.title)}!A1", tooltip=BACK)


def _has_more(sheet: Worksheet, row: int) -> bool:
    """Whether the row belongs to a table or a band."""
    return any(sheet.cell(row, column).value is not None for column in range(2, 5))
