"""What a question declares of itself: its page in the window, and its commands on the console. Light to import."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.answers.common.command import Command
from workbench.answers.common.page import PageSpec


@dataclass(frozen=True, slots=True)
class Spec:
    """A question; `page` is None where the window has no page of it."""

    page: PageSpec | None = None
    commands: tuple[Command, ...] = ()
