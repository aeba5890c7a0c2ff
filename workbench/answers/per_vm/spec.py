"""The traces of every VM, configurations side by side."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec
from workbench.answers.common.spec import Spec

PAGE = PageSpec(
    "per-vm-iops",
    "Per-VM IOPS",
    Lazy("workbench.answers.per_vm.page", "per_vm"),
    frozenset(("phase", "metric", "alignment", "scale")),
    movable_phases=True,
    whole_run=frozenset(("",)),
    lists=True,
    headed=True,
)
SPEC = Spec(PAGE)
