"""Images as files: .png of any size and scale, .svg with real text, .pdf as vectors.

Equal figures give equal bytes: no file contains the time of its creation. In .svg files, text keeps its position with
any font, and a description states the content of the drawing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from workbench.charts.content import Content
from workbench.charts.figure import Figure
from workbench.charts.palette import THEMES, ThemeName
from workbench.exporters.texts import plain_text
from workbench.gui.pictures.head import paint_head
from workbench.gui.plot.ink import Ink
from workbench.gui.plot.picture import MARGIN, paint_figure
from workbench.gui.services.assets import searchable_type, ui_font
from workbench.measures.significance.method import PROGRAM

ENDINGS = (".png", ".svg", ".pdf")
# Qt cannot hold a larger image, and no program opens one.
MAX_PIXELS = 30_000
_INCH_MM = 25.4


def paint_file(
    what: Figure | Content, path: Path, size: tuple[int, int], scale: float = 1.0, theme: ThemeName = "light"
) -> None:
    """Draws a figure, or a whole page with question, caption and cards over its chart, into `path`.

    `size` is in logical pixels; `scale` 2 writes a .png with twice the pixels in each direction. Raises `OSError` with
    the reason. Needs a QApplication.
    """
    kind = path.suffix.lower()
    if kind == ".svg":
        path.write_text(svg_of(what, size, theme), encoding="utf-8", newline="\n")
    elif kind == ".pdf":
        _pdf(what, path, size, theme)
    elif kind == ".png":
        image, held = image_of(what, size, scale, theme), in_memory()
        if not image.save(held, "PNG"):  # type: ignore[call-overload]
            raise OSError("Qt could not write the image")
        path.write_bytes(held.data().data())
    else:
        raise OSError(f"the name of an image file must end in {', '.join(ENDINGS)}")


def image_of(what: Figure | Content, size: tuple[int, int], scale: float = 1.0, theme: ThemeName = "light") -> QImage:
    """The image in pixels. Raises `OSError` if a side would be larger than `MAX_PIXELS`."""
    wide, tall = round(size[0] * scale), round(size[1] * scale)
    if not (0 < wide <= MAX_PIXELS and 0 < tall <= MAX_PIXELS):
        raise OSError(f"an image of {wide} x {tall} pixels cannot be drawn; the limit is {MAX_PIXELS} on each side")
    image = QImage(wide, tall, QImage.Format.Format_RGB32)
    if image.isNull():
        raise OSError(f"there is no memory for an image of {wide} x {tall} pixels")
    image.setDevicePixelRatio(scale)
    image.fill(THEMES[theme].ground)
    painter = QPainter(image)
    paint_any(painter, what, QRectF(0, 0, *size), theme)
    painter.end()
    # Set late, because text is laid out for the resolution: documents show the image as large as on screen.
    image.setDotsPerMeterX(round(96 * scale / _INCH_MM * 1000))
    image.setDotsPerMeterY(round(96 * scale / _INCH_MM * 1000))
    image.setText("Title", plain_text(what.question))
    image.setText("Description", plain_text(words_of(what)))
    image.setText("Software", PROGRAM)
    return image


def svg_of(what: Figure | Content, size: tuple[int, int], theme: ThemeName = "light") -> str:
    """The drawing as an .svg document."""
    return svg_text(
        lambda painter: paint_any(painter, what, QRectF(0, 0, *size), theme), size, what.question, words_of(what)
    )


def figure_svg(figure: Figure, size: tuple[int, int], theme: ThemeName = "light", identity: str = "") -> str:
    """The chart alone, without its question, for use in a page. `identity` keeps its ids different from those of other
    charts."""
    area = QRectF(-MARGIN, -MARGIN, size[0] + 2 * MARGIN, size[1] + 2 * MARGIN)
    return svg_text(
        lambda painter: paint_figure(painter, figure, area, theme, title=False),
        size,
        figure.question,
        words_of(figure),
        identity=identity,
    )


def paint_any(painter: QPainter, what: Figure | Content, area: QRectF, theme: ThemeName) -> None:
    """Draws a figure with its title, or a whole page, with any painter."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    if isinstance(what, Figure):
        paint_figure(painter, what, area, theme)
        return
    ink = Ink(theme)
    inner = area.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    painter.fillRect(area, ink.token("ground"))
    y = paint_head(painter, ink, what, inner)
    if what.figure is not None:
        # The chart has its own margin.
        paint_figure(
            painter,
            what.figure,
            QRectF(area.left(), y - MARGIN + 8, area.width(), area.bottom() - y + MARGIN - 8),
            theme,
            title=False,
        )


def words_of(what: Figure | Content) -> str:
    """A description in words for people who cannot see the chart."""
    figure = what if isinstance(what, Figure) else what.figure
    return (figure.summary or figure.caption) if figure is not None else what.caption


