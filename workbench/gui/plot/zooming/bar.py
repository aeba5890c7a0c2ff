"""The row under the plots: the overview strip, and the button that shows everything again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QWidget

from workbench.gui.plot.ink import Ink
from workbench.gui.plot.panel import PanelView
from workbench.gui.plot.zooming.strip import HEIGHT, Strip
from workbench.gui.services.assets import icon
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr
from workbench.words.numbers import duration

# A figure with less than this for what stands around and for each of its stacked plots has no room for the strip.
_AROUND_PX, _PLOT_PX = 150, 110
# Room over the strip, room between it and the button, and the least that the button takes.
_OVER_PX, _APART_PX, _ICON_PX = 6, 6, 30
_AROUND_TEXT_PX = 14


class ZoomBar(QWidget):
    """The strip, as wide as the plots above it; left of it the button while a part is shown, else how long the whole
    is."""

    def __init__(self) -> None:
        super().__init__()
        self.strip = Strip()
        # A slider under the figure has the place of the strip.
        self.slid = False
        self.reset = QToolButton()
        self.reset.setText(tr("Reset zoom"))
        self.reset.setAccessibleName(tr("Reset zoom"))
        self.reset.setToolTip(tr("Show everything (0, or double-click on a plot)"))
        self.reset.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.whole, self._words = labelled("", "quiet"), ""
        # The strip must not move under the hand that drags it: both have one place.
        self._left = QStackedWidget()
        self._left.addWidget(self.whole)
        self._left.addWidget(self.reset)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(_APART_PX)
        self._row.addWidget(self._left)
        self._row.addWidget(self.strip, 1)
        self._row.addStretch(0)
        self.align(0, 0)
        self.hide()

    @property
    def height_wanted(self) -> int:
        """The pixels that the row takes, 0 where nothing is shown."""
        return 0 if self.isHidden() else _OVER_PX + HEIGHT

    def show_panels(self, panels: Sequence[PanelView], ink: Ink) -> None:
        """Shows an overview of these panels, which share one x axis; none leaves the strip empty."""
        self.strip.show_panels(panels, ink)
        self.reset.setIcon(icon("reset", ink.theme))
        timed = panels[0].scales.time if panels else False
        length = panels[0].full[1] - panels[0].full[0] if panels else 0.0
        self._words = f"{tr('Overview')}\n{duration(length)}" if timed else tr("Overview")

    def stand(self, area: QRectF, plots: QRectF, margin: float) -> None:
        """Takes its place in an area, so many pixels from its left edge; the strip is as wide as the plots."""
        self.setGeometry(area.adjusted(margin, 0, 0, 0).toRect())
        beside = (plots.left() - margin, area.right() - plots.right()) if plots.width() else (0.0, 0.0)
        self.align(*beside)

    def align(self, left: float, right: float) -> None:
        """Lets the strip begin `left` pixels from the row's left edge and end `right` from its right edge."""
        room = max(_ICON_PX, round(left) - _APART_PX)
        alone = self.strip.isHidden()
        wide = alone or room >= self._needed
        style = Qt.ToolButtonStyle.ToolButtonTextOnly if wide else Qt.ToolButtonStyle.ToolButtonIconOnly
        self.reset.setToolButtonStyle(style)
        self._left.setFixedWidth(max(room, self._needed) if alone else room)
        self.whole.setText(self._words if room >= self.whole.fontMetrics().horizontalAdvance(self._longest) else "")
        self._row.setContentsMargins(0, _OVER_PX, round(right), 0)
        # Now, not in the next turn of the event loop: the strip must not be seen where it does not stay.
        self._row.activate()

    @property
    def _needed(self) -> int:
        return self.reset.fontMetrics().horizontalAdvance(self.reset.text()) + _AROUND_TEXT_PX

    @property
    def _longest(self) -> str:
        return max(self._words.split("\n"), key=len)

    def fit(self, wanted: bool, height: int, zoomed: bool) -> None:
        """Shows what is of use under a figure of this height: the strip where it has room, the button while zoomed."""
        room = height >= _AROUND_PX + _PLOT_PX * self.strip.stacked
        overview = wanted and not self.slid and self.strip.present and room
        self._left.setCurrentWidget(self.reset if zoomed else self.whole)
        self.strip.setVisible(overview)
        self.setVisible(wanted and (overview or zoomed))
