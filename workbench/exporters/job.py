"""The job of an export as plain values, equal for window and command line.

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

# Content of a .csv or .parquet: the phase table, the data of the parts' charts, or every sample of every run.
Data = Literal["phases", "charts", "samples"]


@dataclass(frozen=True, eq=False)
class DocumentPart:
    """One view of one page as shown. `page` and `view` are keys (`cache`, `sweep`); `name` is like "Cache, by cache
    size".

    `study` names the study if several are written; `folder` is the study that it answers for ("": all). `span` is the
    part of x that it is zoomed to.
    """

    page: str
    view: str
    name: str
    content: Content
    study: str = ""
    span: tuple[float, float] | None = None
    folder: str = ""

    @property
    def key(self) -> str:
        """Text like `cache:sweep`, or only the page if it has one view."""
        return f"{self.page}:{self.view}" if self.view else self.page


@dataclass(frozen=True, slots=True)
class PictureLook:
    """The settings for drawing images. `size` is in logical pixels; `scale` 2 doubles the pixels of the drawing."""

    theme: ThemeName = "light"
    size: tuple[int, int] = (1600, 900)
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class ExportJob:
    """Everything to write to `path`.

    `figures` are the results of every run in `studies`, with the user's exclusions marked. `parts` are the answers of
    the pages in the order of the sidebar; `left_out` are sentences on missing parts. `whole`: everything available, not
    a choice. `template` is the user's own workbook or deck. `comparisons`, `plans` and `findings` are by study folder,
    with the chosen baseline and inputs. `notice` is shown at the start of a document. `face` is the cover of a document
    without a storyboard. A complete workbook follows `story`. `looks` are those of the configurations. `length` is the
    chosen length, `language` that of the fixed texts.
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
    """The result of an export: `sentence` for the user, the written files, and sentences on omitted parts with the
    reasons. Those in `always` are about the user's own file."""

    sentence: str
    files: tuple[Path, ...]
    left_out: tuple[str, ...] = ()
    always: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The full report, one item per line; file names only if there are several."""
        names = [f"  {file.name}" for file in self.files] if len(self.files) > 1 else []
        return "\n".join((self.sentence, *names, *self.left_out))


class Painter(Protocol):
    """The drawing functions of the window. They need Qt, so the caller passes them in."""

    def picture(self, path: Path, content: Content, look: PictureLook) -> None:
        """Draw one page with its chart into `path`: .png, .svg or .pdf by its ending."""

    def svg(self, figure: Figure, size: tuple[int, int], identity: str) -> str:
        """The chart as .svg in the light theme, to be embedded in a page; `identity` is the prefix of its ids."""

    def claims(self, slide: Slide, size: tuple[int, int], identity: str, theme: ThemeName) -> str:
        """The claims of a slide as .svg in a theme, without a background."""

    def slide_picture(self, path: Path, slide: Slide, look: PictureLook) -> None:
        """The chart of a slide as an image: the claims of its findings, otherwise its figure."""

    def report(self, path: Path, job: ExportJob) -> tuple[str, ...]:
        """Write the report of the job's parts as .pdf; returns sentences on what could not be shown in full."""

    def undrawn(self, text: str) -> tuple[str, ...]:
        """Returns the scripts of a text that no font of this system has."""


class NoPainterError(ExportError):
    """An image was requested but Qt cannot be loaded."""
