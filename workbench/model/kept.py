"""What is worked out of a run is kept with the run itself, so that a study that is closed, or a run that was edited or
read again, leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

# What is worked out of a run is kept for so many of them. A study with more runs has it worked out for every answer.
KEPT_RUNS = 2_048
# So many of each function, as for phases and percentiles.
_OF_ONE_RUN = 64
# The attribute in which a run has it.
KEPT = "_kept"

_Subject = TypeVar("_Subject")
_Others = TypeVarTuple("_Others")
_Found = TypeVar("_Found")


def kept_with_run(function: Callable[[_Subject, *_Others], _Found]) -> Callable[[_Subject, *_Others], _Found]:
    """The same function, which works out once what it is asked of a run: its first argument, or the `run` of that.

    `lru_cache` would hold the runs of closed studies as well, until others have driven them out.
    """
    runs: WeakKeyDictionary[Any, None] = WeakKeyDictionary()
    lock = Lock()

    @wraps(function)
    def found(subject: _Subject, *others: *_Others) -> _Found:
        run = getattr(subject, "run", subject)
        of_run = vars(run).setdefault(KEPT, {}).setdefault(function, {})
        key = (None if subject is run else subject, *others)
        try:
            known: _Found = of_run[key]
        except KeyError:
            pass
        else:
            return known
        worked_out = function(subject, *others)
        if len(of_run) >= _OF_ONE_RUN:
            of_run.clear()
        of_run[key] = worked_out
        with lock:
            runs[run] = None
            if len(runs) > KEPT_RUNS:
                oldest = next(iter(runs))
                del runs[oldest]
                vars(oldest)[KEPT].pop(function, None)
        return worked_out

    return found
