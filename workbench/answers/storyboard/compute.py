"""The current storyboard: each slide with its findings or view, its sentence, and its problems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.storyboard import LONGEST, SlideWords, StorySlide
from workbench.answers.findings.claims import claim_of
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.edits import renamed
from workbench.answers.findings.values import BYTES, UNIT, opposed, parts_of, unit_of, values_in, without_unit
from workbench.answers.findings.words import headline, names_in
from workbench.answers.storyboard.defaults import default_storyboard
from workbench.answers.storyboard.shown import ShownSlide, ShownStory, StudyFindings
from workbench.answers.storyboard.summary import study_findings, summary_of
from workbench.charts.claim import BarClaim, Claim, on_one_scale
from workbench.model.edits import About

LOST = "The finding of this slide is not available, because its runs were excluded, hidden or changed."
# The panels of one chart, one for each phase.
_PANELS = 3
# A value in a pattern; `apart` and `glued` units only in those of an earlier version.
_VALUE = re.compile(rf"#(?:(?P<unit>{UNIT})| (?P<apart>{BYTES}))?(?!\w)|(?<![\w.,])\d[\d.,]*(?P<glued>{BYTES})(?!\w)")
_PLACE = re.compile(r"\{(\d{1,3})\}")
# The ends of generated sentences of earlier versions that had the same values in another order: for each current place
# the earlier one, counted from the first value of the end.
_BASELINE_FIRST = r"(?:@|earlier runs|früher\w* \w+)"
_REORDERED = (
    (re.compile(rf"#\S*, from #[^()#]*\({_BASELINE_FIRST}\) to #[^#]*$"), (0, 2, 1)),
    (re.compile(r"from #[^#]* with @ to #[^#]*, a difference of #[^#]*$"), (2, 1, 0)),
    (re.compile(r"needs # disks? for #[^#]*, # \w+ than @ \(#\)$"), (2, 1, 0, 3)),
)


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
    """The chart of the first finding, and of its configuration in each other phase if both are bars of one figure."""
    lead = findings[0]
    first = claim_of(lead, study.groups, study.margin)
    if first is None:
        return ()
    claims: dict[str, tuple[Finding, Claim]] = {lead.phase: (lead, first)}
    for finding in findings[1:]:
        # A second highlighted configuration would contradict the title.
        other = (finding.figure, finding.configuration) != (lead.figure, lead.configuration)
        if finding.phase in claims or other or not isinstance(first, BarClaim):
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


def numbers_of(finding: Finding, sentence: str) -> list[str]:
    """The numbers of a sentence with their units, in their order; numbers inside names do not count."""
    return values_in(sentence, names_in(finding))


def pattern_of(finding: Finding, sentence: str) -> str:
    """The sentence with `@` for names, and `#` with its unit for numbers: `@ cuts IOPS by #%`."""
    parts = parts_of(names_in(finding))
    return parts.sub(lambda match: f"#{unit_of(match[0])}" if match["name"] is None else "@", sentence)


def as_template(finding: Finding) -> str:
    """The generated sentence with `{1}`, `{2}` in the places of its numbers."""
    count = iter(range(1, 1000))
    parts = parts_of(names_in(finding))
    return parts.sub(lambda m: f"{{{next(count)}}}" if m["name"] is None else m[0], headline(finding))


def with_words(slide: StorySlide, finding: Finding, typed: str) -> StorySlide:
    """The slide with a sentence as the user typed it.

    Numbers of the generated sentence in it, written out or as `{1}`, follow the data. An empty or the generated
    sentence removes the user's words.
    """
    text = " ".join(typed.split())[:LONGEST]
    sentence = headline(finding)
    for place, number in enumerate(numbers_of(finding, sentence), 1):
        # Any kind of blank before the unit.
        spelled = r"\s".join(map(re.escape, number.split()))
        text = re.sub(rf"(?<![\w.,{{]){spelled}(?![\w}}])", f"{{{place}}}", text, count=1)
    if not text or text == as_template(finding):
        return replace(slide, words=None)
    return replace(slide, words=SlideWords(text, pattern_of(finding, sentence)))


def sentence_of(words: SlideWords | None, finding: Finding, then: About | None) -> tuple[str, str]:
    """The sentence of a slide, and a notice if the user's words no longer fit.

    In that case the generated sentence is used, because the user's numbers would mean something else. `then` is the
    subject of the finding when the words were written.
    """
    sentence = headline(finding)
    if words is None:
        return sentence, ""
    numbers = _numbers_of_places(words.pattern, finding, sentence)
    places = [int(place) for place in _PLACE.findall(words.text)]
    if places and (max(places) > len(numbers) or min(places) < 1):
        return sentence, f"The finding has changed, so your text is not shown: {words.text}"
    text = renamed(words.text, then, finding.about)
    return _PLACE.sub(lambda place: numbers[int(place[1]) - 1], text), ""


def _in_earlier_order(pattern: str, numbers: list[str]) -> list[str]:
    """The numbers in the order of a sentence of an earlier version."""
    for end, order in _REORDERED:
        if end.search(pattern) and len(numbers) >= len(order):
            kept = len(numbers) - len(order)
            last = numbers[kept:]
            return [*numbers[:kept], *(number for _, number in sorted(zip(order, last, strict=True)))]
    return numbers


def _numbers_of_places(pattern: str, finding: Finding, sentence: str) -> list[str]:
    """The numbers for `{1}`, `{2}` of a text that was written for a sentence of this pattern; empty if they do not fit.

    The sentence may have other words now, but the same number of values, with their units if the pattern contains them.
    An earlier version had no unit behind `#`, and did not count `4KiB`, nor the unit of `4 KiB`.
    """
    numbers, now = numbers_of(finding, sentence), pattern_of(finding, sentence)
    if pattern == now:
        return numbers
    then = list(_VALUE.finditer(pattern))
    units = [match["unit"] or match["apart"] or match["glued"] for match in then]
    if " vs. " in now:
        numbers = _in_earlier_order(pattern, numbers)
    fits = len(then) == len(numbers) and all(
        unit in (None, unit_of(number)) for unit, number in zip(units, numbers, strict=True)
    )
    if not fits or opposed(pattern, now):
        return []
    pairs = [(match, number) for match, number in zip(then, numbers, strict=True) if match["glued"] is None]
    return [without_unit(number) if match["apart"] else number for match, number in pairs]
