"""An .xlsx as a set of parts (Open Packaging Conventions, ECMA-376 part 2); unused parts stay unchanged.

openpyxl reads a workbook and writes a new one: charts, shapes, slicers, sparklines, threaded comments and printer
settings of the user's file are lost. So a template is changed part by part, and every other part is copied byte by
byte.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from lxml import etree

from workbench.exporters.safe_file import ExportError

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_CONTENT_TYPES = "[Content_Types].xml"
WORKBOOK = "xl/workbook.xml"
# No entities and no network, because a template is not trusted.
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
# No part of a workbook made by a person is larger than this when unpacked.
_MOST_BYTES = 500_000_000


def tag(name: str, namespace: str = MAIN) -> str:
    """The qualified name in lxml notation."""
    return f"{{{namespace}}}{name}"


@dataclass
class Package:
    """The parts of a workbook. Parts that were read are kept as trees; those in `changed` are written again."""

    infos: list[ZipInfo]
    parts: dict[str, bytes]
    trees: dict[str, Any] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)

    def tree(self, name: str) -> Any:
        """The root of an XML part."""
        if name not in self.trees:
            self.trees[name] = etree.fromstring(self.parts[name], _PARSER)
        return self.trees[name]

    def change(self, name: str) -> Any:
        """The root of an XML part, which will be written again."""
        self.changed.add(name)
        return self.tree(name)

    def add(self, name: str, content: bytes, content_type: str) -> None:
        """Add a new part."""
        self.parts[name] = content
        override = etree.SubElement(self.change(_CONTENT_TYPES), tag("Override", f"{_PACKAGE}/content-types"))
        override.set("PartName", f"/{name}")
        override.set("ContentType", content_type)

    def remove(self, name: str) -> None:
        """Remove a part and the references to it from the workbook."""
        if self.parts.pop(name, None) is None:
            return
        types = self.change(_CONTENT_TYPES)
        for content_type in [content_type for content_type in types if content_type.get("PartName") == f"/{name}"]:
            types.remove(content_type)
        rels = self.change(_rels_of(WORKBOOK))
        for relation in [rel for rel in rels if self.resolve(WORKBOOK, rel.get("Target")) == name]:
            rels.remove(relation)

    def free_name(self, pattern: str) -> str:
        """Text like `xl/charts/chart{}.xml` with the first unused number."""
        number = 1
        while pattern.format(number) in self.parts:
            number += 1
        return pattern.format(number)

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """id -> (type, part) of the relationships of a part."""
        name = _rels_of(part)
        if name not in self.parts:
            return {}
        return {
            relation.get("Id"): (relation.get("Type").rpartition("/")[2], self.resolve(part, relation.get("Target")))
            for relation in self.tree(name)
            if relation.get("TargetMode") != "External"
        }

    def relate(self, part: str, kind: str, target: str) -> str:
        """Add a relationship from a part to another; returns its id."""
        name = _rels_of(part)
        if name not in self.parts:
            empty = f'<Relationships xmlns="{_PACKAGE}/relationships"/>'
            self.parts[name] = empty.encode()
        rels = self.change(name)
        taken = {rel.get("Id") for rel in rels}
        number = next(number for number in range(1, len(taken) + 2) if f"rIdV{number}" not in taken)
        element = etree.SubElement(rels, tag("Relationship", f"{_PACKAGE}/relationships"))
        element.set("Id", f"rIdV{number}")
        element.set("Type", f"{RELS}/{kind}")
        element.set("Target", f"/{target}")
        return f"rIdV{number}"

    def resolve(self, part: str, target: str) -> str:
        """The part that the target of a relationship names."""
        if target.startswith("/"):
            return target[1:]
        return posixpath.normpath(posixpath.join(posixpath.dirname(part), target))

    def save(self, path: Path) -> None:
        """Write the package, with its parts in their old order."""
        known = {info.filename: info for info in self.infos}
        with ZipFile(path, "w", ZIP_DEFLATED) as archive:
            for name in [*(name for name in known if name in self.parts), *(n for n in self.parts if n not in known)]:
                content = self.parts[name]
                if name in self.changed:
                    content = etree.tostring(self.trees[name], xml_declaration=True, encoding="UTF-8", standalone=True)
                archive.writestr(known.get(name, name), content, ZIP_DEFLATED)


def open_package(path: Path) -> Package:
    """The parts of a workbook. Raises `ExportError` with a sentence if it is not a workbook or cannot be filled."""
    try:
        with ZipFile(path) as archive:
            infos = archive.infolist()
            if sum(info.file_size for info in infos) > _MOST_BYTES:
                raise ExportError(f"{path.name} was not filled: it unpacks to more than {_MOST_BYTES:,} bytes.")
            package = Package(infos, {info.filename: archive.read(info) for info in infos if not info.is_dir()})
    except (BadZipFile, RuntimeError, NotImplementedError) as error:
        raise ExportError(
            f"{path.name} cannot be read as an .xlsx workbook: it has a password, is in another format, or is "
            "damaged. Nothing was written; save it as an Excel workbook without a password."
        ) from error
    _check(package, path)
    return package


def _check(package: Package, path: Path) -> None:
    """Raises ExportError if the workbook part is missing or not in the usual dialect."""
    try:
        known = (
            WORKBOOK in package.parts
            and _CONTENT_TYPES in package.parts
            and package.tree(WORKBOOK).tag == tag("workbook")
        )
    except etree.XMLSyntaxError:
        known = False
    if not known:
        raise ExportError(
            f"{path.name} is not a workbook that can be filled (Strict Open XML and binary workbooks cannot). "
            "Nothing was written; save it in Excel as 'Excel Workbook (*.xlsx)'."
        )


def _rels_of(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")
