"""Findings of untested cache sizes: the smallest size that is predicted to be enough for every VM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from workbench.answers.cache.compute import cache_answer
from workbench.answers.cache.sentences import mb_words
from workbench.answers.cache.sweep import ram_cost_gib
from workbench.answers.cache.untested.predict import Untested, untested
from workbench.answers.cache.untested.sentences import ASSUMED_VMS, knee_bounds_words
from workbench.answers.common.change_words import as_caveats
from workbench.answers.findings.compute import Finding, Said, Strength, in_brackets, strength_of_runs, weaker
from workbench.answers.findings.rules.cache_finding import cache_finding, counter_caveats
from workbench.answers.findings.words import Asked, planned_words, vms_words
from workbench.model.problem import few_named
from workbench.words.captions import named
from workbench.words.numbers import THIN, number


def untested_findings(asked: Asked) -> Iterator[Finding]:
    """For each provisioning and session type, the size that holds the data of the planned VMs. Without a bound for
    them, it is the size for the largest measured VM. There is a finding only if this size is smaller than every tested
    size that held all data, and if no tested size contradicts it."""
    for kind in untested(cache_answer(asked.groups, asked.phase, asked.margin)):
        if (
            isinstance(kind, Untested)
            and not kind.unlike
            and (bound := kind.bound_mb(asked.vms_planned) or kind.knee_mb) is not None
            and bound < _held_mb(kind)
        ):
            yield _smallest(asked, kind, bound)


def _held_mb(kind: Untested) -> float:
    """The smallest tested size that did not overflow, infinite without one."""
    return min((cache.size_mb or 0.0 for cache in kind.caches if cache.overflowed is False), default=float("inf"))


def _smallest(asked: Asked, kind: Untested, size_mb: float) -> Finding:
    size, count, basis = mb_words(ceil(size_mb)), len(kind.runs), few_named([named(label) for label in kind.basis])
    bounded = kind.bound_mb(asked.vms_planned) is not None
    hosts = vms_words(asked.vms_planned, kind.kind[1], assumed=False)
    vms = sum(len(run.vms) for run in kind.runs)
    need = f"need at most {size} of RAM cache each" if vms > 1 else f"needs at most {size} of RAM cache"
    who = f"The {vms} VMs" if vms > 1 else "The only VM"
    head = f"{who} measured with {kind.name} {need}"
    if bounded:
        assumed = "an assumed " * asked.vms_assumed
        head = f"{size} of RAM cache per VM is enough for {assumed}{hosts} with {kind.name}"
    how = f"predicted from {'a single run' if count == 1 else f'{count} runs'} of {basis}"
    confidence = f"90{THIN}% confidence" * bounded
    total = ram_cost_gib(ceil(size_mb), asked.vms_planned)
    ram = f"{number(total)}{THIN}GB of RAM in total" if bounded else planned_words(asked, kind.kind[1], total)
    cache = kind.kind[0].value
    short = f"{who} with {cache} {need} (predicted)"
    if bounded:
        short = f"{size} of {cache} RAM cache per VM is enough for {hosts} (predicted, 90{THIN}% confidence)"
    text = in_brackets(head, how, confidence, ram)
    strength = weaker(strength_of_runs(count), Strength.INDICATIVE)
    caveats = [
        f"This prediction assumes the same workload, run length and memory use. Test a cache of {size}.",
        *[ASSUMED_VMS] * bounded,
        *as_caveats(*knee_bounds_words(kind)),
    ]
    members = [cache for cache in kind.caches if cache.label in kind.basis]
    finding = cache_finding(
        asked,
        "untested",
        "-".join(part.value for part in kind.kind),
        Said(text, short, size),
        strength,
        "what-if",
        members,
        # Measured values come first.
        size=0.1,
        caveats=(*caveats, *counter_caveats(members)),
        figures=("cache_ram_used_mb_peak",),
    )
    # No configuration of the chart is this size.
    return replace(finding, figure="")
