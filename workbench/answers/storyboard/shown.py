"""The storyboard as shown, as plain values: slides with their findings or view, and studies. Fast to import."""

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

_KEPT = "slide kept; change or remove it"


@dataclass(frozen=True, eq=False)
class StudyFindings:
    """A study by its `folder` and name, with the `choices` that show it.

    Its findings have the most relevant first. It also has its configurations, and the margin as a share.
    """

    folder: str
    name: str
    choices: Choices
    findings: tuple[Finding, ...]
    groups: tuple[Group, ...] = ()
    margin: float = MARGIN

    def matching(self, refs: Iterable[FindingRef]) -> dict[str, Finding]:
        """The current finding of each reference, by its key; references without a finding are not in it."""
        wanted = list({ref.key: ref for ref in refs}.values())
        now = followed(self.findings, [FindingEdit(ref.key, about=ref.about) for ref in wanted])
        by_key = {finding.key: finding for finding in self.findings}
        return {ref.key: by_key[edit.key] for ref, edit in zip(wanted, now, strict=True) if edit.key in by_key}


@dataclass(frozen=True, eq=False)
class ShownSlide:
    """A slide of the storyboard with its current content.

    `findings` are on one chart, the first one as its `sentence` and the others as `also`; or it has a saved `view`.
    `claims` are pairs of a finding and its chart, one for each phase. `study` is None if the slide belongs to no study.
    `notice` is the reason why the slide is empty, or why it does not show the user's text.
    """

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
        """True if its content is missing."""
        return (self.slide.kind == "finding" and not self.findings) or (self.slide.kind == "view" and self.view is None)


@dataclass(frozen=True, eq=False)
class ShownStory:
    """The current storyboard: its slides as shown, the studies with their findings, and a summary of at most five
    sentences. `own`: the user made it."""

    storyboard: Storyboard
    slides: tuple[ShownSlide, ...]
    studies: tuple[StudyFindings, ...]
    summary: tuple[str, ...]
    own: bool = False

    @property
    def problems(self) -> tuple[Problem, ...]:
        """A problem for each slide that does not show its content."""
        return tuple(
            Problem(Severity.WARNING, f"slide {place}", "storyboard-slide", shown.notice, _KEPT)
            for place, shown in enumerate(self.slides, 1)
            if shown.notice
        )
