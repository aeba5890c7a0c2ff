"""Repeated problems and caveats, each as one line with a count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workbench.answers.common.causes import masked
from workbench.model.problem import Cause, CauseGroup, done_words

_WORSE = (CauseGroup.REFUSED, CauseGroup.NEEDS_YOU, CauseGroup.MENDED)


def problem_lines(causes: Iterable[Cause]) -> tuple[str, ...]:
    """A line for each cause, worst first: `Title (28 files). Action taken.`

    Notes, such as a README without results, are only counted in the last line.
    """
    listed = sorted(causes, key=lambda cause: list(CauseGroup).index(cause.group))
    lines = [_line(cause) for group in _WORSE for cause in listed if cause.group is group]
    notes = sum(cause.count for cause in listed if cause.group is CauseGroup.NOTE)
    return (
        (*lines, f"{notes} more note{' is' if notes == 1 else 's are'} in the import report.")
        if notes
        else tuple(lines)
    )


def _line(cause: Cause) -> str:
    least, title = "at least " * cause.at_least, cause.title.rstrip(".")
    done = done_words(cause.done).removeprefix(f"{title}. ")
    return f"{title} ({least}{cause.count:,} {cause.noun}). {done}".rstrip()


def caveat_lines(caveats: Sequence[str], noun: str = "finding") -> tuple[str, ...]:
    """Each caveat once; if caveats differ only in names and numbers, the first one with a count."""
    alike: dict[str, list[str]] = {}
    for caveat in caveats:
        alike.setdefault(masked(caveat), []).append(caveat)
    return tuple(
        texts[0] if len(texts) == 1 else f"{len(texts)} {noun}s have {_each(texts)}" for texts in alike.values()
    )


def _each(texts: Sequence[str]) -> str:
    """The caveat if all are equal, otherwise the first as an example."""
    return f"{'this caveat' if len(set(texts)) == 1 else 'caveats like this one'}: {texts[0]}"
