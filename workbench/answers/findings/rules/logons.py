"""Findings of logons: logon times, stuck sessions, and the number of sessions that a configuration supports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from workbench.answers.common.change_words import verdict_caveats
from workbench.answers.findings.compute import Finding, Said, Strength, effect_size, strength_of, strength_of_runs
from workbench.answers.findings.words import Asked, Subject, change_sentence
from workbench.answers.logons.compute import CLEAN_STUCK_PERCENT, GroupLogons, baseline_logons, change_of, group_logons
from workbench.answers.logons.figures import ACTIVE
from workbench.answers.logons.sentences import count_words
from workbench.answers.logons.sources import explain_analyzer, explain_eux, explain_vsimax
from workbench.answers.logons.vsimax_figure import VSIMAX, GroupVsimax, group_vsimax
from workbench.answers.logons.vsimax_figure import verdict as limit_words
from workbench.charts.figure import Moment
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.significance.verdicts import judged_alone
from workbench.measures.statistics import Change, Verdict, change
from workbench.model.source import Explanation
from workbench.words.captions import named
from workbench.words.numbers import THIN, number, percent, plural


def logon_findings(asked: Asked) -> Iterator[Finding]:
    """Mean and p95 of the logon times (compared with the baseline if there are several configurations), stuck
    sessions, VSImax with its baseline response time, EUX."""
    # Trends take seconds to compute, and no finding needs them.
    found = [logons for group in asked.groups if (logons := group_logons(group, trends=False)).runs]
    yield from _times(asked, found)
    for logons in found:
        yield from _stuck(asked, logons)
    if asked.model is not None:
        limits = [limit for group in asked.groups if (limit := group_vsimax(group, asked.model)).runs]
        for limit in limits:
            yield from _limit(asked, limit)
        yield from _response(asked, limits)


def _times(asked: Asked, found: Sequence[GroupLogons]) -> Iterator[Finding]:
    """Each configuration compared with the baseline; alone if there is nothing to compare."""
    reference = baseline_logons(found)
    if reference is None or reference.spread is None:
        yield from (_time_alone(asked, logons) for logons in found if logons.spread is not None)
        return
    others = [logons for logons in found if logons is not reference and logons.spread is not None]
    changes = [change_of(reference, logons) for logons in others]
    for other, difference, verdict in zip(others, changes, judged_alone(changes, asked.margin), strict=True):
        spread = other.spread
        if difference is None or verdict is None or spread is None:
            continue
        subject = Subject(
            named(other.group.label),
            named(reference.group.label),
            "mean logon time",
            "",
            float(np.mean(other.means)),
            float(np.mean(reference.means)),
            "seconds",
        )
        said = change_sentence(subject, difference, verdict.verdict, verdict_caveats(verdict), asked.margin)
        left_out = [_left_out(side) for side in (other, reference)]
        ours, theirs = (f"{number(p95)}{THIN}s" for p95 in (spread.p95, reference.spread.p95))
        said = said.with_evidence(
            f"both 95th percentiles {ours}" if ours == theirs else f"95th percentile {ours} vs. {theirs}"
        )
        strength = strength_of(difference, verdict.verdict, asked.margin)
        # No difference, or one within the margin in single runs, is not an effect.
        effect = verdict.verdict is not Verdict.SAME and abs(difference.ratio - 1) > asked.margin
        yield _found(
            asked,
            "mean",
            other,
            said,
            strength,
            "times",
            0.15 + effect_size(difference.ratio) if effect else 0.0,
            (
                *asked.order_caveats(other.group.label),
                *(f"{words}, so the mean excludes them. Check these sessions." for words in left_out if words),
                *dict.fromkeys((*_of_builds(other), *_of_builds(reference))),
            ),
            (reference.group,),
            difference,
        )
    apart = [other for other in others if other.rules != reference.rules]
    yield from (_time_alone(asked, logons) for logons in ([reference, *apart] if apart or not others else ()))


def _time_alone(asked: Asked, one: GroupLogons) -> Finding:
    spread, runs = one.spread, len(one.runs)
    assert spread is not None
    mean = f"{number(spread.mean)}{THIN}s"
    head = f"Mean logon time with {named(one.group.label)} is {mean}"
    launched = spread.n if one.counts is None else one.counts.launched
    sessions = f"{spread.n} of {plural(launched, 'session')}" if spread.n < launched else plural(spread.n, "session")
    details = (f"95th percentile {number(spread.p95)}{THIN}s", f"maximum {number(spread.high)}{THIN}s", sessions)
    said = _of_runs(head, details, runs, mean)
    # Without a comparison, the finding comes after every change.
    caveats = _of_builds(one)
    return _found(asked, "mean", one, said, strength_of_runs(runs), "times", 0.03, caveats)


def _left_out(one: GroupLogons) -> str:
    """`2 of 100 sessions with MCS have no logon time`, if others have one."""
    counts, spread = one.counts, one.spread
    if counts is None or spread is None or counts.launched == spread.n:
        return ""
    count = counts.launched - spread.n
    of = f"{count} of {plural(counts.launched, 'session')} with {named(one.group.label)}"
    return f"{of} {'has' if count == 1 else 'have'} no logon time"


def _of_builds(one: GroupLogons) -> tuple[str, ...]:
    """The caveat if a mean is over runs of several builds."""
    builds = {run.run.build for run in one.runs if run.run.build and run.spread is not None}
    several = f"The mean combines runs of {len(builds)} different builds. Compare them on the Trend page."
    return (several,) if len(builds) > 1 else ()


def _of_runs(head: str, details: Sequence[str], runs: int, number_: str = "", joint: str = ", ") -> Said:
    """A sentence with its details and the number of runs; the line under the chart says that it is a single run."""
    count = "single run" if runs == 1 else f"{runs} runs"
    short = details if runs == 1 else (*details, count)
    return Said(
        f"{head} ({joint.join((*details, count))})", f"{head} ({joint.join(short)})" if short else head, number_
    )


def _stuck(asked: Asked, one: GroupLogons) -> Iterator[Finding]:
    counts = one.counts
    if counts is None or not counts.stuck or counts.stuck_percent is None:
        return
    share = counts.stuck_percent
    head = f"{counts.stuck} of {plural(counts.launched, 'session')} got stuck with {named(one.group.label)}"
    limit = f"a valid test has at most {CLEAN_STUCK_PERCENT:.0f}{THIN}%"
    said = _of_runs(head, (percent(share), limit), len(one.runs), percent(share), "; ")
    size = 0.7 if share > CLEAN_STUCK_PERCENT else 0.3
    stuck = _found(asked, "stuck", one, said, strength_of_runs(len(one.runs)), "active", size)
    readout = (
        f"{named(one.group.label)}: {counts.stuck} of {plural(counts.launched, 'session')} stuck ({percent(share)})"
    )
    yield replace(stuck, moment=_first_stuck(one), readout=readout)


def _first_stuck(one: GroupLogons) -> Moment | None:
    """The time at which the first stuck session started, in seconds since the first logon of its run."""
    starts = [
        logon.start - run.first_start
        for run in one.runs
        for logon in run.stuck
        if logon.start is not None and run.first_start is not None
    ]
    return Moment(ACTIVE, min(starts), "first stuck session starts") if starts else None


def _limit(asked: Asked, one: GroupVsimax) -> Iterator[Finding]:
    """The number of sessions that the configuration supports: by the model, and as the analyzer reports it."""
    reached = [figure.vsimax for figure in one.figures if figure.vsimax is not None]
    most = [figure.most_active for figure in one.figures if figure.reached is False and figure.most_active]
    scores = [test.score for run in one.runs for test in run.eux_summaries if test.score is not None]
    model = one.figures[0].model.name if one.figures else ""
    parts, name = [], named(one.group.label)
    if reached and len(reached) == len(one.figures):
        parts.append(f"{name} reaches {model} at {count_words(float(np.mean(reached)))} sessions")
    elif reached:
        in_some = f"in {len(reached)} of {len(one.figures)} runs"
        parts.append(f"{name} reaches {model} at {min(reached)} or more sessions {in_some}")
    elif most:
        parts.append(f"{name} does not reach {model} with up to {plural(min(most), 'session')}")
    details: list[str] = []
    if one.reported:
        count = count_words(float(np.mean(one.reported)))
        said = (
            f"Login VSI Analyzer {count}" if parts else f"The Login VSI Analyzer reports {count} sessions with {name}"
        )
        (details if parts else parts).append(said)
    if scores:
        score = f"{number(float(np.mean(scores)))} of 10"
        said = f"EUX score {score}" if parts else f"The EUX score is {score} with {name}"
        (details if parts else parts).append(said)
    if not parts:
        return
    runs = len(one.runs)
    assumed = len(asked.model.assumed) if asked.model is not None and one.figures else 0
    caveats = (f"{assumed} values of the {model} model are assumed. The Logons page lists them.",) * bool(assumed)
    limit = _found(
        asked, "limit", one, _of_runs(parts[0], details, runs), strength_of_runs(runs), "vsimax", 0.7, caveats
    )
    mean = float(np.mean(reached)) if reached else None
    moment = None if mean is None else Moment(VSIMAX, mean, f"VSImax {count_words(mean)}")
    yield replace(limit, moment=moment, readout=f"{named(one.group.label)}: {limit_words(one)}")


def _response(asked: Asked, limits: Sequence[GroupVsimax]) -> Iterator[Finding]:
    """The baseline response time of each configuration, compared with the baseline."""
    base, model = baseline_of(limit.group for limit in limits), asked.model
    if base is None or model is None:
        return
    every = limits if any(limit.group is base for limit in limits) else [group_vsimax(base, model), *limits]
    values = {limit.group.label: [f.baseline_ms for f in limit.figures if f.baseline_ms is not None] for limit in every}
    if not values[base.label]:
        return
    others = [limit for limit in limits if limit.group is not base and values[limit.group.label]]
    changes = [change(values[base.label], values[vsimax.group.label]) for vsimax in others]
    for other, found, verdict in zip(others, changes, judged_alone(changes, asked.margin), strict=True):
        if found is None or verdict is None:
            continue
        ours, theirs = (float(np.mean(values[label])) for label in (other.group.label, base.label))
        subject = Subject(named(other.group.label), named(base.label), "baseline response time", "", ours, theirs, "ms")
        said = change_sentence(subject, found, verdict.verdict, verdict_caveats(verdict), asked.margin)
        strength = strength_of(found, verdict.verdict, asked.margin)
        yield _found(
            asked, "response", other, said, strength, "vsimax", 0.4 + effect_size(found.ratio), (), (base,), found
        )


_WAYS = {"mean": ("logon_s_mean", "logon_s_p95"), "stuck": ("stuck",)}


def _told(one: GroupLogons | GroupVsimax, what: str) -> Iterator[Explanation]:
    """The sources of the limit, or of the baseline response time, of each run."""
    if not isinstance(one, GroupVsimax):
        return
    for run in one.runs:
        if run.figures is not None:
            yield explain_vsimax(run.run, run.figures, "baseline_ms" if what == "response" else "vsimax")
        if what == "limit":
            yield from (explain_analyzer(run.run, report) for report in run.summaries)
            yield from (explain_eux(run.run, report, "score") for report in run.eux_summaries)


def _found(
    asked: Asked,
    what: str,
    one: GroupLogons | GroupVsimax,
    said: Said,
    strength: Strength,
    view: str,
    size: float,
    caveats: tuple[str, ...] = (),
    others: Sequence[Group] = (),
    drawn: Change | None = None,
) -> Finding:
    runs = tuple(run.run.folder for group in (*others, one.group) for run in group.runs)
    base = others[0].label if others else ""
    return Finding(
        asked.key("logons", what, one.group.label, *((base,) if base else ())),
        said.text,
        "logons",
        strength,
        "logons",
        view,
        runs=runs,
        caveats=(*said.caveats, *caveats),
        configuration=one.group.label,
        baseline=base,
        figure=f"logon {what}",
        size=min(1.0, size),
        weight=0.8,
        drawn=drawn,
        ways=tuple(("logons", name) for name in _WAYS.get(what, ())),
        explanations=tuple(_told(one, what)),
        about=asked.about(f"logons/{what}", (one.group,), others[0] if others else None),
        short=said.short,
        number=said.number,
    )
