"""The studies that a storyboard speaks of, each with its findings as the user keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import MARGIN_PERCENT
from workbench.answers.common.storyboard import FindingRef
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.matches import followed
from workbench.answers.findings.page import kept_findings
from workbench.measures.configurations import Group
from workbench.measures.statistics import MARGIN
from workbench.model.edits import FindingEdit


@dataclass(frozen=True, eq=False)
class StudyFindings:
    """A study by its `folder` and name; the `choices` that look at it; its findings, those read first before the
    others; its configurations; the margin as a share."""

    folder: str
    name: str
    choices: Choices
    findings: tuple[Finding, ...]
    groups: tuple[Group, ...] = ()
    margin: float = MARGIN

    def matching(self, refs: Iterable[FindingRef]) -> dict[str, Finding]:
        """By the key of each reference the finding that it means now; without those that are not computed."""
        wanted = list({ref.key: ref for ref in refs}.values())
        now = followed(self.findings, [FindingEdit(ref.key, about=ref.about) for ref in wanted])
        by_key = {finding.key: finding for finding in self.findings}
        return {ref.key: by_key[edit.key] for ref, edit in zip(wanted, now, strict=True) if edit.key in by_key}


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