def in_memory() -> QBuffer:
    """Lets Qt write into memory before the disk, because Qt does not report a full disk, or not its reason."""
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    return held


def pdf_writer(held: QBuffer, size_pt: tuple[float, float], title: str) -> QPdfWriter:
    """A writer of pages without margins in logical pixels, so text is as large as on screen."""
    writer = QPdfWriter(held)
    writer.setResolution(QImage(1, 1, QImage.Format.Format_RGB32).logicalDpiX())
    writer.setPageSize(QPageSize(QSizeF(*size_pt), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setTitle(plain_text(title))
    writer.setCreator(PROGRAM)
    return writer


def _pdf(what: Figure | Content, path: Path, size: tuple[int, int], theme: ThemeName) -> None:
    dots = QImage(1, 1, QImage.Format.Format_RGB32).logicalDpiX()
    held = in_memory()
    writer = pdf_writer(held, (size[0] * 72 / dots, size[1] * 72 / dots), what.question)
    painter = QPainter()
    if not painter.begin(writer):
        raise OSError("Qt could not start writing the file")
    painter.fillRect(QRectF(0, 0, *size), Ink(theme).token("ground"))
    with searchable_type():
        paint_any(painter, what, QRectF(0, 0, *size), theme)
    if not painter.end():
        raise OSError("Qt could not finish the file")
    del painter, writer
    path.write_bytes(without_moment(bytes(held.data().data())))


# The times that Qt writes: two dates in the document's properties, three in its metadata; and two random numbers.
_MOMENTS = tuple(
    re.compile(pattern)
    for pattern in (
        rb"(/(?:Creation|Mod)Date \(D:)([^)]*)",
        rb'(xmp:(?:Create|Modify|Metadata)Date=")([^"]*)',
        rb'(xmpMM:DocumentID="uuid:)([^"]*)',
        rb"(/ID \[ <)([^\]]*)",
    )
)


def without_moment(held: bytes) -> bytes:
    """A .pdf of Qt with the creation time and the random number overwritten; the length stays the same."""
    for pattern in _MOMENTS:
        held = pattern.sub(_fixed, held)
    return held


def _fixed(match: re.Match[bytes]) -> bytes:
    """A replacement of equal length: dates become the first day of 2000, and random numbers become zeros."""
    before, value = match.groups()
    if b"Date (D:" in before:
        return bytes(before + (b"20000101" + b"0" * len(value))[: len(value) - 1] + value[-1:])
    if b"Date=" in before:
        return bytes(before + b"2000-01-01T00:00:00+00:00"[: len(value)])
    return bytes(before + re.sub(rb"[0-9a-fA-F]", b"0", value))


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
    """The drawing of `paint` in `size` pixels, as a document with `title` and the description `words`."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    # Version 1.1 supports clips, which charts need if they reach over their panel.
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
    """Qt's document without useless attributes, with fallback fonts and a description for people who cannot see it."""
    text = _HEAD.sub("", plain_text(text), count=1)
    text = _G_FONT.sub(r"\1>", text)
    while (shorter := _EMPTY_G.sub("", text)) != text:
        text = shorter
    text = _NOISE.sub("", _TEXT.sub(_set_text, text))
    text = _SMOOTHED.sub("", text).replace("<image ", '<image image-rendering="pixelated" ')
    if identity:
        text = _ID.sub(rf"\g<1>{identity}-", text)
    wide, tall = size
    # In a chart within a page, only the page names the program that wrote it.
    written_by = "" if identity else f"<metadata>{_held(PROGRAM)}</metadata>\n"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" '
        f'width="{wide}" height="{tall}" viewBox="0 0 {wide} {tall}" role="img" aria-label="{_held(title)}">\n'
        f"<title>{_held(title)}</title>\n<desc>{_held(words)}</desc>\n{written_by}"
    )
    return head + _BLANKS.sub("\n", text).lstrip()


def _set_text(match: re.Match[str]) -> str:
    """One text with fallback fonts and a fixed width: another font must not move its end."""
    before, size, weight, after, text = match.groups()
    wide = QFontMetricsF(_font(float(size), int(weight))).horizontalAdvance(unescape(text))
    length = f' textLength="{wide:.2f}" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    return f'<text {before}font-family="{FONTS}" font-size="{size}" font-weight="{weight}"{after}{length}>{text}</text>'


def _font(pixels: float, weight: int) -> QFont:
    dots = QImage(1, 1, QImage.Format.Format_RGB32).logicalDpiX()
    return ui_font(pixels * 72 / dots, QFont.Weight(weight))


def _held(text: str) -> str:
    return escape(plain_text(text), quote=True)
