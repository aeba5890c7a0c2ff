"""Ctrl+K: finds every command, page, phase, view, run and machine by a few letters of its name.

Also draws a quiet text at the right end of a list row, such as the keys of a command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.charts.palette import THEMES
from workbench.gui.commands.files.folders import FolderCommands
from workbench.gui.commands.findings import FindingCommands
from workbench.gui.commands.history import HistoryCommands
from workbench.gui.commands.saved_views import SavedViews
from workbench.gui.dialogs.shortcut_sheet import ShortcutSheet
from workbench.gui.services.actions import ACTIONS, command
from workbench.gui.services.layout import in_column
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.theme import current_theme, labelled, running_application
from workbench.gui.services.translation import key_words, tr
from workbench.gui.services.workspace import Work, Workspace
from workbench.measures.configurations import phase_names
from workbench.measures.traced import TRACED
from workbench.study.series.vm_series import vm_names
from workbench.words.metrics import phase_words

_WIDTH, _HEIGHT, _TOP = 560, 420, 90
_MAX_SHOWN, _MAX_RECENT = 40, 8
# Below this score (0 to 100) a name is not similar to the typed text.
_MIN_SCORE = 55


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """`words` are searched and shown, `keys` are shown next to them; also contains the action of the entry."""

    words: str
    act: Callable[[], object]
    keys: str = ""


@dataclass(frozen=True, eq=False)
class Offers:
    """The entries of the palette. `act` runs a registered command by its key and argument."""

    act: Callable[[str, str], None]
    workspace: Workspace
    work: Work
    settings: SettingsKeeper
    folders: FolderCommands
    saved_views: SavedViews
    history: HistoryCommands
    findings: FindingCommands
    # The texts of entries chosen in the palette, newest first.
    used: list[str] = field(default_factory=list)

    def entries(self) -> list[PaletteEntry]:
        """All commands and targets that are available now: recently chosen entries first, then the commands."""
        offered = [*self._actions(), *self._looks(), *self._recent()]
        places = {words: place for place, words in enumerate(self.used)}
        return sorted(offered, key=lambda entry: places.get(entry.words, len(places)))

    def remember(self, entry: PaletteEntry) -> None:
        """Lists an entry first next time."""
        self.used[:] = [entry.words, *(words for words in self.used if words != entry.words)][:_MAX_RECENT]

    def _actions(self) -> list[PaletteEntry]:
        return [
            PaletteEntry(
                self.history.named(action.key, f"{tr(action.menu)}: {tr(action.words)}".replace("&", "")),
                partial(self.act, action.key, action.argument),
                action.shortcut,
            )
            for action in ACTIONS
        ]

    def _looks(self) -> list[PaletteEntry]:
        state, library, apply = self.workspace.state, self.workspace.library, self.workspace.apply
        study = library.study(state.study)
        machines = dict.fromkeys(vm for run in (study.runs if study else ()) for vm in vm_names(run))
        present = library.metrics(state)
        return [
            *(PaletteEntry(f"Saved view: {view.name}", partial(self.saved_views.show, view)) for view in state.views),
            *(
                PaletteEntry(f"Phase: {phase_words(phase)}", partial(apply, phase=phase))
                for phase in phase_names(library.shown(state))
            ),
            *(
                PaletteEntry(f"Metric: {measure.name}", partial(apply, metric=metric))
                for metric, measure in TRACED.items()
                if metric in present
            ),
            *(
                PaletteEntry(f"Baseline: {group.label}", partial(self.act, "runs.compare_with", group.label))
                for group in library.groups(state)
                if group.runs
            ),
            *(PaletteEntry(f"Study: {run.name}", partial(apply, study=run.folder)) for run in library.with_runs),
            *(
                PaletteEntry(f"Finding: {f.text}", partial(self.findings.go_to, f))
                for f in self.findings.kept
                if f.page
            ),
            *(PaletteEntry(f"VM: {vm}", partial(apply, lit_vm=vm)) for vm in machines),
        ]

    def _recent(self) -> list[PaletteEntry]:
        return [
            PaletteEntry(f"Open again: {path}", partial(self.folders.open, [Path(path)]))
            for path in self.settings.settings.recent
            if Path(path) not in self.work.paths
        ]


def matching(offered: list[PaletteEntry], typed: str) -> list[PaletteEntry]:
    """The entries similar to the typed text, best first; all entries for an empty text."""
    if not typed.strip():
        return offered[:_MAX_SHOWN]
    # The window starts without this module.
    from rapidfuzz import fuzz, process, utils

    words = [entry.words for entry in offered]
    hits = process.extract(
        typed, words, scorer=fuzz.WRatio, processor=utils.default_process, limit=_MAX_SHOWN, score_cutoff=_MIN_SCORE
    )
    # Among equal scores the entry that contains the typed letters comes first.
    ranked = sorted(hits, key=lambda hit: (typed.casefold() not in hit[0].casefold(), -hit[1], hit[2]))
    return [offered[index] for _, _, index in ranked]


class CommandPalette(QDialog):
    """A field over a list. Arrows move in the list, Return runs the selected entry, Esc closes. `chosen` passes the
    entry that runs."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, offered: list[PaletteEntry]) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("palette")
        self.setAccessibleName(tr("Command palette"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._offered = offered
        self._shown: list[PaletteEntry] = []
        self.field = QLineEdit()
        self.field.setObjectName("search")
        self.field.setPlaceholderText(tr("Type a command, page, phase or VM…"))
        self.field.setAccessibleName(tr("Search commands"))
        self.list = QListWidget()
        self.list.setObjectName("rail")
        self.list.setItemDelegate(SideNote(self.list))
        self.list.setAccessibleName(tr("Commands found"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.nothing = labelled(tr("No matching command. Try other words, or press Esc."), "quiet")
        in_column(self.field, (self.list, 1), (self.nothing, 1), on=self, margins=(10, 10, 10, 10))
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self.choose)
        self.list.itemActivated.connect(lambda _item: self.choose())
        self.field.installEventFilter(self)
        self._filter("")
        self.resize(_WIDTH, _HEIGHT)
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - _WIDTH) // 2, corner.y() + _TOP)

    def choose(self) -> None:
        """Closes and runs the selected entry; stays open if there is none."""
        row = self.list.currentRow()
        if 0 <= row < len(self._shown):
            self.close()
            self.chosen.emit(self._shown[row])
            self._shown[row].act()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lets the up and down keys in the field move in the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            moves = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
            if (by := moves.get(Qt.Key(event.key()))) is not None:
                last = self.list.count() - 1
                self.list.setCurrentRow(min(max(self.list.currentRow() + by, 0), last))
                return True
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Works around a leak in Qt: it keeps the style of a scrolling widget of a deleted window (0.8 KB each time),
        unless the widget got its own style sheet after it was shown."""
        self.list.viewport().setStyleSheet(" ")
        self.list.viewport().setStyleSheet("")
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Closes after a click elsewhere."""
        if event.type() == QEvent.Type.ActivationChange and self.isVisible() and not self.isActiveWindow():
            self.close()
        super().changeEvent(event)

    def _filter(self, typed: str) -> None:
        self._shown = matching(self._offered, typed)
        self.list.clear()
        for entry in self._shown:
            item = QListWidgetItem(entry.words)
            item.setData(NOTE, key_words(entry.keys))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, item.data(NOTE))
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(self._shown))
        self.nothing.setVisible(not self._shown)


