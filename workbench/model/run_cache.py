"""Keeps computed results with the run object that they belong to.

So a study that is closed, or a run that was edited or read again, leaves nothing in memory.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, Generic, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary, ref

# Results are kept for this many runs. In a study with more runs they are computed again for every answer.
KEPT_RUNS = 2_048
# Number of results kept per run, enough for phases and percentiles.
_OF_ONE_RUN = 64
# Number of results kept if they are large or needed again at once.
_FEW = 8
# The attribute of a run that keeps the results.
KEPT = "_kept"


class _Kept(dict[object, dict[Any, Any]]):
    """Results by function. Pickling empties it: another process computes its own results when it needs them."""

    def __reduce__(self) -> tuple[type[_Kept], tuple[()]]:
        return _Kept, ()


class _Same:
    """A key that compares by identity, because comparing the values of a run one by one is slow."""

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
    """Decorate `function` so that its results are kept with the run: its first argument, or the `run` attribute of it.

    `lru_cache` would also keep runs of closed studies alive until other entries replace them.
    """
    return _kept(function, lambda: KEPT_RUNS, _OF_ONE_RUN)


def kept_of_few(function: Callable[[_Subject, *_Others], _Found]) -> Callable[[_Subject, *_Others], _Found]:
    """Like `kept_with_run`, but keeps only the latest few results."""
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
    """Large results, each kept with a run, up to a total number of bytes. The least recently used result is removed
    first. Keys have only weak references to runs."""

    def __init__(self) -> None:
        # The runs keep the results; this only keeps their sizes.
        self._sizes: OrderedDict[tuple[ref[Any], Hashable], int] = OrderedDict()
        self._lock = Lock()

    def get(self, run: object, key: Hashable) -> _Found | None:
        """The result kept for a run under a key; None if there is none."""
        with self._lock:
            found: _Found | None = self._of(run).get(key)
            if found is not None:
                self._sizes.move_to_end((ref(run), key))
            return found

    def put(self, run: object, key: Hashable, found: _Found, size: int, most: int) -> None:
        """Keep a result of `size` bytes, and remove the oldest results until at most `most` bytes are kept."""
        with self._lock:
            for gone in [place for place in self._sizes if place[0]() is None]:
                del self._sizes[gone]
            self._of(run)[key] = found
            self._sizes[ref(run), key] = size
            self._sizes.move_to_end((ref(run), key))
            while sum(self._sizes.values()) > most:
                self._drop_oldest()

    def clear(self) -> None:
        """Remove all results."""
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
