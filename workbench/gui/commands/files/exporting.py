"""Exporting: the dialog, the export in the background, its progress, its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QDialog

from workbench.exporters.wanted import Wanted, What
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import Commands
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.translation import tr
from workbench.session.settings import DocumentFace, ExportChoices

# After this time, a cancelled export that has not ended is abandoned.
_OBEYS_MS = 800


class ExportCommands(Commands):
    """The commands for exports."""

    _told = Signal(str, float)

    _settings: SettingsKeeper
    _pages: Pages

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._end: Callable[[], None] | None = None
        self.dialog: QDialog | None = None
        self._told.connect(self._advance)
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._leave)

    @property
    def running(self) -> bool:
        """True while an export is running."""
        return self._end is not None

    def ask(self) -> None:
        """Opens the dialog with the choices used last, or brings it to the front."""
        self._ask(slides=False)

    def ask_slides(self) -> None:
        """Opens the dialog with the slides of the storyboard chosen."""
        self._ask(slides=True)

    def _ask(self, slides: bool) -> None:
        if not self._workspace.library.studies:
            self._status.tell(tr("Nothing to export yet. Open a result folder first."))
            return
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        from workbench.gui.dialogs.export_dialog import place_of

        folder = self._settings.settings.export_folder
        show = partial(self._show, slides)
        self._tasks.look("export folder", lambda: place_of(folder), show, late=partial(self._show_at_home, slides))

    def _show_at_home(self, slides: bool) -> None:
        """Shows the dialog with the home folder, because the folder of the last export does not respond."""
        self._tasks.abandon("export folder")
        self._show(slides, Path.home())

    def _show(self, slides: bool, folder: Path) -> None:
        from workbench.gui.dialogs.export_dialog import ExportDialog

        settings, names = self._settings.settings, self._names()
        choices = settings.export
        if slides:
            # "All" means the content of the storyboard, for slides as for every other document.
            choices = structs.replace(choices, what="all", ending=".pptx")
            names = [("all", tr("Storyboard")), *names[1:]]
        dialog = ExportDialog(self._parent, self._workspace, self._tasks, choices, folder, names, settings.face)
        dialog.asked.connect(self._asked)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.show()

    def to(self, request: Wanted) -> None:
        """Writes the request in the background."""
        if not self._workspace.library.studies:
            self._status.tell(tr("Nothing to export yet. Open a result folder first."))
            return
        if self.running:
            self._status.mention(tr("An export is still running. Cancel it, then export again."))
            return
        if request.what == "page":
            figure = self._pages.shown.figure
            request = replace(request, span=figure.zoomed_span if figure is not None else None)
        # The window starts without the exporters.
        from workbench.gui.commands.files.export_task import ExportTask

        workspace = self._workspace
        task = ExportTask(workspace.library, workspace.state, request, workspace.as_opened.studies)
        self._end = task.cancel
        self._status.begin(f"{tr('Exporting')} · {request.path.name}")
        self._tasks.run(
            "export",
            lambda: task.run(self._told.emit),
            lambda written: self._ended(in_one_line(written)),
            lambda error: self._ended(str(error)),
            apart=True,
        )

    def cancel(self) -> None:
        """Ends the running export; the earlier file stays."""
        if self._end is not None:
            self._end()
            self._patience.start(_OBEYS_MS)

    def _leave(self) -> None:
        """Stops waiting for a cancelled export that a share blocks."""
        if self._tasks.abandon("export"):
            self._ended("Cancelled: the export did not end in time. Check the network drive of the folder.")

    def close(self) -> None:
        """Stops asking and writing. Called when the window closes."""
        self.cancel()
        if self.dialog is not None:
            self.dialog.close()

    def _asked(self, request: Wanted, choices: ExportChoices, face: DocumentFace) -> None:
        self._settings.change(export=choices, face=face, export_folder=str(request.path.parent.absolute()))
        self.to(request)

    def _closed(self) -> None:
        self.dialog = None

    def _names(self) -> list[tuple[What, str]]:
        """The texts for what can be exported."""
        state = self._workspace.state
        spec = self._pages.shown.spec
        view = dict(spec.views).get(state.page_view(spec.key), spec.views[0][1] if spec.views else "")
        page = f"{tr(spec.name)} ({tr(view)})" if view else tr(spec.name)
        names: list[tuple[What, str]] = [("all", tr("Everything")), ("page", f"{tr('This page')}: {page}")]
        if state.views:
            names.append(("views", f"{tr('Saved views')} ({len(state.views)})"))
        return [*names, ("findings", tr("Findings"))]

    def _advance(self, text: str, share: float) -> None:
        if self._end is not None:
            self._status.fill(f"{tr('Exporting')} · {text}", share)

    def _ended(self, message: str) -> None:
        self._end = None
        self._patience.stop()
        self._status.tell(message)


def in_one_line(written: Any) -> str:
    """The report on an export (`Written`, which would load the exporters) for the status strip: omissions that the
    dialog has named are only counted."""
    known = len(set(written.left_out) - set(written.always))
    counted = tr("1 part is omitted") if known == 1 else tr("{} parts are omitted").format(known)
    named = tr("File › Export… lists omitted parts and the reasons.")
    return " ".join((written.sentence, *written.always, *([f"{counted}: {named}"] if known else [])))
