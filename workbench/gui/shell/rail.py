"""The rail on the left: the pages, and below them the runs; collapsed, their icons and the looks of configurations."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from workbench.answers.common.page import PageSpec
from workbench.answers.registry import PAGES
from workbench.gui.runs.runs_tree import RunsTree
from workbench.gui.services.assets import icon
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.theme import labelled, restyle
from workbench.gui.services.translation import key_words, tr
from workbench.gui.services.workspace import Workspace
from workbench.gui.widgets.look_icon import HEIGHT as LOOK_HEIGHT
from workbench.gui.widgets.look_icon import WIDTH as LOOK_WIDTH
from workbench.gui.widgets.look_icon import look_icon
from workbench.gui.widgets.side_note import NOTE, SideNote

WIDTH, COLLAPSED_WIDTH = 188, 52
# In a window narrower than this the rail is collapsed until it is opened by hand.
NARROW = 1200
KEYS = "Ctrl+\\"
_ROW, _LOOK_ROW = 30, 22
# The pages that a low window shows at once.
_LEAST_ROWS = 8
LOOK = QSize(LOOK_WIDTH, LOOK_HEIGHT)
_NO_BARS = Qt.ScrollBarPolicy.ScrollBarAlwaysOff


class Rail(QWidget):
    """Pages with icons, left-aligned; the tree of runs takes what height is left. `toggled` tells that the user
    collapsed it (True) or opened it, where this is to be remembered."""

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
        self.pages.setSizeAdjustPolicy(QListWidget.SizeAdjustPolicy.AdjustToContents)
        self._notes = SideNote(self.pages)
        self.tree = RunsTree(workspace)
        self._study = labelled("", "quiet")
        self._opened_only = (QWidget(), self.tree)
        self.fold = QPushButton()
        self._keys = labelled(key_words(KEYS), "keys")
        self._build()
        self.pages.currentRowChanged.connect(self._chosen)
        self.looks.itemClicked.connect(self._open_at)
        self.looks.itemActivated.connect(self._open_at)
        self.fold.clicked.connect(self.toggle)

    def refresh(self) -> None:
        """Shows the state: the page chosen, the problem count, the study and its runs."""
        state, library = self._workspace.state, self._workspace.library
        # Benchmarks have no runs, and are open all the same: the tree does not name their study.
        study = library.study(state.study) or next(iter(library.studies), None)
        self._study.setText(study.name if study else tr("no study open"))
        self._study.setVisible(not library.with_runs and not self.collapsed)
        with QSignalBlocker(self.pages):
            for row, spec in enumerate(PAGES):
                self._show_page(self.pages.item(row), spec, library.warnings() if spec.counts_warnings else 0)
                if spec.key == state.page:
                    self.pages.setCurrentRow(row)
        self.fold.setIcon(icon("sidebar", state.theme))
        self.tree.refresh()
        self._show_looks()

    def remember(self, collapsed: bool) -> None:
        """Takes the form that was chosen when the program was last used."""
        self._wanted = collapsed
        self._fold(self._narrow or collapsed)

    def fit(self, window_width: int) -> None:
        """Collapses in a narrow window, and takes the form that was chosen in a wide one."""
        narrow = window_width < NARROW
        if narrow is not self._narrow:
            self._narrow = narrow
            self._fold(narrow or self._wanted)

    def toggle(self) -> None:
        """Collapses or opens it; in a narrow window, where it collapses by itself, only for now."""
        self._fold(not self.collapsed)
        if not self._narrow:
            self._wanted = self.collapsed
            self.toggled.emit(self.collapsed)

    def set_type_scale(self, scale: float) -> None:
        """Makes room for larger type."""
        self._scale = scale
        self._fold(self.collapsed)

    def _show_page(self, item: QListWidgetItem, spec: PageSpec, troubled: int) -> None:
        name = tr(spec.name)
        item.setIcon(icon(spec.icon or spec.key, self._workspace.state.theme))
        item.setText("" if self.collapsed else name)
        item.setData(NOTE, str(troubled) if troubled else "")
        spoken = f"{name}, {troubled} warnings" if troubled else name
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        item.setToolTip(plain_tip(spoken if self.collapsed or troubled else ""))

    def _show_looks(self) -> None:
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

    def _open_at(self, item: QListWidgetItem) -> None:
        row = self.tree.configuration_item(item.data(Qt.ItemDataRole.UserRole))
        self.toggle()
        self.tree.setFocus()
        if row is not None:
            self.tree.setCurrentIndex(row.index())

    def _fold(self, collapsed: bool) -> None:
        self.collapsed = self._notes.dots = collapsed
        self.pages.setProperty("icons", collapsed)
        restyle(self.pages)
        self.setFixedWidth(COLLAPSED_WIDTH if collapsed else round(WIDTH * self._scale))
        row = round(_ROW * self._scale)
        for at in range(self.pages.count()):
            self.pages.item(at).setSizeHint(QSize(0, row))
        # A low window scrolls the pages instead of growing.
        self.pages.setMinimumHeight(row * min(self.pages.count(), _LEAST_ROWS) + 4)
        self.pages.setMaximumHeight(row * self.pages.count() + 4)
        for widget in (*self._opened_only, self._keys):
            widget.setVisible(not collapsed)
        self.looks.setVisible(collapsed)
        words = tr("Open the sidebar") if collapsed else tr("Collapse")
        self.fold.setText("" if collapsed else words)
        self.fold.setAccessibleName(words)
        self.fold.setToolTip(plain_tip(f"{words} ({key_words(KEYS)})"))
        self.refresh()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 10, 7, 8)
        column.setSpacing(2)
        self.pages.setItemDelegate(self._notes)
        for _ in PAGES:
            self.pages.addItem(QListWidgetItem())
        column.addWidget(self.pages)
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        column.addSpacing(6)
        column.addWidget(line)
        column.addSpacing(6)
        captions = QHBoxLayout(self._opened_only[0])
        captions.addWidget(labelled(tr("Runs"), "caption"), 1)
        captions.addWidget(labelled(tr("VMs"), "caption"))
        captions.setContentsMargins(4, 0, 6, 0)
        column.addWidget(self._opened_only[0])
        self._study.setContentsMargins(4, 0, 0, 0)
        column.addWidget(self._study)
        column.addWidget(self.looks, 1)
        column.addWidget(self.tree, 1)
        column.addLayout(self._foot())

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.fold.setProperty("kind", "fold")
        row.addWidget(self.fold, 1)
        row.addWidget(self._keys, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _chosen(self, row: int) -> None:
        if row >= 0:
            self._workspace.apply(page=PAGES[row].key)


def _list(style: str, name: str, size: QSize) -> QListWidget:
    shown = QListWidget()
    shown.setObjectName(style)
    shown.setAccessibleName(name)
    shown.setIconSize(size)
    shown.setVerticalScrollBarPolicy(_NO_BARS)
    shown.setHorizontalScrollBarPolicy(_NO_BARS)
    return shown
