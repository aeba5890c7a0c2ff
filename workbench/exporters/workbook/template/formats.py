"""Formats of ours in a template: for cells that are filled and have no format of their own."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from workbench.exporters.workbook.finish import order_fonts
from workbench.exporters.workbook.package import WORKBOOK, Package, tag

# The first number that a format of a workbook's own can have (ECMA-376 part 1, 18.8.30).
_FIRST_FORMAT = 164
_WORDS = re.compile(r'"([^"]*)"')
# What stays of the words of a number format: the heading names the unit, a mark belongs to its number.
_NO_MARK = re.compile(r"[^*≤≥~<>]")


@dataclass
class TemplateFormats:
    """The formats that were added to the template's own, by number format and whether they are of a heading."""

    package: Package
    added: dict[tuple[str, bool], str] = field(default_factory=dict)

    def of(self, number_format: str, heading: bool = False) -> str:
        """The number of the cell format; empty where the template has no part for formats, or none is needed."""
        wanted = _WORDS.sub(_marks_alone, number_format), heading
        if wanted == ("", False) or not self._part():
            return ""
        if wanted not in self.added:
            self.added[wanted] = self._add(*wanted)
        return self.added[wanted]

    def _part(self) -> str:
        related = self.package.related(WORKBOOK).values()
        return next((part for kind, part in related if kind == "styles" and part in self.package.parts), "")

    def _add(self, number_format: str, heading: bool) -> str:
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
        """The workbook's usual font, bold."""
        fonts = root.find(tag("fonts"))
        font = deepcopy(fonts[0])
        if font.find(tag("b")) is None:
            font.insert(0, etree.Element(tag("b")))
        return _append(fonts, font)


def _marks_alone(match: re.Match[str]) -> str:
    marks = _NO_MARK.sub("", match[1])
    return f'"{marks}"' if marks else ""


def _append(parent: Any, child: Any) -> str:
    """Adds to a counted list; returns the child's place in it."""
    parent.append(child)
    parent.set("count", str(len(parent)))
    return str(len(parent) - 1)
