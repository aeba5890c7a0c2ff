"""The current storyboard: each slide with its findings or view, its sentence, and its problems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import StorySlide
from workbench.answers.findings.claims import claim_of
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.words import headline
from workbench.answers.storyboard.defaults import default_storyboard
from workbench.answers.storyboard.shown import ShownSlide, ShownStory, StudyFindings
from workbench.answers.storyboard.summary import study_findings, summary_of
from workbench.answers.storyboard.words import sentence_of
from workbench.charts.claim import BarClaim, Claim, on_one_scale

LOST = "Its finding is not available: runs were excluded, hidden or changed. It returns when they do."
# The panels of one chart, one for each phase.
_PANELS = 3


def shown_story(library: Library, choices: Choices, every_study: bool = True) -> ShownStory:
    """The user's storyboard, otherwise the default one; of every study, or only of the shown one."""
    studies = study_findings(library, choices)
    if not every_study:
        looked_at = library.study(choices.study)
        studies = tuple(s for s in studies if looked_at is None or s.folder == looked_at.folder)
    made = choices.storyboard
    folders = {study.folder for study in studies}
    storyboard = default_storyboard(studies, choices.views) if made is None else made
    wanted = [slide for slide in storyboard.slides if every_study or not slide.study or slide.study in folders]
    slides = tuple(_shown(wanted, studies, choices))
    return ShownStory(storyboard, slides, studies, summary_of(studies), made is not None)


def _shown(slides: Sequence[StorySlide], studies: Sequence[StudyFindings], choices: Choices) -> Iterable[ShownSlide]:
    by_folder = {study.folder: study for study in reversed(studies)}
    matched: dict[str, dict[str, Finding]] = {}
    for folder, study in by_folder.items():
        matched[folder] = study.matching(ref for slide in slides if slide.study == folder for ref in slide.findings)
    for slide in slides:
        of = by_folder.get(slide.study)
        match slide.kind:
            case "finding":
                yield _of_findings(slide, of, matched.get(slide.study, {}))
            case "view":
                yield _of_view(slide, of or _first(studies), choices)
            case _:
                text = slide.words.text if slide.words else ""
                yield ShownSlide(slide, text, of or _first(studies))


def _first(studies: Sequence[StudyFindings]) -> StudyFindings | None:
    return studies[0] if studies else None


def _of_findings(slide: StorySlide, study: StudyFindings | None, known: dict[str, Finding]) -> ShownSlide:
    findings = tuple(known[ref.key] for ref in slide.findings if ref.key in known)
    if not findings or study is None:
        return ShownSlide(slide, slide.words.text if slide.words else "", study, notice=LOST)
    lead, then = findings[0], next(ref.about for ref in slide.findings if ref.key in known)
    gone = len(slide.findings) - len(findings)
    words = slide.words if slide.findings[0].key in known else None
    sentence, notice = sentence_of(words, lead, then)
    if gone:
        notice = " ".join(
            filter(None, (notice, f"{gone} of {len(slide.findings)} findings {'is' if gone == 1 else 'are'} missing."))
        )
    also = tuple(dict.fromkeys(headline(finding) for finding in findings[1:]))
    return ShownSlide(slide, sentence, study, findings, also, _claims(findings, study), notice=notice)


def shown_findings(slide: StorySlide, study: StudyFindings) -> ShownSlide:
    """A slide of findings of a study as it is shown."""
    return _of_findings(slide, study, study.matching(slide.findings))


def _claims(findings: Sequence[Finding], study: StudyFindings) -> tuple[tuple[Finding, Claim], ...]:
    """The chart of the first finding, and of the first one of each other phase if both are bars of one figure."""
    lead = findings[0]
    first = claim_of(lead, study.groups, study.margin)
    if first is None:
        return ()
    claims: dict[str, tuple[Finding, Claim]] = {lead.phase: (lead, first)}
    for finding in findings[1:]:
        if finding.phase in claims or finding.figure != lead.figure or not isinstance(first, BarClaim):
            continue
        claim = claim_of(finding, study.groups, study.margin)
        if isinstance(claim, BarClaim):
            claims[finding.phase] = (finding, claim)
    kept = tuple(claims.values())[:_PANELS]
    scaled = on_one_scale([claim for _, claim in kept])
    return tuple((of, claim) for (of, _), claim in zip(kept, scaled, strict=True))


def _of_view(slide: StorySlide, study: StudyFindings | None, choices: Choices) -> ShownSlide:
    view = next((view for view in choices.views if view.name == slide.view), None)
    sentence = slide.words.text if slide.words else slide.view
    lost = f"The saved view “{slide.view}” no longer exists. Save one under this name (Ctrl+B)."
    return ShownSlide(slide, sentence, study, view=view, notice=lost if view is None else "")
