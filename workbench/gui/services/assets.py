"""The bundled font and icons: every computer shows equal text and signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QFont, QFontDatabase, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from workbench.charts.palette import THEMES, ThemeName
from workbench.model.resources import resource

FAMILY = "Inter"
_searchable = False
# Icons are 16 to 20 pixels large. These sizes cover 100 % to 200 % and larger fonts.
_SIZES = (16, 20, 24, 32, 40)
# Sizes of the program icon, up to those in a task bar and a task switcher.
_PROGRAM_SIZES = (16, 24, 32, 48, 64, 128, 256)


@lru_cache(maxsize=1)
def load_fonts() -> tuple[str, ...]:
    """Registers the bundled font with Qt. Returns its families (empty if a file cannot be read)."""
    families: list[str] = []
    for file in sorted(resource("fonts").glob("*.otf")):
        families += QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(file)))
    return tuple(dict.fromkeys(families))


# The scripts that the bundled font lacks, by the letters of their names, and Qt's name of the writing system.
_SCRIPTS = (
    (re.compile("[\u3040-\u30ff]"), "Japanese", (QFontDatabase.WritingSystem.Japanese,)),
    (re.compile("[\u1100-\u11ff\uac00-\ud7af]"), "Korean", (QFontDatabase.WritingSystem.Korean,)),
    (
        re.compile("[\u3400-\u9fff]"),
        "Chinese",
        (
            QFontDatabase.WritingSystem.SimplifiedChinese,
            QFontDatabase.WritingSystem.TraditionalChinese,
            QFontDatabase.WritingSystem.Japanese,
        ),
    ),
)


def undrawn_scripts(text: str) -> tuple[str, ...]:
    """Returns the scripts of a text for which this system has no font; their letters are drawn as boxes."""
    return tuple(
        name
        for letters, name, systems in _SCRIPTS
        if letters.search(text) and not any(map(QFontDatabase.families, systems))
    )


@contextmanager
def searchable_type() -> Iterator[None]:
    """Fonts created in this block use plain character shapes. In a .pdf, Qt cannot map other shapes (digits of one
    width, signs fitted to their neighbours) to characters, so a search would not find numbers."""
    global _searchable
    _searchable = True
    try:
        yield
    finally:
        _searchable = False


def ui_font(points: float = 10.0, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The window's font in `points`, with digits of one width so numbers align."""
    load_fonts()
    font = QFont(FAMILY)
    font.setPointSizeF(points)
    font.setWeight(weight)
    font.setFeature(QFont.Tag.fromString("tnum"), 0 if _searchable else 1)
    if _searchable:
        font.setFeature(QFont.Tag.fromString("calt"), 0)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


@lru_cache(maxsize=64)
def svg(name: str, colour: str) -> bytes:
    """The SVG text of the icon in one colour (`#rrggbb`)."""
    text = resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    return text.replace("currentColor", colour).encode("utf-8")


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str, size: int) -> QPixmap:
    """The icon in one colour, `size` pixels square."""
    drawn = QPixmap(size, size)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(svg(name, colour))).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return drawn


@lru_cache(maxsize=128)
def icon(name: str, theme: ThemeName, token: str = "quiet", selected: str = "accent") -> QIcon:
    """An icon in the colour of a token, or in the colour `token` itself; in another one if its row is selected or its
    button is on."""
    tokens = THEMES[theme]
    made = QIcon()
    for size in _SIZES:
        plain = pixmap(name, getattr(tokens, token, token), size)
        lit = pixmap(name, getattr(tokens, selected), size)
        made.addPixmap(plain, QIcon.Mode.Normal, QIcon.State.Off)
        made.addPixmap(plain, QIcon.Mode.Active, QIcon.State.Off)
        made.addPixmap(lit, QIcon.Mode.Selected, QIcon.State.Off)
        made.addPixmap(lit, QIcon.Mode.Normal, QIcon.State.On)
    return made


def program_icon() -> QIcon:
    """The program's own icon, in its own colours."""
    drawing = QSvgRenderer(str(resource("program.svg")))
    made = QIcon()
    for size in _PROGRAM_SIZES:
        drawn = QPixmap(size, size)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        drawing.render(painter, QRectF(0, 0, size, size))
        painter.end()
        made.addPixmap(drawn)
    return made
