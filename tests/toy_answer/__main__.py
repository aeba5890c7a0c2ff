"""The program with the toy question: it prints the content of the window for a folder, and runs commands like vdiwb."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from tests.toy_answer.spec import SPEC
from workbench.answers.registry import register


def console(commands: list[list[str]]) -> list[tuple[int, str]]:
    """The exit status and the output of each command."""
    from workbench.cli import main

    done = []
    for arguments in commands:
        with redirect_stdout(io.StringIO()) as out:
            try:
                status = main(arguments)
            except SystemExit as ended:
                status = int(ended.code or 0)
        done.append((status, out.getvalue()))
    return done


def window(folder: str) -> dict[str, Any]:
    """The navigation, the results of Ctrl+K, and the content of the page."""
    from PySide6.QtWidgets import QApplication

    from workbench.gui.commands.palette import CommandPalette
    from workbench.gui.shell.main_window import MainWindow
    from workbench.session.settings import Settings
    from workbench.session.state import State
    from workbench.study.store.column_store import default_store

    application = QApplication.instance()
    assert application is not None
    opened = MainWindow(default_store(), State(), Settings(preferences={"decimals": "point"}))
    opened.resize(1600, 900)
    opened.show()

    def settle() -> None:
        while opened.importer.running or opened.busy:
            application.processEvents()

    opened.open_paths([Path(folder)])
    settle()
    palette = CommandPalette(opened, opened.offers.entries())
    palette.field.setText("Toy runs")
    offered = palette.list.item(0).text()
    palette.choose()
    settle()
    content = opened.page.content
    assert content is not None
    rail = opened.rail.pages
    shown = {
        "rail": [rail.item(row).text() for row in range(rail.count())],
        "icon": not rail.item(rail.count() - 1).icon().isNull(),
        "palette": offered,
        "page": opened.workspace.state.page,
        "question": opened.header.question.text(),
        "rows": [[cell.text for cell in row] for row in content.tables[0].rows],
        "drawn": opened.page.figure is not None,
    }
    opened.guard.give_up()
    opened.close()
    return shown


if __name__ == "__main__":
    from PySide6.QtWidgets import QApplication

    register(SPEC)
    # Until the process ends: the report of the last command is drawn by Qt, too.
    application = QApplication([])
    print(json.dumps({"window": window(sys.argv[1]), "console": console(json.load(sys.stdin))}))
