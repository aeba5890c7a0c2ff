"""The program's icon in the file formats of each system: PNG for Linux, ICO for Windows, ICNS for macOS."""

from __future__ import annotations

import os
import struct
from pathlib import Path

# The only drawing of the icon; the program uses it too.
SOURCE = Path(__file__).parents[1] / "resources" / "program.svg"
SIZES = (16, 24, 32, 48, 64, 128, 256)
# The types of a PNG of this size in an ICNS file.
_ICNS = {128: b"ic07", 256: b"ic08", 512: b"ic09"}


def png(size: int) -> bytes:
    """The icon, `size` pixels wide and high."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(SOURCE)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def ico() -> bytes:
    """All sizes in one file, each as PNG. Windows reads PNG in ICO files since Vista."""
    pictures = [png(size) for size in SIZES]
    start = 6 + 16 * len(pictures)
    entries = b""
    for size, picture in zip(SIZES, pictures, strict=True):
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), start)
        start += len(picture)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures)


def icns() -> bytes:
    """The icon in the sizes of the macOS Finder and Dock."""
    parts = [(kind, png(size)) for size, kind in _ICNS.items()]
    body = b"".join(kind + struct.pack(">I", 8 + len(picture)) + picture for kind, picture in parts)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body
