"""The dialog of the history folder: the place of past studies, and the studies stored now. It does not block the
window.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QLineEdit, QVBoxLayout, QWidget

from workbench.gui.dialogs.fields import choose_button
from workbench.gui.services.layout import in_row
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.widgets.labels import WrappedLabel

_LEAST = 560


class HistoryDialog(QDialog):
    """`keep_asked` and `read_asked` pass the folder: to store the open studies there, or only to show its content. An
    empty text shows no past runs. `to_keep` is the text on the studies that would be stored; empty if nothing is open.
    """

    keep_asked = Signal(str)
    read_asked = Signal(str)

    def __init__(self, parent: QWidget, folder: str, to_keep: str, *, in_use: bool) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setWindowTitle(tr("Keep in history"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.folder = QLineEdit(folder)
        self.folder.setAccessibleName(tr("History folder"))
        self.refusal = labelled("", tone="danger")
        self.refusal.setWordWrap(True)
        self.refusal.hide()
        self.buttons = QDialogButtonBox()
        self.keep = self.buttons.addButton(tr("Keep"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.keep.setProperty("kind", "primary")
        self.keep.setEnabled(bool(to_keep))
        self.read = self.buttons.addButton(tr("Show past runs only"), QDialogButtonBox.ButtonRole.ActionRole)
        self.stop = self.buttons.addButton(tr("Hide past runs"), QDialogButtonBox.ButtonRole.ResetRole)
        self.stop.setEnabled(in_use)
        self.buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.buttons.accepted.connect(lambda: self._ask(self.keep_asked))
        self.buttons.rejected.connect(self.reject)
        self.read.clicked.connect(lambda: self._ask(self.read_asked))
        self.stop.clicked.connect(self._stop)
        self._build(to_keep)
        # Buttons have their final width only after the style sheet is applied.
        for button in self.buttons.buttons():
            button.ensurePolished()
        self.setMinimumWidth(max(_LEAST, self.sizeHint().width()))

    def _build(self, to_keep: str) -> None:
        chooser = choose_button(tr("Choose the history folder"), self._choose)
        row = in_row(labelled(tr("History folder")), (self.folder, 1), chooser)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        kept = (
            tr("To save: {}").format(to_keep)
            if to_keep
            else tr("No run is open. Open a result folder to save its runs.")
        )
        explained = tr(
            "The folder stores one small file per study: configuration, build, date and metrics of each run, without "
            "samples. The Trend page shows these runs together with the open runs. The folder can be on a share."
        )
        for text, role in ((explained, "quiet"), (kept, "")):
            label = WrappedLabel(role)
            label.show_text(text)
            column.addWidget(label)
        column.addLayout(row)
        column.addWidget(self.refusal)
        column.addWidget(self.buttons)

    def _ask(self, signal: SignalInstance) -> None:
        folder = self.folder.text().strip()
        if not folder:
            self.refusal.setText(tr("Enter the history folder."))
            self.refusal.show()
            self.folder.setFocus()
            return
        signal.emit(str(Path(folder).expanduser()))
        self.accept()

    def _stop(self) -> None:
        self.read_asked.emit("")
        self.accept()

    def _choose(self) -> None:
        dialog = QFileDialog(self, tr("History folder"), self.folder.text())
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.folder.setText)
        dialog.open()
