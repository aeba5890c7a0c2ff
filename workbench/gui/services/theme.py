"""The look of the window: one palette and one small style sheet for both themes.

Nothing is styled widget by widget. A widget asks for its part with an object name or a dynamic property:

| widget | how it asks | what it becomes |
|---|---|---|
| QListWidget, QTreeView | `setObjectName("rail")` | the navigation: left-aligned, icons, accent selection |
| QTreeView, QTreeWidget | `setObjectName("runs")` | the tree of runs: no frame, no ground, slim rows |
| QFrame | property `card` = true | a card: rounded, hairline, card ground |
| QFrame | property `callout` = "info", "warning", "refused" | a card with a coloured edge for a message |
| QLabel | property `role` = "title", "subtitle", "heading", "big", "quiet", "caption", "badge", "keys" | see `ROLES` |
| QLabel | property `tone` = "accent", "good", "warning", "danger" | the tone of a badge, a big number, a line |
| QPushButton | property `kind` = "primary", "quiet", "danger", "link" | the one thing to do; without a frame; a link |
| QToolButton | (none) | a quiet button with an icon |
| QLineEdit | `setObjectName("search")` | a search field with room for its icon |
| QWidget | `setObjectName("side")` | the ground of the rail |

After changing a property of a widget that is already shown, call `restyle(widget)`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from string import Template
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette, QPixmapCache
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QFrame, QLabel, QLineEdit, QWidget

from workbench.charts.palette import THEMES, ThemeName, Tokens
from workbench.gui.services import assets
from workbench.model.resources import resource

Box = TypeVar("Box", bound=QAbstractSpinBox | QComboBox)
ROLES = ("title", "subtitle", "heading", "big", "quiet", "caption", "badge", "keys")


@dataclass(frozen=True, slots=True)
class Shades:
    """Colours of the window that no chart uses; each is tested for contrast where it carries text."""

    hover: str
    pressed: str
    selected: str
    field: str
    border: str
    handle: str
    good: str
    warning: str
    accent_hover: str
    accent_pressed: str


SHADES: dict[ThemeName, Shades] = {
    "light": Shades(
        hover="#eceff3",
        pressed="#e2e6ec",
        selected="#e1edf7",
        field="#ffffff",
        border="#cfd5dd",
        handle="#c3cad3",
        good="#1b7340",
        warning="#8a5300",
        accent_hover="#095a9d",
        accent_pressed="#084d86",
    ),
    "dark": Shades(
        hover="#232830",
        pressed="#2a303a",
        selected="#1f3347",
        field="#1f242c",
        border="#3a424e",
        handle="#3d4653",
        good="#5fd08a",
        warning="#f0b849",
        accent_hover="#76b8eb",
        accent_pressed="#8cc4ef",
    ),
}

# The tokens of what lies coloured in resources/icons/<theme>.
SIGNS = {"chevron-down": "quiet", "chevron-right": "quiet", "check": "on_accent"}


def apply_theme(app: QApplication, name: ThemeName, scale: float = 1.0) -> None:
    """Gives the whole application palette, font and style sheet of a theme: before its window is made.

    `scale` enlarges all type (1.6 in a presentation). Charts take the theme with `FigureView.set_theme`.
    """
    app.setStyle("Fusion")
    change_theme(app, name, scale)
    app.setStyleSheet(app.property("sheet"))
    # With a style sheet Qt takes up the platform's fonts for menus, lists, tips and messages again (Windows has some).
    app.setFont(app.font())


def change_theme(app: QApplication, name: ThemeName, scale: float) -> None:
    """Gives the application palette and font of a theme, and what is dressed from now on its style sheet.

    When the sheet of the application changes, Qt styles every widget once for each widget it lies in, those of hidden
    pages too: that took seconds. So a window that is there is dressed part by part, see `dress`.
    """
    app.setPalette(palette(name))
    app.setFont(assets.ui_font(10.0 * scale))
    app.setProperty("sheet", style_sheet(name, scale))
    app.setProperty("theme", name)
    app.setProperty("type_scale", scale)
    # Qt keeps drawn icons by the number of the palette they were drawn with, and every palette has a new one: those of
    # before would never be found again, and would stay until they fill 10 MB.
    QPixmapCache.clear()


def dress(widget: QWidget) -> None:
    """Gives a widget and all that lies in it the style sheet of the theme applied last, where it has another."""
    app = running_application()
    sheet = app.property("sheet")
    if sheet and sheet != (widget.styleSheet() or app.styleSheet()):
        widget.setStyleSheet(sheet)


def running_application() -> QApplication:
    """The application of this process, which every widget belongs to."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def current_theme(app: QApplication) -> ThemeName:
    """The theme that was applied last, light before the first."""
    return "dark" if app.property("theme") == "dark" else "light"


