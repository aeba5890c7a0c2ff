"""Logon times, active sessions, VSImax and EUX, application starts."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec
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
)
SPEC = Spec(PAGE, COMMANDS)
