"""The phase that the user names on the console: in any case of letters, as the files or as the tables call it."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.console.command import UsageError
from workbench.words import metrics


def phase_called(wanted: str, names: Sequence[str]) -> str:
    """The phase of that name. Raises UsageError with the phases that there are."""
    found = metrics.phase_called(wanted, names)
    if found is None:
        raise UsageError(
            f"There is no phase '{wanted}'. Phases: {', '.join(names) or 'none in these results'}."
        )
    return found
