"""Every number of the answers of a study with its source, for the exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from workbench.answers.benchmarks.sources import explain_benchmarks
from workbench.answers.cache.sources import explain_cache_run
from workbench.answers.cache.sweep import sweep_phase
from workbench.answers.logons.sources import explain_logons_run
from workbench.measures.configurations import Group
from workbench.measures.sources import reports_of
from workbench.model.recording import FileReport
from workbench.model.run import Study
from workbench.model.source import Explanation


def explain_answers(study: Study, groups: Sequence[Group]) -> Iterator[Explanation]:
    """The figures of the cache page and of the logons of each run that counts, then those of each benchmark row, one
    after the other: whoever needs only the first of them pays for no more."""
    yield from _cache(groups, reports_of((study,)))
    for group in groups:
        for run in group.runs:
            yield from explain_logons_run(run)
    yield from explain_benchmarks(study.benchmarks)


def _cache(groups: Sequence[Group], reports: Mapping[str, FileReport]) -> Iterator[Explanation]:
    phase = sweep_phase(groups)
    for group in groups:
        for run in group.runs:
            yield from explain_cache_run(run, phase, reports)
