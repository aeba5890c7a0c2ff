"""Exporting from the window: the dialog, the export beside the window, its progress, its end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs
from PySide6.QtCore import QObject, Signal

from workbench.exporters.wanted import Wanted, What
from workbench.gui.services.translation import tr

if TYPE_CHECKING:
    from workbench.exporters.job import Written
    from workbench.gui.dialogs.export_dialog import ExportDialog
    from workbench.gui.services.export_task import ExportTask
    from workbench.gui.shell.main_window import MainWindow


class ExportCommands(QObject):
    """The commands of the action table that begin with `exports.`."""

    _told = Signal(str, float)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._task: ExportTask | None = None
        self.dialog: ExportDialog | None = None
        self._told.connect(self._advance)
        window.strip.cancelled.connect(self.cancel)

    @property
    def running(self) -> bool:
        """Whether an export is under way."""
        return self._task is not None

    def ask(self) -> None:
        """Opens the dialog, or brings it to the front."""
        if not self._window.workspace.library.studies:
            self._window.strip.tell(tr("There is nothing to export yet: open a result folder first."))
            return
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        from workbench.gui.dialogs.export_dialog import ExportDialog, place_of

        settings = self._window.settings
        dialog = ExportDialog(self._window, settings.export, place_of(settings.export_folder), self._names())
        dialog.asked.connect(self._asked)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.show()

    def to(self, wanted: Wanted) -> None:
        """Writes what is wanted, beside the window."""
        window = self._window
        if not window.workspace.library.studies:
            window.strip.tell(tr("There is nothing to export yet: open a result folder first."))
            return
        if self.running:
            window.strip.message.show_text(tr("Still exporting. Cancel first, then export again."))
            return
        if wanted.what == "page":
            figure = window.page.figure
            wanted = replace(wanted, span=figure.zoomed_span if figure is not None else None)
        # The window starts without the exporters.
        from workbench.gui.services.export_task import ExportTask

        task = self._task = ExportTask(window.workspace.library, window.workspace.state, wanted)
        window.strip.begin(f"{tr('Exporting')} · {wanted.path.name}")
        window.tasks.run("export", lambda: task.run(self._told.emit), self._done, self._failed)

    def cancel(self) -> None:
        """Ends the export that is under way; what was there before stays."""
        if self._task is not None:
            self._task.cancel()

    def close(self) -> None:
        """Called when the window closes: nothing is asked or written any more."""
        self.cancel()
        if self.dialog is not None:
            self.dialog.close()

    def _asked(self, wanted: Wanted) -> None:
        assert self.dialog is not None
        self._window.settings = structs.replace(
            self._window.settings,
            export=self.dialog.form.choices,
            export_folder=str(wanted.path.parent.absolute()),
        )
        self.to(wanted)

    def _closed(self) -> None:
        self.dialog = None

    def _names(self) -> list[tuple[What, str]]:
        """What can be exported, in words."""
        window = self._window
        state = window.workspace.state
        spec = window.page.spec
        view = dict(spec.views).get(state.page_view(spec.key), spec.views[0][1] if spec.views else "")
        page = f"{tr(spec.name)} ({tr(view)})" if view else tr(spec.name)
        names: list[tuple[What, str]] = [("all", tr("Everything")), ("page", f"{tr('This page')}: {page}")]
        if state.views:
            names.append(("views", f"{tr('Saved views')} ({len(state.views)})"))
        return [*names, ("findings", tr("Findings"))]

    def _advance(self, text: str, share: float) -> None:
        if self._task is not None:
            self._window.strip.message.show_text(f"{tr('Exporting')} · {text}")
            self._window.strip.bar.setValue(round(1000 * share))

    def _done(self, written: Written) -> None:
        self._task = None
        self._window.strip.tell(" ".join(written.text.split("\n")))

    def _failed(self, error: Exception) -> None:
        self._task = None
        self._window.strip.tell(str(error))
