"""`vdiwb summary`."""

from __future__ import annotations

from workbench.answers.common.command import Command
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.options import check_explain, explain_options

COMMANDS = (
    Command(
        "summary",
        "show metrics per run and phase",
        "vdiwb summary sample_data --format json",
        Lazy("workbench.answers.overview.reply", "summary"),
        options=explain_options,
        check=check_explain,
    ),
)
