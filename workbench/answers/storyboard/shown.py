"""The storyboard as it is shown, as plain values: slides with their findings or view, and studies. Light to import."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.answers.common.choices import Choices, SavedView
from workbench.answers.common.storyboard import FindingRef, Storyboard, StorySlide
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.edits import followed
from workbench.charts.claim import Claim
from workbench.measures.configurations import Group
from workbench.measures.statistics import MARGIN
from workbench.model.edits import FindingEdit
from workbench.model.problem import Problem, Severity


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


@dataclass(frozen=True, eq=False)
class ShownSlide:
    """A slide of the storyboard with what it shows now: `findings` on one chart, the first one as its `sentence` and
    the others as `also`; or a saved `view`. `claims` are pairs of a finding and what it points at, one for each phase.
    `study` is None where the slide is of no study. `notice` says why it shows nothing, or not what the user wrote."""

    slide: StorySlide
    sentence: str
    study: StudyFindings | None = None
    findings: tuple[Finding, ...] = ()
    also: tuple[str, ...] = ()
    claims: tuple[tuple[Finding, Claim], ...] = ()
    view: SavedView | None = None
    notice: str = ""

    @property
    def lost(self) -> bool:
        """Whether what it shows is not there."""
        return (self.slide.kind == "finding" and not self.findings) or (self.slide.kind == "view" and self.view is None)


@dataclass(frozen=True, eq=False)
class ShownStory:
    """The storyboard as it stands, its slides as they are shown, the studies with their findings, and the summary of at
    most five sentences. `own`: the user has made it."""

    storyboard: Storyboard
    slides: tuple[ShownSlide, ...]
    studies: tuple[StudyFindings, ...]
    summary: tuple[str, ...]
    own: bool = False

    @property
    def problems(self) -> tuple[Problem, ...]:
        """A problem for each slide that does not show what it should."""
        return tuple(
            Problem(Severity.WARNING, f"slide {place}", "storyboard-slide", shown.notice, "the slide keeps its place")
            for place, shown in enumerate(self.slides, 1)
            if shown.notice
        )
