"""The checks as JUnit XML, the form in which build servers show tests: a suite for each study, a case for each check.

Source of the form: the schema that Jenkins publishes with its xUnit plugin (junit-10.xsd). A limit that is not shown is
a skipped case, or a failure where the check is strict. One that could not be read is an error; so are two that
contradict each other. A study without limits has one skipped case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from workbench.answers.limits.compute import Check, Outcome
from workbench.answers.limits.document import Checked
from workbench.answers.limits.sentences import check_text
from workbench.model.problem import Problem

# What XML 1.0 has no way to write.
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
    ElementTree.SubElement(case, "error", message=_clean(problem.message), type=problem.code)
    return case


def _unchecked(problem: Problem) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname="limits", name="limits.toml")
    ElementTree.SubElement(case, "skipped", message=_clean(problem.message))
    return case


def _evidence(check: Check) -> str:
    """The figures of the runs, a line each."""
    against = [(f"{run} ({check.against})", value) for run, value in check.baseline_values]
    return _clean("\n".join(f"{run}: {value:.6g}" for run, value in (*check.values, *against)))


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
