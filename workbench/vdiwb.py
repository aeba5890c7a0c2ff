"""vdiwb, from its first moment: it loads the console's libraries here, so that Ctrl+C meanwhile ends it in one line."""

from __future__ import annotations

import signal
import sys

from workbench.cancellation import end_without_waiting, ended_at_once


def main() -> int:
    """Runs one command; returns the exit status."""
    with ended_at_once():
        from workbench.cli import main as run

        status = run()
    end_without_waiting(status)
    # The answer is given: from here on Ctrl+C ends what is left of the process without a word.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return status


if __name__ == "__main__":
    sys.exit(main())
