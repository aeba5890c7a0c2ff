"""A small window next to the main one: the text of a file around the line of a problem, with its cell marked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from workbench.answers.common.library import Library
from workbench.gui.services.layout import in_column
from workbench.gui.services.plain import plain_title
from workbench.gui.services.tasks import Tasks
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.gui.widgets.excerpt_text import ExcerptText
from workbench.study.discovery.excerpt import Excerpt, excerpt, place_in


def open_excerpt(
    parent: QWidget, tasks: Tasks, library: Library, name: str, message: str, line: int | None, cell: int | None
) -> bool:
    """Opens the window at a line of an open file, with a cell of it marked if one is given. False if the file is not
    open or the line does not exist."""
    path = (library.places or {}).get(name)
    if path is None or line is None:
        return False
    report = next((report for report in library.files if report.path == name), None)
    place = place_in(report, line, cell)
    tasks.run(
        "excerpt",
        lambda: excerpt(path, place),
        lambda shown: ExcerptWindow(parent, name, message, line, shown).show(),
        apart=True,
    )
    return True


class ExcerptWindow(QDialog):
    """Does not block the main window; Escape closes it."""

    def __init__(self, parent: QWidget, title: str, message: str, line: int, shown: Excerpt) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(plain_title(title))
        self.resize(900, 480)
        self.text = ExcerptText()
        self.text.setAccessibleName(tr("Text of {}").format(title))
        message_label = labelled(message)
        message_label.setWordWrap(True)
        in_column(message_label, (self.text, 1), on=self, margins=(16, 14, 16, 14))
        self.text.show_lines(line, shown)
