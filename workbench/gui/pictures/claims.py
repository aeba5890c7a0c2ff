"""The chart of a slide for documents: the claims of its findings side by side, each under its phase and metric."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter

from workbench.charts.content import Content
from workbench.charts.figure import Panel
from workbench.charts.palette import ThemeName
from workbench.exporters.document.document import Slide
from workbench.exporters.job import PictureLook
from workbench.gui.pictures.files import paint_file, svg_text
from workbench.gui.plot.claim.chart import paint_beside
from workbench.gui.plot.ink import Ink, line_height

_GAP = 36.0
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def paint_claims(painter: QPainter, ink: Ink, area: QRectF, slide: Slide, most: int = 3) -> None:
    """Paints the claims of a slide into an area, in columns of equal width, at most `most` wide."""
    claims = slide.pointed[:most]
    panels = slide.figure.panels if slide.figure is not None else ()
    wide = (area.width() - _GAP * (len(claims) - 1)) / max(1, len(claims))
    boxes = []
    for place in range(len(claims)):
        box = QRectF(area.left() + place * (wide + _GAP), area.top(), wide, area.height())
        _paint_head(painter, ink, box, panels[place] if place < len(panels) else None)
        boxes.append(box.adjusted(0, line_height(ink.title) + ink.px(10), 0, 0))
    paint_beside(painter, ink, boxes, claims, slide.switches)


def _paint_head(painter: QPainter, ink: Ink, box: QRectF, panel: Panel | None) -> None:
    """Paints phase and metric: `Steady state  IOPS per VM`."""
    if panel is None:
        return
    unit = f" ({panel.y.unit})" if panel.y.unit and panel.y.unit not in panel.y.label else ""
    texts = [(panel.heading, ink.title, "text"), (f"{panel.y.label}{unit}", ink.plain, "quiet")]
    left, tall = box.left(), line_height(ink.title)
    for text, font, token in texts:
        if not text:
            continue
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(1.0, box.right() - left))
        painter.setFont(font)
        painter.setPen(ink.token(token))
        painter.drawText(QRectF(left, box.top(), box.right() - left, tall), _LEFT, shown)
        left += metrics.horizontalAdvance(shown) + ink.px(10)


def claims_svg(slide: Slide, size: tuple[int, int], identity: str, theme: ThemeName) -> str:
    """The claims as an .svg element without a background."""
    area = QRectF(0, 0, *size)
    words = slide.figure.summary if slide.figure is not None else ""
    return svg_text(
        lambda painter: paint_claims(painter, Ink(theme), area, slide), size, slide.title, words, identity=identity
    )


def paint_slide_file(path: Path, slide: Slide, look: PictureLook) -> None:
    """Writes the chart of a slide as .png. Raises `OSError` with the reason."""
    if slide.figure is None or not slide.pointed:
        paint_file(Content("", figure=slide.figure), path, look.size, look.scale, look.theme)
        return
    wide, tall = (round(side * look.scale) for side in look.size)
    image = QImage(wide, tall, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(look.scale)
    ink = Ink(look.theme)
    image.fill(ink.token("card"))
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    paint_claims(painter, ink, QRectF(20, 16, look.size[0] - 40, look.size[1] - 32), slide)
    painter.end()
    if not image.save(str(path), "PNG"):  # type: ignore[call-overload]
        raise OSError("Qt could not write the image")
