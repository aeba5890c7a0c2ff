"""Findings of the cache: the size that is enough, the savings of each size, overflows and dips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from workbench.answers.cache.compute import CacheAnswer, ConfigurationCache, Enough, cache_answer
from workbench.answers.cache.curves import vm_trace
from workbench.answers.cache.filling_figure import FILLING
from workbench.answers.cache.overflow_dip import Dip
from workbench.answers.cache.overflow_dip_figure import DIP
from workbench.answers.cache.sentences import size_words
from workbench.answers.cache.sweep import Sweep, SweepRow, ram_cost_gib
from workbench.answers.common.change_words import percent_words, verdict_caveats
from workbench.answers.findings.compute import (
    Finding,
    Said,
    Strength,
    effect_size,
    in_brackets,
    strength_of,
    strength_of_runs,
    weaker,
)
from workbench.answers.findings.rules.cache_finding import cache_finding, counter_caveats
from workbench.answers.findings.words import Asked, Subject, change_sentence, planned_words
from workbench.charts.figure import Moment
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import phase_names
from workbench.measures.significance.differences import Difference
from workbench.measures.significance.missing_data_check import IN_PART, too_little
from workbench.measures.significance.verdicts import Judgement, judged_alone, withheld
from workbench.measures.statistics import Change
from workbench.model.metric import Quantity
from workbench.model.problem import few_named
from workbench.model.run import Provisioning, SessionType
from workbench.words.captions import capital, named
from workbench.words.metrics import in_phase
from workbench.words.numbers import MINUS, THIN, duration, number, percent

_SWEPT = 3


def cache_findings(asked: Asked) -> Iterator[Finding]:
    """The findings of the configurations that have a RAM cache."""
    answer = cache_answer(asked.groups, asked.phase, asked.margin)
    for enough in answer.enough:
        yield from _enough(asked, enough)
        yield from _by_size(asked, answer, enough)
    yield from _shared(asked, answer)
    for cache in answer.cached:
        yield from _overflow(asked, cache)
        yield from _dips(asked, answer, cache)


def _enough(asked: Asked, enough: Enough) -> Iterator[Finding]:
    tried = [*enough.overflowing, *enough.unknown, *([enough.smallest] if enough.smallest else [])]
    if not tried:
        return
    if enough.smallest is None and enough.unknown:
        yield _not_known(asked, enough, tried)
        return
    cache = enough.smallest or max(enough.overflowing, key=lambda cache: cache.size_mb or 0)
    strength, caveats = _certainty(enough, tried, len(cache.runs))
    said = _enough_said(asked, enough, cache)
    yield cache_finding(
        asked,
        "enough",
        f"{enough.provisioning.value}-{enough.session_type.value}",
        said,
        strength,
        "sweep",
        tried,
        size=0.95,
        caveats=(*said.caveats, *caveats),
        figures=("cache_disk_used_mb_end", "cache_ram_used_mb_end"),
        lit=tuple(lit.label for lit in ([enough.smallest] if enough.smallest else enough.overflowing)),
    )


def _assumed(*members: ConfigurationCache) -> str:
    """`probably ` if the growth of the nonpaged pool shows the overflow: the cache is assumed to be that growth."""
    return "probably " * any(member.estimate for member in members)


def _kind_words(enough: Enough) -> str:
    return f"{enough.provisioning.value} on {enough.session_type.value.upper()}"


def _enough_said(asked: Asked, enough: Enough, cache: ConfigurationCache) -> Said:
    """The smallest size that did not overflow, or that all sizes did; `cache` is that size, or the largest."""
    largest = max((over.size_mb or 0 for over in enough.overflowing), default=0)
    maybe = _assumed(*enough.overflowing)
    size = size_words(cache.size_mb or 0)
    count = "single run" if len(cache.runs) == 1 else f"n = {len(cache.runs)}"
    if enough.smallest is None:
        over = f"{maybe}overflow on {enough.session_type.value.upper()} (up to {size}"
        held = f"All tested {enough.provisioning.value} RAM caches {over}"
        larger = "The required size is unknown. Test a larger cache."
        return Said(f"{held}, {count})", f"{held})", size, caveats=(larger,))
    held = f"{size} is the smallest tested RAM cache that does not overflow with {_kind_words(enough)}"
    smaller = f"{size_words(largest)} {maybe}overflows, " if largest else ""
    ram = ram_cost_gib(cache.size_mb or 0, asked.vms_planned)
    return Said(f"{held} ({smaller}{count}; {planned_words(asked, enough.session_type, ram)})", held, size)


def _certainty(enough: Enough, tried: Sequence[ConfigurationCache], runs: int) -> tuple[Strength, tuple[str, ...]]:
    """The strength of the answer, and its caveats."""
    strength, caveats = strength_of_runs(runs), counter_caveats(tried)
    if enough.contrary:
        names = few_named([named(cache.label) for cache in enough.contrary])
        caveats = (f"{names} overflowed although a smaller size did not. Repeat the runs.", *caveats)
        strength = Strength.INCONCLUSIVE
    if enough.smallest is not None and (short := _cache_in_part(enough.smallest)):
        caveats = (f"{capital(short)}. Overflows at that time are not found.", *caveats)
        strength = Strength.INCONCLUSIVE
    if enough.unknown:
        names = few_named([named(cache.label) for cache in enough.unknown])
        caveats = (*caveats, f"No counter shows whether {names} overflowed. Log the cache counters.")
    return strength, caveats


def _cache_in_part(cache: ConfigurationCache) -> str:
    """The part of the cache disk that was not measured, if a configuration did not overflow."""
    reasons = (
        too_little(cache.group, cache.group, phase, MEASURES["cache_disk_used_mb_end"])
        for phase in phase_names([cache.group])
    )
    return next((reason for reason in reasons if reason is not None), "")


def _not_known(asked: Asked, enough: Enough, tried: Sequence[ConfigurationCache]) -> Finding:
    """No size is confirmed as large enough, and some have no counter for it."""
    names = few_named([named(cache.label) for cache in enough.unknown])
    maybe = _assumed(*enough.overflowing)
    over = f"{few_named([named(cache.label) for cache in enough.overflowing])} {maybe}overflowed"
    short = f"No tested RAM cache is confirmed as large enough for {_kind_words(enough)}"
    text = f"{short} ({over})" if enough.overflowing else short
    log = "poolmon's tag VhdR" if enough.provisioning is Provisioning.PVS else "the cache counters"
    missing = f"No overflow counter was recorded for {names}. Log {log}."
    return cache_finding(
        asked,
        "enough",
        f"{enough.provisioning.value}-{enough.session_type.value}",
        Said(text, short),
        Strength.INCONCLUSIVE,
        "sweep",
        tried,
        size=0.95,
        caveats=(missing, *counter_caveats(tried, "no-cache-counters")),
    )


def _by_size(asked: Asked, answer: CacheAnswer, enough: Enough) -> Iterator[Finding]:
    """One finding for all sizes of a provisioning and session type."""
    kind = (enough.provisioning, enough.session_type)
    base, pairs = answer.sweep.baseline, _changes_of(answer, kind)
    if base is None or len({row.size_mb for row, _ in pairs}) < _SWEPT:
        return
    strengths = [_strength(asked, row.judged, change) for row, change in pairs]
    weakest = list(Strength)[max(list(Strength).index(strength) for strength in strengths)]
    labels = tuple(row.label for row, _ in pairs)
    finding = cache_finding(
        asked,
        "sizes",
        "-".join((*kind, answer.sweep.phase)),
        _sizes_said(in_phase(answer.sweep.phase), named(base.label), pairs),
        weakest,
        "sweep",
        [cache for cache in answer.cached if cache.label in labels],
        size=max(effect_size(change.ratio) for _, change in pairs),
        figures=("iops",),
        lit=labels,
    )
    runs = (*(run.run.folder for run in base.group.runs), *finding.runs)
    about = asked.about("cache/sizes", [row.group for row, _ in pairs], phase=answer.sweep.phase)
    caveats = (*finding.caveats, *asked.order_caveats(*labels))
    yield replace(
        finding, caveats=caveats, runs=runs, baseline=base.label, figure="iops", metric=Quantity.IOPS, about=about
    )


def _changes_of(answer: CacheAnswer, kind: tuple[Provisioning, SessionType]) -> list[tuple[SweepRow, Change]]:
    """The sizes of one kind that have a change from the baseline, the smallest first."""
    pairs = [
        (row, row.total_change)
        for row in answer.sweep.rows
        if row.size_mb
        and row.total_change is not None
        and (row.group.configuration.provisioning, row.group.session_type) == kind
    ]
    return sorted(pairs, key=lambda pair: pair[0].size_mb or 0)


def _sizes_said(when: str, base: str, pairs: Sequence[tuple[SweepRow, Change]]) -> Said:
    parts = [
        (percent_words(change.ratio), f"{size_words(row.size_mb)}{f', {IN_PART}' * _in_part(row)}")
        for row, change in pairs
    ]
    ratios = [change.ratio for _, change in pairs]
    counts = [runs for _, change in pairs for runs in (change.n, change.n_baseline)]
    fewest, most_runs = min(counts), max(counts)
    n = "one run each" if most_runs == 1 else f"{fewest} to {most_runs} runs each" * (fewest < most_runs)
    ends = dict.fromkeys(percent_words(ratio) for ratio in (max(ratios), min(ratios)))
    if max(ratios) < 1:
        parts = [(percents.lstrip(MINUS), size) for percents, size in parts]
        head = f"RAM caches cut IOPS {when} by {' to '.join(end.lstrip(MINUS) for end in ends)} compared with {base}"
    else:
        head = f"IOPS {when} change by {' to '.join(ends)} with RAM caches compared with {base}"
    most = max((change for _, change in pairs), key=lambda change: effect_size(change.ratio))
    each = [f"{size}: {percents}" for percents, size in parts]
    number_ = percent_words(most.ratio).lstrip(MINUS if max(ratios) < 1 else "")
    return Said(f"{head} ({', '.join(each)}; {n or f'n = {fewest} each'})", head, number_)


def _strength(asked: Asked, judged: Difference | None, change: Change) -> Strength:
    """The strength from Compare's verdict on the IOPS per VM of the configuration."""
    if judged is None:
        return strength_of(change, None, asked.margin)
    strength = strength_of(change, judged.verdict, asked.margin, primary=judged.tier == "primary")
    if asked.comparison.confounded(judged):
        strength = weaker(strength, Strength.INDICATIVE)
    return weaker(strength, Strength.INCONCLUSIVE) if judged.objection else strength


