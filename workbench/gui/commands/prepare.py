"""Preparing a test: the page with the questions, and the kit written to the user's folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.answers.common.names import ADDED
from workbench.answers.common.spec import UsageError
from workbench.answers.prepare.spec import ANSWERS, KEY
from workbench.charts.tables import Cell
from workbench.file_replace import reason
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace


class PrepareCommands(Commands):
    """The commands for preparing a test, and the double-click on a question."""

    _pages: Pages

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._pages.each(self._listen)

    def _listen(self, page: PageView) -> None:
        page.write_asked.connect(self.ask)

    @command("&File", "&Prepare a test", place=205)
    def show(self) -> None:
        """Shows the page."""
        self._workspace.apply(page=KEY)

    @command("&File", "Create test &kit…", place=210)
    def ask(self) -> None:
        """Asks for the folder of the kit."""
        ask_kit_folder(self._parent, self.write_into)

    def write_into(self, folder: Path) -> None:
        """Writes the kit of the page in the background; into a separate subfolder if `folder` contains other files."""
        # The window starts without these modules.
        from workbench.answers.prepare.chosen import kit_for
        from workbench.answers.prepare.kit.write import write_kit_beside

        state, library = self._workspace.state, self._workspace.library

        def work() -> Path | None:
            kit = kit_for(library.shown(state), state)
            return None if kit is None else write_kit_beside(folder, kit)

        self._tasks.run("kit", work, self._tell, self._refused, apart=True)

    def open_row(self, table: str, cells: tuple[Cell, ...]) -> None:
        """Shows the page that answers the question."""
        if self._workspace.state.page != KEY or table != ANSWERS:
            return
        from workbench.answers.prepare.questions import QUESTIONS  # the window starts without these modules

        if cells[0].key in QUESTIONS:
            self._workspace.apply(page=QUESTIONS[cells[0].key].page)

    def _tell(self, folder: Path | None) -> None:
        if folder is not None:
            self._status.tell(tr("Test kit created in {}. Start with README.txt.").format(folder))

    def _refused(self, error: Exception) -> None:
        if isinstance(error, OSError):
            self._status.warn(tr("The test kit was not created: {}. Choose another folder.").format(reason(error)))
        else:
            self._status.warn(
                str(error) if isinstance(error, UsageError) else tr("The test kit was not created. Try again.")
            )


def plan_size(workspace: Workspace) -> None:
    """Adds the chosen size to the plan of Compare and shows the plan; removes the size if the plan has it already."""
    # Pages are imported when they are first shown.
    from workbench.answers.cache.page import planned_sizes

    state = workspace.state
    before = str(state.input(ADDED, "")).splitlines()
    planned = planned_sizes(workspace.library, state)
    state = state.with_input(ADDED, "\n".join(planned))
    if len(planned) > len(before):
        workspace.apply(
            inputs=state.inputs, page="compare", page_views=state.with_page_view("compare", "plan").page_views
        )
    else:
        workspace.apply(inputs=state.inputs)


def ask_kit_folder(parent: QWidget, chosen: Callable[[Path], object]) -> None:
    """Asks for a folder and passes it to `chosen`."""
    dialog = QFileDialog(parent, tr("Folder for the test kit"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setLabelText(QFileDialog.DialogLabel.Accept, tr("Create here"))
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
