"""The start of vdiwb. It loads the libraries of the command line here, so Ctrl+C during loading ends the program with
one line.
"""

from __future__ import annotations

import signal
import sys

from workbench.cancellation import end_without_waiting, ended_at_once


def main() -> int:
    """Run one command; returns the exit status."""
    with ended_at_once():
        from workbench.cli import main as run

        status = run()
    end_without_waiting(status)
    # The reply is written: from here on, Ctrl+C ends the rest of the process silently.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return status


if __name__ == "__main__":
    sys.exit(main())
