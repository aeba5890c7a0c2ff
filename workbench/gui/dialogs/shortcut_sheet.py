"""Shift+F1: every key and every gesture on one sheet, made from the registered commands."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QScrollArea, QWidget

from workbench.gui.services.actions import ACTIONS
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr

# The width in pixels of the keys; longer ones wrap.
_KEYS = 170
# Actions that no menu can show: the mouse on charts, and the keys of a presentation.
GESTURES = {
    "Charts": (
        ("Move the pointer", "read the values of all panels"),
        ("Wheel", "zoom the time axis around the pointer"),
        ("Shift+wheel; or wheel over the axis", "zoom the value axis around the pointer"),
        ("Drag", "zoom to the dragged box"),
        ("Shift+drag", "pan along the time axis"),
        ("Drag the frame shown below the chart", "pan or zoom the chart"),
        ("Double-click below the chart", "show the phase at the pointer"),
        ("Double-click or 0", "show everything"),
        ("A, B", "set a cursor at the pointer"),
        ("← →", "move the last cursor by one sample (Shift: ten samples)"),
        ("Esc", "remove the cursors"),
        ("Click a VM", "highlight the VM on all pages"),
        ("Click a legend entry; or L, then Space", "hide or show the entry"),
        ("Alt+click a legend entry; or L, then Alt+Space", "show only this entry"),
        ("Right-click; or Return on the highlighted VM", "show the source of the curve or bar"),
        ("Drag a phase edge", "move the start or end of a phase"),
        ("N", "write a note at the pointer"),
        ("Double-click a flag", "read, change or delete the note"),
    ),
    "Counters": (
        ("Return or double-click", "show a counter in the chart"),
        ("Drag counters to the chart", "show the selected counters"),
        ("Del in the counter list", "remove a counter from the chart"),
    ),
    "Run tree": (
        ("F2", "rename the configuration"),
        ("Ctrl+click or Shift+click", "select several runs"),
        ("Right-click", "edit or exclude the run, or close the study"),
    ),
    "Tables": (
        ("Right-click a column header", "choose columns"),
        ("Click a column header", "sort"),
        ("Ctrl+C", "copy the selected rows, or all, with headers"),
        ("Double-click or Return", "show the source of the number"),
        ("Arrows, Tab", "move between cells (arrows), leave the table (Tab)"),
    ),
    "Text fields": (("Tab", "move to the next field"), ("Ctrl+Enter", "confirm"), ("Esc", "undo typing")),
    "List of findings": (
        ("Double-click or Return", "go to the evidence"),
        ("1, 2, 3", "go to the evidence of the finding with this number"),
        ("F2", "edit the finding"),
        ("Alt+↑, Alt+↓", "move the finding up or down"),
        ("Del", "remove the finding"),
    ),
    "Import report": (
        ("↑, ↓", "previous or next cause"),
        ("Return", "press the button of the selected cause"),
        ("F8, Shift+F8", "next or previous line with this cause"),
    ),
    "Presentation": (
        ("→, Space, PgDn", "go to the next slide of the storyboard"),
        ("←, Backspace, PgUp", "go to the previous slide"),
        ("Home, End", "go to the first or last slide"),
        ("Esc, F5", "exit the presentation"),
    ),
}


def rows() -> dict[str, list[tuple[str, str]]]:
    """Keys with their actions, by menu, then the gestures."""
    by_topic: dict[str, list[tuple[str, str]]] = {}
    for action in ACTIONS:
        if action.shortcut:
            keys = QKeySequence(action.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
            words = tr(action.words).replace("&", "").removesuffix("…")
            by_topic.setdefault(tr(action.menu).replace("&", ""), []).append((keys, words))
    gestures = {tr(title): [(tr(keys), tr(words)) for keys, words in lines] for title, lines in GESTURES.items()}
    return by_topic | gestures


class ShortcutSheet(QDialog):
    """Two columns of keys. The sheet may stay open during work."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keys and gestures"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        inside = QWidget()
        columns = [in_column(spacing=6), in_column(spacing=6)]
        heights = [0, 0]
        for title, lines in rows().items():
            shorter = heights.index(min(heights))
            columns[shorter].addLayout(_block(title, lines))
            heights[shorter] += len(lines) + 2
        for column in columns:
            column.addStretch(1)
        in_row(*((column, 1) for column in columns), on=inside, spacing=40)
        area = QScrollArea()
        area.setWidgetResizable(True)
        # Long texts wrap into a second line, so the sheet needs no sideways scrolling.
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        in_column(area, on=self)
        self.resize(1000, 700)


def _block(title: str, lines: list[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    # Set here because a layout inherits the spacing of the layout around it.
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(6)
    grid.setContentsMargins(0, 0, 0, 16)
    grid.addWidget(labelled(title, "heading"), 0, 0, 1, 2)
    for row, (keys, words) in enumerate(lines, 1):
        top = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        badge = labelled(keys, "badge")
        badge.ensurePolished()
        if badge.sizeHint().width() > _KEYS:
            badge.setWordWrap(True)
            badge.setFixedWidth(_KEYS)
        grid.addWidget(badge, row, 0, top)
        label = labelled(words)
        label.setWordWrap(True)
        label.setAlignment(top)
        grid.addWidget(label, row, 1)
    # The text next to the keys is aligned in all groups.
    grid.setColumnMinimumWidth(0, _KEYS)
    grid.setColumnStretch(1, 1)
    return grid
