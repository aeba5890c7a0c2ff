"""`vdiwb check`: the acceptance limits of every study."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from workbench.answers.common.baselines import guess_notes, with_option
from workbench.answers.common.command import UsageError
from workbench.answers.common.exit_status import LIMIT_FAILED, OK, USAGE
from workbench.answers.common.reply import NO_RUNS, Block, Reply
from workbench.answers.compare.reply import side_by_side
from workbench.answers.limits.chosen import limits_of, read_limits
from workbench.answers.limits.compute import checks
from workbench.answers.limits.document import Checked, check_json, check_rows, failed, problems_of
from workbench.answers.limits.junit import junit_xml
from workbench.answers.limits.sentences import count_text
from workbench.answers.limits.tables import check_table
from workbench.measures.configurations import Group, baseline_of, group_runs, phase_names
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.model.problem import Problem, Severity
from workbench.model.run import Study
from workbench.study.discovery.limits_text import LIMITS, limits_text


def check_file(options: argparse.Namespace) -> None:
    """Raises UsageError for a --limits file that cannot be read, before any result is."""
    if options.limits is None:
        return
    text = limits_text(options.limits, str(options.limits))
    if text.problem is not None:
        raise UsageError(text.problem.message)


def checked(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The checks of every study that has limits; of studies that are looked at as one, by the limits of each. Raises
    UsageError where none has limits."""
    named = {study.name: study for study in studies if study.runs}
    # A study must not be checked against another baseline than the one that is named.
    own = _looked_at({name: _figures(study) for name, study in named.items()})
    studies_of, _ = with_option(own, options.baseline, every=True)
    # A file above several studies may name a phase that one of them alone has.
    phases = phase_names([group for groups in studies_of.values() for group in groups])
    given = None if options.limits is None else read_limits(limits_text(options.limits, options.limits.name), phases)
    results: list[Checked] = []
    missing: list[Problem] = []
    for name, groups in studies_of.items():
        members = [named[name]] if name in named else list(named.values())
        stated = [given or limits_of(study, options.state, phases) for study in members]
        every = dict.fromkeys(limits for limits in stated if limits is not None)
        for limits in every:
            if not limits.limits and not limits.problems:
                # A file that was cut short must not let a build pass.
                raise UsageError(f"{limits.name} states no limit. Write each as a [[limits]] table.")
        results += [Checked(name, limits, checks(groups, limits.limits), baseline_of(groups)) for limits in every]
        missing += [] if every else [_missing(name)]
    if missing and not results:
        raise UsageError(f"These results hold no {LIMITS}. Name a file of limits with --limits, or write one there.")
    problems = [problem for study in studies for problem in study.problems]
    wrong = problems_of(results)
    # A limit that could not be read was not checked, and two that contradict each other are never kept.
    status = LIMIT_FAILED if failed(results, options.strict) else USAGE if wrong else OK
    return Reply(
        lambda: _text(results),
        lambda: check_json(results, options.strict, [*missing, *problems]),
        lambda: check_rows(results),
        others={"junit": lambda: junit_xml(results, options.strict, missing)},
        status=status,
        complaints=(*wrong, *missing),
        notes=guess_notes(
            {one.study: studies_of[one.study] for one in results if any(map(one.baseline_by, one.checks))}
        ),
    )


def _figures(study: Study) -> list[RunFigures]:
    return [run_figures(run) for run in study.runs]


def _looked_at(studies: dict[str, list[RunFigures]]) -> dict[str, tuple[Group, ...]]:
    """The configurations of every study. Studies that measured one configuration again are not replicates of each
    other: a build that passes must not hide one that fails."""
    apart = {name: group_runs(runs) for name, runs in studies.items()}
    labels = [group.label for groups in apart.values() for group in groups]
    again = len(set(labels)) < len(labels) and any(len(runs) > 1 for runs in studies.values())
    return apart if again else side_by_side(studies)


def _missing(study: str) -> Problem:
    message = f"There is no {LIMITS} in the folder of this study or above it."
    return Problem(Severity.WARNING, study, "limits-missing", message, "not checked")


def _text(studies: Sequence[Checked]) -> list[list[Block]]:
    paragraphs: list[list[Block]] = []
    for study in studies:
        name = f"{study.study}: {study.limits.file}"
        paragraphs.append([check_table(study.checks, {}, name=name), count_text(study.checks)])
    return paragraphs or [[NO_RUNS]]
