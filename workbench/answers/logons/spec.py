"""Logon times, active sessions, VSImax and EUX, application starts."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec, Sign
from workbench.answers.common.spec import Spec
from workbench.answers.logons.command import COMMANDS

KEY = "logons"
PAGE = PageSpec(
    KEY,
    "Logons",
    Lazy("workbench.answers.logons.page", "logons"),
    table_share=36,
    table_names=("Logon times", "Sessions"),
    views=(
        ("times", "Logon times"),
        ("active", "Active sessions"),
        ("vsimax", "VSImax / EUX"),
        ("apps", "Application starts"),
    ),
    reading={
        "times": (
            Sign("dots", "Dot: the logon of one session"),
            Sign("dashed", "Dashed: trend over the storm"),
            Sign("p95", "95 of 100 logons took less"),
            Sign("—", "Not available, never 0"),
        ),
        "active": (
            Sign("line", "Solid: active sessions"),
            Sign("dashed", "Dashed: launched sessions"),
            Sign("band", "Band: range of the runs"),
            Sign("—", "Not available, never 0"),
        ),
        "vsimax": (
            Sign("dots", "Dot: one response"),
            Sign("line", "Line: the index of the model"),
            Sign("dashed", "Dashed: the threshold"),
            Sign("dotted", "Dotted: VSImax"),
            Sign("—", "Not available, never 0"),
        ),
        "apps": (
            Sign("line", "Line: median start time"),
            Sign("dots", "Dot: one start"),
            Sign("—", "Not available, never 0"),
        ),
    },
    docs="answers/logons.md",
)
SPEC = Spec(PAGE, COMMANDS)
