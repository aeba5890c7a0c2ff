"""What the window's program says before there is a window: on standard error, or in a dialog where it has none."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

NAME = "VDI Workbench"
# By this Windows puts the windows of the program under its own button of the task bar, not under that of Python.
APP_ID = "VDIWorkbench.VDIWorkbench"


def say(text: str) -> None:
    """Says a sentence on standard error. On Windows the program is started without a console and has none: there a
    dialog says it, drawn by Windows itself, since Qt may be what is missing."""
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")
    else:
        message_box(text)


def message_box(text: str) -> None:
    """Shows a text in a dialog of Windows and waits until it is closed. No effect on other systems."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, text, NAME, 0)


def stand_alone_in_the_task_bar() -> None:
    """Tells Windows that this is a program of its own. No effect on other systems."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_ID)


class SayingParser(argparse.ArgumentParser):
    """A parser whose help, version and errors are seen without a console too."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with usage and error together: two dialogs would be one too many."""
        self.exit(2, f"{self.format_usage()}{self.prog}: error: {message}\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        if message and file is None and sys.stderr is None:
            message_box(message.strip())
        else:
            super()._print_message(message, file)
