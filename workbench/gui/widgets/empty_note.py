"""The line in the head of a table that names its empty columns, which are hidden, and shows them on a click."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from workbench.charts.tables import Column
from workbench.gui.services.translation import tr
from workbench.gui.widgets.elided_label import ElidedLabel


def names_of(columns: Sequence[Column]) -> list[str]:
    """What columns are called in a line: their titles, with the unit where two have the same title."""
    titles = [column.title for column in columns]
    return [f"{tr(c.title)} ({c.unit})" if c.unit and titles.count(c.title) > 1 else tr(c.title) for c in columns]


class EmptyNote(QWidget):
    """Keeps its room while nothing is hidden, so that what stands beside it does not move; `asked` is emitted when the
    columns are to be shown."""

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = ElidedLabel("quiet")
        self.text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.button = QPushButton(tr("Show"))
        self.button.setProperty("kind", "link")
        self.button.clicked.connect(self.asked)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        self.show_names(())

    def show_names(self, names: Sequence[str]) -> None:
        """Names the columns that are hidden; nothing where there is none."""
        words = tr("1 empty column is hidden") if len(names) == 1 else tr("{} empty columns are hidden")
        self.text.show_text(f"{words.format(len(names))}: {', '.join(names)}" if names else "")
        self.button.setToolTip(tr("Show the empty columns"))
        self.button.setAccessibleName(tr("Show the empty columns"))
        self.button.setVisible(bool(names))
