"""The cache: use over time, the sweep over sizes, sizes that were not tested, filling, and the dip at the overflow."""

from __future__ import annotations

from workbench.answers.cache.command import COMMANDS
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec, Sign
from workbench.answers.common.spec import Spec

KEY = "cache"
OVER_TIME, BY_SIZE, WHAT_IF, FILLING, DIP = "over-time", "sweep", "what-if", "filling", "dip"
PAGE = PageSpec(
    KEY,
    "Cache",
    Lazy("workbench.answers.cache.page", "cache"),
    frozenset(("phase", "alignment")),
    table_share=36,
    table_names=("By configuration", "By VM"),
    views=(
        (OVER_TIME, "Over time"),
        (BY_SIZE, "By cache size"),
        (WHAT_IF, "What-if"),
        (FILLING, "Filling"),
        (DIP, "Overflow dip"),
    ),
    unused={view: frozenset(("alignment",)) for view in (BY_SIZE, WHAT_IF, FILLING, DIP)},
    whole_run=frozenset((OVER_TIME,)),
    lists=True,
    slides=True,
    reading={
        OVER_TIME: (
            Sign("line", "Line: one VM, or the median"),
            Sign("band", "Band: 5 to 95 % of the VMs"),
            Sign("margin", "Shaded: the phase"),
            Sign("*", "An estimate, an upper bound"),
            Sign("—", "Not available, never 0"),
        ),
        BY_SIZE: (
            Sign("bar", "Solid: shared storage"),
            Sign("hatched", "Hatched: cache disk"),
            Sign("band", "Band: 95 % interval of all I/O"),
            Sign("*", "An estimate, an upper bound"),
            Sign("—", "Not available, never 0"),
        ),
        WHAT_IF: (
            Sign("line", "Line: predicted"),
            Sign("band", "Band: bounds of the prediction"),
            Sign("dots", "Dots: tested sizes"),
            Sign("diamond", "Diamond: the largest VM still fits"),
            Sign("margin", "Shaded: beyond the measured sizes"),
            Sign("—", "Not available, never 0"),
        ),
        FILLING: (
            Sign("line", "Line: median of the VMs"),
            Sign("dots", "Dot: first overflow, or levelled off"),
            Sign("margin", "Shaded: the phases"),
            Sign("—", "Not available, never 0"),
        ),
        DIP: (
            Sign("line", "Thin line: one VM. Thick line: their median"),
            Sign("dashed", "0: the overflow of each VM"),
            Sign("margin", "Shaded: after the overflow"),
            Sign("—", "Not available, never 0"),
        ),
    },
    docs="answers/cache.md",
)
SPEC = Spec(PAGE, COMMANDS)
