"""The look of the window: one palette and one small style sheet for both themes.

No widget is styled individually. A widget selects its style with an object name or a dynamic property:

| widget | selected with | style |
|---|---|---|
| QListWidget, QTreeView | `setObjectName("rail")` | the navigation: left-aligned, icons, accent selection |
| QTreeView, QTreeWidget | `setObjectName("runs")` | the tree of runs: no frame, no background, slim rows |
| QFrame | property `card` = true | a card: rounded, hairline, card background |
| QFrame | property `callout` = "info", "warning", "refused" | a card with a coloured edge for a message |
| QLabel | property `role` = "title", "subtitle", "heading", "big", "quiet", "caption", "badge", "keys" | see `ROLES` |
| QLabel | property `tone` = "accent", "good", "warning", "danger" | the tone of a badge, a big number, a line |
| QPushButton | property `kind` = "primary", "quiet", "danger", "link" | the main action; no frame; danger; a link |
| QToolButton | (none) | a quiet button with an icon |
| QLineEdit | `setObjectName("search")` | a search field with room for its icon |
| QWidget | `setObjectName("side")` | the background of the rail |

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
    """Window colours that no chart uses. Shades with text on them are tested for contrast."""

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

# The tokens of the coloured files in resources/icons/<theme>.
SIGNS = {"chevron-down": "quiet", "chevron-right": "quiet", "check": "on_accent"}


def apply_theme(app: QApplication, name: ThemeName, scale: float = 1.0) -> None:
    """Gives the whole application palette, font and style sheet of a theme. Call it before the window is created.

    `scale` enlarges all text (1.6 in a presentation). Charts get the theme with `FigureView.set_theme`.
    """
    app.setStyle("Fusion")
    change_theme(app, name, scale)
    app.setStyleSheet(app.property("sheet"))
    # With a style sheet, Qt uses the platform's fonts again for menus, lists, tooltips and messages (Windows has some).
    app.setFont(app.font())


def change_theme(app: QApplication, name: ThemeName, scale: float) -> None:
    """Gives the application palette and font of a theme. Widgets dressed from now on get its style sheet.

    When the application's sheet changes, Qt styles every widget once for each of its parents, also on hidden pages,
    which took seconds. So an existing window is dressed in parts, see `dress`.
    """
    app.setPalette(palette(name))
    app.setFont(assets.ui_font(10.0 * scale))
    app.setProperty("sheet", style_sheet(name, scale))
    app.setProperty("theme", name)
    app.setProperty("type_scale", scale)
    # Qt caches drawn icons by the number of the palette, and every palette has a new number. Old icons would never be
    # found again and would stay until they fill 10 MB.
    QPixmapCache.clear()


def dress(widget: QWidget) -> None:
    """Gives a widget and all its children the style sheet of the theme applied last, if it has another one."""
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
    """The theme applied last; light before the first."""
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
    """The one style sheet, for a theme and a font scale."""
    values = _values(THEMES[name]) | _values(SHADES[name]) | _sign_files(name)
    sizes = {f"pt{size}": f"{size * scale:.1f}pt" for size in (8, 9, 10, 11, 12, 16, 19)}
    text = resource("style.qss").read_text(encoding="utf-8")
    return Template(text).substitute(values | sizes)


def restyle(widget: QWidget) -> None:
    """Applies the style sheet to a widget again after one of its properties has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def freed_whole(box: Box) -> Box:
    """Returns the box after creating all its parts, so Qt keeps nothing when the box is deleted.

    Qt caches style sheet rules of a widget until it is deleted. Qt does not notice that the line of a box, or the list
    of a box of choices, is deleted, unless that part once had its own style sheet: about 900 bytes remained for each
    (`renderRule` and `unstylable` in Qt's qstylesheetstyle.cpp, seen with Qt 6.11). A list that does not exist yet is
    not created for this: that would take a millisecond.
    """
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    for part in (*box.findChildren(QLineEdit, options=direct), *box.findChildren(QFrame, options=direct)):
        part.setStyleSheet(" ")
        part.setStyleSheet("")
    return box


def labelled(text: str, role: str = "", tone: str = "") -> QLabel:
    """A label of plain text in one of the `ROLES`. Names come from files, so markup is not interpreted."""
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
    """The few icons that a style sheet draws. A style sheet needs them as files in its colours, so they are shipped in
    that form.
    """
    return {icon.replace("-", "_"): resource("icons", name, f"{icon}.svg").as_posix() for icon in SIGNS}
