"""Fills the user's own workbook with figures, tables and texts in the marked places.

A cell has a mark, `{{figure:cache:sweep}}`, `{{table:overview:Phase table}}`, `{{text:question.compare}}`, or a defined
name does the same: `figure_cache_sweep`, `table_overview_phase_table`, `text_question_compare`. Everything else stays
unchanged byte for byte: charts, images, macros, formats, rules. Filled cells without a format get a format of this
program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from lxml import etree
from openpyxl import Workbook
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, OneCellAnchor
from openpyxl.drawing.xdr import XDRPositiveSize2D
from openpyxl.utils.cell import get_column_letter, range_boundaries

from workbench import __version__
from workbench.charts.figure import Figure
from workbench.charts.tables import TableData
from workbench.exporters.chart_plan import paired, plans_of
from workbench.exporters.job import DocumentPart
from workbench.exporters.workbook.cells import put
from workbench.exporters.workbook.figure_block import write_block
from workbench.exporters.workbook.finish import order_fonts, save
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.native_chart import chart_of
from workbench.exporters.workbook.package import RELS, WORKBOOK, Package, open_package, tag
from workbench.exporters.workbook.sheets.chart import COLUMN_PX, ROW_PX, words_of
from workbench.exporters.workbook.sheets.template import TemplateSheet, template_sheets
from workbench.exporters.workbook.table_cells import as_value, with_unit

_MARK = re.compile(r"\{\{\s*(figure|table|text)\s*:([^{}]+)\}\}")
# A text that looks like a mark but is not one.
_MISSPELT = re.compile(r"\{\{.*?(?:\}\}|$)|\{\s*(?:figure|table|text)\s*:[^{}]*\}{1,2}", re.DOTALL)
_NAME = re.compile(r"^(figure|table|text)_(.+)$", re.IGNORECASE)
_EMU_PER_PX = 9_525
# Columns of one, two and three charts side by side if the template gives no area, and rows of a line of charts.
_COLUMNS, _ROWS = {1: 9, 2: 14}, 16
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_CHART_TYPE = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"


@dataclass(frozen=True, slots=True)
class Filled:
    """The number of figures, tables and texts filled in, and sentences on places that were not filled."""

    figures: int
    tables: int
    texts: int
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """A cell with a mark or a name; `rows` and `columns` are 1 if the template gives no area."""

    sheet: TemplateSheet
    at: tuple[int, int]
    rows: int
    columns: int
    kind: str
    key: str
    named: bool

    @property
    def words(self) -> str:
        """The place in words for a sentence."""
        return f"{self.sheet.name}!{get_column_letter(self.at[1])}{self.at[0]}"


def fill_template(template: Path, out: Path, parts: Sequence[DocumentPart], study: str = "") -> Filled:
    """Write `template` to `out`, filled according to its marks and names. `study` is the text `{{text:study}}`.

    Unknown marks stay and are reported. Raises `ExportError` if the template cannot be filled.
    """
    package = open_package(template)
    sheets = template_sheets(package)
    filler = _Filler(package, _Answers(tuple(parts), study), tuple(_all_names(package)))
    for mark in [*_marks(sheets), *_named(package, sheets)]:
        filler.fill(mark)
    filler.left_out += _misspelt(sheets)
    filler.finish()
    package.save(out)
    return Filled(filler.figures, filler.tables, filler.texts, tuple(dict.fromkeys(filler.left_out)))


def keys(parts: Sequence[DocumentPart]) -> dict[str, tuple[str, ...]]:
    """The valid keys of figures, tables and texts."""
    answers = _Answers(tuple(parts), "")
    return {kind: tuple(answers.known(kind)) for kind in ("figure", "table", "text")}


def _misspelt(sheets: Iterable[TemplateSheet]) -> Iterator[str]:
    """A sentence for each cell with a text that looks like a wrong placeholder."""
    for sheet in sheets:
        for at in sheet.cells:
            text = sheet.text(at)
            rest = _MISSPELT.search(_MARK.sub("", text)) if "{" in text else None
            if rest is not None:
                yield (
                    f"{sheet.name}!{get_column_letter(at[1])}{at[0]} contains '{rest[0][:60]}', which is not a "
                    "placeholder. The cell was not changed. Placeholders are {{figure:…}}, {{table:…}} and {{text:…}}."
                )


def _slug(key: str) -> str:
    """The letters and digits of a key: names of a workbook can contain few other characters."""
    return re.sub(r"[^a-z0-9]+", "_", key.casefold()).strip("_")


@dataclass
class _Answers:
    """The available answers by the slug of their key; if several have equal keys, the first is used."""

    parts: tuple[DocumentPart, ...]
    study: str
    figure: dict[str, tuple[str, Figure]] = field(default_factory=dict)
    table: dict[str, tuple[str, TableData]] = field(default_factory=dict)
    text: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the parts by their key, by the key of their page, and with their study."""
        for part in self.parts:
            for key in dict.fromkeys((part.key, part.page)):
                for full in (key, f"{part.study}:{key}" if part.study else key):
                    self._add(full, part)
        now = datetime.now(UTC)
        for key, words in (
            ("study", self.study),
            ("date", f"{now:%Y-%m-%d}"),
            ("program", f"VDI Workbench {__version__}"),
        ):
            self.text.setdefault(key, (key, words))

    def _add(self, key: str, part: DocumentPart) -> None:
        content = part.content
        if content.figure is not None and content.figure.panels:
            self.figure.setdefault(_slug(key), (key, content.figure))
        for index, table in enumerate(content.tables):
            named = f"{key}:{table.name}" if table.name else f"{key}:{index + 1}"
            self.table.setdefault(_slug(named), (named, table))
            self.table.setdefault(_slug(key), (key, table))
        summary = content.figure.summary if content.figure else ""
        for word, text in (("question", content.question), ("caption", content.caption), ("summary", summary)):
            self.text.setdefault(_slug(f"{word}.{key}"), (f"{word}.{key}", text))

    def known(self, kind: str) -> list[str]:
        """The keys of a kind, in their order."""
        return [key for key, _ in getattr(self, kind).values()]

    def find(self, kind: str, key: str) -> Any:
        """The answer for a key; None if there is none."""
        slug, known = _slug(key), getattr(self, kind)
        # The table Values had the name Figures in earlier templates.
        entry = known.get(slug) or known.get(slug.removesuffix("figures") + "values")
        return None if entry is None else entry[1]


