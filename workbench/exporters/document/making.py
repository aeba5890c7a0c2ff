"""Makes the document of an export: the storyboard with its charts, or the requested pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from workbench.answers.common.baselines import baseline_lines
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import FAILED as FAILED_KIND
from workbench.answers.findings.compute import listed
from workbench.answers.findings.tables import open_words
from workbench.answers.findings.words import headline
from workbench.answers.import_report.causes import causes
from workbench.answers.storyboard.compute import shown_story
from workbench.answers.storyboard.grouped import caveat_lines, problem_lines
from workbench.answers.storyboard.shown import ShownSlide, ShownStory
from workbench.charts.claim import on_one_scale
from workbench.exporters.document.document import BOTH, CANNOT, HOW, Document, Slide, today
from workbench.exporters.document.language import in_language
from workbench.exporters.document.lengths import of_length, study_briefs
from workbench.exporters.document.slides import content_slide, document_on, slide_of
from workbench.exporters.job import DocumentPart
from workbench.exporters.names import kept_names
from workbench.exporters.safe_file import LEFT_OUT
from workbench.exporters.wanted import Wanted
from workbench.words.numbers import plural
from workbench.words.translated import speaking

_FEW_LIMITS = 4


def document_of(library: Library, choices: Choices, request: Wanted) -> Document:
    """The document for slides, page, report, workbook and presentation: the user's storyboard, otherwise the default
    one, with its charts, summary, method, limits and problems. `remarks` name slides with nothing to show."""
    story = shown_story(library, choices, request.what == "all")
    figures = library.as_seen(choices)
    by_folder = {figure.run.folder: figure for figure in figures}
    several = len(story.studies) > 1
    slides: dict[bool, list[Slide]] = {False: [], True: []}
    again: dict[str, Slide] = {}
    remarks = [f"There are no findings for {study.name}." for study in story.studies if not study.findings]
    remarks += [problem.message for problem in story.problems]
    for shown in story.slides:
        slide, why = slide_of(shown, library, choices, by_folder, several)
        if slide is None:
            remarks.append(f"The slide “{shown.sentence or shown.slide.key}”{LEFT_OUT}{why}")
        else:
            slides[shown.slide.appendix].append(slide)
            if (other := _of_other_phases(shown)) is not None:
                made, _ = slide_of(other, library, choices, by_folder, several)
                again |= {slide.key: made} if made is not None else {}
    face = request.face
    document = document_on(library.studies, figures, slides[False])
    document = replace(
        document,
        title=face.title or story.storyboard.title or document.title,
        appendix=tuple(slides[True]),
        summary=story.summary,
        limits=_limits(story, library, choices),
        customer=face.customer,
        author=face.author,
        date=today(),
        logo=face.logo,
        remarks=tuple(dict.fromkeys(remarks)),
    )
    if request.what == "findings" or request.only:
        return document
    briefs = study_briefs(story, library, choices, by_folder, several)
    told = {shown.slide.key: shown for shown in story.slides}
    return of_length(document, briefs, request.length, story.own, told, again)


def presented_brief(story: ShownStory, library: Library, choices: Choices, language: str) -> tuple[Slide, ...]:
    """The slides of a brief for a presentation, each with a key: cover, answer, limits, cost, method and limitations,
    and the table of all metrics. None if nothing can be shown."""
    figures = library.as_seen(choices)
    briefs = study_briefs(story, library, choices, {f.run.folder: f for f in figures}, len(story.studies) > 1)
    bare = replace(document_on(library.studies, figures, ()), limits=_limits(story, library, choices))
    with speaking(language, kept_names(library.studies)):
        document = in_language(of_length(bare, briefs, "brief", story.own, {}, {}))
    if not document.all_slides:
        return ()
    title = story.storyboard.title or document.title
    cover = Slide(title, evidence=", ".join(document.subtitle.splitlines()), of_story=True)
    method = Slide(document.word(BOTH), lists=method_and_limits(document), of_story=True)
    made = (cover, *document.slides, method, *document.appendix)
    return tuple(replace(slide, key=f"brief/{number}") for number, slide in enumerate(made, 1))


def method_and_limits(document: Document) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Two titled lists: the method of measurement, and the main limitations."""
    kept = document.limits[:_FEW_LIMITS]
    more = len(document.limits) - len(kept)
    limits = (*kept, *([f"See the notes for {plural(more, 'more limitation')}"] if more else [])) or (
        document.word("No known limitations."),
    )
    return (document.word(HOW), tuple(map(document.word, document.short_method))), (document.word(CANNOT), limits)


def _of_other_phases(shown: ShownSlide) -> ShownSlide | None:
    """The slide without the phase of its first finding, which the answer shows; None if it shows no other phase."""
    if len(shown.claims) < 2:
        return None
    first = shown.claims[1][0]
    others = [
        finding for finding in shown.findings if finding.phase != shown.findings[0].phase and finding is not first
    ]
    findings = (first, *others)
    also = tuple(dict.fromkeys(map(headline, others)))
    scaled = on_one_scale([claim for _, claim in shown.claims[1:]])
    claims = tuple((of, claim) for (of, _), claim in zip(shown.claims[1:], scaled, strict=True))
    return replace(shown, sentence=headline(first), findings=findings, also=also, claims=claims)


def parts_document(
    library: Library, choices: Choices, parts: Sequence[DocumentPart], request: Wanted
) -> tuple[Document, tuple[str, ...]]:
    """A slide for each part with a chart, and sentences on those without."""
    made = [(part, content_slide(part.name, part.content)) for part in parts]
    slides = [slide for _, slide in made if slide is not None]
    messages = tuple(f"“{part.name}” has no chart, so it has no slide." for part, slide in made if slide is None)
    document = document_on(library.studies, library.as_seen(choices), slides)
    face = request.face
    named = replace(
        document,
        title=face.title or document.title,
        customer=face.customer,
        author=face.author,
        date=today(),
        logo=face.logo,
    )
    return named, messages


def _limits(story: ShownStory, library: Library, choices: Choices) -> tuple[str, ...]:
    """The limitations of the values: failures, caveats, the baseline, problems. Repeated ones are one line with a
    count."""
    baselines = baseline_lines({study.name: study.groups for study in story.studies})
    failed = [finding.text for study in story.studies for finding in study.findings if finding.kind == FAILED_KIND]
    caveats = caveat_lines(list(_caveats(story.slides)))
    return (*failed, *caveats, *_undecided(story), *baselines, *problem_lines(causes(library, choices)))


def _undecided(story: ShownStory) -> Iterable[str]:
    """The number of inconclusive findings per study, because slides and pages do not show them."""
    for study in story.studies:
        if undecided := listed(study.findings)[2]:
            yield f"{study.name}: {open_words(undecided)}" if len(story.studies) > 1 else open_words(undecided)


def _caveats(slides: Iterable[ShownSlide]) -> Iterable[str]:
    for shown in slides:
        yield from (caveat for finding in shown.findings[:1] for caveat in finding.caveats)
