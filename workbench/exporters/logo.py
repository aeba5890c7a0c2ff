"""The logo of a document: looked at once, before any format takes it."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

from workbench.exporters.alone import LEFT_OUT
from workbench.exporters.wanted import Face
from workbench.option_files import option_bytes

_MOST_MB, _MOST_PIXELS = 5, 50_000_000


def with_known_logo(face: Face) -> tuple[Face, tuple[str, ...]]:
    """The face without a logo that is none, and the sentence on that."""
    why = logo_fault(face.logo) if face.logo is not None else ""
    if face.logo is None or not why:
        return face, ()
    return replace(face, logo=None), (f"The logo {face.logo.name}{LEFT_OUT}{why}.",)


def logo_fault(path: Path) -> str:
    """Why a file is no logo; empty where it is one: whole, a .png or .jpg by its content, not larger than documents
    that are mailed can bear."""
    # Imported here: Pillow comes with what writes Office files.
    from PIL import Image, UnidentifiedImageError

    try:
        if path.stat().st_size > _MOST_MB * 1_000_000:
            return f"it is larger than {_MOST_MB} MB"
        with Image.open(BytesIO(option_bytes(path)), formats=("PNG", "JPEG")) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                return f"it has more than {_MOST_PIXELS // 1_000_000} million pixels"
            picture.load()
    except UnidentifiedImageError:
        return "it is no .png or .jpg"
    except OSError as error:
        return f"it cannot be read ({error.strerror or error})"
    except (SyntaxError, ValueError, Image.DecompressionBombError):
        return "it is damaged"
    return ""
