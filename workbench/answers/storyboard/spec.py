"""The storyboard: what a review sees, and in which order."""

from __future__ import annotations

from workbench.answers.common.spec import Spec
from workbench.answers.storyboard.command import COMMANDS

SPEC = Spec(commands=COMMANDS)
