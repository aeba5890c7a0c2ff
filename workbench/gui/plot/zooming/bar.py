"""The row under the plots: the overview strip, and the button that shows everything again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.gui.plot.ink import Ink
from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.zooming.strip import Strip
from workbench.gui.services.translation import tr

# A figure with less than this for what stands around and for each of its stacked plots has no room for the strip.
_AROUND_PX, _PLOT_PX = 150, 110


class ZoomBar(QWidget):
    """Strip and button side by side; the button is there while a part is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.strip = Strip()
        self.reset = QPushButton(tr("Reset zoom"))
        self.reset.setToolTip(tr("Show everything (0, or double click on a plot)"))
        self.reset.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        # The strip must not move under the hand that drags it.
        kept = self.reset.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(kept)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 6, 0, 0)
        row.addWidget(self.strip, 1)
        row.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignRight)
        self.hide()

    def show_panels(self, panels: Sequence[PanelView], ink: Ink) -> None:
        """Shows an overview of these panels, which share one x axis; none leaves the strip empty."""
        self.strip.show_panels(panels, ink)

    def fit(self, wanted: bool, height: int, zoomed: bool) -> None:
        """Shows what is of use under a figure of this height: the strip where it has room, the button while zoomed."""
        overview = wanted and self.strip.present and height >= _AROUND_PX + _PLOT_PX * self.strip.stacked
        self.reset.setVisible(zoomed)
        self.strip.setVisible(overview)
        self.setVisible(wanted and (overview or zoomed))
