"""What stands around the pages of the main window: put away for a presentation, and widened for larger type."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QMenuBar, QWidget

from workbench.charts.palette import ThemeName
from workbench.gui.pages.question_bar import QuestionBar
from workbench.gui.pages.stack import Pages
from workbench.gui.services.theme import change_theme, dress, running_application
from workbench.gui.shell.header import Header
from workbench.gui.shell.progress_strip import ProgressStrip
from workbench.gui.shell.rail import Rail

# Qt's own limit of a height: status line and question may be as high as they like.
_ANY_PX = 16_777_215


class WindowStage:
    """The `Stage` of the main window; see there."""

    def __init__(
        self,
        frame: QWidget,
        menu_bar: QMenuBar,
        rail: Rail,
        header: Header,
        strip: ProgressStrip,
        bar: QuestionBar,
        pages: Pages,
    ) -> None:
        self._frame, self._menu_bar, self._pages = frame, menu_bar, pages
        self._rail, self._header, self._lines = rail, header, (strip, bar)
        self._was_maximised = False
        self._cleared = False

    @property
    def cleared(self) -> bool:
        """Whether menus, rail, status line and choosers are put away."""
        return self._cleared

    @property
    def screen_size(self) -> tuple[int, int]:
        """Width and height of the screen that the window is on, in pixels."""
        size = self._frame.screen().size()
        return size.width(), size.height()

    def clear(self, on: bool) -> None:
        """Puts menus, rail, status line, question and choosers away, or back."""
        self._cleared = on
        for part in (self._menu_bar, self._rail):
            part.setVisible(not on)
        for line in self._lines:
            line.setMaximumHeight(0 if on else _ANY_PX)
        self._header.present(on)

    def fill_screen(self) -> None:
        """Fills the whole screen."""
        self._was_maximised = self._frame.isMaximized()
        self._frame.showFullScreen()

    def leave_full_screen(self) -> None:
        """Goes back to the size before `fill_screen`."""
        if self._was_maximised:
            self._frame.showMaximized()
        else:
            self._frame.showNormal()

    def entitle(self, title: str, caption: str) -> None:
        """Shows these words over the page."""
        self._header.show_text(title, caption)

    def dress(self, theme: ThemeName, scale: float) -> None:
        """Shows the window in a theme, with type of this size. Pages that are hidden are dressed when they are shown,
        windows over this one when they open."""
        change_theme(running_application(), theme, scale)
        self._pages.shown.dress()
        parts = (self._menu_bar, self._rail, self._header, *self._lines)
        for widget in (*parts, *QApplication.topLevelWidgets()):
            # What lies in another part is dressed with it.
            if widget in parts or (widget is not self._frame and widget.parentWidget() in (None, self._frame)):
                dress(widget)

    def set_type_scale(self, scale: float) -> None:
        """Makes room for type of this size, 1 for the plain one."""
        self._rail.set_type_scale(scale)
