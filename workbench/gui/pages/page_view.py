"""The widget of a page: cards over a figure over tables, or one sentence that says what to do."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QSplitter, QVBoxLayout, QWidget

from workbench.charts.palette import ThemeName
from workbench.charts.tables import TableData
from workbench.gui.answer_cards import AnswerCards
from workbench.gui.pages.page import Content, PageSpec
from workbench.gui.pages.welcome import Welcome
from workbench.gui.plot import FigureView
from workbench.gui.table import DataTable


class PageView(QWidget):
    """Shows the Content of one page; `vm_clicked` tells which machine was picked in its figure,
    `row_opened` which row of which table was double-clicked, `row_menu` which was right-clicked and where."""

    vm_clicked = Signal(str)
    row_opened = Signal(str, int)
    row_menu = Signal(str, int, QPoint)

    def __init__(self, spec: PageSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.content: Content | None = None
        self.cards = AnswerCards()
        self.figure = FigureView() if spec.table_share < 100 else None
        self.tables = [_Titled(name) for name in spec.table_names]
        self.empty = Welcome()
        self.body = QSplitter(Qt.Orientation.Vertical)
        self._build()

    def show_content(
        self, content: Content, theme: ThemeName, lit_vm: str | None, recent: tuple[str, ...] = ()
    ) -> None:
        """Draws what the page's answer function returned."""
        self.content = content
        self.empty.show_ways(content.empty, content.nothing_open, recent)
        self.empty.setVisible(bool(content.empty))
        self.body.setVisible(not content.empty)
        self.cards.show_cards(content.cards, theme)
        if self.figure is not None and content.figure is not None and not content.empty:
            self.figure.set_theme(theme)
            self.figure.show_figure(content.figure)
            self.figure.light_vm(lit_vm)
        for titled, table in zip(self.tables, content.tables, strict=False):
            titled.show_data(table, theme)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.cards)
        column.addWidget(self.body, 1)
        column.addWidget(self.empty, 1)
        self.body.setHandleWidth(12)
        self.body.setChildrenCollapsible(False)
        if self.figure is not None:
            self.figure.vm_clicked.connect(self.vm_clicked)
            self.body.addWidget(self.figure)
        for titled in self.tables:
            self.body.addWidget(titled)
            titled.table.activated.connect(lambda index, one=titled: self._opened(one, index.row()))
            titled.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            titled.table.customContextMenuRequested.connect(lambda at, one=titled: self._asked_menu(one, at))
        shares = [100 - self.spec.table_share] if self.figure is not None else []
        shares += [self.spec.table_share // max(1, len(self.tables))] * len(self.tables)
        self.body.setSizes([10 * share for share in shares])
        for place, share in enumerate(shares):
            self.body.setStretchFactor(place, share)

    def _asked_menu(self, titled: _Titled, at: QPoint) -> None:
        index = titled.table.indexAt(at)
        if index.isValid():
            place = titled.table.viewport().mapToGlobal(at)
            self.row_menu.emit(titled.table.accessibleName(), index.row(), place)

    def _opened(self, titled: _Titled, row: int) -> None:
        self.row_opened.emit(titled.table.accessibleName(), row)


class _Titled(QFrame):
    """A table in a card under its name, with its legend line."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.table = DataTable(name)
        self._legend = QLabel()
        self._legend.setTextFormat(Qt.TextFormat.PlainText)
        self._legend.setProperty("role", "quiet")
        title = QLabel(name)
        title.setProperty("role", "heading")
        self.filter = QLineEdit()
        self.filter.setObjectName("search")
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName(f"Filter {name}")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(220)
        self.filter.textChanged.connect(self.table.show_matching)
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(self.filter)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 8, 10)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        column.addWidget(self._legend)

    def show_data(self, data: TableData, theme: ThemeName) -> None:
        self.table.show_data(data, theme)
        self._legend.setText(data.legend)
        self._legend.setVisible(bool(data.legend))
