"""`vdiwb check`: the acceptance limits of every study, as JSON, CSV rows and JUnit XML.

JSON and CSV rows: schema vdi-workbench/check/1, keys may be added, never renamed or removed. In JUnit XML, which build
servers show as tests, each study is a suite and each check a case. Source of the form: the schema that Jenkins
publishes with its xUnit plugin (junit-10.xsd). An inconclusive check is a skipped case, or a failure if the check is
strict. A limit that could not be read is an error, and so are two limits that contradict each other. A study without
limits has one skipped case.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from workbench.answers.common.baselines import evidence_of_baseline, guess_notes, with_option
from workbench.answers.common.document import Table, attributes, problem_row
from workbench.answers.common.reply import NO_RUNS, Block, Reply
from workbench.answers.common.spec import LIMIT_FAILED, OK, USAGE, UsageError
from workbench.answers.compare.reply import side_by_side
from workbench.answers.limits.compute import Check, Outcome, checks, contradictions, counts_of, expected_wrong_fails
from workbench.answers.limits.file import limits_of, read_limits
from workbench.answers.limits.limit import BASELINE, LimitsFile
from workbench.answers.limits.sentences import check_text, headline
from workbench.answers.limits.tables import check_table
from workbench.measures.configurations import Group, baseline_of, group_runs, phase_names
from workbench.measures.phase_table import RunFigures, run_figures
from workbench.measures.significance.method import METHOD
from workbench.measures.statistics import CONFIDENCE
from workbench.model.problem import Problem, Severity
from workbench.model.run import Study
from workbench.study.discovery.manifest import LIMITS, limits_text


def check_file(options: argparse.Namespace) -> None:
    """Check the file of --limits before any result is read. Raises UsageError if it cannot be read."""
    if options.limits is None:
        return
    text = limits_text(options.limits, str(options.limits))
    if text.problem is not None:
        raise UsageError(text.problem.message.replace("The file", str(options.limits), 1))


def checked(options: argparse.Namespace, studies: tuple[Study, ...]) -> Reply:
    """The checks of every study that has limits.

    Studies that are combined are checked by the limits of each. Raises UsageError if none has limits.
    """
    named = {study.name: study for study in studies if study.runs}
    # A study must not be checked against another baseline than the named one.
    own = _looked_at({name: [run_figures(run) for run in study.runs] for name, study in named.items()})
    studies_of, _ = with_option(own, options.baseline, every=True)
    # A limits file for several studies may name a phase that only one of them has.
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
                raise UsageError(f"{limits.name} contains no limit. Write each limit as a [[limits]] table.")
        results += [Checked(name, limits, checks(groups, limits.limits), baseline_of(groups)) for limits in every]
        missing += [] if every else [_missing(name)]
    if missing and not results:
        raise UsageError(
            f"These results contain no {LIMITS}. Put one in the study folder, or set --limits to a limits file."
        )
    problems = [problem for study in studies for problem in study.problems]
    wrong = problems_of(results)
    # A limit that could not be read was not checked, and two contradicting limits are never both met.
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


def _looked_at(studies: dict[str, list[RunFigures]]) -> dict[str, tuple[Group, ...]]:
    """The configurations of every study.

    Runs of one configuration in different studies are not combined: a build that passes must not hide one that fails.
    """
    apart = {name: group_runs(runs) for name, runs in studies.items()}
    labels = [group.label for groups in apart.values() for group in groups]
    again = len(set(labels)) < len(labels) and any(len(runs) > 1 for runs in studies.values())
    return apart if again else side_by_side(studies)


def _missing(study: str) -> Problem:
    message = f"There is no {LIMITS} in the study folder or above it."
    action = "study not checked; add a limits.toml, or use --limits"
    return Problem(Severity.WARNING, study, "limits-missing", message, action)


def _text(studies: Sequence[Checked]) -> list[list[Block]]:
    paragraphs: list[list[Block]] = []
    for study in studies:
        name = f"{study.study}: limits from {study.limits.file}"
        answer = f"{headline(study.checks)}." if study.checks else "No limit was checked."
        paragraphs.append([check_table(study.checks, {}, name=name), answer])
    return paragraphs or [[NO_RUNS]]


CHECK_SCHEMA = "vdi-workbench/check/1"


@dataclass(frozen=True, eq=False)
class Checked:
    """A study by name (combined studies: by their names), its limits, and the outcome of each; `baseline` is that of
    the study."""

    study: str
    limits: LimitsFile
    checks: tuple[Check, ...]
    baseline: Group | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The limits that could not be read, and those that contradict each other."""
        return (*self.limits.problems, *contradictions(self.checks, self.limits.file))

    def baseline_by(self, check: Check) -> str | None:
        """The reason why the configuration is the baseline of a check; None if no check has one."""
        base = self.baseline
        if base is None or check.limit.against != BASELINE or check.against != base.label:
            return None
        return evidence_of_baseline([base])


