"""Writes the report as Markdown for wikis and tickets: sentences, tables, and charts in a folder next to the file.

Text from names is escaped, so it is never read as markup, link, image or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import quote

from workbench.answers.storyboard.answer import Fact
from workbench.charts.content import Card, Content
from workbench.charts.tables import TableData, heading
from workbench.exporters.document.document import Document, Section, Slide
from workbench.exporters.document.lengths import TABLE
from workbench.exporters.job import Painter, PictureLook, Written
from workbench.exporters.names import plain_name
from workbench.exporters.safe_file import LEFT_OUT, ExportError, alone, write_safely
from workbench.exporters.texts import plain_text
from workbench.file_replace import delete_file
from workbench.measures.significance.method import PROGRAM
from workbench.words.captions import as_sentences, definitions, ended
from workbench.words.numbers import MISSING, plural

MOST_ROWS = 20
ELSEWHERE = "The exported page (.html) shows all rows."
NO_PICTURES = "The charts are omitted: they need Qt, which cannot be loaded on this machine."
_WIDE, _PANEL_WIDE, _TALL, _FIGURE_SIZE = 640, 420, 300, (1000, 460)


def write_markdown(path: Path, story: Document, painter: Painter | None, look: PictureLook) -> Written:
    """Write the file, and the folder `NAME-pictures` next to it. An image that cannot be drawn is named instead.

    Raises `ExportError` with a sentence if the file was not written.
    """
    pictures = _Pictures(path, painter, look)
    lines = [*_head(story), *_findings(story, pictures), *_sections(story, pictures), *_tail(story)]
    notes = [*pictures.notes, *([NO_PICTURES] if painter is None else [])]
    if left_out := list(dict.fromkeys((*story.remarks, *notes))):
        lines += [f"## {story.word('Omitted')}", "", *_items(left_out)]
    lines += ["---", "", held(f"Written by {PROGRAM}.")]
    text = "\n".join(lines) + "\n"

    def write(target: Path) -> None:
        target.write_text(text, encoding="utf-8", newline="\n")

    def check(target: Path) -> None:
        if target.read_bytes().decode("utf-8") != text:
            raise OSError("the file on disk differs from what was written")

    # The images are written first, so the file never refers to a missing image.
    try:
        pictures.draw()
        write_safely(path, write, check)
    except ExportError as error:
        pictures.take_back()
        if not path.exists() or "unchanged" in str(error):
            raise
        # What is wrong, what was done, what to do.
        wrong, _, advice = str(error).partition(". ")
        words = f"{wrong.removesuffix('.')}. The earlier file is unchanged. {advice}".rstrip()
        raise ExportError(words) from error
    count = len(pictures.jobs)
    sentence = f"Wrote {path.name}: {plural(count, 'image')}."
    return Written(sentence, (path, *pictures.jobs), tuple(dict.fromkeys(notes)))


class _Pictures:
    """The images of a file: named while the text is made, drawn before it is written."""

    def __init__(self, path: Path, painter: Painter | None, look: PictureLook) -> None:
        self.folder = path.parent / f"{plain_name(path.stem) or 'report'}-pictures"
        self.jobs: dict[Path, Callable[[Path], None]] = {}
        self.notes: list[str] = []
        self._painter, self._look, self._made = painter, look, list[Path]()

    def of_slide(self, name: str, slide: Slide) -> list[str]:
        """The lines that show the chart of a slide; none if nothing can be drawn."""
        if self._painter is None or slide.figure is None:
            return []
        count = len(slide.pointed)
        size = (max(_WIDE, _PANEL_WIDE * count), _TALL) if count else _FIGURE_SIZE
        words = slide.figure.summary or slide.title
        return self._line(name, words, partial(self._painter.slide_picture, slide=slide, look=self._sized(size)))

    def of_content(self, name: str, content: Content) -> list[str]:
        """The lines that show the chart of a page."""
        if self._painter is None or content.figure is None or content.empty:
            return []
        alone_figure = Content("", figure=content.figure)
        words = content.figure.summary or content.question
        look = self._sized(_FIGURE_SIZE)
        return self._line(name, words, partial(self._painter.picture, content=alone_figure, look=look))

    def _sized(self, size: tuple[int, int]) -> PictureLook:
        return PictureLook(self._look.theme, size, 2.0)

    def _line(self, name: str, words: str, draw: Callable[[Path], None]) -> list[str]:
        place = self.folder / f"{name}.png"
        self.jobs[place] = draw
        return [f"![{held(words)}]({quote(f'{self.folder.name}/{place.name}')})", ""]

    def draw(self) -> None:
        """Draw all images. A failure affects only its own image."""
        if self.jobs and not self.folder.exists():
            try:
                self.folder.mkdir()
            except OSError as error:
                raise ExportError(f"The folder {self.folder.name} could not be created: {error.strerror}.") from error
            self._made.append(self.folder)
        for place, draw in list(self.jobs.items()):
            new = not place.exists()
            self._alone(place, draw)
            if new and place.exists():
                self._made.append(place)

    def _alone(self, place: Path, draw: Callable[[Path], None]) -> None:
        def failed(words: str) -> None:
            self.notes.append(f"{place.name}{LEFT_OUT}{words}")

        def drawn(target: Path) -> None:
            # A failed image becomes an empty file, so the text does not refer to a missing file.
            target.touch()
            alone("", lambda: draw(target), failed)

        write_safely(place, drawn, lambda _path: None)

    def take_back(self) -> None:
        """Delete the images if the file itself could not be written."""
        for place in reversed(self._made):
            with suppress(OSError):
                place.rmdir() if place.is_dir() else delete_file(place)


def _items(texts: Sequence[str]) -> list[str]:
    return [*(f"- {held(text)}" for text in texts), ""]


def _head(story: Document) -> list[str]:
    lines = [f"# {held(story.title)}", ""]
    for text in filter(None, (story.face, *story.subtitle.split("\n"))):
        lines += [held(text), ""]
    return [*lines, f"## {story.word('Summary')}", "", *_items(story.summary)] if story.summary else lines


def _findings(story: Document, pictures: _Pictures) -> list[str]:
    if not story.all_slides:
        return []
    lines = [f"## {story.word('Findings')}", ""]
    for place, slide in enumerate(story.slides, 1):
        lines += [f"### {held(slide.title)}", ""]
        lines += _items([_fact(fact) for fact in slide.facts]) if slide.facts else []
        lines += pictures.of_slide(f"finding-{place}", slide)
        if slide.figure is None or not pictures.jobs:
            lines += _tables(slide.tables)
        lines += [line for caveat in slide.caveats for line in (f"> {held(caveat)}", "")]
        # The legend of a table already states it.
        told = slide.figure is None and any(slide.evidence in table.whole_legend for table in slide.tables)
        lines += [held(slide.evidence), ""] if slide.evidence and not told else []
        lines += [held("On the same chart:"), "", *_items(slide.also)] if slide.also else []
    for slide in (slide for slide in story.appendix if slide.part == TABLE):
        lines += [f"### {held(slide.title)}", "", *_tables(slide.tables)]
    if appendix := [slide for slide in story.appendix if slide.part != TABLE]:
        lines += [f"### {story.word('More findings')}", ""]
        for slide in appendix:
            lines += [
                f"- {held(slide.title)}",
                *(f"  - {held(text)}" for text in (slide.evidence, *slide.caveats) if text),
            ]
        lines.append("")
    return [*lines, f"## {story.word('Limitations')}", "", *_items(story.limits)] if story.limits else lines


def _fact(fact: Fact) -> str:
    return as_sentences((f"{fact.label}: {fact.words}", fact.note))


def _sections(story: Document, pictures: _Pictures) -> list[str]:
    """The pages: with their charts if they were requested, otherwise after the findings with only their tables."""
    lines: list[str] = []
    for place, section in enumerate(story.sections, 1):
        content = section.content
        drawn = [] if story.all_slides else pictures.of_content(f"page-{place}", content)
        if not drawn and story.all_slides and not content.tables:
            continue
        lines += [f"## {held(section.name)}", "", f"**{held(content.question)}**", ""]
        lines += [held(content.caption), ""] if content.caption else []
        lines += [*_items([content.empty] if content.empty else _cards(section)), *drawn, *_tables(content.tables)]
        lines += [line for text in section.elsewhere if text for line in (held(text), "")]
        lines += _items(definitions(content.definitions)) if content.definitions else []
    return lines


def _cards(section: Section) -> list[str]:
    return [_card(card) for card in section.content.cards]


def _card(card: Card) -> str:
    """Text like `MCS: 105 (baseline, n = 3; IOPS per VM)`. Facts replace a missing value."""
    facts = "; ".join(filter(None, (card.note, card.detail))).replace("\n", "; ").replace(" · ", "; ")
    value = f"{card.value} {card.unit}".strip()
    if facts:
        value = facts if card.value == MISSING else f"{value} ({facts})"
    return f"{card.title}: {value}"


def _tables(tables: Sequence[TableData]) -> list[str]:
    lines: list[str] = []
    for table in tables:
        if table.columns and table.rows:
            lines += [f"**{held(table.name)}**", ""] if table.name else []
            lines += [*table_lines(table, MOST_ROWS, ELSEWHERE), ""]
    return lines


def _tail(story: Document) -> list[str]:
    lines = [f"## {story.word('Method')}", "", *_items(story.method)] if story.method else []
    return [*lines, f"## {story.word('Sources')}", "", *_tables(story.sources)] if story.sources else lines


# Everything that CommonMark and GitHub's tables read as markup within a line, and texts that become links
# automatically.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~^$&@]|(?i:(?<=\bwww)\.|(?<=\w):(?=//)))")
# Text that begins a block at the start of a line: a list, a rule, an underlined heading.
_BLOCK = re.compile(r"^(\d*)([-+=:]|(?<=\d)[.)](?=\s|$))")
_BLANKS = re.compile(r"[ \t\r\n\x85]+")


def held(text: str) -> str:
    """The text on one line, escaped."""
    line = _MARKUP.sub(r"\\\1", _BLANKS.sub(" ", plain_text(text)).strip())
    return _BLOCK.sub(r"\1\\\2", line)


def table_lines(table: TableData, most: int, elsewhere: str) -> list[str]:
    """The table in GitHub's notation; at most `most` rows, then a line that names the place of the rest."""
    lines = [
        _row(map(heading, table.columns)),
        _row_of("---:" if column.numeric else "---" for column in table.columns),
    ]
    lines += [_row(cell.text for cell in row) for row in table.rows[:most]]
    cut = f"These are the first {most} of {len(table.rows)} rows. {elsewhere}" if len(table.rows) > most else ""
    legend = [held(ended(table.legend))] if table.legend else []
    items = [f"- {held(text)}" for text in definitions(table.method)]
    legend += [*[""] * bool(legend and items), *items]
    legend += [*[""] * bool(legend), plain_text(cut)] if cut else []
    return [*lines, *(["", *legend] if legend else [])]


def _row(texts: Iterable[str]) -> str:
    return _row_of(map(held, texts))


def _row_of(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"
