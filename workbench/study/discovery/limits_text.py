"""limits.toml: the text of the acceptance limits of a study. What it means is known where measures are."""

from __future__ import annotations

from pathlib import Path

from workbench.model.limits_text import LimitsText
from workbench.model.problem import Problem, Severity
from workbench.study.discovery.manifest import toml_text

__all__ = ["LIMITS", "LimitsText", "limits_text"]

LIMITS = "limits.toml"


def limits_text(path: Path | bytes, name: str) -> LimitsText:
    """The text of the file (or its content) that users know as `name`, or why it cannot be read."""
    try:
        return LimitsText(name, toml_text(path))
    except UnicodeDecodeError:
        why = "is not UTF-8 text: save it as UTF-8"
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}"
    except ValueError as error:
        why = f"cannot be read: {error}"
    problem = Problem(Severity.REFUSED, name, "limits-unreadable", f"{name} {why}.", "file not imported")
    return LimitsText(name, problem=problem)
