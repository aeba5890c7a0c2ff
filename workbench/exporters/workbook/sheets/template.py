"""One sheet of a template: finds its cells, and writes values without changing their formats."""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from lxml import etree
from openpyxl.utils.cell import column_index_from_string as index_of
from openpyxl.utils.cell import coordinate_from_string, get_column_letter, range_boundaries

from workbench.exporters.workbook.cells import MAX_TEXT, Value, clean
from workbench.exporters.workbook.package import DRAWING, RELS, Package, tag

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
# Elements after the drawing in a sheet (ECMA-376 part 1, CT_Worksheet).
_AFTER_DRAWING = (
    "legacyDrawing",
    "legacyDrawingHF",
    "drawingHF",
    "picture",
    "oleObjects",
    "controls",
    "webPublishItems",
    "tableParts",
    "extLst",
)
_DEFAULT_WIDTH = 8.43
_DRAWING_TYPE = "application/vnd.openxmlformats-officedocument.drawing+xml"


@dataclass
class TemplateSheet:
    """The part of a sheet, with its cells by (row, column)."""

    package: Package
    name: str
    part: str
    texts: tuple[str, ...]
    cells: dict[tuple[int, int], Any] = field(default_factory=dict)
    rows: dict[int, Any] = field(default_factory=dict)
    formulas_lost: bool = False

    def __post_init__(self) -> None:
        """Index the rows and cells."""
        for row in self.package.tree(self.part).iterfind(f"{tag('sheetData')}/{tag('row')}"):
            self.rows[int(row.get("r"))] = row
            for cell in row.iterfind(tag("c")):
                letters, number = coordinate_from_string(cell.get("r"))
                self.cells[number, index_of(letters)] = cell

    def text(self, at: tuple[int, int]) -> str:
        """The text of a cell; empty for numbers and for a missing cell."""
        cell = self.cells.get(at)
        if cell is None:
            return ""
        kind = cell.get("t")
        if kind == "s":
            value = cell.findtext(tag("v"), "0")
            return self.texts[int(value)] if int(value) < len(self.texts) else ""
        if kind in ("inlineStr", "str"):
            return "".join(cell.itertext(tag("t"), tag("v")))
        return ""

    def is_empty(self, at: tuple[int, int]) -> bool:
        """True if the cell has no content; a format is not content."""
        cell = self.cells.get(at)
        return cell is None or not len(cell)

    def put(self, at: tuple[int, int], value: Value, ours: str = "") -> None:
        """Write a value in the format of the cell, its row or its column, otherwise in `ours`, the number of a cell
        format of this program. None and values that are not finite empty the cell."""
        self.package.changed.add(self.part)
        cell = self._cell(at)
        if (look := self._format_at(at) or ours) and value is not None:
            cell.set("s", look)
        self.formulas_lost |= cell.find(tag("f")) is not None
        for child in list(cell):
            cell.remove(child)
        cell.attrib.pop("t", None)
        if isinstance(value, datetime):
            value = f"{value:%Y-%m-%d %H:%M:%S}"
        if value is None or (isinstance(value, float) and not math.isfinite(value)):
            return
        if isinstance(value, bool):
            value = "yes" if value else "no"
        if isinstance(value, str):
            # A text inside the cell: never a formula, with any first character.
            cell.set("t", "inlineStr")
            text = etree.SubElement(etree.SubElement(cell, tag("is")), tag("t"))
            text.text = clean(value)[:MAX_TEXT]
            text.set(_SPACE, "preserve")
            return
        etree.SubElement(cell, tag("v")).text = repr(value)

    def _format_at(self, at: tuple[int, int]) -> str:
        """The format that the template gives the cell; empty if none."""
        cell, row = self.cells.get(at), self.rows.get(at[0])
        own = [cell.get("s") if cell is not None else None, row.get("s") if row is not None else None]
        own.append(self._column(at[1]).get("style"))
        return next((look for look in own if look not in (None, "0")), "")

    def width(self, column: int) -> float:
        """The width of a column in digits of the default font; that of Excel if the template states none."""
        return float(self._column(column).get("width", _DEFAULT_WIDTH))

    def _column(self, number: int) -> Any:
        """The attributes of a column in the template."""
        columns = self.package.tree(self.part).iterfind(f"{tag('cols')}/{tag('col')}")
        return next((one for one in columns if int(one.get("min")) <= number <= int(one.get("max"))), {})

    def merged(self, at: tuple[int, int]) -> tuple[int, int]:
        """Number of rows and columns that the cell spans."""
        for element in self.package.tree(self.part).iterfind(f"{tag('mergeCells')}/{tag('mergeCell')}"):
            left, top, right, bottom = range_boundaries(element.get("ref"))
            if (top, left) == at:
                return bottom - top + 1, right - left + 1
        return 1, 1

    def add_anchor(self, anchor: Any, chart: str) -> None:
        """Add a chart to the drawings of the sheet."""
        drawing = self._drawing()
        root = self.package.change(drawing)
        frame = deepcopy(anchor)
        ids = [
            int(element.get("id"))
            for element in root.iter()
            if etree.QName(element).localname == "cNvPr" and element.get("id")
        ]
        for node in frame.iter():
            local = etree.QName(node).localname
            if local == "cNvPr":
                number = max(ids, default=1) + 1
                node.set("id", str(number))
                node.set("name", f"Chart {number}")
            if local == "chart":
                node.set(f"{{{RELS}}}id", self.package.relate(drawing, "chart", chart))
        root.append(frame)

    def _drawing(self) -> str:
        """The drawing part of the sheet; created if there is none."""
        root = self.package.tree(self.part)
        drawing = root.find(tag("drawing"))
        if drawing is not None:
            return self.package.related(self.part)[drawing.get(f"{{{RELS}}}id")][1]
        name = self.package.free_name("xl/drawings/drawing{}.xml")
        empty = etree.Element(tag("wsDr", DRAWING), nsmap={"xdr": DRAWING, "r": RELS})
        self.package.add(name, etree.tostring(empty), _DRAWING_TYPE)
        element = etree.Element(tag("drawing"), nsmap={"r": RELS})
        element.set(f"{{{RELS}}}id", self.package.relate(self.part, "drawing", name))
        root = self.package.change(self.part)
        later = next((element for element in root if etree.QName(element).localname in _AFTER_DRAWING), None)
        if later is None:
            root.append(element)
        else:
            later.addprevious(element)
        return name

    def _cell(self, at: tuple[int, int]) -> Any:
        if at in self.cells:
            return self.cells[at]
        number, column = at
        row = self.rows.get(number)
        if row is None:
            data = self.package.tree(self.part).find(tag("sheetData"))
            row = etree.Element(tag("row"))
            row.set("r", str(number))
            later = [element for element in data if int(element.get("r")) > number]
            if later:
                later[0].addprevious(row)
            else:
                data.append(row)
            self.rows[number] = row
        # The spans of a row are only a hint and may be wrong now.
        row.attrib.pop("spans", None)
        cell = etree.Element(tag("c"))
        cell.set("r", f"{get_column_letter(column)}{number}")
        right = [element for element in row if index_of(coordinate_from_string(element.get("r"))[0]) > column]
        if right:
            right[0].addprevious(cell)
        else:
            row.append(cell)
        self.cells[at] = cell
        return cell


def template_sheets(package: Package) -> list[TemplateSheet]:
    """The worksheets of a template in their order, without chart sheets."""
    texts = _shared_texts(package)
    related = package.related("xl/workbook.xml")
    sheets = []
    for element in package.tree("xl/workbook.xml").iterfind(f"{tag('sheets')}/{tag('sheet')}"):
        kind, part = related[element.get(f"{{{RELS}}}id")]
        if kind == "worksheet" and part in package.parts:
            sheets.append(TemplateSheet(package, element.get("name"), part, texts))
    return sheets


def _shared_texts(package: Package) -> tuple[str, ...]:
    name = next((part for kind, part in package.related("xl/workbook.xml").values() if kind == "sharedStrings"), "")
    if name not in package.parts:
        return ()
    # Phonetic hints (rPh) are not part of the text.
    return tuple(
        "".join(text.text or "" for text in element.iter(tag("t")) if text.getparent().tag != tag("rPh"))
        for element in package.tree(name).iterfind(tag("si"))
    )
