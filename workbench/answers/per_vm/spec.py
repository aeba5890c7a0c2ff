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
            Sign("band", "Band: 5 to 95 % of the VMs"),
            Sign("heat", "Rows: one VM each, darker is more"),
            Sign("margin", "Shaded: the phase"),
            Sign("dashed", "Dashed: trend of an unsteady run"),
            Sign("—", "Not available, never 0"),
        )
    },
    docs="answers/overview.md",
)
SPEC = Spec(PAGE, place=30)
