"""Handwritten findings and studies for tests of the storyboard."""

from __future__ import annotations

from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.storyboard.shown import StudyFindings
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.measures.statistics import Basis, Change
from workbench.model.run import Configuration, Provisioning, Run, SessionType
from workbench.session.state import State


def change(ratio: float, n: int = 3) -> Change:
    """A change from 100 to 100 times the ratio."""
    low, high = (None, None) if n == 1 else (ratio - 0.01, ratio + 0.01)
    basis: Basis = "single" if n == 1 else "interval"
    return Change(ratio, 100 * (ratio - 1), low, high, basis, n, n, value=100 * ratio, baseline_value=100.0)


def finding(key: str, strength: Strength = Strength.STRONG, **more: object) -> Finding:
    """A finding of the page Compare."""
    told: dict[str, object] = {
        "text": f"{key}.",
        "kind": "compare",
        "page": "compare",
        "view": "metric",
        "phase": "steady",
        "figure": "iops_per_vm",
        "configuration": "MCSIO",
        "baseline": "MCS",
    }
    return Finding(key, strength=strength, **(told | more))  # type: ignore[arg-type]


def study(*findings: Finding, folder: str = "lab") -> StudyFindings:
    """A study with these findings, in their order."""
    return StudyFindings(folder, folder, State(study=folder), findings)


def group(label: str, count: int) -> Group:
    """A configuration with that many runs and no other facts."""
    configuration = Configuration(label, Provisioning.OTHER)
    runs = (
        Run(f"{label}-{at}", f"lab/{label}-{at}", configuration, SessionType.VDI, None, None, (), (), ())
        for at in range(count)
    )
    return Group(label, configuration, SessionType.VDI, None, tuple(RunFigures(run, (), ()) for run in runs))
