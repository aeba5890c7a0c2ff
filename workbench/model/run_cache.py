"""What is worked out of a run is kept with the run itself, so that a study that is closed, or a run that was edited or
read again, leaves nothing behind.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, Generic, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary, ref

# What is worked out of a run is kept for so many of them. A study with more runs has it worked out for every answer.
KEPT_RUNS = 2_048
# So much of each of them, as for phases and percentiles.
_OF_ONE_RUN = 64
# What is large, or asked for again at once, is kept of the last few.
_FEW = 8
# The attribute in which a run has it.
KEPT = "_kept"


class _Kept(dict[object, dict[Any, Any]]):
    """By function what it found. Another process gets none of it: it is worked out there where it is asked for."""

    def __reduce__(self) -> tuple[type[_Kept], tuple[()]]:
        return _Kept, ()


class _Same:
    """A key that is this very object: to compare the figures of a run by value is to look at all of them."""

    __slots__ = ("_of",)

    def __init__(self, of: object) -> None:
        self._of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._of is other._of

    def __hash__(self) -> int:
        return id(self._of)


_Subject = TypeVar("_Subject")
_Others = TypeVarTuple("_Others")
_Found = TypeVar("_Found")


def kept_with_run(function: Callable[[_Subject, *_Others], _Found]) -> Callable[[_Subject, *_Others], _Found]:
    """The same function, which works out once what it is asked of a run: its first argument, or the `run` of that.

    `lru_cache` would hold the runs of closed studies as well, until others have driven them out.
    """
    return _kept(function, lambda: KEPT_RUNS, _OF_ONE_RUN)


def kept_of_few(function: Callable[[_Subject, *_Others], _Found]) -> Callable[[_Subject, *_Others], _Found]:
    """As `kept_with_run`, of the few runs, groups or answers that it was asked of last."""
    return _kept(function, lambda: _FEW, _FEW)


def _kept_of(run: object) -> _Kept:
    kept: _Kept = vars(run).setdefault(KEPT, _Kept())
    return kept


def _kept(
    function: Callable[[_Subject, *_Others], _Found], most: Callable[[], int], of_one: int
) -> Callable[[_Subject, *_Others], _Found]:
    runs: WeakKeyDictionary[Any, None] = WeakKeyDictionary()
    lock = Lock()

    @wraps(function)
    def found(subject: _Subject, *others: *_Others) -> _Found:
        run = getattr(subject, "run", subject)
        of_run = _kept_of(run).setdefault(found, {})
        key = (None if subject is run else _Same(subject), *others)
        try:
            known: _Found = of_run[key]
        except KeyError:
            pass
        else:
            return known
        worked_out = function(subject, *others)
        if len(of_run) >= of_one:
            of_run.clear()
        of_run[key] = worked_out
        with lock:
            runs[run] = None
            if len(runs) > most():
                oldest = next(iter(runs))
                del runs[oldest]
                vars(oldest)[KEPT].pop(found, None)
        return worked_out

    return found


class KeptBytes(Generic[_Found]):
    """Large things that were found last, each kept with a run, up to so many bytes in all: what was used longest ago
    goes first. A key speaks of runs by weak references alone."""

    def __init__(self) -> None:
        # The runs hold what is kept; here stands only how large it is.
        self._sizes: OrderedDict[tuple[ref[Any], Hashable], int] = OrderedDict()
        self._lock = Lock()

    def get(self, run: object, key: Hashable) -> _Found | None:
        """What is kept of a run under a key; None where nothing is."""
        with self._lock:
            found: _Found | None = self._of(run).get(key)
            if found is not None:
                self._sizes.move_to_end((ref(run), key))
            return found

    def put(self, run: object, key: Hashable, found: _Found, size: int, most: int) -> None:
        """Keeps it, and no more than `most` bytes."""
        with self._lock:
            for gone in [place for place in self._sizes if place[0]() is None]:
                del self._sizes[gone]
            self._of(run)[key] = found
            self._sizes[ref(run), key] = size
            self._sizes.move_to_end((ref(run), key))
            while sum(self._sizes.values()) > most:
                self._drop_oldest()

    def clear(self) -> None:
        """Keeps nothing of what was found so far."""
        with self._lock:
            while self._sizes:
                self._drop_oldest()

    def _of(self, run: object) -> dict[Hashable, Any]:
        of_run: dict[Hashable, Any] = _kept_of(run).setdefault(self, {})
        return of_run

    def _drop_oldest(self) -> None:
        (run, key), _ = self._sizes.popitem(last=False)
        if (living := run()) is not None:
            self._of(living).pop(key, None)
