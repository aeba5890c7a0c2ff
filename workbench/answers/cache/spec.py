"""The cache: use over time, the sweep over sizes, sizes that were not tested, filling, and the dip at the overflow."""

from __future__ import annotations

from workbench.answers.cache.command import COMMANDS
from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec
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
)
SPEC = Spec(PAGE, COMMANDS)
