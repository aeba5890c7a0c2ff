"""What the first sheet says of a study."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.answers.findings.compute import Finding
from workbench.answers.storyboard.shown import StudyFindings
from workbench.charts.tables import TableData
from workbench.exporters.workbook.columns import StudyGroups
from workbench.exporters.workbook.sheets.compare import CompareLines
from workbench.measures.significance.differences import Difference


@dataclass(frozen=True, eq=False)
class Told:
    """Of one study its findings as a table and as they are, its comparison with where its lines stand, and how many
    findings there are in total."""

    table: TableData | None = None
    facts: StudyFindings | None = None
    compared: tuple[StudyGroups, CompareLines] | None = None
    total: int = 0

    def finding(self, key: str | None) -> Finding | None:
        """The finding of a row."""
        findings = self.facts.findings if self.facts else ()
        return next((finding for finding in findings if finding.key == key), None)

    def difference(self, finding: Finding | None) -> Difference | None:
        """The line of the comparison that a finding tells; None for one of another answer."""
        lines = self.compared[1].lines if self.compared and finding and finding.change else ()
        wanted = (finding.configuration, finding.phase, finding.figure) if finding else ()
        fitting = (row for row in lines if (row.configuration, row.phase, row.measure.key) == wanted and row.change)
        return next(fitting, None)
