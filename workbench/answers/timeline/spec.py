"""The timeline: counters over time, and the values of each in a phase."""

from __future__ import annotations

from workbench.answers.common.names import TIMELINE
from workbench.answers.common.spec import Lazy, PageSpec, Sign, Spec

PAGE = PageSpec(
    TIMELINE,
    "Timeline",
    Lazy("workbench.answers.timeline.page", "timeline"),
    frozenset(("phase", "alignment")),
    table_share=30,
    table_names=("Counter values",),
    movable_phases=True,
    whole_run=frozenset(("",)),
    reading={
        "": (
            Sign("line", "Line: one counter"),
            Sign("margin", "Shaded: the phases of the first run"),
            Sign("dashed", "Dashed: trend of a run without steady load"),
            Sign("1", "Flag: your note"),
            Sign("—", "Not available (this is not 0)"),
        )
    },
    docs="answers/timeline.md",
)
SPEC = Spec(PAGE, place=50)
