"""The cache page: use over time, the sweep over sizes, filling, the dip at the overflow, and the answer cards.

The cards show first the size that is enough, then its savings and costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache, Enough, VmDip, cache_answer
from workbench.answers.cache.figures import QUESTION, cache_figure
from workbench.answers.cache.filling_figure import cache_filling_figure
from workbench.answers.cache.overflow_dip import Dip, NoDip
from workbench.answers.cache.overflow_dip_figure import overflow_dip_figure
from workbench.answers.cache.sentences import (
    NOT_BACK,
    advice_for,
    dip_words,
    first_overflow_words,
    gib_words,
    scope_words,
    size_words,
)
from workbench.answers.cache.sources import CACHE, cache_source
from workbench.answers.cache.spec import BY_SIZE, DIP, FILLING, KEY, OVER_TIME, WHAT_IF
from workbench.answers.cache.sweep import SweepRow, ram_cost_gib
from workbench.answers.cache.sweep_figure import cache_sweep_figure
from workbench.answers.cache.tables import cache_table, cache_vm_table
from workbench.answers.cache.untested.page import what_if, with_planned
from workbench.answers.common.cards import cache_cards
from workbench.answers.common.change_words import change_text
from workbench.answers.common.choices import Choices
from workbench.answers.common.chosen import chosen_phase, without_answer
from workbench.answers.common.library import Library
from workbench.answers.common.listing import BARS, LINES, Chosen, Figured, listed
from workbench.answers.common.looks import looks
from workbench.answers.common.names import ASSUMED_DESKTOPS, MARGIN_PERCENT
from workbench.answers.common.sources import change_source, source_of
from workbench.answers.common.traces.marks import with_notes
from workbench.answers.common.traces.traces import View
from workbench.charts.content import Card, Content
from workbench.charts.figure import Figure, FigureSource, Look
from workbench.charts.inputs import Input
from workbench.charts.tables import problem_table
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group
from workbench.measures.significance.missing_data_check import IN_PART
from workbench.measures.statistics import MARGIN, Verdict
from workbench.model.problem import Problem, Severity
from workbench.words.captions import captioned, named, named_lines
from workbench.words.metrics import in_phase
from workbench.words.numbers import MISSING, POINTS, THIN, duration, number, percent, plural, signed

PROBLEMS = "Problems"
DESKTOPS = "cache.desktops"


def cache(library: Library, choices: Choices) -> Content:
    """The chosen view, and below it the tables of every configuration and VM."""
    groups = library.shown(choices)
    if not groups:
        return without_answer(QUESTION, library)
    view = choices.page_view(KEY) or OVER_TIME
    margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
    phase = chosen_phase(library, choices)
    answer = cache_answer(groups, phase, margin)
    desktops = choices.number(DESKTOPS, ASSUMED_DESKTOPS)
    if view == WHAT_IF:
        return what_if(answer, choices, desktops, _desktops(desktops, choices))
    chosen = _listed(groups, answer, choices, view, phase)
    if view == OVER_TIME:
        phase = chosen_phase(library, choices, whole=True)
        over_time = View(phase, alignment=choices.alignment)
        figure = cache_figure(groups, over_time, chosen)
        runs = [run for group in groups for run in group.runs]
        figure = with_notes(figure, choices.notes, over_time, {panel.column: runs for panel in figure.panels})
        return _content(figure, cache_cards(groups, phase), answer, desktops, chosen)
    if view == FILLING:
        return _content(cache_filling_figure(answer, chosen), filling_cards(answer), answer, desktops, chosen)
    if view == DIP:
        return _content(overflow_dip_figure(answer, chosen), dip_cards(answer), answer, desktops, chosen)
    cards = cache_answer_cards(answer, desktops)
    shown = _content(cache_sweep_figure(answer, chosen), cards, answer, desktops, chosen)
    return shown if shown.empty else replace(shown, cards=cards, inputs=(_desktops(desktops, choices),))


def planned_sizes(library: Library, choices: Choices) -> tuple[str, ...]:
    """The planned configurations without runs after the button of the view What-if was pressed."""
    margin = choices.number(MARGIN_PERCENT, 100 * MARGIN) / 100
    return with_planned(cache_answer(library.shown(choices), chosen_phase(library, choices), margin), choices)


def _listed(groups: Sequence[Group], answer: CacheAnswer, choices: Choices, view: str, phase: str) -> Chosen | None:
    """The configurations of the view if there are many: all in the sweep, otherwise those with a cache."""
    cached = {cache.label for cache in answer.cached if view != DIP or cache.overflowed}
    shown = [group for group in groups if view == BY_SIZE or group.label in cached]
    columns = [
        Figured(phase, MEASURES[key], title=MEASURES[key].name)
        for key in ("cache_ram_used_mb_end", "cache_disk_used_mb_end", "iops_per_vm")
    ]
    return listed(shown, choices, columns, phase, BARS if view == BY_SIZE else LINES, look=looks(groups))


def _content(
    figure: Figure, cards: tuple[Card, ...], answer: CacheAnswer, desktops: float, chosen: Chosen | None
) -> Content:
    if figure.empty and chosen is None:
        return Content(figure.question, empty=figure.empty)
    tables = [cache_table(answer, desktops), cache_vm_table(answer)]
    problems = list(dict.fromkeys(answer.problems))
    advised = advice_for(frozenset(cache.group.session_type for cache in answer.cached))
    advice = (line for one in advised for line in named_lines("Published advice", [one.words]))
    tables[0] = replace(tables[0], method=(*tables[0].method, *advice))
    shown = Content(figure.question, figure.caption, cards, figure)
    if chosen is not None:
        shown = chosen.content(figure)
    if problems:
        tables.append(replace(problem_table(problems), name=f"{PROBLEMS} ({len(problems)})"))
    caption, method = captioned((_problems_words(problems), shown.caption), shown.method)
    return replace(shown, caption=caption, method=method, tables=tuple(tables))


def _problems_words(problems: Sequence[Problem]) -> str:
    """The number of warnings about the counters, which a user must see first."""
    count = sum(problem.severity is not Severity.INFO for problem in problems)
    return f"{plural(count, 'counter problem')}: see the table '{PROBLEMS}'" if count else ""


def _desktops(value: float, choices: Choices) -> Input:
    yours = DESKTOPS in dict(choices.inputs)
    return Input(
        DESKTOPS,
        "VMs to plan for",
        value,
        "VMs",
        minimum=1,
        maximum=1_000_000,
        origin="yours" if yours else "assumed",
        tip="Number of VMs to plan for: desktops or session hosts (default: 100). The Sizing page plans for users.",
        group="Cost",
    )


_QUIET = Look("quiet")


def cache_answer_cards(answer: CacheAnswer, desktops: float) -> tuple[Card, ...]:
    """Cards for each kind of cache: the smallest size without overflow, its reduction, its RAM for that many VMs, and
    the CPU across the sizes."""
    look = looks([cache.group for cache in answer.cached])
    cards: list[Card] = []
    for enough in answer.enough:
        chosen = enough.smallest or _largest(enough)
        mark = _QUIET if chosen is None else look[chosen.label]
        cards.append(_enough(enough, mark))
        if chosen is not None:
            cards += [_reduction(answer, chosen, mark), _ram(chosen, desktops, mark)]
    cards += _cpu(answer.sweep.rows)
    return tuple(cards)


def filling_cards(answer: CacheAnswer) -> tuple[Card, ...]:
    """A card for each configuration with a cache: when the cache is full, how fast it fills, and when its disk levels
    off.
    """
    look = looks([cache.group for cache in answer.cached])
    return tuple(
        Card(cache.label, look[cache.label], *_filling(cache), source=_filling_source(cache), spoken=named(cache.label))
        for cache in answer.cached
        if cache.runs
    )


def dip_cards(answer: CacheAnswer) -> tuple[Card, ...]:
    """A card for each configuration that overflowed: its deepest dip, or the reason why there is none. Those with a dip
    come first.
    """
    look = looks([cache.group for cache in answer.cached])
    return tuple(
        Card(
            cache.label,
            look[cache.label],
            *_dip(answer, cache),
            source=_dip_source(answer, cache),
            spoken=named(cache.label),
        )
        for cache in answer.dipped_first(answer.cached)
        if cache.overflowed
    )


def _filling_source(one: ConfigurationCache) -> FigureSource | None:
    """The source of the large number: the time to full, otherwise the share used."""
    full = cache_source(one, "time_to_full_s")
    return full or cache_source(one, "cache_ram_used_percent")


def _dip_source(answer: CacheAnswer, one: ConfigurationCache) -> FigureSource | None:
    found = [(dip, dip.found.fall_percent) for dip in answer.dips_of(one) if isinstance(dip.found, Dip)]
    if not found:
        return None
    deepest, _ = max(found, key=lambda dip: dip[1])
    return FigureSource((deepest.folder,), "", "fall_percent", vm=deepest.vm, answer=CACHE)


def _filling(one: ConfigurationCache) -> tuple[str, str, str, str]:
    full = one.mean("time_to_full_s")
    rate = one.mean("fill_rate_mb_per_min")
    share = one.mean("cache_ram_used_percent")
    value, _, unit = (percent(share) if full is None else duration(full)).partition(THIN)
    unit = f"{unit} of RAM cache used" if full is None else f"{unit} until full (mean)"
    value = f"≤{THIN}{value}" if full is None and one.estimate else value
    disk = "cache disk not measured"
    if one.disk_highest_mb is not None:
        disk = f"cache disk use levels off at {number(one.level_mb)}{THIN}MB after {duration(one.level_s)}"
        disk = (
            disk
            if one.level_s is not None
            else "cache disk use still grows"
            if one.disk_highest_mb
            else "cache disk unused"
        )
    many = f"mean of all VMs{', estimated' * one.estimate}"
    pace = "fill rate unknown" if rate is None else f"fills at {number(rate, 2)}{THIN}MB/min ({many})"
    return value, unit, f"{pace} · {first_overflow_words(one, full or 0.0)}", disk


def _dip(answer: CacheAnswer, one: ConfigurationCache) -> tuple[str, str, str, str]:
    mine = answer.dips_of(one)
    dips = [dip.found for dip in mine if isinstance(dip.found, Dip)]
    if not dips:
        count, around = plural(len(mine), "overflow"), _around(mine)
        if around is not None:
            before, after = (number(rate) for rate in around)
            detail = f"{count} · load too uneven to see a dip"
            return f"{before} → {after}", "IOPS", "median IOPS: 5 min before → 10 min after the overflow", detail
        return "no dip found", "", count, dip_words(mine).partition(": ")[2].rstrip(".")
    count = f"{len(dips)} of {len(mine)} overflows"
    deepest = max(dips, key=lambda dip: dip.fall_percent)
    back = NOT_BACK if deepest.duration_s is None else f"back after {duration(deepest.duration_s)}"
    note = f"{number(deepest.before)} → {number(deepest.trough)} IOPS"
    return signed(-deepest.fall_percent, 0), "%", note, f"{back} · {count}"


def _around(dips: Sequence[VmDip]) -> tuple[float, float] | None:
    """The medians over the VMs of their IOPS before and after the overflow, if the load hides all dips."""
    around = [dip.found.around for dip in dips if isinstance(dip.found, NoDip) and dip.found.around is not None]
    if not around or len(around) < len(dips):
        return None
    return median(before for before, _ in around), median(after for _, after in around)


def _largest(enough: Enough) -> ConfigurationCache | None:
    return max((*enough.overflowing, *enough.unknown), key=lambda cache: cache.size_mb or 0, default=None)


def _enough(enough: Enough, look: Look) -> Card:
    largest = max((cache.size_mb or 0 for cache in enough.overflowing), default=0)
    if enough.smallest is None:
        if enough.unknown:
            return Card(
                "Smallest size without overflow",
                look,
                MISSING,
                "",
                "no size is confirmed as large enough",
                f"no overflow counter for {named(enough.unknown[0].label)}",
            )
        note = f"all tested sizes up to {size_words(largest)} overflowed"
        return Card("Smallest size without overflow", look, MISSING, "", note, "test a larger cache")
    tried = f"{size_words(largest)} overflowed" if largest else "no tested size overflowed"
    peak = enough.smallest.mean("cache_ram_used_mb_peak")
    value, unit = size_words(enough.smallest.size_mb).split(THIN)
    note = f"{tried} · n = {len(enough.smallest.runs)}"
    how = "No cache of this size overflowed. The RAM that the caches used is shown below."
    used = cache_source(enough.smallest, "cache_ram_used_mb_peak", how)
    return Card("Smallest size without overflow", look, value, unit, note, f"{number(peak)}{THIN}MB used per VM", used)


def _reduction(answer: CacheAnswer, chosen: ConfigurationCache, look: Look) -> Card:
    row, base = answer.row(chosen.label), answer.sweep.baseline
    title = f"IOPS change at {size_words(chosen.size_mb)}"
    if row is None or row.total is None:
        return Card(title, look, MISSING, "", f"not measured {in_phase(answer.sweep.phase)}", "")
    left = f"{number(row.total)} {scope_words(answer.sweep)} remain"
    if row.total_change is None or base is None:
        # The requested I/O is not the I/O that the cache left.
        note, left = (f"~ {row.objection}", "") if row.objection else ("no baseline to compare with", left)
        alone = source_of(row.group, answer.sweep.phase, _all_io(answer), row.total)
        return Card(title, look, number(row.total), "IOPS", note, left, alone)
    note = change_text(row.total_change, "IOPS", base.total).partition("%")[2].strip()
    if row.judged is not None and row.judged.unmeasured:
        note = f"{IN_PART}, {note.lstrip(', ')}"
    value = row.total_change.percent
    both = change_source(base.group, row.group, answer.sweep.phase, _all_io(answer))
    return Card(title, look, signed(value, 1 if abs(value) < 100 else 0), "%", note.lstrip(", "), left, both)


def _all_io(answer: CacheAnswer) -> str:
    return "iops" + "_per_vm" * answer.sweep.per_vm


def _ram(chosen: ConfigurationCache, desktops: float, look: Look) -> Card:
    total = ram_cost_gib(chosen.size_mb or 0.0, desktops)
    disk = chosen.disk_gib_for(desktops)[1]
    used = f"plus {number(disk)}{THIN}GB of cache disk" if disk else "no cache disk used"
    also = "cache disk not measured" if disk is None else used
    size = cache_source(chosen, "ram_cache_mb", gib_words(desktops))
    each = f"{size_words(chosen.size_mb)} per VM"
    return Card(f"RAM for {plural(desktops, 'VM')}", look, number(total), "GB", each, also, size)


def _cpu(rows: Sequence[SweepRow]) -> list[Card]:
    judged = [(row, row.cpu_change, row.cpu_judgement) for row in rows if row.cpu_change and row.cpu_judgement]
    if not judged:
        return []
    row, change, _ = max(judged, key=lambda one: abs(one[1].percent))
    verdicts = {judgement.verdict for _, _, judgement in judged}
    value = "same" if verdicts == {Verdict.SAME} else "differs" if _differs(verdicts) else "no verdict"
    return [
        Card(
            "CPU",
            _QUIET,
            value,
            "",
            change_text(change, "%", None, POINTS).partition(", n")[0],
            f"largest change: {named(row.label)}",
        )
    ]


def _differs(verdicts: set[Verdict]) -> bool:
    return bool(verdicts & {Verdict.HIGHER, Verdict.LOWER, Verdict.BETTER, Verdict.WORSE})