def _in_part(row: SweepRow) -> bool:
    return row.judged is not None and bool(row.judged.unmeasured)


def _shared(asked: Asked, answer: CacheAnswer) -> Iterator[Finding]:
    """The I/O that the cache keeps off shared storage, if its disks are known from cache disks."""
    base = answer.sweep.baseline
    rows = [row for row in answer.sweep.rows if row.shared_change is not None and row.split.cache_disk is not None]
    for row, verdict in zip(rows, judged_alone([row.shared_change for row in rows], asked.margin), strict=True):
        if base is not None and verdict is not None:
            yield _spared(asked, answer.sweep, base, row, verdict)


def _spared(asked: Asked, sweep: Sweep, base: SweepRow, row: SweepRow, alone: Judgement) -> Finding:
    """The I/O that a size keeps off shared storage; `alone` is the verdict before missing samples are considered."""
    change, whole = row.shared_change, _whole_ratio(row, base)
    assert change is not None
    # The bounds of the I/O of one tier are unknown, so those of all tiers are used.
    reason = None if row.judged is None else row.judged.objection
    reason = reason or too_little(base.group, row.group, sweep.phase, MEASURES["p95_iops_per_vm"])
    said = _spared_said(asked, sweep, base, row, change, withheld(alone, reason))
    strength = strength_of(change, withheld(alone, reason).verdict, asked.margin)
    runs = (*(run.run.folder for run in base.group.runs), *(run.run.folder for run in row.group.runs))
    return Finding(
        asked.key("cache", "shared", sweep.phase, row.label, base.label),
        said.text,
        "cache",
        weaker(strength, Strength.INCONCLUSIVE) if reason else strength,
        "cache",
        "sweep",
        sweep.phase,
        Quantity.IOPS,
        runs,
        ("read_iops", "write_iops"),
        (*said.caveats, *_shared_caveats(sweep, row, base), *asked.order_caveats(row.label)),
        row.label,
        base.label,
        "shared_iops",
        change,
        # I/O that only moves to the cache disks is not an effect of that size.
        effect_size(change.ratio) if whole is None else min(effect_size(change.ratio), effect_size(whole)),
        0.85,
        ways=(("cache", "shared_iops" + "_per_vm" * sweep.per_vm),),
        about=asked.about("cache/shared", (row.group,), base.group, sweep.phase),
        short=said.short,
        number=said.number,
    )


