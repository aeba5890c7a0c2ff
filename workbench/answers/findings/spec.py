"""What a study concludes: no page of its own, the overview shows the findings."""

from __future__ import annotations

from workbench.answers.common.spec import Spec
from workbench.answers.findings.command import COMMANDS

SPEC = Spec(commands=COMMANDS)
