"""Every configuration against a baseline, with intervals and verdicts."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec
from workbench.answers.common.spec import Spec
from workbench.answers.compare.command import COMMANDS

PAGE = PageSpec(
    "compare",
    "Compare",
    Lazy("workbench.answers.compare.page", "answer"),
    frozenset(("phase", "metric")),
    table_share=46,
    table_names=("Comparison",),
    views=(
        ("estimation", "Differences"),
        ("metric", "Every phase"),
        ("distribution", "Distribution"),
        ("duration", "How long phases take"),
        ("plan", "Runs needed"),
    ),
    unused={"duration": frozenset(("metric",)), "plan": frozenset(("phase", "metric"))},
    lists=True,
)
SPEC = Spec(PAGE, COMMANDS)