def _marks(sheets: Iterable[TemplateSheet]) -> Iterator[_Place]:
    for sheet in sheets:
        for at in list(sheet.cells):
            if "{{" not in (text := sheet.text(at)):
                continue
            for kind, key in _MARK.findall(text):
                yield _Place(sheet, at, *sheet.merged(at), kind, key.strip(), named=False)


def _named(package: Package, sheets: Sequence[TemplateSheet]) -> Iterator[_Place]:
    by_name = {sheet.name: sheet for sheet in sheets}
    for element in package.tree(WORKBOOK).iterfind(f"{tag('definedNames')}/{tag('definedName')}"):
        match = _NAME.match(element.get("name", ""))
        if match is None or "!" not in (element.text or ""):
            continue
        title, _, area = element.text.rpartition("!")
        sheet = by_name.get(title.strip("'").replace("''", "'"))
        try:
            left, top, right, bottom = range_boundaries(area.replace("$", ""))
        except (ValueError, TypeError):
            continue
        if sheet is not None and None not in (left, top, right, bottom):
            yield _Place(sheet, (top, left), bottom - top + 1, right - left + 1, match[1].lower(), match[2], named=True)


def _all_names(package: Package) -> Iterator[str]:
    for element in package.tree(WORKBOOK).iterfind(f"{tag('sheets')}/{tag('sheet')}"):
        yield element.get("name")


