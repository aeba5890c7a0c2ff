"""vdiwb: the program on the command line, without Qt.

Exit status: 0 success; 1 done, but some files were not imported; 2 usage error; 3 nothing recognised; 4 a check failed
(`check` only). Help, version and usage errors load none of the large libraries: what reads files is imported after the
command line is parsed.
"""

from __future__ import annotations

import argparse
import gc
import signal
import sys
from collections.abc import Callable, Sequence

from workbench.answers.common.spec import NOTHING, OK, USAGE, UsageError
from workbench.cancellation import STOPPED, ended_at_once, ended_in_order, status_of
from workbench.console.anonymising import check_anonymise
from workbench.console.commands import parser
from workbench.console.streams import speak_utf8, until_closed

__all__ = ["NOTHING", "OK", "USAGE", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    if arguments is None:
        # Most objects live until the program ends: searching them for garbage would take a tenth of the time of an
        # export.
        gc.set_threshold(50_000, 20, 20)
    given = sys.argv[1:] if arguments is None else arguments
    _become_a_worker(given)
    return until_closed(lambda: _main(given))


def _main(given: Sequence[str]) -> int:
    try:
        speak_utf8()
        options = parser(given).parse_args(given)
        run = _checked(options)
        with ended_in_order():
            return run(options)
    except UsageError as error:
        print(error, file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print(f"{STOPPED} Imported files stay in the column store.", file=sys.stderr)
        return status_of(signal.SIGINT)


def _become_a_worker(given: Sequence[str]) -> None:
    """In a frozen program, a worker process is this program with other arguments: do its work here and end."""
    if getattr(sys, "frozen", False) or "--multiprocessing-fork" in given[:1]:
        import multiprocessing

        multiprocessing.freeze_support()


def _checked(options: argparse.Namespace) -> Callable[[argparse.Namespace], int]:
    """The function that runs the command, loaded with the command's answer. Raises UsageError for invalid options."""
    with ended_at_once():
        check_anonymise(options)
        if options.command.check is not None:
            options.command.check(options)
        options.command.reply.load()
        from workbench.console.running import run
    return run


if __name__ == "__main__":
    sys.exit(main())
