"""The window around the pages: applies a theme, and makes room for larger text."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QMenuBar, QWidget

from workbench.charts.palette import ThemeName
from workbench.gui.pages.stack import Pages
from workbench.gui.services.theme import change_theme, dress, running_application
from workbench.gui.shell.header import PageHeader
from workbench.gui.shell.rail import Rail
from workbench.gui.shell.status_strip import StatusStrip


class WindowStage:
    """The `Stage` of the main window; see there."""

    def __init__(
        self, frame: QWidget, menu_bar: QMenuBar, rail: Rail, header: PageHeader, strip: StatusStrip, pages: Pages
    ) -> None:
        self._frame, self._menu_bar, self._pages = frame, menu_bar, pages
        self._rail, self._header, self._strip = rail, header, strip

    def dress(self, theme: ThemeName, scale: float) -> None:
        """Shows the window in a theme, with this font size. Hidden pages follow when they are shown, windows over this
        one when they open."""
        change_theme(running_application(), theme, scale)
        self._pages.shown.dress()
        parts = (self._menu_bar, self._rail, self._header, self._strip)
        for widget in (*parts, *QApplication.topLevelWidgets()):
            # A widget inside another part is dressed with that part.
            if widget in parts or (widget is not self._frame and widget.parentWidget() in (None, self._frame)):
                dress(widget)

    def set_type_scale(self, scale: float) -> None:
        """Makes room for this font scale; 1 is the normal size."""
        self._rail.set_type_scale(scale)
        self._strip.set_type_scale(scale)