@dataclass
class _Filler:
    """The template while it is filled. The numbers of charts are collected in sheets that are added at its end."""

    package: Package
    answers: _Answers
    taken: tuple[str, ...]
    figures: int = 0
    tables: int = 0
    texts: int = 0
    left_out: list[str] = field(default_factory=list)
    sheets: list[TemplateSheet] = field(default_factory=list)
    drawn: list[TemplateSheet] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Create a separate workbook for the numbers, which are moved to the template later."""
        self.made = Making(Workbook(), taken=self.taken)
        self.formats = TemplateFormats(self.package)

    def fill(self, spot: _Place) -> None:
        """Fill one place."""
        answer = self.answers.find(spot.kind, spot.key)
        if answer is None:
            known = ", ".join(self.answers.known(spot.kind)[:40]) or "none"
            self.left_out.append(
                f"{spot.words} asks for the {spot.kind} '{spot.key}', which does not exist; "
                f"the cell was not changed. Valid names: {known}."
            )
            return
        self.sheets.append(spot.sheet)
        if spot.kind == "figure":
            self._figure(spot, answer)
        elif spot.kind == "table":
            self._table(spot, answer)
        else:
            self._text(spot, answer)

    def finish(self) -> None:
        """Move the sheets of numbers to the template, and let Excel calculate when it is opened."""
        self._move()
        workbook = self.package.change(WORKBOOK)
        calc = workbook.find(tag("calcPr"))
        if calc is None:
            calc = etree.Element(tag("calcPr"))
            before = ("definedNames", "externalReferences", "functionGroups", "sheets")
            next(element for name in before if (element := workbook.find(tag(name))) is not None).addnext(calc)
        calc.set("fullCalcOnLoad", "1")
        if any(sheet.formulas_lost for sheet in self.sheets):
            # Excel builds its calculation chain again. A chain that lists a cell without a formula is an error.
            self.package.remove("xl/calcChain.xml")

    def _text(self, spot: _Place, words: str) -> None:
        text = spot.sheet.text(spot.at)
        marks = [mark for mark in _MARK.finditer(text) if (mark[1], mark[2].strip()) == (spot.kind, spot.key)]
        # A mark may be inside a sentence.
        for mark in marks:
            text = text.replace(mark[0], words)
        spot.sheet.put(spot.at, words if spot.named else text)
        self.texts += 1

    def _table(self, spot: _Place, table: TableData) -> None:
        sheet, (top, left) = spot.sheet, spot.at
        heads = [(with_unit(table, column), self.formats.of("", heading=True)) for column in range(len(table.columns))]
        values = [[(value, self.formats.of(look)) for value, look in map(as_value, row)] for row in table.rows]
        area = spot.rows > 1
        wide = min(len(table.columns), spot.columns) if area and spot.columns > 1 else len(table.columns)
        free = spot.rows if area else self._free(spot, wide, len(values) + 1)
        every: list[list[Any]] = [heads, *values]
        for row, line in enumerate(every[:free]):
            for column, (value, look) in enumerate(line[:wide]):
                if row and isinstance(value, str) and len(value) > sheet.width(left + column):
                    look = self.formats.of("", wrapped=True)
                sheet.put((top + row, left + column), value, look)
        for row in range(len(every), spot.rows if area else 0):
            for column in range(wide):
                if not sheet.is_empty((top + row, left + column)):
                    sheet.put((top + row, left + column), None)
        if len(every) > free or wide < len(table.columns):
            self.left_out.append(
                f"{spot.words}: the table '{spot.key}' has {len(every)} rows and {len(table.columns)} columns, there "
                f"is room for {free} and {wide}; the rest was omitted."
            )
        self.tables += 1

    def _free(self, spot: _Place, wide: int, number: int) -> int:
        """Number of free rows below the mark."""
        top, left = spot.at
        for row in range(number):
            for column in range(wide):
                at = (top + row, left + column)
                if at != spot.at and not spot.sheet.is_empty(at):
                    # Uses a separate row, because the columns next to it are occupied.
                    return max(row, 1)
        return number

    def _figure(self, where: _Place, figure: Figure) -> None:
        if not where.named:
            where.sheet.put(where.at, None)
        numbers = self.made.number_sheet(f"{where.key[:24]} data")
        parts, left = paired(plans_of(figure)), 1
        count = len(parts)
        area = where.rows * where.columns > 1
        columns = where.columns if area else _COLUMNS.get(count, 18)
        across = min(count, 3) if columns >= 6 else 1
        rows = where.rows if area else _ROWS * -(-count // across)
        down = -(-count // across)
        size = columns * COLUMN_PX // across, max(120, rows * ROW_PX // down)
        for number, plans in enumerate(parts):
            blocks = []
            for plan in plans:
                blocks.append(write_block(numbers, left, plan, figure.question, self.made.link(), self.made.notes))
                left = blocks[-1].next_column
            chart = chart_of(blocks, *size)
            spot = (number % across) * size[0], (number // across) * size[1]
            self._place_chart(where, chart, words_of(blocks, figure), spot, size)
        self.figures += 1

    def _place_chart(self, where: _Place, chart: Any, words: str, spot: tuple[int, int], size: tuple[int, int]) -> None:
        """Add a chart to the template's sheet; it moves with its cell and keeps its size."""
        row, column = where.at[0] - 1 + spot[1] // ROW_PX, where.at[1] - 1 + spot[0] // COLUMN_PX
        ext = XDRPositiveSize2D((size[0] - 6) * _EMU_PER_PX, (size[1] - 6) * _EMU_PER_PX)
        chart.anchor = OneCellAnchor(_from=AnchorMarker(col=column, row=row), ext=ext)
        self.made.add_chart(self.made.book.worksheets[0], chart, words)
        self.drawn.append(where.sheet)

    def _move(self) -> None:
        """Move the charts to their places; the sheets of numbers become sheets of the template, after its own."""
        if not self.made.numbers:
            return
        put(self.made.book.worksheets[0], 1, 1, "-", self.made.notes)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "numbers.xlsx"
            save(self.made.book, path, self.made.results, self.made.numbers, self.made.words)
            with ZipFile(path) as archive:
                self._move_charts(archive)
                for numbers in self.made.numbers:
                    self._move_sheet(numbers.title, archive.read(numbers.sheet.path[1:]))

    def _move_charts(self, archive: ZipFile) -> None:
        """Move the charts, which are on one sheet of the written workbook in the order in which they were added."""
        if not self.drawn:
            return
        anchors = list(etree.fromstring(archive.read("xl/drawings/drawing1.xml")))
        for number, (sheet, anchor) in enumerate(zip(self.drawn, anchors, strict=True), start=1):
            name = self.package.free_name("xl/charts/chart{}.xml")
            self.package.add(name, archive.read(f"xl/charts/chart{number}.xml"), _CHART_TYPE)
            sheet.add_anchor(anchor, name)

    def _move_sheet(self, title: str, content: bytes) -> None:
        root = etree.fromstring(content)
        for cell in root.iter(tag("c"), tag("row"), tag("col")):
            # Format numbers belong to the workbook that they come from.
            for name in ("s", "style", "customFormat"):
                cell.attrib.pop(name, None)
        name = self.package.free_name("xl/worksheets/sheet{}.xml")
        self.package.add(name, etree.tostring(root, xml_declaration=True, encoding="UTF-8"), _SHEET_TYPE)
        sheets = self.package.change(WORKBOOK).find(tag("sheets"))
        element = etree.SubElement(sheets, tag("sheet"))
        element.set("name", title)
        element.set("state", "hidden")
        element.set("sheetId", str(1 + max(int(other.get("sheetId", "0")) for other in sheets)))
        element.set(f"{{{RELS}}}id", self.package.relate(WORKBOOK, "worksheet", name))


