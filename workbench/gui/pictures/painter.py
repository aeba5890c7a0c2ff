"""The painter for exports: the window's drawing code without a window."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from workbench.charts.content import Content
from workbench.charts.figure import Figure
from workbench.charts.palette import ThemeName
from workbench.exporters.document.document import Slide
from workbench.exporters.document.story import story_of
from workbench.exporters.job import ExportJob, PictureLook
from workbench.gui.pictures.claims import claims_svg, paint_slide_file
from workbench.gui.pictures.files import figure_svg, paint_file
from workbench.gui.pictures.report import write_report
from workbench.gui.services.assets import undrawn_scripts
from workbench.gui.services.theme import apply_theme


class QtPainter:
    """Satisfies `workbench.exporters.job.Painter`; a QApplication must exist."""

    def picture(self, path: Path, content: Content, look: PictureLook) -> None:
        """Draws one page with its chart into a file; its ending decides the format."""
        paint_file(content, path, look.size, look.scale, look.theme)

    def svg(self, figure: Figure, size: tuple[int, int], identity: str) -> str:
        """The chart alone as .svg in the light theme, for use in a page."""
        return figure_svg(figure, size, "light", identity)

    def claims(self, slide: Slide, size: tuple[int, int], identity: str, theme: ThemeName) -> str:
        """The claims of a slide's findings as .svg."""
        return claims_svg(slide, size, identity, theme)

    def slide_picture(self, path: Path, slide: Slide, look: PictureLook) -> None:
        """Writes the chart of a slide as an image."""
        paint_slide_file(path, slide, look)

    def report(self, path: Path, job: ExportJob) -> tuple[str, ...]:
        """Writes the .pdf report."""
        return write_report(path, story_of(job))

    def undrawn(self, text: str) -> tuple[str, ...]:
        """Returns the scripts of a text that no font of this system has."""
        return undrawn_scripts(text)


def load_painter() -> QtPainter:
    """The painter. Creates an application that needs no screen if there is none yet."""
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        global _application
        _application = QApplication(sys.argv[:1])
        apply_theme(_application, "light")
    return QtPainter()


_application: QApplication | None = None
