"""Shared parts of the findings of the cache page: their evidence, and problems of their counters."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.cache.compute import ConfigurationCache
from workbench.answers.common.change_words import as_caveats
from workbench.answers.findings.compute import Finding, Said, Strength
from workbench.answers.findings.words import Asked
from workbench.charts.figure import Moment

_ESTIMATE = "RAM use is estimated from the nonpaged pool. Growth by the cache size is treated as overflow."
# The values behind each kind, in addition to those of the phase table.
_WAYS = {
    "untested": ("cache_ram_used_mb_peak", "cache_disk_used_mb_peak"),
    "enough": ("cache_ram_used_mb_peak", "cache_disk_used_mb_peak"),
    "overflow": ("overflow_start_s", "cache_disk_used_mb_peak_highest"),
    "dip": ("fall_percent",),
}


def cache_finding(
    asked: Asked,
    what: str,
    name: str,
    sentence: Said,
    strength: Strength,
    view: str,
    members: Sequence[ConfigurationCache],
    *,
    size: float,
    figures: tuple[str, ...] = (),
    caveats: tuple[str, ...] = (),
    configuration: str = "",
    vm: tuple[str, str] = ("", ""),
    moment: Moment | None = None,
    readout: str = "",
    lit: tuple[str, ...] = (),
) -> Finding:
    """A finding on the cache page, based on the runs of these configurations; `what` and `name` make its key."""
    runs = tuple(run.run.folder for member in members for run in member.runs)
    return Finding(
        asked.key("cache", what, name),
        sentence.text,
        "cache",
        strength,
        "cache",
        view,
        asked.phase,
        None,
        runs,
        figures,
        caveats,
        configuration,
        figure=what,
        size=size,
        weight=0.9,
        ways=tuple(("cache", name) for name in _WAYS.get(what, ())),
        lit_vm=vm[0],
        trace=vm[1],
        moment=moment,
        readout=readout,
        lit=lit,
        about=asked.about(f"cache/{what}", [member.group for member in members]),
        short=sentence.short,
        number=sentence.number,
    )


def counter_caveats(members: Sequence[ConfigurationCache], *said: str) -> tuple[str, ...]:
    """The problems of the cache counters of these configurations, each sentence once. `said` are codes of problems that
    another caveat names."""
    messages = [_ESTIMATE] if any(member.estimate for member in members) else []
    messages += [
        as_caveats(problem.message.replace("This run", f"Run '{run.run.name}'"), problem.advice)[0]
        for member in members
        for run in member.runs
        for problem in run.problems
        if problem.code not in ("cache-estimate", *said)
    ]
    return tuple(dict.fromkeys(messages))
