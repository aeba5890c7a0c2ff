"""The build that broke it: a measure over the runs of weeks, with its steps and drifts."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec, Sign
from workbench.answers.common.spec import Spec
from workbench.answers.trend.command import COMMANDS

KEY = "trend"
# The input of a session that names the history folder.
FOLDER = "trend.history"
# The input of a session that names the measure which the page shows, and its value for the primary ones.
MEASURE = "trend.measure"
PRIMARY = "Primary measures"
PAGE = PageSpec(
    KEY,
    "Trend",
    Lazy("workbench.answers.trend.page", "answer"),
    table_share=34,
    table_names=("Changes", "Runs"),
    of_every_study=True,
    keys="Ctrl+Shift+B",
    place="tool",
    reading={
        "": (
            Sign("dots", "Dot: one run"),
            Sign("line", "Line: mean between two steps"),
            Sign("band", "Band: 95 % interval of the mean"),
            Sign("—", "Not available, never 0"),
        )
    },
    docs="answers/trend.md",
)
SPEC = Spec(PAGE, COMMANDS)
