"""Every configuration against a baseline, with intervals and verdicts."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec, Sign
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
    reading={
        "estimation": (
            Sign("dots", "A dot is one run"),
            Sign("line", "The line is their mean"),
            Sign("whisker", "Below: the difference, 95 % interval or range"),
            Sign("margin", "Inside the band counts as the same"),
            Sign("✓", "Better or worse: beyond band and variation"),
            Sign("dashed", "Dashed: the baseline"),
        ),
        "metric": (
            Sign("bar", "Bar: change from the baseline"),
            Sign("whisker", "Whiskers: 95 % interval or range"),
            Sign("margin", "Inside the band counts as the same"),
            Sign("✓", "Better or worse: beyond band and variation"),
            Sign("~", "Inconclusive"),
            Sign("—", "Not available, never 0"),
        ),
        "duration": (
            Sign("bar", "Bar: change from the baseline"),
            Sign("whisker", "Whiskers: 95 % interval or range"),
            Sign("margin", "Inside the band counts as the same"),
            Sign("✓", "Better or worse: beyond band and variation"),
            Sign("~", "Inconclusive"),
            Sign("—", "Not available, never 0"),
        ),
        "distribution": (
            Sign("line", "Left: share of samples in each bin"),
            Sign("line", "Right: share at or below a value"),
            Sign("dots", "Dots: p50, p95 and p99"),
            Sign("—", "Not available, never 0"),
        ),
        "plan": (Sign("*", "Variation assumed, not measured"), Sign("—", "Not available, never 0")),
    },
    docs="answers/compare.md",
)
SPEC = Spec(PAGE, COMMANDS)
