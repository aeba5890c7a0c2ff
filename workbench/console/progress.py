"""Progress on a terminal, and silence in a pipe, where what draws it is not even loaded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def files_counted(total: int) -> Iterator[Callable[[int], None]]:
    """A bar of files; what is yielded hears how many of them are read."""
    if _silent():
        yield lambda _files: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("Reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda files: progress.update(task, completed=files)


@contextmanager
def progress_told() -> Iterator[Callable[[str, float], None]]:
    """A bar; what is yielded hears what is done now, and the share that is done (0 to 1)."""
    if _silent():
        yield lambda _text, _share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = BarColumn(), TextColumn("{task.description}", markup=False)
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda text, share: progress.update(task, description=text, completed=share)


def _silent() -> bool:
    # Asked of the stream itself: FORCE_COLOR makes rich take a pipe for a terminal.
    return not sys.stderr.isatty()
