"""The traces of every VM, configurations side by side."""

from __future__ import annotations

from workbench.answers.common.spec import Lazy, PageSpec, Sign, Spec

PAGE = PageSpec(
    "per-vm-iops",
    "Per VM",
    Lazy("workbench.answers.per_vm.page", "per_vm"),
    frozenset(("phase", "metric", "alignment", "scale")),
    movable_phases=True,
    whole_run=frozenset(("",)),
    lists=True,
    headed=True,
    reading={
        "": (
            Sign("line", "Line: median of the VMs"),
            Sign("band", "Band: 5th to 95th percentile of the VMs"),
            Sign("heat", "Row: one VM. Darker: higher value"),
            Sign("margin", "Shaded: the phase"),
            Sign("dashed", "Dashed: trend of a run without steady load"),
            Sign("—", "Not available (this is not 0)"),
        )
    },
    docs="answers/overview.md",
)
SPEC = Spec(PAGE, place=30)