@command("&Help", "&Keys and gestures", "Shift+F1", place=115)
def show_shortcuts(parent: QWidget) -> None:
    """Shows every key and gesture."""
    ShortcutSheet(parent).show()


NOTE = int(Qt.ItemDataRole.UserRole) + 20
_MARGIN = 12
Index = QModelIndex | QPersistentModelIndex


class SideNote(QStyledItemDelegate):
    """Draws the note of a row after its text."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draws the row, then its note."""
        area = QRect(option.rect)
        super().paint(painter, option, index)
        painter.setPen(QColor(THEMES[current_theme(running_application())].quiet))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area.adjusted(0, 0, -_MARGIN, 0), right, str(index.data(NOTE) or ""))

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Cuts a text that would run into the note. The background of the row covers both."""
        super().initStyleOption(option, index)
        note = str(index.data(NOTE) or "")
        taken = self._room(option, note) + option.decorationSize.width() * (not option.icon.isNull()) + 2 * _MARGIN
        if note and (room := option.rect.width() - taken) > 0:
            option.text = option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, room)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for text and note."""
        hint, note = super().sizeHint(option, index), str(index.data(NOTE) or "")
        return hint + QSize(self._room(option, note), 0) if note else hint

    @staticmethod
    def _room(option: QStyleOptionViewItem, note: str) -> int:
        return option.fontMetrics.horizontalAdvance(note) + _MARGIN
