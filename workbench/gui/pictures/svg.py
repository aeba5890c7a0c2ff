"""Drawings as .svg: text stays text, at its place in any font, and the document says in words what it shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape

from PySide6.QtCore import QBuffer, QRect, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from workbench.exporters.plain_text import plain_text
from workbench.gui.services.assets import ui_font
from workbench.measures.judging.method import PROGRAM

FONTS = "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"
_HEAD = re.compile(r"\A.*?<title>.*?</title>\s*<desc>.*?</desc>", re.DOTALL)
_G_FONT = re.compile(r'(<g [^>]*?)\s*font-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" font-style="[^"]*"\s*>')
_EMPTY_G = re.compile(r"<g[^>]*>\s*</g>\s*")
_TEXT = re.compile(
    r'<text ([^>]*?)font-family="[^"]*" font-size="([\d.]+)" font-weight="(\d+)"([^>]*?)\s*>([^<]*)</text>'
)
_NOISE = re.compile(
    r' vector-effect="none"| fill-rule="evenodd"| font-style="normal"| transform="matrix\(1,0,0,1,0,0\)"'
)
_ID = re.compile(r'(id="|url\(#|href="#)')
_SMOOTHED = re.compile(r'(?<=[\s"])image-rendering="[^"]*"')
_BLANKS = re.compile(r"[ \t]*\n\s*")


def svg_text(
    paint: Callable[[QPainter], None], size: tuple[int, int], title: str, words: str, *, identity: str = ""
) -> str:
    """What `paint` draws in `size` pixels, as a document with `title` and, as its description, `words`."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    # Version 1.1 knows clips, which charts need that reach over their panel.
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setResolution(QImage(1, 1, QImage.Format.Format_RGB32).logicalDpiX())
    generator.setSize(QSize(*size))
    generator.setViewBox(QRect(0, 0, *size))
    painter = QPainter(generator)
    paint(painter)
    painter.end()
    return _tidied(bytes(buffer.data().data()).decode("utf-8", "replace"), size, title, words, identity)


def _tidied(text: str, size: tuple[int, int], title: str, words: str, identity: str) -> str:
    """Qt's document without what says nothing, with fonts to fall back on and words for those who cannot see it."""
    text = _HEAD.sub("", plain_text(text), count=1)
    text = _G_FONT.sub(r"\1>", text)
    while (shorter := _EMPTY_G.sub("", text)) != text:
        text = shorter
    text = _NOISE.sub("", _TEXT.sub(_set_text, text))
    text = _SMOOTHED.sub("", text).replace("<image ", '<image image-rendering="pixelated" ')
    if identity:
        text = _ID.sub(rf"\g<1>{identity}-", text)
    wide, tall = size
    # A chart within a page leaves to the page what wrote it.
    written_by = "" if identity else f"<metadata>{_held(PROGRAM)}</metadata>\n"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" '
        f'width="{wide}" height="{tall}" viewBox="0 0 {wide} {tall}" role="img" aria-label="{_held(title)}">\n'
        f"<title>{_held(title)}</title>\n<desc>{_held(words)}</desc>\n{written_by}"
    )
    return head + _BLANKS.sub("\n", text).lstrip()


def _set_text(match: re.Match[str]) -> str:
    """One text with the fonts to fall back on, as wide as it was set: another font must not move its end."""
    before, size, weight, after, text = match.groups()
    wide = QFontMetricsF(_font(float(size), int(weight))).horizontalAdvance(unescape(text))
    length = f' textLength="{wide:.2f}" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    return f'<text {before}font-family="{FONTS}" font-size="{size}" font-weight="{weight}"{after}{length}>{text}</text>'


def _font(pixels: float, weight: int) -> QFont:
    dots = QImage(1, 1, QImage.Format.Format_RGB32).logicalDpiX()
    return ui_font(pixels * 72 / dots, QFont.Weight(weight))


def _held(text: str) -> str:
    return escape(plain_text(text), quote=True)
