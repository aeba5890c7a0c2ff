"""What an export is asked for, as plain values: the same from the window and from the console.

`workbench.exporters.assemble` fills an `ExportJob`; `workbench.exporters.export` writes it by the ending of its path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from workbench.answers.common.choices import KeptLook
from workbench.answers.compare.compute import Comparison
from workbench.answers.sizing.compute import Plan
from workbench.answers.storyboard.shown import ShownStory, StudyFindings
from workbench.charts.content import Content
from workbench.charts.figure import Figure
from workbench.charts.palette import ThemeName
from workbench.exporters.document.document import Document, Slide
from workbench.exporters.safe_file import ExportError
from workbench.exporters.wanted import Face, Length
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Study
from workbench.words.translated import ENGLISH

# What a .csv or .parquet holds: the phase table, what the charts of the parts draw, or every sample of every run.
Data = Literal["phases", "charts", "samples"]


@dataclass(frozen=True, eq=False)
class DocumentPart:
    """One view of one page as it is shown: `page` and `view` are keys (`cache`, `sweep`), `name` reads "Cache, by
    cache size"; `study` names the study where several are written, `folder` is the one it answers for ("": of all).
    `span` is the stretch of x that was zoomed to."""

    page: str
    view: str
    name: str
    content: Content
    study: str = ""
    span: tuple[float, float] | None = None
    folder: str = ""

    @property
    def key(self) -> str:
        """`cache:sweep`, or the page alone where it has one view."""
        return f"{self.page}:{self.view}" if self.view else self.page


@dataclass(frozen=True, slots=True)
class PictureLook:
    """How pictures are drawn: `size` in logical pixels, `scale` 2 for twice the pixels of the same drawing."""

    theme: ThemeName = "light"
    size: tuple[int, int] = (1600, 900)
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class ExportJob:
    """What is written to `path`. `figures` are those of every run of `studies`, the runs taken out by hand marked;
    `parts` the pages' answers in the order of the rail; `left_out` says in sentences what is not among them.

    `whole`: everything there is, not a choice of it. `template` is the user's own workbook or deck.
    `comparisons`, `plans` and `findings` are those of the studies by folder, with the baseline and the inputs that
    were chosen. `notice` is what a document says on its face.
    `face` is that of a document that tells no storyboard. A workbook
    follows `story`, where the whole of it is written. `looks` are those of the configurations; `length` is how much
    of everything is shown, `language` that of the fixed texts of a document.
    """

    path: Path
    studies: tuple[Study, ...]
    figures: tuple[RunFigures, ...]
    parts: tuple[DocumentPart, ...] = ()
    document: Document | None = None
    whole: bool = True
    data: Data = "phases"
    template: Path | None = None
    look: PictureLook = PictureLook()
    left_out: tuple[str, ...] = ()
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    plans: Mapping[str, tuple[Plan, ...]] = field(default_factory=dict)
    notice: str = ""
    findings: Mapping[str, StudyFindings] = field(default_factory=dict)
    story: ShownStory | None = None
    face: Face = field(default_factory=Face)
    looks: tuple[KeptLook, ...] = ()
    length: Length = "full"
    language: str = ENGLISH


@dataclass(frozen=True, slots=True)
class Written:
    """`sentence` for the user, the files that were written, and in sentences what was left out and why; those among
    them that are told `always` are about the user's own file."""

    sentence: str
    files: tuple[Path, ...]
    left_out: tuple[str, ...] = ()
    always: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Everything that is to be reported, a line each; the files by name where they are several."""
        names = [f"  {file.name}" for file in self.files] if len(self.files) > 1 else []
        return "\n".join((self.sentence, *names, *self.left_out))


class Painter(Protocol):
    """What only the window's own drawing can do; it needs Qt and is handed in by who has it."""

    def picture(self, path: Path, content: Content, look: PictureLook) -> None:
        """Draws one page with its chart into `path`: .png, .svg or .pdf by its ending."""

    def svg(self, figure: Figure, size: tuple[int, int], identity: str) -> str:
        """The chart alone as .svg in the light theme, to stand in a page; `identity` begins its ids."""

    def claims(self, slide: Slide, size: tuple[int, int], identity: str, theme: ThemeName) -> str:
        """What the findings of a slide point at, as .svg in a theme, without a ground of its own."""

    def slide_picture(self, path: Path, slide: Slide, look: PictureLook) -> None:
        """The chart of a slide as a picture: what its findings point at, else its figure."""

    def report(self, path: Path, job: ExportJob) -> tuple[str, ...]:
        """Writes the report of the job's parts as .pdf; returns in sentences what could not be shown in full."""


class NoPainterError(ExportError):
    """A picture was asked for where Qt cannot be loaded."""
