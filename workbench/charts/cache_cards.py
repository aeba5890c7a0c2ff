"""Answer cards of the cache page: how much is enough first, then what it saves and what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.analysis.cache import CacheAnswer, ConfigurationCache, Enough
from workbench.analysis.cache_sweep import SweepRow, ram_cost_gib
from workbench.analysis.statistics import Change, Verdict
from workbench.charts.cache_words import enough_words, overflow_words, size_words
from workbench.charts.cards import Card
from workbench.charts.figure import Look
from workbench.charts.looks import looks
from workbench.charts.metrics import phase_words
from workbench.charts.numbers import MISSING, THIN, change_text, fixed, number, signed

_QUIET = Look("quiet")


def cache_answer_cards(answer: CacheAnswer, desktops: float) -> tuple[Card, ...]:
    """For each kind of cache the smallest size without overflow, its reduction, its RAM for that many VMs, and
    what the CPU does across the sizes."""
    look = looks([one.group for one in answer.cached])
    cards: list[Card] = []
    for enough in answer.enough:
        chosen = enough.smallest or _largest(enough)
        mark = _QUIET if chosen is None else look[chosen.label]
        cards.append(_enough(enough, mark))
        if chosen is not None:
            cards += [_reduction(answer, chosen, mark), _ram(chosen, enough, desktops, mark)]
            cards += _disk(enough, desktops, look)
    cards += _cpu(answer.sweep.rows)
    return tuple(cards)


def _largest(enough: Enough) -> ConfigurationCache | None:
    return max((*enough.overflowing, *enough.unknown), key=lambda one: one.size_mb or 0, default=None)


def _enough(enough: Enough, look: Look) -> Card:
    largest = max((one.size_mb or 0 for one in enough.overflowing), default=0)
    if enough.smallest is None:
        return Card(
            "Smallest size without overflow", look, MISSING, "", enough_words(enough), "test a larger cache"
        )
    tried = (
        f"largest that overflowed: {size_words(largest)}"
        if largest
        else "the only sizes tested held everything"
    )
    runs = len(enough.smallest.runs)
    peak = enough.smallest.mean(lambda vm: vm.ram_peak_mb)
    value, unit = size_words(enough.smallest.size_mb).split(THIN)
    note = f"{tried} · n = {runs}"
    return Card(
        "Smallest size without overflow", look, value, unit, note, f"{number(peak)}{THIN}MB of it used per VM"
    )


def _reduction(answer: CacheAnswer, chosen: ConfigurationCache, look: Look) -> Card:
    row, base = answer.row(chosen.label), answer.sweep.baseline
    title = f"All I/O at {size_words(chosen.size_mb)}"
    if row is None or row.total is None:
        return Card(title, look, MISSING, "", f"not measured in {phase_words(answer.sweep.phase)}", "")
    scope = "per VM" if answer.sweep.per_vm else "all VMs"
    left = f"{number(row.total)} IOPS left, {scope}, in {phase_words(answer.sweep.phase)}"
    if row.total_change is None or base is None:
        return Card(title, look, number(row.total), "IOPS", "no baseline to compare with", left)
    note = change_text(row.total_change, "IOPS", base.total).partition("%")[2].strip()
    found = row.total_change.percent
    return Card(title, look, signed(found, 1 if abs(found) < 100 else 0), "%", note.lstrip(", "), left)


def _ram(chosen: ConfigurationCache, enough: Enough, desktops: float, look: Look) -> Card:
    unit = "desktops" if enough.session_type.value == "vdi" else "servers"
    total = ram_cost_gib(chosen.size_mb or 0.0, desktops)
    disk = chosen.disk_gib_for(desktops)[1]
    also = (
        "cache disk not measured"
        if disk is None
        else f"and {number(disk)}{THIN}GiB of cache disk by the highest VM"
    )
    return Card(f"RAM for {fixed(desktops, 0)} {unit}", look, number(total), "GiB",
                f"{size_words(chosen.size_mb)} each", also)  # fmt: skip


def _disk(enough: Enough, desktops: float, look: dict[str, Look]) -> list[Card]:
    """What the smallest cache that overflowed needs of cache disk: the other end of the bargain."""
    smallest = min(enough.overflowing, key=lambda one: one.size_mb or 0, default=None)
    if smallest is None or (need := smallest.disk_gib_for(desktops)[1]) is None:
        return []
    peak = f"highest VM {number(smallest.disk_highest_mb)}{THIN}MB"
    return [Card(f"Cache disk at {size_words(smallest.size_mb)}", look[smallest.label], number(need), "GiB",
                 f"{peak} × {fixed(desktops, 0)}", f"overflows after {overflow_words(smallest)}")]  # fmt: skip


def _cpu(rows: Sequence[SweepRow]) -> list[Card]:
    judged = [
        (row, row.cpu_change, row.cpu_judgement) for row in rows if row.cpu_change and row.cpu_judgement
    ]
    if not judged:
        return []
    row, found, judgement = max(judged, key=lambda one: abs(one[1].percent))
    verdicts = {one.verdict for _, _, one in judged}
    value = "same" if verdicts == {Verdict.SAME} else "differs" if _differs(verdicts) else "open"
    return [
        Card(
            "CPU across the sizes",
            _QUIET,
            value,
            "",
            f"largest: {row.label} {_short(found)}",
            judgement.reason,
        )
    ]


def _differs(verdicts: set[Verdict]) -> bool:
    return bool(verdicts & {Verdict.HIGHER, Verdict.LOWER, Verdict.BETTER, Verdict.WORSE})


def _short(found: Change) -> str:
    return change_text(found, "%", None)