# The first number for a custom format (ECMA-376 part 1, 18.8.30).
_FIRST_FORMAT = 164
_WORDS = re.compile(r'"([^"]*)"')
# The part of a number format's text that is kept: the heading has the unit, and a mark belongs to its number.
_NO_MARK = re.compile(r"[^*≤≥~<>]")


@dataclass
class TemplateFormats:
    """The formats added to those of the template, by number format, by use in a heading and by wrapping. Headings
    wrap."""

    package: Package
    added: dict[tuple[str, bool, bool], str] = field(default_factory=dict)

    def of(self, number_format: str, heading: bool = False, wrapped: bool = False) -> str:
        """The number of the cell format; empty if the template has no part for formats, or none is needed."""
        wanted = _WORDS.sub(_marks_alone, number_format), heading, wrapped or heading
        if wanted == ("", False, False) or not self._part():
            return ""
        if wanted not in self.added:
            self.added[wanted] = self._add(*wanted)
        return self.added[wanted]

    def _part(self) -> str:
        related = self.package.related(WORKBOOK).values()
        return next((part for kind, part in related if kind == "styles" and part in self.package.parts), "")

    def _add(self, number_format: str, heading: bool, wrapped: bool) -> str:
        root = self.package.change(self._part())
        order_fonts(root)
        formats = root.find(tag("cellXfs"))
        made = etree.Element(tag("xf"), numFmtId="0", fontId="0", fillId="0", borderId="0", xfId="0")
        if number_format:
            made.set("numFmtId", self._number_format(root, number_format))
            made.set("applyNumberFormat", "1")
        if heading:
            made.set("fontId", self._bold(root))
            made.set("applyFont", "1")
        if wrapped:
            made.set("applyAlignment", "1")
            etree.SubElement(made, tag("alignment"), vertical="bottom" if heading else "top", wrapText="1")
        return _append(formats, made)

    def _number_format(self, root: Any, code: str) -> str:
        every = root.find(tag("numFmts"))
        if every is None:
            every = etree.Element(tag("numFmts"))
            root.insert(0, every)
        number = max([_FIRST_FORMAT - 1, *(int(one.get("numFmtId")) for one in every)]) + 1
        _append(every, etree.Element(tag("numFmt"), numFmtId=str(number), formatCode=code))
        return str(number)

    def _bold(self, root: Any) -> str:
        """The default font of the workbook, in bold."""
        fonts = root.find(tag("fonts"))
        font = deepcopy(fonts[0])
        if font.find(tag("b")) is None:
            font.insert(0, etree.Element(tag("b")))
        return _append(fonts, font)


def _marks_alone(match: re.Match[str]) -> str:
    marks = _NO_MARK.sub("", match[1])
    return f'"{marks}"' if marks else ""


def _append(parent: Any, child: Any) -> str:
    """Add to a list with a count attribute; returns the index of the child."""
    parent.append(child)
    parent.set("count", str(len(parent)))
    return str(len(parent) - 1)
