"""Storyboard: the slides of a review, their order, and the user's changes to each. Plain values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, Self

from msgspec import Meta

from workbench.model.edits import About

# More slides than any presentation has. The limit keeps a damaged or hostile workspace file from blocking the window.
MOST_SLIDES, MOST_MERGED, LONGEST, LONGEST_NOTES = 500, 200, 2_000, 20_000
_Words = Annotated[str, Meta(max_length=LONGEST)]
_Notes = Annotated[str, Meta(max_length=LONGEST_NOTES)]

Kind = Literal["finding", "view", "page", "text"]


@dataclass(frozen=True, slots=True)
class Switches:
    """The parts that the chart of a slide shows: the bar of the finding in full colour with the others dimmed
    (`claim`), the bracket with difference and interval, the baseline, the value axis, and the source line under the
    chart."""

    claim: bool = True
    bracket: bool = True
    baseline: bool = True
    value_axis: bool = True
    source: bool = True


@dataclass(frozen=True, slots=True)
class FindingRef:
    """A finding by its key. Its subject `about` identifies it after configurations were renamed."""

    key: _Words
    about: About | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SlideWords:
    """The user's sentence: `text` with `{1}`, `{2}` in the places of the numbers, which come from the finding.

    `pattern` is the generated sentence at the time of the edit, without its numbers and names. While the finding still
    has this pattern, each number keeps its meaning.
    """

    text: _Words
    pattern: _Words = ""


@dataclass(frozen=True, slots=True)
class StorySlide:
    """One slide. `key` identifies it; `study` is the folder of its study.

    Its `kind` decides the content: `findings` on one chart, with the first one as its sentence; the saved view called
    `view`; the `page` in its `page_view`; or text only. `words` are the user's sentence and `notes` the speaker's notes
    (None: as generated).
    """

    key: _Words
    study: _Words = ""
    findings: Annotated[tuple[FindingRef, ...], Meta(max_length=MOST_MERGED)] = ()
    view: _Words = ""
    page: _Words = ""
    page_view: _Words = ""
    words: SlideWords | None = None
    notes: _Notes | None = None
    switches: Switches = Switches()
    appendix: bool = False

    @property
    def kind(self) -> Kind:
        """The kind of content of the slide."""
        return "finding" if self.findings else "view" if self.view else "page" if self.page else "text"


@dataclass(frozen=True, slots=True)
class Storyboard:
    """The slides in their order; `title` is that of the document (empty: the name of the study)."""

    slides: Annotated[tuple[StorySlide, ...], Meta(max_length=MOST_SLIDES)] = ()
    title: _Words = ""

    def slide(self, key: str) -> StorySlide | None:
        """The slide of that key; None if there is none."""
        return next((slide for slide in self.slides if slide.key == key), None)

    def changed(self, slide: StorySlide) -> Self:
        """The storyboard with this slide instead of the one with its key."""
        return replace(self, slides=tuple(slide if other.key == slide.key else other for other in self.slides))

    def moved(self, key: str, by: int) -> Self:
        """The storyboard with a slide moved down by `by` positions (up if below 0); it stops at the ends."""
        keys = [slide.key for slide in self.slides]
        if key not in keys:
            return self
        slides, at = list(self.slides), keys.index(key)
        slides.insert(min(max(at + by, 0), len(slides) - 1), slides.pop(at))
        return replace(self, slides=tuple(slides))

    def placed(self, key: str, before: str | None, appendix: bool) -> Self:
        """The storyboard with a slide placed before another one (None: last of its part), in the story or the
        appendix."""
        slide = self.slide(key)
        if slide is None or key == before:
            return self
        rest = [other for other in self.slides if other.key != key]
        keys = [other.key for other in rest]
        rest.insert(keys.index(before) if before in keys else len(rest), replace(slide, appendix=appendix))
        return replace(self, slides=tuple(sorted(rest, key=lambda other: other.appendix)))

    def without(self, key: str) -> Self:
        """The storyboard without a slide."""
        return replace(self, slides=tuple(slide for slide in self.slides if slide.key != key))
