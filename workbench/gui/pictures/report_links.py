"""Adds the parts of a report that Qt does not write: bookmarks, links between its pages, and the document's
properties.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRectF

from workbench.exporters.document.document import Document
from workbench.exporters.texts import plain_text
from workbench.measures.significance.method import PROGRAM


@dataclass
class ReportContents:
    """The first page of each part (`pages`: by its key, from 1), and the content that could not be shown in full.
    `entries` are its bookmarks: heading, key, depth. `links` are areas on the page `now` that is being painted: page,
    area, key."""

    entries: list[tuple[str, str, int]] = field(default_factory=list)
    pages: dict[str, int] = field(default_factory=dict)
    links: list[tuple[int, QRectF, str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    now: int = 1

    def link(self, area: QRectF, key: str) -> None:
        """Makes an area of the current page a link to a part."""
        self.links.append((self.now, area, key))


def finish_report(held: bytes, path: Path, story: Document, contents: ReportContents, share: float) -> None:
    """Writes the report from memory, with bookmarks, links and properties. `share` is the number of points per pixel of
    the drawing. Raises OSError."""
    # Imported only when a report is written.
    from pypdf import PdfWriter
    from pypdf.annotations import Link
    from pypdf.generic import BooleanObject, DictionaryObject, NameObject, TextStringObject

    writer = PdfWriter(clone_from=BytesIO(held))
    tall = float(writer.pages[0].mediabox.height)
    writer.pdf_header = "%PDF-1.7"
    parents: dict[int, Any] = {}
    for heading, key, depth in contents.entries:
        name = plain_text(heading)[:200]
        page = contents.pages[key] - 1
        parents[depth] = writer.add_outline_item(title=name, page_number=page, parent=parents.get(depth - 1))
    for number, area, key in contents.links:
        left, right = area.left() * share, area.right() * share
        rect = (left, tall - area.bottom() * share, right, tall - area.top() * share)
        writer.add_annotation(number - 1, Link(rect=rect, target_page_index=contents.pages[key] - 1))
    # The day of the export, as on the first page: the same results give the same bytes on one day.
    made = f"D:{story.date.replace('-', '')}000000Z" if story.date else ""
    writer.add_metadata(
        {
            "/Title": plain_text(story.title),
            "/Author": plain_text(story.author),
            "/Subject": plain_text(" · ".join(story.subtitle.split("\n"))),
            "/Creator": PROGRAM,
            "/Producer": PROGRAM,
            **({"/CreationDate": made, "/ModDate": made} if made else {}),
        }
    )
    root = writer.root_object
    # Qt's value names Qt, and would contradict the properties.
    root.pop(NameObject("/Metadata"), None)
    root[NameObject("/Lang")] = TextStringObject(story.language)
    root[NameObject("/PageMode")] = NameObject("/UseOutlines")
    root[NameObject("/ViewerPreferences")] = DictionaryObject({NameObject("/DisplayDocTitle"): BooleanObject(True)})
    writer.write(path)
