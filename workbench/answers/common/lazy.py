"""A function of a module that is loaded when it is first called."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class Lazy:
    """Calls `name` of `module`. The module is given as text, so that a spec imports nothing of its question."""

    module: str
    name: str

    def load(self) -> Any:
        """The function itself. Raises ImportError or AttributeError where there is none."""
        return getattr(import_module(self.module), self.name)

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns."""
        return self.load()(*arguments)
