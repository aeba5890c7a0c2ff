"""The middle of the window: the rail beside head, question, page and progress."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget


def centre_of(rail: QWidget, head: QWidget, question: QWidget, pages: QWidget, progress: QWidget) -> QWidget:
    """One widget of these; the page takes what the others leave."""
    body = QVBoxLayout()
    body.setContentsMargins(16, 12, 16, 12)
    body.setSpacing(12)
    body.addWidget(head)
    body.addWidget(question)
    body.addWidget(pages, 1)
    body.addWidget(progress)
    centre = QWidget()
    centre.setObjectName("page")
    row = QHBoxLayout(centre)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addWidget(rail)
    row.addLayout(body, 1)
    return centre
