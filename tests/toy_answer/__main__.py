"""The program with the toy question: `console` runs commands as vdiwb, `window FOLDER` says what the window has of
it."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path

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


def window(folder: str) -> None:
    """Prints the navigation, the results of Ctrl+K, and the content of the page."""
    from PySide6.QtWidgets import QApplication

    from workbench.gui.commands.palette import CommandPalette
    from workbench.gui.shell.main_window import MainWindow
    from workbench.session.settings import Settings
    from workbench.session.state import State
    from workbench.study.store.column_store import default_store

    application = QApplication([])
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
    print(
        json.dumps(
            {
                "rail": [rail.item(row).text() for row in range(rail.count())],
                "icon": not rail.item(rail.count() - 1).icon().isNull(),
                "palette": offered,
                "page": opened.workspace.state.page,
                "question": opened.header.question.text(),
                "rows": [[cell.text for cell in row] for row in content.tables[0].rows],
                "drawn": opened.page.figure is not None,
            }
        )
    )
    opened.guard.give_up()
    opened.close()


if __name__ == "__main__":
    register(SPEC)
    if sys.argv[1] == "window":
        window(sys.argv[2])
    else:
        print(json.dumps(console(json.load(sys.stdin))))
