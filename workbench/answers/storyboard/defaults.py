"""The default storyboard, if the user has not made one.

For each study: the findings in the order of the Overview, strongest first, those on one chart as one slide; then the
saved views in their order. There are at most twelve slides of findings. The appendix has findings of single runs,
findings beyond the first twelve, and storage benchmarks of other folders. Inconclusive findings have a slide only if
there is no decided finding; documents count them in one line. Findings without a page of evidence (the user's own
sentences, and those on what could not be computed) have no slide: the summary and the limits have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, count

from workbench.answers.common.choices import SavedView
from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.common.storyboard import FindingRef, Storyboard, StorySlide
from workbench.answers.findings.claims import chart_key
from workbench.answers.findings.compute import FAILED, MOST_SHOWN, Finding, Strength, is_effect
from workbench.answers.overview.lead import strongest
from workbench.answers.storyboard.shown import StudyFindings

# For one study; with cover, agenda, summary, method and limits twelve slides.
MOST_STORY = 7
# This many findings keep their place, however many views are saved.
LEAST_FINDINGS = 3
# A finding of these kinds may recommend, so it is in the story.
CARRIES = (Strength.STRONG, Strength.INDICATIVE)
# The list of imported files is not a result.
_NO_RESULTS = ("", IMPORT_REPORT)


def default_storyboard(studies: Sequence[StudyFindings], views: Iterable[SavedView] = ()) -> Storyboard:
    """The slides of every study, those of the appendix last. A view without a study belongs to the first."""
    with_groups = [study for study in studies if study.groups] or studies[:1]
    saved = {study.folder: list[SavedView]() for study in with_groups}
    for view in views:
        folder = view.study if view.study in saved else next(iter(saved), None)
        if folder is not None:
            saved[folder].append(view)
    slides = [slide for study in studies for slide in _slides(study, saved.get(study.folder))]
    return Storyboard(tuple(sorted(_told_apart(slides), key=lambda slide: slide.appendix)))


def _told_apart(slides: Iterable[StorySlide]) -> list[StorySlide]:
    """The slides with distinct keys: keys of storage benchmarks and saved views do not contain their study."""
    met: set[str] = set()
    apart: list[StorySlide] = []
    for slide in slides:
        numbered = (f"{slide.study}/{slide.key} #{number}" for number in count(2))
        keys = chain((slide.key, f"{slide.study}/{slide.key}"), numbered)
        key = next(key for key in keys if key not in met)
        met.add(key)
        apart.append(replace(slide, key=key))
    return apart


def on_slides(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that have a chart or a table to show."""
    return tuple(finding for finding in findings if finding.page not in _NO_RESULTS and finding.kind != FAILED)


def merged(findings: Iterable[Finding]) -> list[tuple[Finding, ...]]:
    """The findings grouped by chart, in the order of the first finding of each chart.

    Those of single runs are separate, and undecided ones come last.
    """
    charts: dict[object, list[Finding]] = {}
    for finding in findings:
        # Each family of storage benchmarks has a separate chart.
        family = finding.inputs if finding.page == "benchmarks" else ()
        single = finding.strength is Strength.SINGLE
        charts.setdefault((chart_key(finding), family, single), []).append(finding)
    return [tuple(sorted(members, key=lambda f: f.strength not in CARRIES)) for members in charts.values()]


def finding_slide(study: str, findings: Sequence[Finding], *, appendix: bool = False) -> StorySlide:
    """The slide of findings on one chart; its sentence is that of the first."""
    refs = tuple(FindingRef(finding.key, finding.about) for finding in findings)
    return StorySlide(findings[0].key, study, refs, appendix=appendix)


def view_slide(study: str, view: SavedView, *, appendix: bool = False) -> StorySlide:
    """The slide of a saved view."""
    return StorySlide(f"view/{view.name}", study, view=view.name, appendix=appendix)


def _slides(study: StudyFindings, views: Sequence[SavedView] | None) -> list[StorySlide]:
    """The slides of a study; slides of storage benchmarks outside studies (`views` None) are all in the appendix."""
    every = on_slides(study.findings)
    findings = [finding for finding in every if finding.strength is not Strength.INCONCLUSIVE] or every
    charts = merged(findings)
    views, apart = views or (), views is None
    story = [] if apart else [members for members in charts if members[0].strength in CARRIES]
    # Findings of no difference are not in the story if one or two runs show an effect.
    if not any(is_effect(members[0]) for members in story) and any(map(is_effect, findings)):
        story = []
    if not story and not apart:
        # The slides of the first findings of the Overview, if no finding is stronger than a single run.
        first = strongest(findings)
        keys = {finding.key for finding in first if finding.strength is not Strength.INCONCLUSIVE}
        story = [members for members in charts if any(finding.key in keys for finding in members)]
    shown = story[: max(LEAST_FINDINGS, MOST_STORY - len(views))]
    room = MOST_STORY - len(shown)
    slides = [finding_slide(study.folder, members) for members in shown]
    slides += [view_slide(study.folder, view) for view in views[:room]]
    more = [members for members in charts if members not in shown][: MOST_SHOWN - len(shown)]
    slides += [finding_slide(study.folder, members, appendix=True) for members in more]
    return [*slides, *(view_slide(study.folder, view, appendix=True) for view in views[room:])]
