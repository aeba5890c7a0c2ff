"""What comes together while a page is written: colours, arrays, charts, and what could not be shown in full."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from workbench.charts.figure import Figure
from workbench.charts.palette import ThemeName
from workbench.exporters.document.document import Slide
from workbench.exporters.page.charts import Arrays
from workbench.exporters.page.colours import Colours

MOST_BYTES = 3_600_000
"""What the appendix of one study may take; with head, scripts and findings a page stays below 4 MB a study."""


class Drawing(Protocol):
    """What draws still pictures; the window's own drawing is handed in by who has it."""

    def svg(self, figure: Figure, size: tuple[int, int], identity: str) -> str:
        """A figure in a size (pixels) as an .svg element; `identity` begins its ids."""

    def claims(self, slide: Slide, size: tuple[int, int], identity: str, theme: ThemeName) -> str:
        """What the findings of a slide point at."""


@dataclass
class Making:
    """A page that is being written."""

    drawing: Drawing | None = None
    colours: Colours = field(default_factory=Colours)
    arrays: Arrays = field(default_factory=Arrays)
    charts: dict[str, object] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    folded: bool = False
