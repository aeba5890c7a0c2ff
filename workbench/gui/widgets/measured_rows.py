"""A table that measures the text of a row once for the same widths. Layouts ask for each height several times."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget


class MeasuredTable(QTableView):
    """Remembers the heights of rows until a width, the font or the model's content change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heights: dict[int, int] = {}

    def setHorizontalHeader(self, header: QHeaderView) -> None:
        """Takes the header whose sections have the widths."""
        super().setHorizontalHeader(header)
        header.sectionResized.connect(self._heights.clear)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Shows the rows of a model."""
        if model is not None and model is not self.model():
            for changed in (
                model.layoutChanged,
                model.modelReset,
                model.rowsInserted,
                model.rowsRemoved,
                model.dataChanged,
            ):
                changed.connect(self._heights.clear)
        self._heights.clear()
        super().setModel(model)

    def sizeHintForRow(self, row: int) -> int:
        """The height that the text of a row needs."""
        if row not in self._heights:
            self._heights[row] = super().sizeHintForRow(row)
        return self._heights[row]

    def changeEvent(self, event: QEvent) -> None:
        """Forgets the heights if the font may have changed."""
        self._heights.clear()
        super().changeEvent(event)
