"""The files of a bundle that the programs use, and the scripts that they run at start. Uses file names only."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

# Packages that libraries can use but do not need.
EXCLUDED = [
    "tkinter", "dask", "distributed", "matplotlib", "scipy", "pandas", "pyarrow", "IPython", "OpenGL", "fsspec",
    "jinja2", "yaml", "cloudpickle", "psutil", "tornado", "hypothesis", "pytest", "mypy", "setuptools", "pip",
    "pydoc_data", "numpy.f2py", "lxml.objectify", "PIL.AvifImagePlugin", "PIL._avif",
    "PySide6.QtNetwork", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtTest",
]  # fmt: skip
# Scripts of PyInstaller that load Qt at each start. The command line loads Qt only for images, and the wheels of
# PySide6 find their plugins without these scripts.
_QT_HOOKS = {"pyi_rth_pyside6", "pyi_rth_pyqtgraph_multiprocess"}
# Modules of Qt that no part of the program loads. They come with Qt's plugins.
_QT_MODULES = (
    "Designer|Help|LabsAnimation|LabsFolderListModel|LabsPlatform|LabsQmlModels|LabsSettings|LabsSharedImage"
    "|LabsStyleKit|LabsSynchronizer|LabsWavefrontMesh|Network|Pdf|PdfWidgets|PrintSupport|Qml|QmlCore|QmlLocalStorage"
    "|QmlMeta|QmlModels|QmlNetwork|QmlWorkerScript|QmlXmlListModel|Quick\\w*|Sql|Test|UiTools|VirtualKeyboard\\w*"
)
_QT_LIBRARY = re.compile(rf"(lib)?Qt6?({_QT_MODULES})(\.so[.\d]*|\.dll|\.pyd|\.abi3\.so|\.framework)?$")
# Folders of Qt plugins that stay: drawing, images and icons, the desktop, and input.
_PLUGINS = {
    "platforms", "platformthemes", "styles", "imageformats", "iconengines", "xcbglintegrations",
    "wayland-shell-integration", "wayland-decoration-client", "wayland-graphics-integration-client",
    "platforminputcontexts",
}  # fmt: skip
_PLUGIN_FILES = re.compile(
    r"(lib)?q(tvirtualkeyboardplugin|pdf|eglfs|linuxfb|vnc|vkkhrdisplay|direct2d|tiff|webp|tga|wbmp|gif)"
)
# The GTK theme of Qt and its libraries: the program has its own theme.
_GTK = re.compile(
    r"lib(qgtk3|gtk-3|gdk-3|gdk_pixbuf-2\.0|cairo|cairo-gobject|pango-1\.0|pangocairo-1\.0|pangoft2-1\.0|epoxy|harfbuzz"
    r"|atk-1\.0|atk-bridge-2\.0|atspi|fribidi|graphite2|thai|datrie|pixman-1)\.so"
)
# A second OpenGL in software; the program draws without OpenGL.
_SOFTWARE_OPENGL = re.compile(r"opengl32sw\.dll$", re.IGNORECASE)
# Qt's own texts in the languages of the program.
_LANGUAGES = re.compile(r"qtbase_(de|en)\.qm$")


def is_used(name: str) -> bool:
    """True if the bundle keeps the file with this name (a path from the bundle's folder of libraries)."""
    path = PurePosixPath(name.replace("\\", "/"))
    parts = path.parts
    if _GTK.match(path.name):
        return False
    if "PySide6" not in parts and not path.name.startswith(("libQt6", "Qt6")):
        return not _is_spare(parts, path)
    if any(_QT_LIBRARY.match(part) for part in parts) or _SOFTWARE_OPENGL.search(path.name):
        return False
    if "plugins" in parts:
        folder = parts[parts.index("plugins") + 1]
        return folder in _PLUGINS and not _PLUGIN_FILES.match(path.name)
    if "translations" in parts:
        return bool(_LANGUAGES.search(path.name))
    return "qml" not in parts


def runs_in(program: str, script: str) -> bool:
    """True if a program ("console" or "window") runs this script at its start."""
    if program == "console" and script in _QT_HOOKS:
        return False
    return script == program or script not in ("console", "window")


def _is_spare(parts: tuple[str, ...], path: PurePosixPath) -> bool:
    """True if a library's file is only for its own tests, its compilers or other programs."""
    if path.name.startswith("libavif"):
        return True
    if "tests" in parts and "_shipped" not in parts:
        return True
    return parts[0] in ("numpy", "lxml") and path.suffix in (".pyi", ".pxd", ".h", ".c", ".lib")
