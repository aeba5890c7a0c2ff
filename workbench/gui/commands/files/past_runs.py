"""Past runs: the figures of what is open are kept in a history folder, and those that lie there are shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from workbench.answers.trend.spec import FOLDER, KEY
from workbench.gui.dialogs.history_dialog import HistoryDialog
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.status import StatusLine
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace
from workbench.words.lists import first_named

# So many studies are named in the dialog.
_NAMED = 3


class PastRunCommands(QObject):
    """The commands of the action table that begin with `past_runs.`."""

    def __init__(
        self, parent: QWidget, workspace: Workspace, tasks: Tasks, status: StatusLine, settings: SettingsKeeper
    ) -> None:
        super().__init__(parent)
        self._parent, self._workspace, self._tasks = parent, workspace, tasks
        self._status, self._settings = status, settings
        self.dialog: HistoryDialog | None = None

    def ask(self) -> None:
        """Asks for the folder: that of the workspace, else the one that was used last."""
        folder = str(self._workspace.state.input(FOLDER, ""))
        used = folder or self._settings.settings.history_folder
        self.dialog = HistoryDialog(self._parent, used, self._to_keep(), in_use=bool(folder))
        self.dialog.keep_asked.connect(self.keep)
        self.dialog.read_asked.connect(self.show)
        self.dialog.open()

    def keep(self, folder: str) -> None:
        """Keeps every open study in the folder, beside the window: the folder may lie on a share."""
        library, state = self._workspace.library, self._workspace.state

        def work() -> list[str]:
            from workbench.answers.trend.keep import keep_study  # the window starts without it

            groups = {study.folder: library.groups(replace(state, study=study.folder)) for study in library.with_runs}
            return [keep_study(Path(folder), study, groups[study.folder]).sentence for study in library.with_runs]

        def done(sentences: list[str]) -> None:
            self.show(folder)
            count = len(sentences) - 1
            words = tr(" And 1 study more.") if count == 1 else tr(" And {} studies more.").format(count)
            more = words if count else ""
            self._status.tell(sentences[0] + more)

        self._status.mention(tr("Keeping in {}…").format(folder))
        self._tasks.run("past runs", work, done, lambda error: self._status.warn(str(error)), apart=True)

    def show(self, folder: str) -> None:
        """Shows the past runs of the folder on the page Trend, none of them where it is empty."""
        if folder:
            self._settings.change(history_folder=folder)
            self._settings.write()
        state = self._workspace.state
        state = state.with_input(FOLDER, folder) if folder else state.without_inputs(frozenset((FOLDER,)))
        self._workspace.apply(inputs=state.inputs, page=KEY)

    def _to_keep(self) -> str:
        studies = self._workspace.library.with_runs
        names = [study.name for study in studies]
        runs = sum(len(study.runs) for study in studies)
        return f"{runs} run{'s' * (runs != 1)} of {first_named(names, _NAMED)}" if names else ""
