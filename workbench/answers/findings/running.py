"""Findings that rest on a run whose test has not ended: they say so, and are no more than indicative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.findings.compute import Finding, Strength, weaker
from workbench.measures.configurations import Group


def marked(found: Sequence[Finding], groups: Sequence[Group]) -> list[Finding]:
    """The findings, each that rests on a running run with a caveat that names it."""
    names = {run.run.folder: run.run.name for group in groups for run in group.runs if run.run.running}
    return [_marked(finding, [names[run] for run in finding.runs if run in names]) for finding in found]


def _marked(finding: Finding, running: Sequence[str]) -> Finding:
    if not running:
        return finding
    many = len(running) > 1
    caveat = f"{', '.join(running)} {'are' if many else 'is'} still running: figures change until the test ends."
    strength = weaker(finding.strength, Strength.INDICATIVE)
    return replace(finding, strength=strength, running=True, caveats=(caveat, *finding.caveats))
