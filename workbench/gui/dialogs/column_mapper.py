"""Run › Map columns…: finds the files a mapping is for, asks for it, remembers it, and opens again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog, QWidget

from workbench.gui.services.translation import tr
from workbench.gui.services.workspace import Workspace
from workbench.model.mapping import ColumnMapping, header_key
from workbench.study.discovery.archive import read_head
from workbench.study.importing.mappings import load_mappings, mappings_file, save_mapping

if TYPE_CHECKING:
    from workbench.readers.tables.timed import TimedCsv

NEEDS_MAPPING = "needs-mapping"
_Looked = tuple["TimedCsv | None", ColumnMapping | None]


class ColumnMapper(QObject):
    """`ask(name)` asks about one file, or lets the user choose among those that can be mapped."""

    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        tell: Callable[[str], None],
        open_again: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._tell = tell
        self._open_again = open_again

    def files(self) -> list[str]:
        """The opened files that a mapping is for: those that need one first, then those read through one."""
        # The window starts without the readers, here and below.
        from workbench.readers.tables import mapped as mapped_csv

        library = self._workspace.library
        lacking = [problem.file for problem in library.problems if problem.code == NEEDS_MAPPING]
        mapped = [report.path for report in library.files if report.reader == mapped_csv.LABEL]
        return list(dict.fromkeys((*lacking, *mapped)))

    def ask(self, name: str = "") -> None:
        """Shows the dialog for a file; without a name the user picks one where there are several."""
        files = self.files()
        if not files:
            self._tell(
                "Nothing to map: no opened file is a CSV with a time column that lacks a reader of its own."
            )
        elif name in files or len(files) == 1:
            self._look(name if name in files else files[0])
        else:
            self._pick(files)

    def _pick(self, files: list[str]) -> None:
        question = QInputDialog(self._window)
        question.setWindowTitle(tr("Map columns"))
        question.setLabelText(
            tr("Columns of which file? The answer holds for every file with the same header.")
        )
        question.setComboBoxItems(files)
        question.textValueSelected.connect(self._look)
        question.open()

    def _look(self, name: str) -> None:
        place = (self._workspace.library.places or {}).get(name)
        if place is None:
            self._tell(f"{name} cannot be found any more; open its folder again.")
            return
        self._workspace.tasks.run(
            "mapping",
            lambda: _looked_at(place),
            lambda looked: self._show(name, *looked),
            lambda error: self._tell(f"{name} cannot be read any more: {error}."),
        )

    def _show(self, name: str, found: TimedCsv | None, mapping: ColumnMapping | None) -> None:
        if found is None or mapping is None:
            self._tell(f"{name} is no CSV with a time column any more; it may have changed since.")
            return
        # The window starts without it.
        from workbench.gui.dialogs.mapping_dialog import MappingDialog

        dialog = MappingDialog(self._window, name, found, mapping)
        dialog.confirmed.connect(self._confirmed)
        dialog.show()

    def _confirmed(self, mapping: ColumnMapping) -> None:
        if save_mapping(mapping):
            self._open_again()
        else:
            self._tell(
                f"The mapping could not be written to {mappings_file()}; check the folder's permissions."
            )


def _looked_at(place: Path) -> _Looked:
    """The header of the file, and the mapping remembered for it, else one proposed."""
    from workbench.readers.tables import mapped as mapped_csv
    from workbench.readers.tables.proposal import propose
    from workbench.readers.tables.timed import find_timed_csv

    head = read_head(place, mapped_csv.HEAD_BYTES)
    found = find_timed_csv(head, whole=len(head) < mapped_csv.HEAD_BYTES)
    if found is None:
        return None, None
    remembered = load_mappings().get(header_key(found.names, found.delimiter))
    return found, remembered or propose(found)