def failed(studies: Sequence[Checked], strict: bool) -> bool:
    """True if any limit is exceeded; if `strict`, also if any check is inconclusive."""
    outcomes = [check.outcome for study in studies for check in study.checks]
    return any(outcome.failed or (strict and outcome is Outcome.NOT_SHOWN) for outcome in outcomes)


def problems_of(studies: Sequence[Checked]) -> list[Problem]:
    """The problems of the limits themselves, each one once."""
    return list(dict.fromkeys(problem for study in studies for problem in study.problems))


def check_json(studies: Sequence[Checked], strict: bool, problems: Sequence[Problem] = ()) -> Table:
    """`vdiwb check --format json` as a value: null = not available; problems of the limits come before the
    `problems` of the studies."""
    counts = counts_of([check for study in studies for check in study.checks])
    return {
        "schema": CHECK_SCHEMA,
        "method": METHOD,
        "confidence_percent": 100 * CONFIDENCE,
        "strict": strict,
        "failed": failed(studies, strict),
        "wrong_fails_at_most": sum(expected_wrong_fails(study.checks) for study in studies),
        "counts": {
            "pass": counts.passed,
            "fail": counts.failed,
            "not_shown": counts.not_shown,
            "inconclusive": counts.not_shown,
        },
        "limits": [
            {"study": study.study, "file": study.limits.file, "limits": len(study.limits.limits)} for study in studies
        ],
        "checks": [_full(check, study) for study in studies for check in study.checks],
        "problems": [problem_row(problem) for problem in (*problems_of(studies), *problems)],
    }


def check_rows(studies: Sequence[Checked]) -> list[Table]:
    """The checks flat: one row per study, limit and configuration."""
    return [_row(check, study) for study in studies for check in study.checks]


def _row(check: Check, study: Checked) -> Table:
    limit = check.limit
    return {
        "study": study.study,
        "limit": check.words,
        "configuration": check.configuration,
        "verdict": check.outcome.value,
        "measure": limit.measure,
        "phase": limit.phase or None,
        "against": check.against or None,
        "bound": limit.bound,
        "direction": None if limit.bound is None else "at_most" if limit.at_most else "at_least",
        "unit": limit.unit,
        **attributes(check, "value", "low", "high", "basis"),
        "n": len(check.values),
        "n_baseline": len(check.baseline_values) if check.against else None,
        "reason": check.reason or None,
        **attributes(check, "notes", "estimated"),
        "line": limit.line,
        "file": study.limits.file,
        "baseline_evidence": study.baseline_by(check),
    }


def _full(check: Check, study: Checked) -> Table:
    """The check with the figures of the runs behind it."""
    return {
        **_row(check, study),
        "runs": [{"run": run, "value": value} for run, value in check.values],
        "baseline_runs": [{"run": run, "value": value} for run, value in check.baseline_values],
    }


# Characters that XML 1.0 cannot contain.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(studies: Sequence[Checked], strict: bool, missing: Sequence[Problem] = ()) -> str:
    """The document as text; `missing` are problems of studies that have no limits."""
    root = ElementTree.Element("testsuites", name="vdiwb check")
    suites = [
        (study.study, [*(_case(check, strict) for check in study.checks), *map(_wrong, study.problems)])
        for study in studies
    ]
    suites += [(problem.file, [_unchecked(problem)]) for problem in missing]
    for name, cases in suites:
        suite = ElementTree.SubElement(root, "testsuite", name=_clean(name), tests=str(len(cases)))
        for kind, word in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(kind, str(sum(case.find(word) is not None for case in cases)))
        suite.extend(cases)
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _case(check: Check, strict: bool) -> ElementTree.Element:
    name = f"{check.words} [{check.configuration}]" if check.configuration else check.words
    case = ElementTree.Element("testcase", classname=_clean(check.configuration or "limits"), name=_clean(name))
    words = _clean(check_text(check))
    if check.outcome.failed or (strict and check.outcome is Outcome.NOT_SHOWN):
        ElementTree.SubElement(case, "failure", message=words, type=check.outcome.value).text = _evidence(check)
    elif check.outcome is Outcome.NOT_SHOWN:
        ElementTree.SubElement(case, "skipped", message=words)
    else:
        ElementTree.SubElement(case, "system-out").text = f"{words}\n{_evidence(check)}"
    return case


def _wrong(problem: Problem) -> ElementTree.Element:
    where = f"{problem.file}:{problem.line}" if problem.line else problem.file
    case = ElementTree.Element("testcase", classname="limits", name=_clean(where))
    ElementTree.SubElement(case, "error", message=_clean(problem.sentences), type=problem.code)
    return case


def _unchecked(problem: Problem) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname="limits", name="limits.toml")
    ElementTree.SubElement(case, "skipped", message=_clean(problem.sentences))
    return case


def _evidence(check: Check) -> str:
    """The figures of the runs, one line each."""
    against = [(f"{run} ({check.against})", value) for run, value in check.baseline_values]
    return _clean("\n".join(f"{run}: {value:.6g}" for run, value in (*check.values, *against)))


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
