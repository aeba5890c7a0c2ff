"""The painter that exports are given: the window's own drawing, without a window."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from workbench.charts.figure import Figure
from workbench.exporters.job import ExportJob, PictureLook
from workbench.gui.plot.picture import render_figure
from workbench.gui.theme import apply_theme


class QtPainter:
    """Satisfies `workbench.exporters.job.Painter`; there must be a QApplication."""

    def picture(self, path: Path, figure: Figure, look: PictureLook) -> None:
        """Draws one figure into a file, by its ending."""
        if not render_figure(figure, look.size, look.theme, scale=look.scale).save(str(path)):
            raise OSError("Qt could not write the picture")

    def report(self, path: Path, job: ExportJob) -> tuple[str, ...]:
        """The .pdf report."""
        raise NotImplementedError


def load_painter() -> QtPainter:
    """The painter, with an application of its own that needs no screen where there is none yet."""
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        global _application
        _application = QApplication(sys.argv[:1])
        apply_theme(_application, "light")
    return QtPainter()


_application: QApplication | None = None