def _spared_said(asked: Asked, sweep: Sweep, base: SweepRow, row: SweepRow, change: Change, verdict: Judgement) -> Said:
    subject = Subject(
        named(row.label),
        named(base.label),
        f"{'IOPS per VM' if sweep.per_vm else 'IOPS'} on shared storage",
        in_phase(sweep.phase),
        row.split.shared,
        base.split.shared,
        "IOPS",
    )
    in_part = IN_PART * (_in_part(row) and change.p is None)
    said = change_sentence(subject, change, verdict.verdict, verdict_caveats(verdict), asked.margin)
    moved = row.split.cache_disk
    left = f"{number(moved)}{THIN}IOPS on cache disks" if moved else "no I/O on cache disks"
    short = in_brackets(said.brief or said.short, left) if moved else said.short
    return replace(said.with_evidence(left, in_part), short=short, brief="" if moved else said.brief)


def _shared_caveats(sweep: Sweep, row: SweepRow, base: SweepRow) -> tuple[str, ...]:
    """The I/O that the cache disks take instead: it is not saved, and may be on the same storage."""
    left, whole = row.split.cache_disk, _whole_ratio(row, base)
    if not left:
        return ()
    unit = "IOPS per VM" if sweep.per_vm else "IOPS"
    then = "" if whole is None else f" The change is then {percent_words(whole)}."
    return (f"If the cache disks share this storage, add their {number(left)} {unit}.{then}",)


