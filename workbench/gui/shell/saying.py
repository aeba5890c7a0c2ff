"""Messages before there is a window: on standard error, or in a dialog if there is no standard error."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

NAME = "VDI Workbench"
# The id that lets Windows group the windows under their own task bar button, not under Python's.
APP_ID = "VDIWorkbench.VDIWorkbench"


def say(text: str) -> None:
    """Writes a sentence to standard error. On Windows the program starts without a console, so a dialog shows the
    sentence there. Windows itself draws the dialog, because Qt may be missing."""
    if sys.stderr is not None:
        sys.stderr.write(f"{text}\n")
    else:
        message_box(text)


def message_box(text: str) -> None:
    """Shows a text in a Windows dialog and waits until it is closed. No effect on other systems."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, text, NAME, 0)


def stand_alone_in_the_task_bar() -> None:
    """Tells Windows that this is a separate program. No effect on other systems."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_ID)


class SayingParser(argparse.ArgumentParser):
    """A parser whose help, version and errors are visible without a console too."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with usage and error in one message: so there is only one dialog."""
        self.exit(2, f"{self.format_usage()}{self.prog}: error: {message}\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        if message and file is None and sys.stderr is None:
            message_box(message.strip())
        else:
            super()._print_message(message, file)
