"""The question and views of the cache page, and the options of `vdiwb cache`.

The views: use over time, the sweep over sizes, sizes that were not tested, filling, and the dip at the overflow.
"""

from __future__ import annotations

import argparse
import re

from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.common.options import baseline_option, explain_option, whole
from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec, UsageError

# The possible sizes of a RAM cache, MB.
MIN_MB, MAX_MB = 1, 1_048_576
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(?:(mi?b?)|(gi?b?))?", re.IGNORECASE)


def size_mb(text: str) -> float:
    """A size in MB: `512`, `512MB`, `2GB` (1 GB = 1,024 MB); raises ArgumentTypeError for anything else."""
    size = _SIZE.fullmatch(text.strip())
    if size is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size. Enter MB or GB, for example 512, 512MB or 2GB.")
    return float(size[1]) * (1024 if size[3] else 1)


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--desktops",
        type=whole,
        metavar="N",
        help=f"desktops or session hosts to plan for (default: {ASSUMED_DESKTOPS})",
    )
    parser.add_argument("--phase", metavar="PHASE", help="phase in which cache sizes are compared (default: steady)")
    parser.add_argument(
        "--size",
        type=size_mb,
        action="append",
        metavar="SIZE",
        help="RAM cache size for the prediction, such as 512MB; repeatable",
    )
    baseline_option(parser)
    explain_option(parser)
    parser.add_argument("--vms", action="store_true", help="show a row for each VM (table only)")


def _check(options: argparse.Namespace) -> None:
    if options.desktops is not None and not 1 <= options.desktops <= 10_000_000:
        raise UsageError(f"{options.desktops:g} VMs cannot be planned. Enter 1 to 10,000,000 VMs.")
    for size in options.size or ():
        if not MIN_MB <= size <= MAX_MB:
            raise UsageError(f"A RAM cache of {size:g} MB is not possible. Enter {MIN_MB} to {MAX_MB:,} MB.")


COMMANDS = (
    Command(
        "cache",
        "show cache use, overflow and the required RAM cache size",
        "vdiwb cache sample_data --desktops 500",
        Lazy("workbench.answers.cache.reply", "cache"),
        options=_options,
        check=_check,
    ),
)


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
        (DIP, "IOPS dip at overflow"),
    ),
    unused={view: frozenset(("alignment",)) for view in (BY_SIZE, WHAT_IF, FILLING, DIP)},
    whole_run=frozenset((OVER_TIME,)),
    lists=True,
    slides=True,
    reading={
        OVER_TIME: (
            Sign("line", "Line: one VM, or median of the VMs"),
            Sign("band", "Band: 5th to 95th percentile of the VMs"),
            Sign("margin", "Shaded: the phase"),
            Sign("*", "Estimate (upper bound)"),
            Sign("—", "Not available (this is not 0)"),
        ),
        BY_SIZE: (
            Sign("bar", "Solid bar: I/O on shared storage"),
            Sign("outlined", "Outlined bar: I/O on the cache disk"),
            Sign("band", "Band: 95 % interval of all I/O"),
            Sign("*", "Estimate (upper bound)"),
            Sign("—", "Not available (this is not 0)"),
        ),
        WHAT_IF: (
            Sign("line", "Line: predicted value"),
            Sign("band", "Band: lowest to highest possible value"),
            Sign("dots", "Dots: measured values of tested sizes"),
            Sign("diamond", "Diamond: cache that the most demanding VM needs"),
            Sign("margin", "Shaded: no overflow in any measured VM"),
            Sign("—", "Not available (this is not 0)"),
        ),
        FILLING: (
            Sign("line", "Line: median of the VMs"),
            Sign("dots", "Dot: first overflow, or levelling off"),
            Sign("margin", "Shaded: the phases"),
            Sign("—", "Not available (this is not 0)"),
        ),
        DIP: (
            Sign("line", "Thin: one VM. Thick: median of the VMs"),
            Sign("dashed", "Dashed line: cache overflow of each VM"),
            Sign("margin", "Shaded: after the overflow"),
            Sign("—", "Not available (this is not 0)"),
        ),
    },
    docs="answers/cache.md",
)
SPEC = Spec(PAGE, COMMANDS, place=40)
