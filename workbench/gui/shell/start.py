"""vdi-workbench: the command line of the window. Qt is imported only if there is a display."""

from __future__ import annotations

import argparse
import ctypes
import gc
import multiprocessing
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from workbench import __version__
from workbench.answers.common.options import result_path
from workbench.answers.registry import COMMANDS, PAGES
from workbench.cancellation import end_without_waiting, ended_at_once
from workbench.gui.shell.saying import NAME, SayingParser, message_box, say, stand_alone_in_the_task_bar
from workbench.model.resources import command_line

_CONSOLE = f"{command_line('vdiwb')} export sample_data -o findings.xlsx"
# The libraries that a plain Debian lacks. README.md and .ci/run list them too.
LIBRARIES = (
    "libglib2.0-0 libegl1 libgl1 libxkbcommon-x11-0 libfontconfig1 libdbus-1-3 libxcb-cursor0 libxcb-icccm4 "
    "libxcb-keysyms1 libxcb-image0 libxcb-render-util0 libxcb-shape0 libxcb-xkb1 libxcb-randr0"
)
# The commands of the other program.
VDIWB_COMMANDS = (*(command.name for command in COMMANDS), "changes", "export", "import")
CANNOT_OPEN = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Opens the window, or draws one page as an image. Returns the exit status."""
    multiprocessing.freeze_support()  # a worker of a frozen program starts this program again
    with ended_at_once():
        try:
            return _main(arguments)
        except Exception as error:
            if sys.stderr is None:
                message_box(f"{NAME} ended with an error: {type(error).__name__}: {error}")
            raise


def _main(arguments: Sequence[str] | None) -> int:
    options = parser(sys.argv[1:] if arguments is None else arguments).parse_args(arguments)
    if options.view and (problem := _unknown_view(options.page, options.view)):
        say(problem)
        return CANNOT_OPEN
    if options.screenshot is not None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    elif not _has_display():
        say(f"The window cannot open: there is no display. Use the command line, for example: {_CONSOLE}")
        return CANNOT_OPEN
    # Modules are not garbage: searching for garbage during import takes a tenth of the start. The window collects
    # garbage on its own thread.
    gc.disable()
    if missing := _missing_library():
        say(
            f"A system library is missing ({missing}); on Debian or Ubuntu, install the libraries of Qt: "
            f"apt-get install {LIBRARIES}"
        )
        return CANNOT_OPEN
    read_no_sources()
    stand_alone_in_the_task_bar()
    from workbench.gui.shell.app import run

    status = run(options)
    end_without_waiting(status)
    return status


def read_no_sources() -> None:
    """Stops PySide from reading the source of every module imported from now on. It searches for code that switches its
    features, which this program does not use. That search took a sixth of the start."""
    search = sys.modules.get("shibokensupport.feature")
    if hasattr(search, "_mod_uses_pyside"):
        vars(search)["_mod_uses_pyside"] = lambda _module: False


def _missing_library() -> str:
    """The loader's message about a missing system library that Qt needs; empty if all exist."""
    try:
        # Checked before pyqtgraph is imported, because its message only says that Qt is missing. The innermost module
        # is first, so the message is exact.
        for module in ("QtCore", "QtGui", "QtWidgets"):
            import_module(f"PySide6.{module}")
    except ImportError as error:
        if not str(error).startswith("lib"):
            raise
        return str(error)
    if sys.platform != "linux":
        return ""
    # The drawing parts of Qt are loaded later, and Qt ends the program if that fails.
    plugins = Path(import_module("PySide6").__file__ or "").parent / "Qt" / "plugins" / "platforms"
    missing = ""
    for platform in _platforms():
        plugin = plugins / f"libq{platform}.so"
        try:
            if plugin.exists():
                ctypes.CDLL(os.fspath(plugin))
            return ""
        except OSError as error:
            missing = str(error)
    return missing


def _platforms() -> list[str]:
    """The platforms that Qt may draw on here; the first that loads is used."""
    if chosen := os.environ.get("QT_QPA_PLATFORM"):
        return [part.partition(":")[0] for part in chosen.split(";")]
    return [*(["wayland"] if os.environ.get("WAYLAND_DISPLAY") else []), "xcb"]


def _unknown_view(page: str, view: str) -> str:
    """The message about a view that the page does not have; empty if it has it."""
    views = next(dict(spec.views) for spec in PAGES if spec.key == page)
    if view in views:
        return ""
    if not views:
        return f"The page '{page}' has only one view. Omit --view."
    return f"The page '{page}' has no view '{view}'. Its views: {', '.join(views)}."


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class _Parser(SayingParser):
    """A parser that names the other program if a command of `vdiwb` was given and there is no path of that name."""

    given: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        """Ends the program with usage and error."""
        name = next((word for word in self.given if not word.startswith("-")), "")
        if not os.path.lexists(name) and name in VDIWB_COMMANDS:
            message += f". For commands, use 'vdiwb {name} …'."
        super().error(message)


def parser(given: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options of the window's command line `given`."""
    own = _Parser(
        prog="vdi-workbench",
        description="Open test results of virtual desktops in a window.",
        epilog="example: vdi-workbench sample_data --page per-vm-iops --screenshot page.png --size 1600x900",
    )
    own.add_argument(
        "paths",
        nargs="*",
        type=_path,
        metavar="PATH",
        help="result folders, archives, files, a workspace file or a bundle",
    )
    own.add_argument(
        "--page",
        choices=[spec.key for spec in PAGES],
        default="overview",
        help="page to show first (default: overview)",
    )
    own.add_argument("--study", help="name of the study to show, if several are open")
    own.add_argument("--view", help="view of the page, such as 'sweep' on Cache")
    own.add_argument("--phase", help="phase to show, such as boot, logon or steady")
    own.add_argument("--screenshot", type=Path, metavar="FILE", help="save an image of the page and exit")
    own.add_argument(
        "--size", type=_size, metavar="WxH", help="window or image size (default: last window size; image 1600x900)"
    )
    own.add_argument("--dark", action="store_true", help="use the dark theme")
    own.add_argument(
        "--version", action="version", version=f"vdi-workbench {__version__}", help="show the version and exit"
    )
    own.given = given
    return own


def _path(text: str) -> Path:
    return Path(result_path(text))


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.partition("x")
    if not (cross and width.isdigit() and height.isdigit() and 640 <= int(width) <= 7680 and int(height) >= 480):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1600x900 (640x480 or more)")
    return int(width), int(height)


if __name__ == "__main__":
    sys.exit(main())
