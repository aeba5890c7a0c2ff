"""`vdiwb check`: the acceptance limits of every study."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from workbench.answers.common.command import UsageError
from workbench.answers.common.reply import NO_RUNS, Block, Reply
from workbench.answers.compare.reply import side_by_side
from workbench.answers.limits.chosen import limits_of, read_limits
from workbench.answers.limits.compute import checks
from workbench.answers.limits.document import Checked, check_json, check_rows, failed, unread
from workbench.answers.limits.junit import junit_xml
from workbench.answers.limits.limit import LimitsFile
from workbench.answers.limits.sentences import count_text
from workbench.answers.limits.tables import check_table
from workbench.measures.configurations import Group
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study
from workbench.study.discovery.limits_text import LIMITS, limits_text

# As console/exit_status.py numbers them: a limit that could not be read was not checked.
_FAILED, _UNREAD = 4, 2


def check_file(options: argparse.Namespace) -> None:
    """Raises UsageError for a --limits file that cannot be read, before any result is."""
    if options.limits is None:
        return
    text = limits_text(options.limits, str(options.limits))
    if text.problem is not None:
        raise UsageError(text.problem.message)


def checked(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The checks of every study that has limits. Raises UsageError where none has."""
    given = None if options.limits is None else read_limits(limits_text(options.limits, options.limits.name))
    figures = {study.name: [run_figures(run) for run in study.runs] for study in studies if study.runs}
    stated = {study.name: limits_of(study, options.state) for study in studies}
    made: list[Checked] = []
    for name, groups in side_by_side(figures).items():
        limits = given or _stated(name, stated)
        if limits is not None:
            made.append(Checked(name, limits, checks(groups, limits.limits) if _count(groups) else ()))
    if not made and figures:
        raise UsageError(f"These results hold no {LIMITS}. Name a file of limits with --limits, or write one there.")
    problems = [problem for study in studies for problem in study.problems]
    status = _FAILED if failed(made, options.strict) else _UNREAD if unread(made) else 0
    return Reply(
        lambda: _text(made),
        lambda: check_json(made, options.strict, problems),
        lambda: check_rows(made),
        others={"junit": lambda: junit_xml(made, options.strict)},
        status=status,
        complaints=tuple(unread(made)),
    )


def _stated(name: str, stated: dict[str, LimitsFile | None]) -> LimitsFile | None:
    """The limits of a study; of several that are looked at as one, the first that has any."""
    return stated[name] if name in stated else next(filter(None, stated.values()), None)


def _count(groups: Sequence[Group]) -> bool:
    return any(group.runs for group in groups)


def _text(studies: Sequence[Checked]) -> list[list[Block]]:
    paragraphs: list[list[Block]] = []
    for study in studies:
        name = f"{study.study}: {study.limits.file}"
        paragraphs.append([check_table(study.checks, {}, name=name), count_text(study.checks)])
    return paragraphs or [[NO_RUNS]]
