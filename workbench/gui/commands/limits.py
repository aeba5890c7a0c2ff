"""Acceptance limits: edited in a dialog, kept in the workspace, and written to a file only if the user asks for it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from workbench.answers.limits.file import FILE, TEXT, limits_of, limits_toml
from workbench.answers.limits.limit import Limit
from workbench.answers.limits.spec import KEY
from workbench.charts.tables import Cell
from workbench.file_replace import reason
from workbench.gui.dialogs.limits_dialog import LimitsDialog
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.translation import tr
from workbench.measures.configurations import baseline_of, phase_names
from workbench.study.discovery.manifest import LIMITS
from workbench.study.store.temporary import write_whole


class LimitCommands(Commands):
    """The commands for acceptance limits, and a double-click on a limit."""

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self.dialog: LimitsDialog | None = None

    @command("&Edit", "Acceptance &limits…", place=210)
    def edit(self, key: str = "") -> None:
        """Opens the limits dialog with the limit of this key selected."""
        state, library = self._workspace.state, self._workspace.library
        study, groups = library.study(state.study), library.groups(state)
        stated = limits_of(study, state)
        file = str(state.input(FILE, "")) or ("" if study is None else str(Path(study.folder) / LIMITS))
        labels, base = [group.label for group in groups], baseline_of(groups)
        baseline = "" if base is None else base.label
        self.dialog = LimitsDialog(self._parent, stated, file, phase_names(groups), labels, baseline)
        self.dialog.show_limit(key)
        self.dialog.confirmed.connect(self.put)
        self.dialog.save_asked.connect(self.save)
        self.dialog.open()

    def put(self, limits: tuple[Limit, ...]) -> None:
        """Stores the limits in the workspace and shows their results."""
        state = self._workspace.state
        stated = limits_of(self._workspace.library.study(state.study), state)
        if stated is None or stated.problems or stated.limits != limits:
            state = state.with_input(TEXT, limits_toml(limits))
        self._workspace.apply(inputs=state.inputs, page=KEY)

    def save(self, limits: tuple[Limit, ...], path: Path) -> None:
        """Writes the limits to a file. The workspace keeps them and the path of the file."""
        try:
            write_whole(path, limits_toml(limits).encode())
        except OSError as error:
            self._status.warn(
                tr("The limits were not saved in {}: {}. Choose another folder.").format(path, reason(error))
            )
            return
        state = self._workspace.state.with_input(TEXT, limits_toml(limits)).with_input(FILE, str(path))
        self._workspace.apply(inputs=state.inputs, page=KEY)
        self._status.tell(tr("Limits saved in {}.").format(path))

    def open_row(self, table: str, cells: tuple[Cell, ...]) -> None:
        """Edits the limit of the row."""
        from workbench.answers.limits.tables import GLANCE, TABLE  # the window starts without these modules

        if self._workspace.state.page == KEY and table in (GLANCE, TABLE):
            self.edit(cells[0].key)
