"""Headlines and caveats of all sample studies are short, for any names of configurations, runs and VMs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.samples import SAMPLE, sample
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.page import found_findings
from workbench.answers.findings.words import headline
from workbench.study.series.vm_series import vm_names

STUDIES = sorted(path.name for path in SAMPLE.iterdir() if path.is_dir() and path.name != "generator")
HEADLINE, CAVEAT = 16, 18


def names(library: Library, choices: Choices, found: tuple[Finding, ...]) -> Iterator[str]:
    """The names of configurations, runs, VMs and storage tests, which users choose."""
    for group in library.shown(choices):
        yield group.label
        for figures in group.runs:
            yield figures.run.name
            yield from vm_names(figures.run)
    for finding in found:
        if finding.page == "benchmarks":
            yield from filter(None, (finding.configuration, finding.baseline))
            yield from (str(value) for _, value in finding.inputs)


def words(text: str, known: set[str]) -> int:
    """The number of words; a name is one word, and so is a list of names."""
    pattern = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    named = re.sub(rf"(?<!\w)'?(?:{pattern})'?(?!\w)", "X", text) if known else text
    listed = re.sub(r"X(?:, X)*(?: and (?:X|\d+ more))?", "X", named)
    return len(listed.split(" "))


@pytest.mark.parametrize("study", STUDIES)
def test_that_headlines_and_caveats_of_the_samples_are_short(study: str) -> None:
    library = sample(study)
    choices = Choices(study=library.with_runs[0].folder if library.with_runs else "")
    found = found_findings(library, choices)
    known = {*names(library, choices, found)}
    assert found
    long = [text for finding in found if words(text := headline(finding), known) > HEADLINE]
    assert long == []
    caveats = {caveat for finding in found for caveat in finding.caveats}
    assert [caveat for caveat in caveats if words(caveat, known) > CAVEAT] == []
