"""Export jobs for studies that are created in memory."""

from __future__ import annotations

from pathlib import Path

from tests.exporters.studies import MCS, columns, make_run, make_study
from workbench.answers.common.library import Library
from workbench.answers.compare.compute import comparisons
from workbench.answers.sizing.chosen import capacity_plans
from workbench.exporters.assemble import job_of
from workbench.exporters.export import export
from workbench.exporters.job import Painter, Written
from workbench.exporters.wanted import Wanted
from workbench.exporters.workbook.book import StudyAnswers
from workbench.measures.phase_table import run_figures
from workbench.model.run import Configuration, Provisioning, Study
from workbench.session.state import State

PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "＠")
COMMAND = "cmd|' /C calc'!A0"
MARKUP = '<script>alert(1)</script><a href="http://example.test/">'
CONTROLS = "\x00\x07\x1b[31m\u202e"


def library_of(*studies: Study) -> Library:
    """The studies with their figures."""
    return Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})


def chosen_of(*studies: Study) -> StudyAnswers:
    """The content of the workbook by default."""
    library = library_of(*studies)
    return StudyAnswers(comparisons(library, State()), capacity_plans(library, State()))


def exported(
    library: Library, path: Path, state: State | None = None, painter: Painter | None = None, **wanted: object
) -> Written:
    """The output of an export of the library; complete if no length is given."""
    request = Wanted(path, **{"length": "full", **wanted})  # type: ignore[arg-type]
    return export(job_of(library, state or State(), request), painter)


DANGERS = (*PREFIXES, MARKUP, CONTROLS)


def dangerous_study(folder: Path, beginnings: tuple[str, ...] = DANGERS) -> Study:
    """A configuration for each prefix that would make its name a command, and one with markup and control
    characters."""
    runs = [make_run(folder, "baseline", MCS, columns(1, 10.0, 5.0))]
    for place, prefix in enumerate(beginnings):
        name = f"{prefix}{COMMAND} {place}"
        configuration = Configuration(name, Provisioning.OTHER)
        runs.append(make_run(folder / str(place), name, configuration, columns(1, 5.0 + place, 5.0)))
    return make_study(f"={COMMAND}", runs)
