"""Any counters over time, and what each did in a phase."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.names import TIMELINE
from workbench.answers.common.page import PageSpec
from workbench.answers.common.spec import Spec

PAGE = PageSpec(
    TIMELINE,
    "Timeline",
    Lazy("workbench.answers.timeline.page", "timeline"),
    frozenset(("phase", "alignment")),
    table_share=30,
    table_names=("Report",),
    movable_phases=True,
    whole_run=frozenset(("",)),
)
SPEC = Spec(PAGE)
