"""The middle of the window: the rail beside head and page, above the status strip."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget


def centre_of(rail: QWidget, head: QWidget, pages: QWidget, strip: QWidget) -> QWidget:
    """One widget of these; the page takes what the others leave."""
    body = QVBoxLayout()
    body.setContentsMargins(16, 12, 16, 12)
    body.setSpacing(12)
    body.addWidget(head)
    body.addWidget(pages, 1)
    centre = QWidget()
    centre.setObjectName("page")
    grid = QGridLayout(centre)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(0)
    grid.addWidget(rail, 0, 0)
    grid.addLayout(body, 0, 1)
    grid.addWidget(strip, 1, 0, 1, 2)
    grid.setColumnStretch(1, 1)
    return centre
