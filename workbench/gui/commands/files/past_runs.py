"""Past runs: stores the values of the open studies in a history folder, and shows the runs in that folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from workbench.answers.trend.keep import Kept
from workbench.answers.trend.spec import FOLDER, KEY
from workbench.file_replace import reason
from workbench.gui.dialogs.history_dialog import HistoryDialog
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.settings_keeper import SettingsKeeper
from workbench.gui.services.translation import said, tr
from workbench.session.state import State

# Number of studies named in the dialog.
_NAMED = 3
# The topic of checks of the folder: only the newest check counts.
_LOOK = "history folder"


class PastRunCommands(Commands):
    """The commands for the history."""

    _settings: SettingsKeeper

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self.dialog: HistoryDialog | None = None
        # If a folder on a share does not respond, only one thread waits for it, not one per page.
        self._looks = False
        self._shown = 0
        self._workspace.changed.connect(self._changed)
        self._workspace.library_changed.connect(self._look_again)

    @command("&File", "Keep in histor&y…", place=320)
    def ask(self) -> None:
        """Asks for the folder. The default is the folder of the workspace, otherwise the last one used."""
        folder = str(self._workspace.state.input(FOLDER, ""))
        used = folder or self._settings.settings.history_folder
        self.dialog = HistoryDialog(self._parent, used, self._to_keep(), in_use=bool(folder))
        self.dialog.keep_asked.connect(self.keep)
        self.dialog.read_asked.connect(self.show)
        self.dialog.open()

    def keep(self, folder: str) -> None:
        """Stores every open study in the folder, in the background, because the folder may be on a share."""
        library, state = self._workspace.library, self._workspace.state

        def work() -> list[Kept]:
            from workbench.answers.trend.keep import keep_study  # the window starts without this module

            groups = {study.folder: library.groups(replace(state, study=study.folder)) for study in library.with_runs}
            return [keep_study(Path(folder), study, groups[study.folder]) for study in library.with_runs]

        def done(kept: list[Kept]) -> None:
            self.show(folder)
            count = len(kept) - 1
            words = tr(" 1 more study was saved.") if count == 1 else tr(" {} more studies were saved.").format(count)
            more = words if count else ""
            self._status.tell(kept_text(kept[0]) + more)

        self._status.mention(tr("Saving to {}…").format(folder))
        self._tasks.run("past runs", work, done, self._refused, apart=True)

    def _refused(self, error: Exception) -> None:
        # The window starts without these modules.
        from workbench.study.history.write import HistoryError
        from workbench.study.store.columns import ColumnsError

        if isinstance(error, HistoryError | ColumnsError):
            self._status.warn(str(error))
        elif isinstance(error, OSError):
            self._status.warn(tr("Some studies were not saved: {}. Choose another folder.").format(reason(error)))
        else:
            self._status.warn(tr("Some studies were not saved. Try again."))

    def show(self, folder: str) -> None:
        """Shows the past runs of the folder, as it is now, on the page Trend; none if the folder text is empty."""
        if not folder:
            inputs = self._workspace.state.without_inputs(frozenset((FOLDER,))).inputs
            self._workspace.apply(inputs=inputs, page=KEY, history_seen="")
            return
        self._settings.change(history_folder=folder)
        self._settings.write()
        # Read once more even if no file seems changed, because a share may report times in steps of two seconds.
        self._shown += 1
        unknown = self._stamp("")

        def looked(seen: str) -> None:
            if self._workspace.state.history_seen == unknown:
                self._compare(folder, seen)
            else:
                self._show(folder, seen)

        self._look(folder, looked, late=lambda: self._show(folder, unknown))

    def _show(self, folder: str, seen: str) -> None:
        inputs = self._workspace.state.with_input(FOLDER, folder).inputs
        self._workspace.apply(inputs=inputs, page=KEY, history_seen=seen)

    def _changed(self, before: State, after: State) -> None:
        if (after.page, after.input(FOLDER, "")) != (before.page, before.input(FOLDER, "")):
            self._look_again()

    def _look_again(self) -> None:
        """Checks if the files of the shown folder have changed; if so, the page is computed again."""
        folder = str(self._workspace.state.input(FOLDER, ""))
        if folder and not self._looks:
            self._look(folder, lambda seen: self._compare(folder, seen))

    def _compare(self, folder: str, seen: str) -> None:
        state = self._workspace.state
        if folder != state.input(FOLDER, ""):
            self._look_again()
        elif seen != state.history_seen:
            self._workspace.apply(history_seen=seen)

    def _look(self, folder: str, done: Callable[[str], None], late: Callable[[], None] | None = None) -> None:
        """Checks the folder in the background. With `late`, the window waits a moment for the result."""

        def work() -> str:
            from workbench.study.history.read import folder_stamp  # the window starts without this module

            return folder_stamp(Path(folder))

        def looked(stamp: str) -> None:
            self._looks = False
            done(self._stamp(stamp))

        def failed(error: Exception) -> None:
            self._looks = False
            self._tasks.failed.emit(error)

        self._looks = True
        if late is None:
            self._tasks.run(_LOOK, work, looked, failed, apart=True)
        else:
            self._tasks.look(_LOOK, work, looked, failed, late)

    def _stamp(self, stamp: str) -> str:
        return f"{self._shown} {stamp}"

    def _to_keep(self) -> str:
        studies = self._workspace.library.with_runs
        if not studies:
            return ""
        runs, others = sum(len(study.runs) for study in studies), len(studies) - _NAMED
        names = ", ".join(said(f"'{study.name}'") for study in studies[:_NAMED])
        names += tr(" and {} more").format(others) if others > 0 else ""
        return tr("1 run of {}").format(names) if runs == 1 else tr("{} runs of {}").format(runs, names)


def kept_text(kept: Kept) -> str:
    """The message about a stored study, in the language of the window; in English it equals `Kept.sentence`."""
    words = tr("Saved 1 run of {}") if kept.runs == 1 else tr("Saved {} runs of {}")
    words = words.format(*((kept.study,) if kept.runs == 1 else (kept.runs, kept.study)))
    out = tr(" ({} of them excluded)").format(kept.excluded) if kept.excluded else ""
    left = tr(" These runs have not ended and were not saved: {}.").format(kept.running) if kept.running else ""
    return words + out + tr(" in {}.").format(kept.file) + left
