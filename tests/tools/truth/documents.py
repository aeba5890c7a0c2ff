"""The content of a written document: cells, formulas and caches of a workbook, texts of slides and of a page."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree, html

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DOCUMENT = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def document(path: Path) -> Any:
    """The content of a document as JSON, by the file ending."""
    match path.suffix:
        case ".xlsx":
            return workbook(path)
        case ".pptx":
            return deck(path)
        case ".html":
            return page(path)
        case _:
            return path.read_text(encoding="utf-8").splitlines()


def workbook(path: Path) -> dict[str, Any]:
    """`sheets`: by name each cell with its value, or its formula and the saved value; `charts`; the defined names."""
    with zipfile.ZipFile(path) as archive:
        shared = _shared(archive)
        book = _part(archive, "xl/workbook.xml")
        targets = {
            relation.get("Id"): relation.get("Target") for relation in _part(archive, "xl/_rels/workbook.xml.rels")
        }
        sheets = {
            sheet.get("name"): _cells(
                archive, f"xl/{targets[sheet.get(f'{_DOCUMENT}id')].removeprefix('/xl/')}", shared
            )
            for sheet in book.iter(f"{_MAIN}sheet")
        }
        defined = {
            f"{name.get('name')} {name.get('localSheetId') or ''}": name.text
            for name in book.iter(f"{_MAIN}definedName")
        }
        return {"sheets": sheets, "names": defined, "charts": _charts(archive)}


def deck(path: Path) -> dict[str, Any]:
    """For each slide, by its number, its paragraphs and notes; `charts`: the content of their data."""
    with zipfile.ZipFile(path) as archive:
        parts = [name for name in archive.namelist() if re.fullmatch(r"ppt/(?:slides|notesSlides)/\w+\.xml", name)]
        texts = {name.removeprefix("ppt/"): list(_paragraphs(_part(archive, name))) for name in parts}
        return {"texts": texts, "charts": _charts(archive)}


def page(path: Path) -> list[str]:
    """The lines that a browser shows, without scripts; texts of drawn charts included."""
    tree = html.document_fromstring(path.read_bytes())
    etree.strip_elements(tree, "script", "style", with_tail=False)
    lines = (" ".join(text.split()) for text in tree.itertext())
    return [line for line in lines if line]


def _part(archive: zipfile.ZipFile, name: str) -> Any:
    return etree.fromstring(archive.read(name))


def _shared(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    return [_text(item) for item in _part(archive, "xl/sharedStrings.xml").iter(f"{_MAIN}si")]


def _text(item: Any) -> str:
    return "".join(part.text or "" for part in item.iter(f"{_MAIN}t"))


def _cells(archive: zipfile.ZipFile, name: str, shared: list[str]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for cell in _part(archive, name).iter(f"{_MAIN}c"):
        formula, value = cell.find(f"{_MAIN}f"), _value(cell, shared)
        if formula is not None:
            cells[cell.get("r")] = {"formula": formula.text or "", "value": value}
        elif value is not None:
            cells[cell.get("r")] = value
    return cells


def _value(cell: Any, shared: list[str]) -> Any:
    value, kind = cell.find(f"{_MAIN}v"), cell.get("t")
    if kind == "inlineStr":
        return _text(cell)
    if value is None or value.text is None:
        return None
    if kind == "s":
        return shared[int(value.text)]
    return value.text if kind in ("str", "e", "b", "d") else float(value.text)


def _charts(archive: zipfile.ZipFile) -> dict[str, Any]:
    names = [name for name in archive.namelist() if re.fullmatch(r"(?:xl|ppt)/charts/chart[^/]*\.xml", name)]
    return {name.rpartition("/")[2]: _chart(_part(archive, name)) for name in names}


def _chart(tree: Any) -> list[Any]:
    """The titles and labels of a chart, the references of its series, and the saved values in order."""
    content: list[Any] = list(_paragraphs(tree))
    for part in tree.iter(f"{_CHART}f", f"{_CHART}numCache", f"{_CHART}strCache", f"{_CHART}numLit", f"{_CHART}strLit"):
        if part.tag == f"{_CHART}f":
            content.append(part.text or "")
            continue
        points = {point.get("idx"): point.findtext(f"{_CHART}v") or "" for point in part.iter(f"{_CHART}pt")}
        content.append(points)
    return content


def _paragraphs(tree: Any) -> Iterator[str]:
    for paragraph in tree.iter(f"{_DRAWING}p"):
        text = "".join(part.text or "" for part in paragraph.iter(f"{_DRAWING}t"))
        if text:
            yield text
