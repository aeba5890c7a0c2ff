"""File names for exports of several files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from workbench.answers.benchmarks.names import shortened
from workbench.charts.short_names import bare_names, short_names
from workbench.exporters.job import DocumentPart
from workbench.model.run import Study

_LONGEST = 60
# The number of counters of a recording that are checked for names: all counters use the same language.
_COUNTERS = 200


def file_names(path: Path, parts: Sequence[DocumentPart]) -> dict[Path, DocumentPart]:
    """The path of each part: `path` for a single one, otherwise `stem-cache-sweep.ending` next to it."""
    if len(parts) == 1:
        return {path: parts[0]}
    by_path: dict[Path, DocumentPart] = {}
    taken: set[str] = set()
    for part in parts:
        words = "-".join(filter(None, (plain_name(part.study), part.page, part.view)))
        name, number = words, 2
        while name.casefold() in taken:
            name, number = f"{words}-{number}", number + 1
        taken.add(name.casefold())
        by_path[path.with_name(f"{path.stem}-{name}{path.suffix}")] = part
    return by_path


def plain_name(text: str) -> str:
    """The text as part of a file name that is valid on every system: letters, digits, dots, dashes."""
    kept = "".join(char if char.isalnum() or char in ".-" else "-" for char in text)
    return "-".join(filter(None, kept.split("-"))).strip(".")[:_LONGEST]


def names_in(studies: Iterable[Study]) -> Iterator[str]:
    """Yields the names of studies that charts and tables show: runs, configurations, machines and counters."""
    for study in studies:
        yield study.name
        for run in study.runs:
            yield from (run.name, run.configuration.name or "")
            for recording in run.recordings:
                yield from (series.path for series in islice(recording.series, _COUNTERS))


def kept_names(studies: Iterable[Study]) -> frozenset[str]:
    """The names that documents keep in every language: studies, runs, configurations (short ones, too), VMs, users and
    tests."""
    found: set[str] = set()
    for study in studies:
        runs = (*study.runs, *study.loose)
        labels = tuple(dict.fromkeys(run.configuration.name for run in study.runs))
        found |= {study.name, *labels, *short_names(labels).values(), *bare_names(labels).values()}
        found |= {run.name for run in runs}
        found |= {series.vm or "" for run in runs for recording in run.recordings for series in recording.series}
        for run in runs:
            found |= {name for session in run.sessions for name in (session.vm, session.user)}
        tests = (*study.benchmarks, *(test for run in runs for test in run.benchmarks))
        full = {name or "" for test in tests for name in (test.test, test.job, test.host)}
        # Charts show the two ends of a long name, or the part of a file name that others lack.
        found |= full | {shortened(name) for name in full}
        found |= {part for name in full if " " not in name for part in name.split("_") if "-" in part}
    return frozenset(found - {""})


def no_font_words(scripts: Sequence[str]) -> str:
    """Returns the sentence about scripts that no font of the system has."""
    names = " and ".join(scripts)
    return (
        f"This system has no font with {names} letters: they are drawn as boxes. Install one, such as fonts-noto-cjk, "
        "and try again."
    )
