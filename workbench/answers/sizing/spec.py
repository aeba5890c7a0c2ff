"""The capacity plan from measured figures, and the boot and logon what-if."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec
from workbench.answers.common.spec import Spec
from workbench.answers.sizing.command import COMMANDS

KEY = "sizing"
PLAN, WHAT_IF = "plan", "what-if"
PAGE = PageSpec(
    KEY,
    "Sizing",
    Lazy("workbench.answers.sizing.page", "sizing"),
    table_share=46,
    table_names=("Steps", "Configurations", "Inputs"),
    views=((PLAN, "Capacity plan"), (WHAT_IF, "Boot and logon what-if")),
    lists=True,
    place="tool",
)
SPEC = Spec(PAGE, COMMANDS)
