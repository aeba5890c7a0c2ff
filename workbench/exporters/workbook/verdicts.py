"""The look of a verdict in a cell: a mark and a background that are also readable in greyscale."""

from __future__ import annotations

from openpyxl.cell.cell import Cell
from openpyxl.styles import Border, Font, PatternFill, Side

from workbench.charts.palette import THEMES
from workbench.exporters.workbook.cells import STRONG, TEXT, argb

_WHITE = Font(name="Calibri", size=10, bold=True, color="FFFFFF")
_DASHED = Side("dashed", color=argb(THEMES["light"].quiet))
_FRAME = Border(left=_DASHED, right=_DASHED, top=_DASHED, bottom=_DASHED)
_NEUTRAL = "EEF0F3"
_LOOKS = {
    "better": ("✓", "CFE3F2"),
    "same": ("=", _NEUTRAL),
    "worse": ("✕", "8F1D16"),
    "higher": ("▲", _NEUTRAL),
    "lower": ("▼", _NEUTRAL),
}


def with_mark(words: str) -> str:
    """Text like `✓ better`; an inconclusive verdict already has its mark."""
    return f"{_LOOKS[words][0]} {words}" if words in _LOOKS else words


def dress_verdict(cell: Cell, words: str) -> None:
    """Set background, frame and text colour of a cell with a verdict."""
    cell.alignment, cell.font = TEXT, _WHITE if words == "worse" else STRONG
    if words in _LOOKS:
        cell.fill = PatternFill("solid", start_color=_LOOKS[words][1])
    else:
        cell.border = _FRAME
