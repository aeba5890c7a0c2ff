"""The acceptance limits of a study as they were written."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.model.problem import Problem


@dataclass(frozen=True, slots=True)
class LimitsText:
    """The text of a limits.toml that users know as `file`, or the `problem` why it could not be read."""

    file: str
    text: str = ""
    problem: Problem | None = None
