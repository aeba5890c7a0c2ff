"""What the first sheet shows of a study's findings, and the cells that its bars lead to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from workbench.answers.common.storyboard import Switches
from workbench.answers.findings.claims import claim_of
from workbench.answers.findings.compute import Finding
from workbench.answers.storyboard.figures import claim_figure
from workbench.answers.storyboard.shown import StudyFindings
from workbench.charts.claim import BarClaim
from workbench.charts.figure import Bars, Figure, Panel, Source
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.sheets.compare import BASE, MEAN, CompareLines
from workbench.measures.configurations import Group


def first_claim(study: StudyFindings) -> tuple[Finding, BarClaim, Figure] | None:
    """The first finding that points at bars beside each other, what it points at, and its figure."""
    for finding in study.findings:
        claim = claim_of(finding, study.groups, study.margin)
        if isinstance(claim, BarClaim) and not any(bar.above for bar in claim.bars):
            figure = claim_figure([(finding, claim)], Switches())
            if figure is not None:
                return finding, claim, figure
    return None


def claim_cell(
    making: Making, groups: Sequence[Group], lines: CompareLines | None, finding: Finding
) -> Callable[[Panel, Bars, int], str | None]:
    """What gives a bar its formula: the mean that the sentence compares, on the sheet of the comparison; of another bar
    its mean over the runs. None where the workbook has none."""

    def formula(_panel: Panel, bars: Bars, place: int) -> str | None:
        value = float(bars.values[place])
        for row in lines.lines if lines else ():
            if lines is None or (row.phase, row.measure.key) != (finding.phase, finding.figure) or row.change is None:
                continue
            if _named(finding.baseline, bars.name) and _same(row.baseline_value, value):
                return lines.cell(BASE, row)
            if _named(row.configuration, bars.name) and _same(row.value, value):
                return lines.cell(MEAN, row)
        group = next((group for group in groups if _named(group.label, bars.name)), None)
        if group is None:
            return None
        runs = tuple(figures.run.folder for figures in group.runs)
        return making.formula_of(Source(runs, finding.phase, finding.figure), value)

    return formula


def _named(label: str, short: str) -> bool:
    """Whether a bar has the short name of this configuration: its label, or without the first word."""
    return label == short or label.endswith(f" {short}")


def _same(shown: float | None, drawn: float) -> bool:
    return shown is not None and math.isclose(shown, drawn, rel_tol=1e-9)
