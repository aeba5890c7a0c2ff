"""Run › Map columns…: finds the files that need a mapping, asks for it, stores it, and opens the files again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog, QWidget

from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace
from workbench.model.mapping import ColumnMapping
from workbench.study.importing.mappings import mappings_file, save_mapping

NEEDS_MAPPING = "needs-mapping"


class ColumnMapper(QObject):
    """`ask(name)` asks about one file, or lets the user choose among the files that can be mapped."""

    def __init__(
        self, parent: QWidget, workspace: Workspace, tell: Callable[[str], None], open_again: Callable[[], None]
    ) -> None:
        super().__init__(parent)
        self._parent = parent
        self._workspace = workspace
        self._tell = tell
        self._open_again = open_again

    def files(self) -> list[str]:
        """The open files that a mapping can apply to: first those that need one, then those read with one."""
        # The window starts without the readers; the same applies to the imports below.
        from workbench.readers.tables import mapped as mapped_csv

        library = self._workspace.library
        lacking = [problem.file for problem in library.problems if problem.code == NEEDS_MAPPING]
        mapped = [report.path for report in library.files if report.reader == mapped_csv.LABEL]
        return list(dict.fromkeys((*lacking, *mapped)))

    def ask(self, name: str = "") -> None:
        """Shows the dialog for a file. Without a name the user chooses one if there are several."""
        files = self.files()
        if not files:
            self._tell("Nothing to map. All CSV files with a time column are already imported.")
        elif name in files or len(files) == 1:
            self._look(name if name in files else files[0])
        else:
            self._pick(files)

    def _pick(self, files: list[str]) -> None:
        question = QInputDialog(self._parent)
        question.setWindowTitle(tr("Map columns"))
        question.setLabelText(tr("Choose a file. The mapping applies to all files with the same header."))
        question.setComboBoxItems(files)
        question.textValueSelected.connect(self._look)
        question.open()

    def _look(self, name: str) -> None:
        path = (self._workspace.library.places or {}).get(name)
        if path is None:
            self._tell(f"{name} is missing. Open its folder again.")
            return
        # The window starts without this module.
        from workbench.gui.dialogs.mapping_dialog import Header, MappingDialog, header_of

        def show(header: Header | None) -> None:
            if header is None:
                self._tell(f"{name} no longer has a time column; it may have changed since the import.")
                return
            dialog = MappingDialog(self._parent, name, *header)
            dialog.confirmed.connect(self._confirmed)
            dialog.show()

        self._workspace.tasks.run(
            "mapping",
            lambda: header_of(path),
            show,
            lambda error: self._tell(f"{name} can no longer be read: {error}."),
            apart=True,
        )

    def _confirmed(self, mapping: ColumnMapping) -> None:
        if save_mapping(mapping):
            self._open_again()
        else:
            self._tell(f"The mapping could not be written to {mappings_file()}; check the folder's permissions.")
