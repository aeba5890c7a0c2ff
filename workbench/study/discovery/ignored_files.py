"""Files next to results that are not results: scripts, documents, pictures, system files in folders.

Readers recognise files by their content, not their name. If no reader knows a file, its name decides if it is reported:
a screenshot is not.
"""

from __future__ import annotations

from pathlib import PurePosixPath

_NAMES = frozenset(("thumbs.db", "ehthumbs.db", "desktop.ini", "license", "makefile", "dockerfile"))
_SCRIPTS = "py pyc ipynb ps1 psm1 psd1 bat cmd vbs sh bash js ts r rmd sql au3 reg rdp"
_DOCUMENTS = "md rst adoc docx doc docm dotx rtf odt pdf pptx ppt potx vsd vsdx one msg eml tex url lnk"
_PICTURES = "png jpg jpeg gif bmp svg ico webp tif tiff heic mp4 mov mkv avi wmv"
_PROGRAMS = "exe dll so jar class msi cab iso css woff woff2 ttf"
_ENDINGS = frozenset(f".{ending}" for kind in (_SCRIPTS, _DOCUMENTS, _PICTURES, _PROGRAMS) for ending in kind.split())


def is_aside(name: str) -> bool:
    """True if the name of a file that no reader knows shows clearly that it is not a result."""
    path = PurePosixPath(name.casefold())
    return path.suffix in _ENDINGS or path.name in _NAMES
