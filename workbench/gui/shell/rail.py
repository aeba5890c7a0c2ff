"""The navigation list on the left (rail): pages, tools and runs. When collapsed, it shows their icons and the looks of
configurations.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from workbench.answers.registry import PAGES, page_of
from workbench.gui.runs.runs_tree import RunsTree
from workbench.gui.services.actions import command
from workbench.gui.services.assets import icon
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.theme import labelled, restyle
from workbench.gui.services.translation import key_words, tr
from workbench.gui.services.workspace import Workspace
from workbench.gui.widgets.look_icon import HEIGHT as LOOK_HEIGHT
from workbench.gui.widgets.look_icon import WIDTH as LOOK_WIDTH
from workbench.gui.widgets.look_icon import look_icon

WIDTH, COLLAPSED_WIDTH = 212, 52
# In a narrower window the rail is collapsed until the user opens it.
NARROW = 1200
KEYS = "Ctrl+\\"
_ROW, _TOOL_ROW, _LOOK_ROW = 27, 22, 22
# Maximum number of studies without runs that are named.
_NAMED = 3
_KEY = Qt.ItemDataRole.UserRole
_REPORT = next(spec for spec in PAGES if spec.place == "badge")
LOOK = QSize(LOOK_WIDTH, LOOK_HEIGHT)
_NO_BARS = Qt.ScrollBarPolicy.ScrollBarAlwaysOff


class Rail(QWidget):
    """Pages with icons, then the quieter tools; the tree of runs takes the remaining height. The import report is
    `badge`, shown if something needs attention. `toggled` reports that the user collapsed (True) or opened the rail, if
    this is to be stored."""

    toggled = Signal(bool)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._wanted = False
        self._narrow: bool | None = None
        self._scale = 1.0
        self.collapsed = False
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.pages, self.looks = _list("rail", tr("Pages"), QSize(18, 18)), _list("looks", tr("Configurations"), LOOK)
        self.tools = _list("tools", tr("Tools"), QSize(16, 16))
        self.badge = QPushButton()
        self.tree = RunsTree(workspace)
        self._study = labelled("", "quiet")
        self._study.setWordWrap(True)
        self._captions = (labelled(tr("Tools"), "caption"), labelled(tr("Runs"), "caption"))
        self._opened_only = (*self._captions, self.tree)
        # The strip at the bottom shows it.
        self.fold = QPushButton()
        self.fold.setProperty("kind", "fold")
        self._build()
        for pages in (self.pages, self.tools):
            # A list that gets the focus has a current row but no selection.
            pages.itemSelectionChanged.connect(lambda pages=pages: self._choose(pages.selectedItems()))
        self.badge.clicked.connect(lambda: workspace.apply(page=_REPORT.key))
        self.looks.itemClicked.connect(self._open_at)
        self.looks.itemActivated.connect(self._open_at)
        self.fold.clicked.connect(self.toggle)

    def refresh(self) -> None:
        """Shows the current page, what needs attention, the study and its runs."""
        state, library = self._workspace.state, self._workspace.library
        # Benchmarks have no runs but are open too: the tree does not name their studies.
        names = [study.name for study in library.studies]
        more = tr(" and {} more").format(len(names) - _NAMED) if len(names) > _NAMED else ""
        self._study.setText(", ".join(names[:_NAMED]) + more if names else tr("No study is open"))
        self._study.setVisible(not library.with_runs and not self.collapsed)
        for pages in (self.pages, self.tools):
            with QSignalBlocker(pages):
                self._show_pages(pages)
        self._show_badge(library.warnings())
        self.fold.setIcon(icon("sidebar", state.theme))
        self.tree.refresh()
        self.looks.clear()
        hidden = self._workspace.state.hidden
        for label, look in self.tree.configurations() if self.collapsed else ():
            item = QListWidgetItem(look_icon(look, self._workspace.state.theme), "")
            item.setData(Qt.ItemDataRole.UserRole, label)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, label)
            item.setToolTip(plain_tip(f"{label} ({tr('hidden')})" if label in hidden else label))
            item.setSizeHint(QSize(0, round(_LOOK_ROW * self._scale)))
            if label in hidden:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            self.looks.addItem(item)

    def remember(self, collapsed: bool) -> None:
        """Collapses or opens as when the application was last used."""
        self._wanted = collapsed
        self._fold(self._narrow or collapsed)

    def fit(self, window_width: int) -> None:
        """Collapses in a narrow window; in a wide one it takes the form that the user chose."""
        narrow = window_width < NARROW
        if narrow is not self._narrow:
            self._narrow = narrow
            self._fold(narrow or self._wanted)

    @command("&View", "Toggle side&bar", "Ctrl+\\", place=310)
    def toggle(self) -> None:
        """Collapses or opens. In a narrow window, which collapses the rail automatically, only temporarily."""
        self._fold(not self.collapsed)
        if not self._narrow:
            self._wanted = self.collapsed
            self.toggled.emit(self.collapsed)

    def set_type_scale(self, scale: float) -> None:
        """Makes room for larger text."""
        self._scale = scale
        self._fold(self.collapsed)

    def _show_pages(self, pages: QListWidget) -> None:
        chosen = None
        for item in _items(pages):
            spec, theme = page_of(item.data(_KEY)), self._workspace.state.theme
            assert spec is not None
            name = tr(spec.name)
            item.setIcon(icon(spec.icon or spec.key, theme))
            item.setText("" if self.collapsed else name)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, name)
            item.setToolTip(plain_tip(name if self.collapsed else ""))
            chosen = item if spec.key == self._workspace.state.page else chosen
        if chosen is None:
            pages.clearSelection()
        else:
            pages.setCurrentItem(chosen)

    def _show_badge(self, warnings: int) -> None:
        shown = self._workspace.state.page == _REPORT.key
        need = tr("1 decision needed") if warnings == 1 else tr("{count} decisions needed").format(count=warnings)
        words = need if warnings else tr(_REPORT.name)
        self.badge.setVisible(bool(warnings) or shown)
        self.badge.setText("" if self.collapsed else words)
        self.badge.setIcon(icon(_REPORT.icon or _REPORT.key, self._workspace.state.theme))
        self.badge.setAccessibleName(f"{tr(_REPORT.name)}: {need}" if warnings else tr(_REPORT.name))
        self.badge.setToolTip(plain_tip(self.badge.accessibleName()))
        self.badge.setProperty("shown", shown)
        restyle(self.badge)

    def _open_at(self, item: QListWidgetItem) -> None:
        row = self.tree.configuration_item(item.data(Qt.ItemDataRole.UserRole))
        self.toggle()
        self.tree.setFocus()
        if row is not None:
            self.tree.setCurrentIndex(row.index())

    def _fold(self, collapsed: bool) -> None:
        self.collapsed = collapsed
        self.setFixedWidth(COLLAPSED_WIDTH if collapsed else round(WIDTH * self._scale))
        for pages, height in ((self.pages, _ROW), (self.tools, _TOOL_ROW)):
            pages.setProperty("icons", collapsed)
            restyle(pages)
            row = round((_ROW if collapsed else height) * self._scale)
            for item in _items(pages):
                item.setSizeHint(QSize(0, row))
            pages.setFixedHeight(row * pages.count() + 4)
        for widget in self._opened_only:
            widget.setVisible(not collapsed)
        self.looks.setVisible(collapsed)
        words = tr("Open the sidebar") if collapsed else tr("Collapse")
        self.fold.setAccessibleName(words)
        self.fold.setToolTip(plain_tip(f"{words} ({key_words(KEYS)})"))
        self.refresh()

    def _build(self) -> None:
        column = in_column(on=self, margins=(8, 10, 7, 8), spacing=2)
        for spec in PAGES:
            if spec.place != "badge":
                item = QListWidgetItem(self.pages if spec.place == "page" else self.tools)
                item.setData(_KEY, spec.key)
        column.addWidget(self.pages)
        self._add_line(column)
        for caption in self._captions:
            caption.setContentsMargins(4, 0, 0, 0)
        column.addWidget(self._captions[0])
        column.addWidget(self.tools)
        self._add_line(column)
        self.badge.setProperty("kind", "badge")
        # The tree keeps its place when the badge comes and goes.
        room = self.badge.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.badge.setSizePolicy(room)
        column.addLayout(in_row((self._captions[1], 1), self.badge))
        self._study.setContentsMargins(4, 0, 0, 0)
        column.addWidget(self._study)
        column.addWidget(self.looks, 1)
        # The smallest window fits a laptop at 125 %.
        self.tree.setMinimumHeight(60)
        column.addWidget(self.tree, 1)

    @staticmethod
    def _add_line(column: QVBoxLayout) -> None:
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        column.addSpacing(4)
        column.addWidget(line)
        column.addSpacing(4)

    def _choose(self, items: Sequence[QListWidgetItem]) -> None:
        for item in items:
            self._workspace.apply(page=item.data(_KEY))


def _items(pages: QListWidget) -> list[QListWidgetItem]:
    return [pages.item(row) for row in range(pages.count())]


def _list(style: str, name: str, size: QSize) -> QListWidget:
    shown = QListWidget()
    shown.setObjectName(style)
    shown.setAccessibleName(name)
    shown.setIconSize(size)
    shown.setVerticalScrollBarPolicy(_NO_BARS)
    shown.setHorizontalScrollBarPolicy(_NO_BARS)
    return shown
