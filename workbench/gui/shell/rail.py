"""The rail on the left: the pages, and below them the runs."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from workbench.answers.registry import PAGES
from workbench.gui.runs.runs_tree import RunsTree
from workbench.gui.services.assets import icon
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace

WIDTH = 272
_ROW = 36


class Rail(QWidget):
    """Pages with icons, left-aligned; the tree of runs takes what height is left."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self.pages = QListWidget()
        self.tree = RunsTree(workspace)
        self._name = _label(tr("VDI Workbench"), "title")
        self._study = _label("", "quiet")
        self._build()
        self.pages.currentRowChanged.connect(self._chosen)

    def refresh(self) -> None:
        """Shows the state: the page chosen, the study's name, the problem count."""
        state, library = self._workspace.state, self._workspace.library
        # Benchmarks have no runs, and are open all the same.
        study = library.study(state.study) or next(iter(library.studies), None)
        self._study.setText(study.name if study else tr("no study open"))
        troubled = library.warnings()
        with QSignalBlocker(self.pages):
            for row, spec in enumerate(PAGES):
                item = self.pages.item(row)
                item.setIcon(icon(spec.icon or spec.key, state.theme))
                badge = f"  ·  {troubled}" if spec.counts_warnings and troubled else ""
                item.setText(tr(spec.name) + badge)
                if spec.key == state.page:
                    self.pages.setCurrentRow(row)

    def set_type_scale(self, scale: float) -> None:
        """Makes room for larger type."""
        room = 1 + (scale - 1) / 2
        self.setFixedWidth(round(WIDTH * room))
        for row in range(self.pages.count()):
            self.pages.item(row).setSizeHint(QSize(0, round(_ROW * room)))
        self.pages.setFixedHeight(round(_ROW * room) * self.pages.count() + 4)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 10, 12)
        column.setSpacing(2)
        column.addWidget(self._name)
        column.addWidget(self._study)
        column.addSpacing(12)
        self.pages.setObjectName("rail")
        self.pages.setAccessibleName(tr("Pages"))
        self.pages.setIconSize(QSize(18, 18))
        self.pages.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pages.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for spec in PAGES:
            item = QListWidgetItem(tr(spec.name))
            item.setSizeHint(QSize(0, _ROW))
            self.pages.addItem(item)
        self.pages.setFixedHeight(_ROW * len(PAGES) + 4)
        column.addWidget(self.pages)
        column.addSpacing(14)
        captions = QHBoxLayout()
        captions.addWidget(_label(tr("Runs"), "caption"), 1)
        captions.addWidget(_label(tr("VMs"), "caption"))
        captions.setContentsMargins(0, 0, 9, 0)
        column.addLayout(captions)
        column.addWidget(self.tree, 1)

    def _chosen(self, row: int) -> None:
        if row >= 0:
            self._workspace.apply(page=PAGES[row].key)


def _label(text: str, role: str) -> QLabel:
    return labelled(text, role)
