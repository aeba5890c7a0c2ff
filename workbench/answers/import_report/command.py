"""`vdiwb inspect`."""

from __future__ import annotations

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy

COMMANDS = (
    Command(
        "inspect",
        "list each file and every problem",
        "vdiwb inspect sample_data --format json",
        Lazy("workbench.answers.import_report.reply", "inspect"),
        ("table", "json"),
        answers_nothing=True,
    ),
)
