"""The user's statements about runs: the Run menu, the menu of the tree, and the editor of runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from workbench.answers.common.baselines import baseline_words
from workbench.gui.commands.files.folders import FolderCommands
from workbench.gui.commands.preferences import PreferenceKeeper
from workbench.gui.dialogs import questions as dialogs
from workbench.gui.dialogs.column_mapper import ColumnMapper
from workbench.gui.dialogs.text_question import TextQuestion
from workbench.gui.runs.run_editor import NO_REASON, RunEditor, reason_hint
from workbench.gui.runs.runs_tree import RowKind, RunsTree
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.plain import plain_button
from workbench.gui.services.translation import tr
from workbench.measures.configurations import baseline_of
from workbench.model.edits import RunEdits
from workbench.model.problem import few_named
from workbench.model.run import BaselineEvidence, Run
from workbench.study.discovery.infer import is_merged, of_one_name
from workbench.study.overrides import lacks_time_zone
from workbench.study.series.vm_series import vm_names
from workbench.study.splitting import split

NONE_CHOSEN = "Select one or more runs in the tree on the left first."


class RunCommands(Commands):
    """The commands for runs."""

    _tree: RunsTree
    _preferences: PreferenceKeeper
    _mapper: ColumnMapper
    _folders: FolderCommands

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._tree.menu_wanted.connect(self.show_menu)
        self._tree.renamed.connect(self.rename_to)
        self._tree.baseline_asked.connect(self.show_baselines)

    @command("&Run", "&Include everything", place=220)
    def include_all(self) -> None:
        """Undoes every hiding and every manual exclusion."""
        state = self._workspace.state
        counted = [replace(edit, excluded=None) for edit in state.edits]
        self._workspace.apply(hidden=frozenset(), edits=state.with_edits(*counted).edits)
        self._status.tell("All configurations and runs are included. Undo: Ctrl+Z.")

    @command("&Run", "&Edit run…", "Alt+Return", place=105)
    def edit(self, *runs: str) -> None:
        """Opens the editor for the runs in these folders, otherwise for those selected in the tree."""
        shown, read = self._workspace.library.figures or {}, self._workspace.as_read.figures or {}
        folders = [run for run in runs or self._tree.selected_runs() if run in shown and run in read]
        if not folders:
            self._status.tell(NONE_CHOSEN)
            return
        state = self._workspace.state
        names = dict.fromkeys(run.run.configuration.name for run in shown.values())
        editor = RunEditor(
            self._parent,
            [shown[folder] for folder in folders],
            [read[folder] for folder in folders],
            [state.edits_of(folder) for folder in folders],
            [self._reason(folder) for folder in folders],
            list(names),
            self._preferences.cache_unit,
        )
        editor.confirmed.connect(self.state_edits)
        editor.show()

    def state_edits(self, edits: Sequence[RunEdits]) -> None:
        """Applies the edits of an editor as one step of undo. The parts of a split folder get the statements about the
        folder."""
        state = self._workspace.state
        changed = [edit for edit in edits if edit != state.edits_of(edit.run)]
        if changed:
            fresh = [edit for edit in changed if edit.split and not state.edits_of(edit.run).split]
            self._workspace.apply(edits=state.with_edits(*changed, *self._parts(fresh)).edits)
            self._status.tell(f"Changed {self._names([edits.run for edits in changed])}. Undo: Ctrl+Z.")

    @command("&Run", "&Rename configuration", place=110)
    def rename(self) -> None:
        """Asks for another name for the configuration of the current row of the tree."""
        if self._tree.selected_runs():
            self._tree.rename()
        else:
            self._status.tell(NONE_CHOSEN)

    def rename_to(self, folders: Sequence[str], name: str) -> None:
        """Gives the configuration of these runs another name."""
        read = self._workspace.as_read.figures or {}
        self.state_edits(
            [
                replace(
                    self._workspace.state.edits_of(folder),
                    configuration=None if read[folder].run.configuration.name == name else name,
                )
                for folder in folders
                if folder in read
            ]
        )

    @command("&Run", "Set as &baseline", place=115)
    def use_as_baseline(self) -> None:
        """Makes the configuration of the current row of the tree the baseline of the study."""
        runs = self._tree.selected_runs()[:1]
        for study in self._workspace.library.with_runs:
            for group in self._workspace.library.groups(replace(self._workspace.state, study=study.folder)):
                if any(member.run.folder in runs for member in (*group.runs, *group.excluded)):
                    self.compare_with(group.label, study.folder)
        if not runs:
            self._status.tell(NONE_CHOSEN)

    @command("&Run", "Reset base&line", place=120)
    def compare_with(self, label: str = "", study: str = "") -> None:
        """Makes a configuration the baseline of the study with this folder, otherwise of the current study. Without a
        label the study's default rule decides."""
        state = replace(self._workspace.state, study=study or self._workspace.state.study)
        self._workspace.apply(edits=self._workspace.library.with_baseline(state, label).edits)
        state = replace(self._workspace.state, study=state.study)
        base = baseline_of(self._workspace.library.groups(state))
        if base is not None:
            self._status.tell(f"{baseline_words(base)} Undo: Ctrl+Z.")

    def baselines_menu(self, study: str) -> QMenu:
        """A menu of the configurations of a study, to choose the baseline."""
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(tr("Choose the baseline"))
        groups = self._workspace.library.groups(replace(self._workspace.state, study=study))
        for group in groups:
            if group.runs:
                entry = menu.addAction(plain_button(group.label), partial(self.compare_with, group.label, study))
                entry.setCheckable(True)
                entry.setChecked(group.baseline_by is not None)
        menu.addSeparator()
        entry = menu.addAction(tr("Reset baseline"), partial(self.compare_with, "", study))
        entry.setEnabled(any(group.baseline_by is BaselineEvidence.CHOICE for group in groups))
        return menu

    def show_baselines(self, study: str, point: QPoint) -> None:
        """Shows that menu at a place on the screen."""
        self.baselines_menu(study).popup(point)

    @command("&Run", "E&xclude/include run", "Ctrl+L", place=130)
    def exclude(self, folder: str = "") -> None:
        """Asks for a reason and excludes the selected runs; includes runs that are excluded."""
        folders = [folder] if folder else self._tree.selected_runs()
        if not folders:
            self._status.tell(NONE_CHOSEN)
        elif all(self._reason(folder) for folder in folders):
            self.exclude_with(folders, "")
        else:
            question = TextQuestion(
                self._parent,
                tr("Exclude from results"),
                f"Reason for excluding {self._names(folders)}:",
                hint=reason_hint(),
                confirm=tr("Exclude"),
                needed=NO_REASON,
                lines=False,
            )
            question.answered.connect(lambda reason: self.exclude_with(folders, reason))
            question.open()

    def exclude_with(self, folders: Sequence[str], reason: str) -> None:
        """Excludes the runs for a reason; without a reason includes them."""
        state, read, reason = self._workspace.state, self._workspace.as_read.figures or {}, reason.strip()
        self.state_edits(
            [
                replace(state.edits_of(folder), excluded=_stated(reason, read[folder].run.excluded))
                for folder in folders
                if folder in read
            ]
        )
        done = f"Excluded {self._names(folders)}: {reason}." if reason else f"{self._names(folders)} included."
        self._status.tell(f"{done} Undo: Ctrl+Z.")

    def leave_machine_out(self, vm: str) -> None:
        """Excludes a machine that is not a VM (a host, a launcher, a server) from the figures of every run of the study
        that contains it."""
        study = self._workspace.library.study(self._workspace.state.study)
        with_it = [run for run in (study.runs if study else ()) if vm in vm_names(run)]
        self.leave_machines_out([run.folder for run in with_it], (vm,))

    def leave_machines_out(self, folders: Sequence[str], machines: Sequence[str]) -> None:
        """Excludes machines that are not VMs from the figures of these runs."""
        edits = [self._workspace.state.edits_of(folder) for folder in folders]
        self.state_edits([replace(edit, left_out=_with(edit.left_out, machines)) for edit in edits])

    def count_as_desktops(self, folders: Sequence[str], machines: Sequence[str]) -> None:
        """Counts machines of these runs as VMs, although they look different."""
        edits = [self._workspace.state.edits_of(folder) for folder in folders]
        self.state_edits([replace(edit, counted=_with(edit.counted, machines)) for edit in edits])

    def count_machines(self, folder: str) -> None:
        """Counts every machine of a run as a VM again, and asks again about those that differ from the others."""
        self.state_edits([replace(self._workspace.state.edits_of(folder), left_out=(), counted=())])

    def swap_day_and_month(self, folders: Sequence[str]) -> None:
        """Reads the guessed dates of these runs with day and month swapped."""
        state, read = self._workspace.state, self._workspace.as_read.figures or {}
        edits = [
            replace(state.edits_of(folder), date_order=each.dates.other)
            for folder in folders
            for each in (read[folder].run.recordings if folder in read else ())
            if each.dates is not None and each.date_guessed
        ]
        self.state_edits(list({edit.run: edit for edit in edits}.values()))
        self._status.tell(f"Day and month swapped in {self._names(folders)}. Undo: Ctrl+Z.")

    def read_numbers_otherwise(self, folders: Sequence[str]) -> None:
        """Separates runs of one configuration by the last numbers of their folder names, or joins folders that differ
        only in a number as runs of one configuration. Applies to each of these runs and the runs decided together
        with it."""
        together = self._of_one_name(folders)
        state = self._workspace.state
        self.state_edits(
            [replace(state.edits_of(run.folder), configuration=run.other_configuration) for run in together]
        )
        names = dict.fromkeys(run.other_configuration for run in together)
        self._status.tell(f"Configurations now: {few_named([*names])}. Undo: Ctrl+Z.")

    def read_numbers_as_found(self, folders: Sequence[str]) -> None:
        """Undoes the decisions about the numbers of these runs' folders."""
        state = self._workspace.state
        together = self._of_one_name(folders)
        self.state_edits([replace(state.edits_of(run.folder), configuration=None) for run in together])

    def _of_one_name(self, folders: Sequence[str]) -> list[Run]:
        studies = self._workspace.as_read.studies
        return [run for study in studies for folder in folders for run in of_one_name(study.runs, folder)]

    def split(self, folders: Sequence[str]) -> None:
        """Makes each part of folders that mix hosts or days a separate run, with the statements about the folder."""
        state, read = self._workspace.state, self._workspace.as_read.figures or {}
        edits = [replace(state.edits_of(folder), split=True) for folder in folders if folder in read]
        parts = self._parts(edits)
        self._workspace.apply(edits=state.with_edits(*edits, *parts).edits)
        self._status.tell(f"Split {self._names(folders)} into {len(parts)} runs. Undo: Ctrl+Z.")

    def _parts(self, edits: Sequence[RunEdits]) -> list[RunEdits]:
        """The statements about each part of split folders."""
        read = self._workspace.as_read.figures or {}
        return [
            replace(edit, run=part.folder, excluded=None, phases=(), split=False)
            for edit in edits
            for part in split(read[edit.run].run)
        ]

    def join(self, folder: str) -> None:
        """Joins the parts of a split folder to one run again. Statements about the parts are lost."""
        state = self._workspace.state
        kept = tuple(edit for edit in state.edits if str(Path(edit.run).parent) != folder)
        joined = replace(state, edits=kept).with_edits(replace(state.edits_of(folder), split=False))
        self._workspace.apply(edits=joined.edits)
        self._status.tell(f"{Path(folder).name} is one run again. Undo: Ctrl+Z.")

    @command("&Run", "&Time zone…", place=205)
    def time_zone(self, folder: str = "") -> None:
        """Asks for the time zone of runs whose files contain none."""
        study = self._workspace.library.study(self._workspace.state.study)
        runs = [run for run in (study.runs if study else ()) if lacks_time_zone(run)]
        chosen = [run for run in runs if not folder or run.folder == folder]
        if not chosen:
            self._status.tell("All files of this study contain their UTC offset, so no time zone is needed.")
            return
        if zone := dialogs.ask_time_zone(self._parent, [run.name for run in chosen]):
            state = self._workspace.state
            stated = [replace(state.edits_of(run.folder), time_zone=zone) for run in chosen]
            self._workspace.apply(edits=state.with_edits(*stated).edits)

    @command("&Run", "&Map columns…", place=210)
    def map_columns(self, name: str = "") -> None:
        """Asks for the meaning of the columns of a CSV of an unknown format, and opens everything again."""
        self._mapper.ask(name)

    def show_menu(self, kind: int, key: str, point: QPoint) -> None:
        """Shows the menu of a row of the tree at a place on the screen."""
        self.menu(kind, key).popup(point)

    def menu(self, kind: int, key: str) -> QMenu:
        """The menu of a row of the tree, by its kind and key."""
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(tr("Tree menu"))
        if kind == RowKind.STUDY:
            menu.addAction(tr("Show this study"), lambda: self._workspace.apply(study=key))
            menu.addAction(tr("Close study"), lambda: self._folders.close_study(key))
            menu.addAction(tr("Refresh"), self._folders.refresh)
        elif kind == RowKind.VM:
            menu.addAction(tr("Highlight VM"), lambda: self._workspace.apply(lit_vm=key))
            menu.addAction(tr("Exclude machine"), lambda: self.leave_machine_out(key))
        else:
            self._fill_run_menu(menu, kind, key)
        return menu

    def _fill_run_menu(self, menu: QMenu, kind: int, key: str) -> None:
        runs = self._tree.selected_runs()
        many = f"{len(runs)} runs" if len(runs) > 1 else "run"
        menu.addAction(f"Edit {many}…", self.edit)
        menu.addAction(tr("Rename configuration"), self.rename)
        out = bool(runs) and all(self._reason(run) for run in runs)
        menu.addAction(f"Include {many}" if out else f"Exclude {many}…", self.exclude)
        if kind == RowKind.RUN:
            menu.addAction(tr("Time zone…"), lambda: self.time_zone(key))
            self._offer_decisions(menu, key)
            return
        menu.addAction(tr("Set as baseline"), self.use_as_baseline)
        labels = [group.label for group in self._workspace.library.groups(self._workspace.state)]
        others = frozenset(labels) - {key}
        menu.addAction(tr("Hide other configurations"), lambda: self._workspace.apply(hidden=others))
        menu.addAction(tr("Show all configurations"), lambda: self._workspace.apply(hidden=frozenset()))

    def _offer_decisions(self, menu: QMenu, folder: str) -> None:
        """Adds to the menu: undo decisions about the machines and parts of a run, split it, or read the last number of
        its folder name the other way."""
        edits, figures = self._workspace.state.edits_of(folder), (self._workspace.library.figures or {}).get(folder)
        together = self._of_one_name([folder])
        if len(together) > 1 and edits.configuration is None:
            words = tr("Separate these runs") if is_merged(together[0]) else tr("Join into one configuration")
            menu.addAction(words, lambda: self.read_numbers_otherwise([folder]))
        if edits.left_out or edits.counted:
            menu.addAction(tr("Include all machines"), lambda: self.count_machines(folder))
        if figures and figures.run.split_from:
            whole = figures.run.split_from
            menu.addAction(tr("Undo folder split"), lambda: self.join(whole))
        elif figures and any(problem.code == "runs-mixed" for problem in figures.problems):
            menu.addAction(tr("Split into runs"), lambda: self.split([folder]))

    def _reason(self, folder: str) -> str:
        read = (self._workspace.as_read.figures or {}).get(folder)
        stated = read.run.excluded if read else None
        return self._workspace.state.excluded.get(folder, stated) or ""

    def _names(self, folders: Sequence[str]) -> str:
        figures = self._workspace.library.figures or {}
        names = [figures[folder].run.name if folder in figures else folder for folder in folders]
        return few_named(names)


def _with(names: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*names, *more)))


def _stated(reason: str, read: str | None) -> str | None:
    """The edit that excludes a run for a reason, or includes it, if its run.toml says `read`."""
    if reason:
        return None if reason == read else reason
    return "" if read else None