def palette(name: ThemeName) -> QPalette:
    """Qt's colour roles from the tokens of a theme."""
    tokens, shades, made = THEMES[name], SHADES[name], QPalette()
    role = QPalette.ColorRole
    for where, colour in (
        (role.Window, tokens.ground),
        (role.WindowText, tokens.text),
        (role.Base, tokens.card),
        (role.AlternateBase, tokens.ground),
        (role.Text, tokens.text),
        (role.Button, tokens.card),
        (role.ButtonText, tokens.text),
        (role.ToolTipBase, tokens.card),
        (role.ToolTipText, tokens.text),
        (role.Highlight, tokens.accent),
        (role.HighlightedText, tokens.on_accent),
        (role.Link, tokens.accent),
        (role.PlaceholderText, tokens.quiet),
        (role.Mid, tokens.line),
        (role.Dark, shades.border),
        (role.Accent, tokens.accent),
    ):
        made.setColor(where, QColor(colour))
    for where in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, where, QColor(tokens.quiet))
    return made


def style_sheet(name: ThemeName, scale: float = 1.0) -> str:
    """The one style sheet, for a theme and a size of type."""
    values = _values(THEMES[name]) | _values(SHADES[name]) | _sign_files(name)
    sizes = {f"pt{size}": f"{size * scale:.1f}pt" for size in (8, 9, 10, 11, 12, 16, 19)}
    text = resource("style.qss").read_text(encoding="utf-8")
    return Template(text).substitute(values | sizes)


def restyle(widget: QWidget) -> None:
    """Lets the style sheet look at a widget again, after one of its properties has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def freed_whole(box: Box) -> Box:
    """The same box, with all its parts there: of those Qt keeps nothing once the box is deleted.

    Qt keeps what its style sheet says of a widget until the widget is deleted. It does not notice that the line of a
    box, or the list of a box of choices, is deleted, unless that had a style sheet of its own once: about 900 bytes
    stayed for each (`renderRule` and `unstylable` in Qt's qstylesheetstyle.cpp, seen with Qt 6.11). A list that is not
    made yet is not made for this, which would take a millisecond.
    """
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    for part in (*box.findChildren(QLineEdit, options=direct), *box.findChildren(QFrame, options=direct)):
        part.setStyleSheet(" ")
        part.setStyleSheet("")
    return box


def labelled(text: str, role: str = "", tone: str = "") -> QLabel:
    """A label of plain text (names come from files: no markup is read) in one of the `ROLES`."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    if role:
        label.setProperty("role", role)
    if tone:
        label.setProperty("tone", tone)
    return label


def _values(colours: Tokens | Shades) -> dict[str, str]:
    return {field.name: str(getattr(colours, field.name)) for field in fields(colours)}


def _sign_files(name: ThemeName) -> dict[str, str]:
    """The few icons a style sheet draws itself. It wants them in its colours and as files: they are shipped so."""
    return {icon.replace("-", "_"): resource("icons", name, f"{icon}.svg").as_posix() for icon in SIGNS}
