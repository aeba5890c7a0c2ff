"""The studies that a storyboard speaks of, each with its findings as the user keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import MARGIN_PERCENT
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.page import kept_findings
from workbench.answers.storyboard.shown import StudyFindings
from workbench.measures.statistics import MARGIN


def study_findings(library: Library, choices: Choices) -> tuple[StudyFindings, ...]:
    """The studies with runs in their order; then the folders of storage benchmarks that belong to none of them."""
    sections: list[StudyFindings] = []
    apart: Sequence[Finding] = ()
    margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
    for study in library.with_runs:
        seen = replace(choices, study=study.folder)
        kept = kept_findings(library, seen)
        apart = apart or [finding for finding in kept if finding.apart]
        own = tuple(finding for finding in kept if not finding.apart)
        sections.append(StudyFindings(study.folder, study.name, seen, own, library.shown(seen), margin))
    if not sections:
        names = [study.name for study in library.studies if study.benchmarks]
        name = names[0] if len(names) == 1 else "Storage benchmarks"
        kept = kept_findings(library, choices)
        return (StudyFindings("", name, choices, kept, margin=margin),) if kept else ()
    folders = {study.name: study.folder for study in library.studies}
    for name in dict.fromkeys(finding.apart for finding in apart):
        of_folder = tuple(finding for finding in apart if finding.apart == name)
        sections.append(StudyFindings(folders.get(name, ""), name, sections[0].choices, of_folder, margin=margin))
    return tuple(sections)
