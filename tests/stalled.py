"""A network share that stops answering: each access to its folder waits until it is released. An access on the main
thread is recorded instead, because the program must not make one."""

from __future__ import annotations

import builtins
import io
import os
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_PATIENCE_S = 60.0
# The functions with which Python opens and queries files; pathlib, glob, zipfile and shutil use these.
_ASKED = ("stat", "lstat", "scandir", "listdir", "open", "readlink", "access", "mkdir", "replace", "unlink", "utime")


class Share:
    """`stall()` stops it, `release()` continues everything; `on_main` has the calls from the main thread with their
    places in the code."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.on_main: list[str] = []
        self.asked = threading.Event()
        self._answers = threading.Event()
        self._answers.set()
        for name in _ASKED:
            patch.setattr(os, name, self._stalling(getattr(os, name)))
        patch.setattr(builtins, "open", self._stalling(open))
        patch.setattr(io, "open", builtins.open)

    def stall(self) -> None:
        """Stops answering from now on."""
        self._answers.clear()

    def release(self) -> None:
        """Answers again."""
        self._answers.set()

    def _stalling(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def asks(path: Any = ".", *more: Any, **named: Any) -> Any:
            if self._holds(path):
                if threading.current_thread() is threading.main_thread():
                    self.on_main.append("".join(traceback.format_stack(limit=8)))
                elif not self._answers.is_set():
                    self.asked.set()
                    self._answers.wait(_PATIENCE_S)
            return original(path, *more, **named)

        return asks

    def _holds(self, path: Any) -> bool:
        if not isinstance(path, str | os.PathLike):
            return False
        return os.fspath(path) == str(self.folder) or str(os.fspath(path)).startswith(f"{self.folder}{os.sep}")
