"""Printed pages of sheets: wide tables are split into parts of one width, and headings are not left alone at the foot
of a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from workbench.exporters.workbook.cells import page

# Characters across a landscape page that are still easy to read.
_PAGE_CHARACTERS = 215.0
# Points of a character across, in Calibri and in a font that replaces it; of a row, and of a row with a heading.
_CALIBRI, _SUBSTITUTE, _ROW_POINTS, _HEADING_POINTS = 5.25, 7.0, 13.5, 17.0
# Points inside the margins of an A4 page: across and down.
_LANDSCAPE, _PORTRAIT = (777.0, 501.0), (530.0, 748.0)
# Characters across a portrait page in the type of a landscape page with two of its parts.
_PORTRAIT_CHARACTERS = 185.0
# Rows that follow a heading on its page.
_ROWS_BELOW = 3
_Part = tuple[int, int]


def page_by_page(
    sheet: Worksheet,
    ends: Iterable[int],
    first_row: int,
    last_row: int,
    repeated: int,
    more: Sequence[_Part] = (),
    head_row: int = 1,
) -> list[_Part]:
    """Print a table that is wider than a page in parts of one page width each; returns their columns.

    A part may begin after each of the columns `ends` if the parts before it fill a page; it repeats the first columns.
    `more` are further parts, of at least two columns: LibreOffice does not scale a part of one. Columns outside all
    parts are not printed. Parts after the first begin in `head_row`.
    Empty columns at the end of a part are not printed, unless the part would be narrower than the others. Empty parts
    are not printed.
    """
    page(sheet)
    filled = _filled(sheet, head_row)
    begun = _wide(sheet, 1, repeated)
    split = _split(sheet, ends, begun)
    parts = [kept for part in split if (kept := _trimmed(part, filled, repeated))]
    if parts and not more:
        parts = _as_wide(sheet, parts, filled, begun)
    parts += [part for part in more if _trimmed(part, filled, repeated)]
    parts = parts or split[:1]
    letters = [(get_column_letter(first), get_column_letter(last)) for first, last in parts]
    # The title is over the first part; the others begin with the header of the table.
    tops = [first_row if at == 0 else head_row for at in range(len(letters))]
    sheet.print_area = [f"{first}{top}:{last}{last_row}" for (first, last), top in zip(letters, tops, strict=True)]
    sheet.print_title_cols = f"A:{get_column_letter(repeated)}"
    return parts


def _split(sheet: Worksheet, ends: Iterable[int], begun: float) -> list[_Part]:
    """The columns in parts that fit a page; all but the first have room for repeated columns of the width `begun`."""
    parts, left, before, width = [], 1, 0, 0.0
    for end in ends:
        wide = _wide(sheet, before + 1, end)
        if before and width + wide > _PAGE_CHARACTERS:
            parts.append((left, before))
            left, width = before + 1, begun
        width, before = width + wide, end
    return [*parts, (left, before)]


def _as_wide(sheet: Worksheet, parts: Sequence[_Part], filled: Sequence[int], begun: float) -> list[_Part]:
    """The parts, each with empty columns added up to the width of the widest. LibreOffice scales each part alone, and a
    narrow part would have much larger type."""
    most = max(_of_part(sheet, part, begun) for part in parts)
    made = []
    for first, last in parts:
        while last + 1 not in filled and _of_part(sheet, (first, last + 1), begun) <= most:
            last += 1
        made.append((first, last))
    return made


def _of_part(sheet: Worksheet, part: _Part, begun: float) -> float:
    """The printed width of a part, with the repeated columns."""
    return _wide(sheet, *part) + (begun if part[0] > 1 else 0.0)


def _trimmed(part: _Part, filled: Sequence[int], repeated: int) -> _Part | None:
    """The part without the empty columns at its end; None if all its columns are empty."""
    inside = [column for column in filled if max(part[0], repeated + 1) <= column <= part[1]]
    if not inside:
        return None
    return part[0], inside[-1]


def _filled(sheet: Worksheet, head_row: int) -> list[int]:
    """The columns with a value from the row `head_row` on."""
    rows = sheet.iter_rows(min_row=head_row)
    return sorted({cell.column for row in rows for cell in row if cell.value is not None})


def keep_headings(
    sheet: Worksheet, headings: Sequence[int], parts: Sequence[_Part], head_row: int, last_row: int, repeated: int
) -> None:
    """Break the page before each heading that would otherwise be the last row, or nearly the last row, of a page. The
    empty row above it goes to the new page, too. `sheet` may have page breaks already.

    Excel prints all parts in the scale of the widest. LibreOffice prints each part in its own scale, and often without
    Calibri.
    """
    for row in range(1, last_row + 1):
        # Stated, because the height of a row without one depends on the fonts of the computer.
        if sheet.row_dimensions[row].height is None:
            sheet.row_dimensions[row].height = _HEADING_POINTS if row in headings else _ROW_POINTS
    heights = {row: float(sheet.row_dimensions[row].height or 0) for row in range(1, last_row + 1)}
    begun = _wide(sheet, 1, repeated)
    wide = [_of_part(sheet, part, begun) for part in parts]
    across, down = _PORTRAIT if sheet.page_setup.orientation == "portrait" else _LANDSCAPE
    points = {_CALIBRI * max(wide), *(_SUBSTITUTE * width for width in wide)}
    highs = [down / min(1.0, across / width) for width in points]
    breaks = {entry.id + 1 for entry in sheet.row_breaks.brk}
    while alone := {row - 1 for high in highs for row in _alone(headings, heights, head_row, breaks, high)} - breaks:
        # A break moves all page ends after it.
        breaks.add(min(alone))
        sheet.row_breaks.append(Break(id=min(alone) - 1))


def upright_if_narrow(sheet: Worksheet, parts: Sequence[_Part], repeated: int) -> bool:
    """Turn the pages upright if no part would be too wide; returns True if so."""
    begun = _wide(sheet, 1, repeated)
    if max(_of_part(sheet, part, begun) for part in parts) > _PORTRAIT_CHARACTERS:
        return False
    sheet.page_setup.orientation = "portrait"
    return True


def _alone(
    headings: Sequence[int], heights: Mapping[int, float], head_row: int, breaks: set[int], high: float
) -> list[int]:
    """The first heading that has too few rows below it on a page of this height in points of the sheet."""
    used, first, found = 0.0, 0, -_ROWS_BELOW
    for row in sorted(heights):
        if row in breaks or (used + heights[row] > high and row > first):
            if row not in breaks and row - found <= _ROWS_BELOW and found > first:
                return [found]
            used, first = heights[head_row] if row > head_row else 0.0, row
        used += heights[row]
        if row in headings:
            found = row
    return []


def _wide(sheet: Worksheet, first: int, last: int) -> float:
    """The characters across these columns."""
    return sum(float(sheet.column_dimensions[get_column_letter(at)].width) for at in range(first, last + 1))
