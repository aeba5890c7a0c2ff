"""What fails in an export costs itself alone: the rest is written, and a sentence says what is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from workbench.exporters.safe_file import ExportError
from workbench.model.problem import failures
from workbench.study.store.columns import ColumnsError

# Within the sentence on a part that is not among what is written; and how that of one that failed begins.
LEFT_OUT, FAILED = " is left out: ", "It could not be "
NEXT = "Everything else is here. Export again; if it fails again, report it with this sentence."

T = TypeVar("T")


def alone(name: str, make: Callable[[], T], failed: Callable[[str], T]) -> T:
    """What `make` returns; where it fails what `failed` makes of the sentence on that. Raises what concerns the whole
    file: a disk that is full, columns that the store has lost, a request that cannot be met."""
    try:
        return make()
    except (OSError, MemoryError, ExportError, ColumnsError):
        raise
    except failures() as error:
        return failed(failure_words(name, "written", error))


def failure_words(name: str, what: str, error: BaseException) -> str:
    """`Cache is left out: It could not be computed (ValueError: …). …`; without a name from `It` on."""
    words = f"{FAILED}{what} ({type(error).__name__}: {error}). {NEXT}"
    return f"{name}{LEFT_OUT}{words}" if name else words
