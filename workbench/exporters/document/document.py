"""Document: the content of slides, page and report as one plain value. Nothing is written or drawn here."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.answers.common.storyboard import Switches
from workbench.answers.storyboard.figures import STORY
from workbench.charts.claim import Claim
from workbench.charts.content import Content
from workbench.charts.figure import Figure
from workbench.charts.tables import TableData
from workbench.exporters.wanted import Length
from workbench.model.problem import Problem
from workbench.words.translated import ENGLISH, texts_of

if TYPE_CHECKING:
    from workbench.answers.storyboard.answer import Fact


METHODS: tuple[str, ...] = (
    "Each sample is the mean over the interval before its timestamp. Only the part of this interval inside the phase "
    "counts.",
    "Total I/O is the sum of samples × seconds over all measured VMs. IOPS are total I/O ÷ phase duration.",
    "Gaps are sample intervals longer than three times the median interval. I/O in gaps is not counted. The import "
    "report lists the gaps.",
    "Latencies are means over all I/Os. Percentiles cover all samples of all VMs in the phase.",
    "The value of a configuration is the mean of its runs. VMs from different runs are never pooled.",
    "One run per configuration gives only a difference. Two runs give a range.",
    "Three or more runs give a ratio with a 95 % interval (Welch's method on logarithms). Five or more runs "
    "also allow an exact permutation test (Holm-corrected).",
    "A change is rated better or worse if its 95 % interval excludes zero and the change exceeds the margin. Changes "
    "without a verdict are inconclusive.",
    "Missing values are shown as dashes, empty cells, or gaps in charts, never as 0.",
)
# The method in a few words, for a document that starts with the answer.
SHORT_METHODS = (
    "The I/O of each VM is summed over a phase. IOPS are this sum divided by the duration of the phase.",
    "The value of a configuration is the mean of its runs.",
    "Three or more runs give a 95 % interval. Two runs give a range. One run gives neither.",
    "A change is rated better or worse if it exceeds the margin and is significant.",
    "Missing values are shown as dashes, never as 0.",
)
# For results of storage tools only.
BENCHMARK_METHODS = (
    "The storage tools reported these values.",
    "“× raw” means IOPS of the test ÷ IOPS of the raw disk with the same settings.",
    "Missing values are shown as dashes, never as 0.",
)


@dataclass(frozen=True, eq=False)
class Slide:
    """One slide: its sentence as `title`, its figure or otherwise its `tables`, and its evidence.

    `evidence` is the source line (runs, n, interval, phase rule). `notes` are for the speaker; `said` is the part that
    the user wrote. `caveats` limit the sentence. `runs` are run folders. `key` is that of the slide in the storyboard.
    `also` are the sentences of other findings on this chart; `claims` are the subjects of all its findings, for a
    writer that draws them. `of_story`: the content takes exactly one slide, with any figure; a requested page takes as
    many slides as needed. `evidence_key` is the key of the section with its evidence (`compare:metric`), in the study
    of this name. `part` is its role in a brief (answer, limits, cost, table, divider; empty: a finding); `facts` are
    the parts of an answer. `lists` are titled lists shown instead of a chart.
    """

    title: str
    figure: Figure | None = None
    evidence: str = ""
    notes: str = ""
    caveats: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    key: str = ""
    also: tuple[str, ...] = ()
    strength: str = ""
    tables: tuple[TableData, ...] = ()
    claims: tuple[Claim, ...] = ()
    switches: Switches = field(default_factory=Switches)
    of_story: bool = False
    evidence_key: str = ""
    study: str = ""
    part: str = ""
    facts: tuple[Fact, ...] = ()
    said: str = ""
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def pointed(self) -> tuple[Claim, ...]:
        """The claims that are drawn, with their switches; empty if the figure of a page shows the sentence."""
        own = self.figure is not None and self.figure.key.startswith(STORY)
        return self.claims if own and self.of_story else ()


@dataclass(frozen=True, eq=False)
class Section:
    """One view of one page. `name` is like "Cache, by cache size", `key` like `cache:sweep`. `elsewhere` names the
    place of shared tables. `study` is its study if several are written."""

    name: str
    content: Content
    elsewhere: tuple[str, ...] = ()
    study: str = ""
    key: str = ""


@dataclass(frozen=True, eq=False)
class Document:
    """Everything that is written, in order.

    `subtitle` states the numbers of configurations and runs, and their common facts. `customer`, `author`, `date`
    (2026-11-22) and `logo` (an image file) are empty if not stated. `summary` has at most five sentences, the
    recommendation last. `limits` are problems and caveats; repeated ones are one line with a count. `problems` lists
    each. `files` are lines that name the source files; `sources` are tables of runs and files. `remarks` name the parts
    that are missing in the document, with the reasons. `length` is the chosen length, `language` that of its fixed
    texts. `short_method` is the method in a few lines.
    """

    title: str
    subtitle: str = ""
    slides: tuple[Slide, ...] = ()
    method: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()
    appendix: tuple[Slide, ...] = ()
    summary: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    customer: str = ""
    author: str = ""
    date: str = ""
    logo: Path | None = None
    sections: tuple[Section, ...] = ()
    sources: tuple[TableData, ...] = ()
    remarks: tuple[str, ...] = ()
    length: Length = "full"
    language: str = ENGLISH
    short_method: tuple[str, ...] = SHORT_METHODS

    def word(self, text: str) -> str:
        """A fixed text in the language of the document."""
        return texts_of(self.language).get(text, text)

    @property
    def all_slides(self) -> tuple[Slide, ...]:
        """The slides of the story, then those of the appendix."""
        return (*self.slides, *self.appendix)

    @property
    def answered(self) -> bool:
        """True if it begins with the answers of its studies."""
        return any(slide.facts for slide in self.slides)

    @property
    def face(self) -> str:
        """Customer, author and date, as far as stated."""
        return " · ".join(filter(None, (self.customer, self.author, self.date)))

    def evidence_of(self, slide: Slide) -> int | None:
        """Index of the section with the evidence of a slide; None if the document lacks it."""
        page = slide.evidence_key.partition(":")[0]
        own = [(n, s) for n, s in enumerate(self.sections) if page and s.study in ("", slide.study)]
        exact = [n for n, section in own if section.key == slide.evidence_key.removesuffix(":")]
        return next(iter(exact), next((n for n, s in own if s.key.partition(":")[0] == page), None))

    def evidence_words(self, place: int) -> str:
        """The name of a section behind the word for evidence: `Evidence: Limits (study lab)`."""
        section = self.sections[place]
        name = section.name.removeprefix(f"{section.study}: ") if section.study else section.name
        within = f" ({self.word('study')} {section.study})" if name != section.name else ""
        return f"{self.word('Evidence')}: {name}{within}"


def today() -> str:
    """The day of an export in UTC: 2026-11-22."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


BOTH, HOW, CANNOT = "Method and limitations", "Method", "Limitations"
