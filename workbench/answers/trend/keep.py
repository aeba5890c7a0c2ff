"""Stores the values of studies in a history folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import isfinite
from pathlib import Path

from workbench import __version__
from workbench.answers.trend.points import circumstances, session_of, started_of, study_points
from workbench.measures.configurations import COMPARED, COPY_OF, Group
from workbench.measures.phase_table import RunFigures
from workbench.measures.significance.differences import primary_measures
from workbench.measures.significance.method import METHOD
from workbench.model.history import HistoryPoint
from workbench.model.problem import Severity
from workbench.model.run import Study
from workbench.study.history.layout import KeptPhase, KeptRun, KeptStudy, recorded
from workbench.study.history.write import keep
from workbench.study.series.run_date import known_date
from workbench.windows_paths import true_path
from workbench.words.numbers import plural


@dataclass(frozen=True, slots=True)
class Kept:
    """The result of storing a study: its name, the file, and the numbers of runs that count, are excluded, or were not
    stored because they are still running."""

    study: str
    file: Path
    runs: int
    excluded: int
    running: int

    @property
    def sentence(self) -> str:
        """A sentence for the user about the result."""
        out = f" ({self.excluded} of them excluded)" if self.excluded else ""
        left = f" These runs have not ended and were not saved: {self.running}." if self.running else ""
        return f"Saved {plural(self.runs, 'run')} of {self.study}{out} in {self.file}.{left}"


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def keep_study(folder: Path, study: Study, groups: Sequence[Group], now: datetime | None = None) -> Kept:
    """Stores the runs of the study. Returns the result. Raises HistoryError with a sentence, and ColumnsError."""
    every = [member for group in groups for member in (*group.runs, *group.excluded) if not _is_copy(member)]
    done = [member for member in every if not member.run.running]
    points = _by_run(study_points(study.name, groups, [measure.key for measure in COMPARED]))
    primary = {run.run.folder: primary_measures(group) for group in groups for run in group.runs}
    runs = tuple(
        _kept_run(study.name, run, points.get(run.run.folder, ()), primary.get(run.run.folder, {}))
        for run in sorted(done, key=lambda run: run.run.folder)
    )
    head = KeptStudy(
        name=study.name,
        path=str(true_path(Path(study.folder))),
        program=__version__,
        method=METHOD,
        kept=now or datetime.now(UTC),
        runs=len(runs),
    )
    excluded = sum(run.excluded is not None for run in runs)
    return Kept(study.name, keep(folder, head, runs), len(runs), excluded, len(every) - len(done))


def _is_copy(figures: RunFigures) -> bool:
    return (figures.run.excluded or "").startswith(COPY_OF)


def _by_run(points: Iterable[HistoryPoint]) -> dict[str, list[HistoryPoint]]:
    by_run: dict[str, list[HistoryPoint]] = {}
    for point in points:
        by_run.setdefault(point.folder, []).append(point)
    return by_run


def _kept_run(
    study: str, figures: RunFigures, points: Sequence[HistoryPoint], primary: Mapping[str, Sequence[str]]
) -> KeptRun:
    run, placed, started = figures.run, known_date(figures.run), started_of(figures.run)
    problems = Counter(problem.code for problem in figures.problems if problem.severity is not Severity.INFO)
    return KeptRun(
        name=run.name,
        configuration=points[0].configuration if points else run.configuration.name,
        build=run.build,
        date=None if placed is None else _EPOCH + timedelta(seconds=placed.seconds),
        started=None if started is None else _EPOCH + timedelta(seconds=started),
        session=session_of(study, run),
        evidence="" if placed is None else placed.evidence.value,
        recorded=recorded(run),
        excluded=run.excluded,
        circumstances=dict(circumstances(run)),
        problems=dict(sorted(problems.items())),
        phases=tuple(
            _kept_phase(name, [point for point in points if point.phase == name], primary.get(name, ()))
            for name in dict.fromkeys(point.phase for point in points)
        ),
    )


def _kept_phase(name: str, points: Sequence[HistoryPoint], primary: Sequence[str]) -> KeptPhase:
    # JSON has no infinity: such a value would make its run unreadable.
    points = [point for point in points if isfinite(point.value)]
    measured = [point.seconds for point in points if point.seconds is not None]
    return KeptPhase(
        name=name,
        seconds=max(measured, default=None),
        figures={point.measure: point.value for point in points},
        primary=tuple(key for key in primary if any(point.measure == key for point in points)),
        lower_bounds=tuple(point.measure for point in points if point.lower_bound),
    )
