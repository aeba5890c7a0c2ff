"""The Export dialog: choices at the left, a preview at the right. It does not block the window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QDialog, QFrame, QLabel, QListWidget, QListWidgetItem, QPushButton, QWidget

from workbench.exporters.anonymous import with_names
from workbench.exporters.preview import ExportPreview, PreviewEntry, preview, template_fault
from workbench.exporters.safe_file import NO_ROOM
from workbench.exporters.wanted import Wanted, What
from workbench.gui.dialogs.export_form import LENGTH_WORDS, ExportForm
from workbench.gui.plot.picture import render_figure
from workbench.gui.services.layout import in_column, in_row
from workbench.gui.services.plain import plain_tip
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.theme import labelled, restyle
from workbench.gui.services.translation import said, tr
from workbench.gui.services.workspace import Workspace
from workbench.session.settings import DocumentFace, ExportChoices

# Delay after typing before the preview is requested again.
_SETTLE_MS = 200
_DRAWN = (1120, 630)
# The content of a file of each format, for one study and for several; for other formats, `PAGES_AND_VIEWS`.
NOUNS = {
    ".pptx": ("slide with results", "slides with results"),
    ".png": ("image", "images"),
    ".svg": ("image", "images"),
    ".csv": ("table", "tables"),
    ".parquet": ("table", "tables"),
}
PAGES_AND_VIEWS = ("page or view", "pages and views")


class ExportDialog(QDialog):
    """`asked` passes the request, the choices of the form and the cover data of documents. The preview is computed in
    the background."""

    asked = Signal(object, object, object)

    def __init__(
        self,
        parent: QWidget,
        workspace: Workspace,
        tasks: Tasks,
        choices: ExportChoices,
        folder: Path,
        names: Sequence[tuple[What, str]],
        face: DocumentFace,
    ) -> None:
        super().__init__(parent)
        self._workspace, self._tasks = workspace, tasks
        self._known: dict[object, ExportPreview] = {}
        self._closed = self._slow = False
        self.preview: ExportPreview | None = None
        self.setObjectName("page")
        self.setWindowTitle(tr("Export"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        studies = sum(bool(study.runs or study.benchmarks) for study in workspace.library.studies)
        self.form = ExportForm(choices, folder, names, face, studies > 1)
        self.head = labelled("", "heading")
        self.list, self.picture = QListWidget(), _Picture()
        self.about, self.hint = labelled("", "quiet"), labelled("", "quiet")
        self.left_out = QListWidget()
        self.left_head = labelled("", "heading")
        self.export = QPushButton(tr("Export"))
        self.close_button = QPushButton(tr("Close"))
        self._timer = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        # The chart is drawn in a separate turn of the event loop, after the list, so neither blocks the window for
        # both.
        self._drawing = QTimer(self, singleShot=True, interval=0)
        self._build()
        self.form.changed.connect(self._changed)
        workspace.changed.connect(self._forget)
        workspace.library_changed.connect(self._forget)
        self._ask()

    def done(self, result: int) -> None:
        """Stops requesting the preview and waiting for it."""
        self._timer.stop()
        self._drawing.stop()
        self._closed = True
        super().done(result)

    def _build(self) -> None:
        self.resize(1080, 660)
        self.list.setAccessibleName(tr("Contents of the export"))
        self.left_out.setAccessibleName(tr("Omitted"))
        for view in (self.list, self.left_out):
            view.setFrameShape(QFrame.Shape.NoFrame)
            view.setTextElideMode(Qt.TextElideMode.ElideRight)
            view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            view.setSpacing(2)
        self.left_out.setWordWrap(True)
        self.left_out.setMaximumHeight(120)
        for label in (self.about, self.hint):
            label.setWordWrap(True)
        self.export.setProperty("kind", "primary")
        self.export.setDefault(True)
        self.close_button.setAutoDefault(False)
        # Texts in another language may be longer.
        self.form.setFixedWidth(max(400, self.form.minimumSizeHint().width()))
        left = in_column(self.form, self.hint, 1, in_row(1, self.close_button, self.export), spacing=14)
        in_row(left, (self._shown(), 1), on=self, margins=(18, 16, 18, 16), spacing=20)
        self._timer.timeout.connect(self._ask)
        self._drawing.timeout.connect(self._draw)
        self.list.currentRowChanged.connect(self._show_entry)
        self.export.clicked.connect(self._export)
        self.close_button.clicked.connect(self.close)

    def _shown(self) -> QFrame:
        card = QFrame()
        card.setProperty("card", True)
        parts = (self.head, (self.list, 3), (self.picture, 4), self.about, self.left_head, (self.left_out, 1))
        in_column(*parts, on=card, margins=(16, 12, 16, 12), spacing=8)
        return card

    def _export(self) -> None:
        request = self.form.wanted
        if request.template is None:
            self._export_now()
            return
        self.export.setEnabled(False)
        self._tasks.run(
            "export template",
            lambda: template_fault(request),
            lambda fault: self._go_on(request, fault),
            lambda error: self._go_on(request, str(error)),
            apart=True,
        )

    def _go_on(self, request: Wanted, fault: str) -> None:
        """Exports, except if the template cannot be used or was changed meanwhile: then the dialog stays open."""
        if self._closed:
            return
        self.export.setEnabled(bool(self.preview and self.preview.entries))
        if fault and request == self.form.wanted:
            self.form.refuse_template(fault)
        elif request == self.form.wanted:
            self._export_now()

    def _export_now(self) -> None:
        self.asked.emit(self.form.wanted, self.form.choices, self.form.face.kept)
        self.close()

    def _forget(self, *_change: object) -> None:
        self._known.clear()
        self._timer.start()

    def _changed(self) -> None:
        self._say_where()
        self._timer.start()

    def _ask(self) -> None:
        """Shows the preview if it is known for these choices, otherwise requests it in the background."""
        self._timer.stop()
        request = self.form.wanted
        key = _kind(request)
        self._say_where()
        if (known := self._known.get(key)) is not None:
            self._show(known)
            return
        self.preview = None
        self.export.setEnabled(False)
        self.head.setText(tr("Checking contents…"))
        library, state = self._workspace.library, self._workspace.state
        studies = self._workspace.as_opened.studies
        self._tasks.run(
            "export preview",
            lambda: preview(library, state, with_names(request, studies, state)),
            lambda outcome: self._take(key, outcome),
            lambda error: self._take(key, ExportPreview((), refused=str(error))),
        )

    def _take(self, key: object, outcome: ExportPreview) -> None:
        if self._closed:
            return
        self._known[key] = outcome
        if key == _kind(self.form.wanted):
            self._show(outcome)

    def _show(self, outcome: ExportPreview) -> None:
        self.preview = outcome
        self.export.setEnabled(bool(outcome.entries))
        with QSignalBlocker(self.list):
            self.list.clear()
            for entry in outcome.entries:
                item = QListWidgetItem(said(entry.name))
                item.setToolTip(plain_tip(said(entry.name)))
                self.list.addItem(item)
            self.list.setCurrentRow(0)
        singular, many = NOUNS.get(self.form.ending, PAGES_AND_VIEWS)
        noun = tr(singular if len(outcome.entries) == 1 else many)
        self.head.setText(f"{len(outcome.entries)} {noun}" if outcome.entries else said(outcome.refused))
        self.head.setProperty("tone", "" if outcome.entries else "warning")
        restyle(self.head)
        self.left_head.setText(f"{tr('Omitted')} ({len(outcome.left_out)})")
        self.left_out.clear()
        self.left_out.addItems([_omission(text) for text in outcome.left_out])
        for widget in (self.left_head, self.left_out):
            widget.setVisible(bool(outcome.left_out))
        self._show_entry(0)
        self._say_where()

    def _show_entry(self, row: int) -> None:
        entry = self._entry(row)
        self.about.setText(said(entry.about))
        figure = entry.figure
        self.picture.setVisible(figure is not None and not figure.empty)
        self._drawing.start()

    def _entry(self, row: int) -> PreviewEntry:
        entries = self.preview.entries if self.preview is not None else ()
        return entries[row] if 0 <= row < len(entries) else PreviewEntry("")

    def _draw(self) -> None:
        """Draws the chart of the current entry."""
        figure = self._entry(self.list.currentRow()).figure
        if figure is not None and not figure.empty:
            image = render_figure(figure, _DRAWN, self.form.wanted.theme, title=False)
            self.picture.take(QPixmap.fromImage(image))

    def _say_where(self) -> None:
        request = self.form.wanted
        names = self.preview.files if self.preview is not None else ()
        topic = "export place"
        if self._slow:
            self._tasks.run(topic, lambda: _about_place(request, names), self._say, apart=True)
        else:
            self._tasks.look(topic, lambda: _about_place(request, names), self._say, late=self._note_slow)

    def _say(self, words: str) -> None:
        if not self._closed:
            self.hint.setText(words)

    def _note_slow(self) -> None:
        """Stops waiting for the folder because it answers too slowly."""
        self._slow = True
        self.hint.setText("")


def _about_place(request: Wanted, names: Sequence[str]) -> str:
    """The dialog's data about the target folder. Reads the folder, so do not call it on the window's thread."""
    path = request.path
    if not path.parent.is_dir():
        words = f"The folder {path.parent} does not exist."
    elif request.template is not None and not request.template.is_file():
        words = f"The template {request.template} does not exist."
    elif request.face.logo is not None and not request.face.logo.is_file():
        words = f"The logo {request.face.logo} does not exist."
    elif len(names) > 1:
        words = f"{len(names)} files will be written to one folder, starting with {names[0]}."
    elif path.exists():
        words = f"{path.name} already exists. It will be replaced when the new file is complete."
    else:
        words = ""
    return words


class _Picture(QLabel):
    """An image as large as the room permits."""

    def __init__(self) -> None:
        super().__init__()
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMinimumHeight(120)
        self.setAccessibleName(tr("Chart"))
        self._whole = QPixmap()

    def take(self, whole: QPixmap) -> None:
        """Shows the image."""
        self._whole = whole
        self._fit()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Scales the image to the new size."""
        self._fit()

    def _fit(self) -> None:
        if self._whole.isNull() or self.width() < 2:
            return
        ratio = self.devicePixelRatioF()
        shown = self._whole.scaled(
            self.size() * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        shown.setDevicePixelRatio(ratio)
        self.setPixmap(shown)


def _kind(request: Wanted) -> object:
    """The choices that the entries depend on: not theme, size, place or cover."""
    return (
        request.what,
        request.only,
        request.path.suffix.lower(),
        request.anonymise,
        request.each_study,
        request.length,
    )


def _omission(text: str) -> str:
    """The sentence on an omitted part, with the choice that includes it."""
    longest = tr(LENGTH_WORDS[-1][1])
    return (
        f"{said(text)} {tr('Choose “{}” for “{}”.').format(longest, tr('Length'))}" if NO_ROOM in text else said(text)
    )


def place_of(folder: str | None) -> Path:
    """The folder of the last export, otherwise the user's home."""
    path = Path(folder) if folder else Path.home()
    return path if path.is_dir() else Path.home()