def _whole_ratio(row: SweepRow, base: SweepRow) -> float | None:
    """The ratio of all I/O of both tiers to that of the baseline; None if unknown."""
    ours, theirs = row.split.total, base.split.total
    return ours / theirs if ours is not None and theirs else None


def _overflow(asked: Asked, one: ConfigurationCache) -> Iterator[Finding]:
    if not one.overflowed or one.overflow_s is None:
        return
    count, runs = one.overflow_runs, len(one.runs)
    when = f"{'about ' * one.estimate}{'at most ' * one.begins_full}{duration(one.overflow_s)}"
    in_which = f"{runs} runs" if count == runs else f"{count} of {runs} runs"
    which = "" if runs == 1 else f" ({'mean of ' * (count > 1)}{in_which})"
    disk = one.disk_highest_mb
    grown = "" if disk is None else f"up to {number(disk)}{THIN}MB written to a cache disk"
    head = f"The RAM cache of {named(one.label)} {_assumed(one)}overflows {when} after the start"
    yield cache_finding(
        asked,
        "overflow",
        one.label,
        Said(f"{head}{which or ' (single run)'}", f"{head}{which}", when).with_evidence(grown),
        strength_of_runs(count),
        "filling",
        [one],
        size=0.5,
        caveats=counter_caveats([one]),
        figures=("overflow_start", "cache_disk_used_mb_end"),
        configuration=one.label,
        moment=Moment(FILLING, one.overflow_s, f"overflow after {when}"),
        readout=f"{named(one.label)}: first VM overflows {when} after the start{' (mean)' * (count > 1)}",
    )


def _dips(asked: Asked, answer: CacheAnswer, one: ConfigurationCache) -> Iterator[Finding]:
    dips = [dip for dip in answer.dips_of(one) if isinstance(dip.found, Dip)]
    if not dips:
        return
    deepest = max(dips, key=lambda dip: dip.found.fall_percent if isinstance(dip.found, Dip) else 0.0)
    assert isinstance(deepest.found, Dip)
    found, runs = deepest.found, len({dip.folder for dip in dips})
    back = "no recovery" if found.duration_s is None else f"recovery after {duration(found.duration_s)}"
    head = f"IOPS fall by up to {percent(found.fall_percent)} when the RAM cache of {named(one.label)} overflows"
    which = f"{deepest.vm}: {number(found.before)} to {number(found.trough)}{THIN}IOPS, {back}"
    yield cache_finding(
        asked,
        "dip",
        one.label,
        Said(f"{head} ({which}, {'single run' if runs == 1 else f'{runs} runs'})", head, percent(found.fall_percent)),
        Strength.SINGLE if runs == 1 else Strength.INDICATIVE,
        "dip",
        [one],
        size=0.3 + 0.4 * found.fall_percent / 100,
        figures=("iops",),
        configuration=one.label,
        caveats=(f"This dip is the deepest of {len(dips)}. The Cache page shows the others.",) * (len(dips) > 1),
        vm=(deepest.vm, vm_trace(one, deepest.folder, deepest.vm)),
        moment=_dip_moment(found),
        readout=which,
    )


def _dip_moment(dip: Dip) -> Moment | None:
    """The time from the beginning of the dip to its end, counted from the overflow of the VM as in the chart."""
    if dip.overflow is None:
        return None
    end = None if dip.recovered_at is None else dip.recovered_at - dip.overflow
    return Moment(DIP, dip.start - dip.overflow, f"{MINUS}{percent(dip.fall_percent)}", end)
