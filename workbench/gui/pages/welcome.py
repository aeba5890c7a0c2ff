"""What a page shows while it has no answer: a sentence, and the ways to get one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.gui.services.importer import Progress
from workbench.gui.services.plain import breakable, plain_button
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr


def welcome() -> str:
    """What stands where the page's question will stand once there is something to ask it of."""
    return tr("Which results do you want to open?")


def reading(names: str, progress: Progress | None) -> str:
    """What the page says while the first results are read: of what, how far, and what has come in."""
    if progress is None or not progress.files:
        return tr("Checking the files of {}…").format(breakable(names))
    words = tr("Files to import from {}: {}. Imported: {}. Folders with results: {}.")
    return words.format(breakable(names), progress.files, progress.files_done, progress.folders)


class Waiting(QWidget):
    """*Computing…*, and below it what of: page, phase and study."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.of_what = labelled(tr("Computing…"), "subtitle"), labelled("", "quiet")
        column = QVBoxLayout(self)
        column.setSpacing(6)
        column.addStretch(2)
        for label in (self.text, self.of_what):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        column.addStretch(3)

    def tell(self, of_what: str) -> None:
        """Says what is computed."""
        self.of_what.setText(of_what)
        self.setAccessibleName(f"{self.text.text()} {of_what}")


class Welcome(QWidget):
    """`asked` carries what was pressed: `folder`, `add`, `sample`, `damaged`, `prepare`, the command that the page
    offers, or the path of a recent folder."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = labelled("", "subtitle")
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        # A name of hundreds of letters makes the window no wider.
        self.text.setMinimumWidth(1)
        self.open = QPushButton(tr("Open folder…"))
        self.open.setProperty("kind", "primary")
        self.sample = QPushButton(tr("Try sample study"))
        self.damaged = QPushButton(tr("Try damaged study"))
        self.damaged.setToolTip(tr("Sample runs with one defect each: see how problems are reported"))
        self.prepare = QPushButton(tr("Prepare a test"))
        self.prepare.setToolTip(tr("Counters to log for your questions, and what a log cannot answer"))
        self.recent = QVBoxLayout()
        self._ways, self._adding = QWidget(), QWidget()
        self.add, self.sample_instead = QPushButton(tr("Add folder…")), QPushButton(tr("Open the sample study"))
        self.add.setProperty("kind", "primary")
        self._offered = ""
        self.offered = QPushButton()
        self.offered.setProperty("kind", "primary")
        self.offered.clicked.connect(lambda: self.asked.emit(self._offered))
        self._build()
        self.add.clicked.connect(lambda: self.asked.emit("add"))
        self.sample_instead.clicked.connect(lambda: self.asked.emit("sample"))
        self.open.clicked.connect(lambda: self.asked.emit("folder"))
        self.sample.clicked.connect(lambda: self.asked.emit("sample"))
        self.damaged.clicked.connect(lambda: self.asked.emit("damaged"))
        self.prepare.clicked.connect(lambda: self.asked.emit("prepare"))

    def show_ways(self, text: str, offered: bool, recent: tuple[str, ...]) -> None:
        """Shows the sentence; the buttons and the recent folders only where nothing is open yet."""
        self.text.setText(tr(text))
        self._ways.setVisible(offered)
        while (item := self.recent.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        if offered and recent:
            heading = labelled(tr("Recent"), "caption")
            self.recent.addWidget(heading, 0, Qt.AlignmentFlag.AlignHCenter)
        for path in recent if offered else ():
            button = QPushButton(plain_button(f"{Path(path).name}   —   {Path(path).parent}"))
            button.setProperty("kind", "quiet")
            button.setAccessibleName(f"Open again: {path}")
            button.clicked.connect(lambda _on, path=path: self.asked.emit(path))
            self.recent.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)

    def offer_adding(self, on: bool) -> None:
        """Offers to add results to those that are open, or to look at the sample's."""
        self._adding.setVisible(on)

    def offer(self, command: tuple[str, str] | None) -> None:
        """Offers a command of the window by its words and its key; None offers none."""
        self.offered.setVisible(command is not None)
        if command is not None:
            self.offered.setText(plain_button(tr(command[0])))
            self._offered = command[1]

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setSpacing(18)
        column.addStretch(2)
        column.addWidget(self.text)
        column.addWidget(self._ways)
        column.addWidget(self._adding)
        column.addWidget(self.offered, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self.recent)
        column.addStretch(3)
        _fill(self._ways, self.open, self.sample, self.damaged, self.prepare)
        _fill(self._adding, self.add, self.sample_instead)
        self._adding.hide()
        self.offered.hide()


def _fill(ways: QWidget, *buttons: QPushButton) -> None:
    row = QHBoxLayout(ways)
    row.setSpacing(12)
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
