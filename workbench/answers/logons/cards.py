"""The cards of the logon page: a configuration's mean logon, its stuck sessions, its limit, its slowest start."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.answers.common.change_words import change_text
from workbench.answers.logons.app_starts import GroupAppStarts
from workbench.answers.logons.compute import GroupLogons, baseline_logons, most_active
from workbench.answers.logons.figure_sources import logon_source
from workbench.answers.logons.sentences import count_words, seconds, stuck_words, trend_short
from workbench.answers.logons.vsimax_figure import GroupVsimax
from workbench.charts.cards import Card
from workbench.charts.figure import Look
from workbench.measures.statistics import change
from workbench.words.numbers import MISSING, THIN, number


def logon_cards(groups: Sequence[GroupLogons], look: dict[str, Look]) -> tuple[Card, ...]:
    """The mean logon time of each configuration, against the baseline's, with its range and trend."""
    used = [logons for logons in groups if logons.spread is not None]
    base = baseline_logons(groups)
    means = [] if base is None else base.means
    cards = []
    for logons in used:
        spread = logons.spread
        assert spread is not None
        note = (
            f"baseline, n = {len(logons.means)}"
            if logons is base
            else change_text(change(means, logons.means), "s", None)
        )
        ends = f"{number(spread.low)} to {seconds(spread.high)}"
        detail = " · ".join(part for part in (ends, trend_short(logons.trends, "100 logons")) if part)
        cards.append(
            Card(
                logons.group.label,
                look[logons.group.label],
                number(spread.mean),
                "s",
                note,
                detail,
                logon_source([run.run.folder for run in logons.runs], "logon_s_mean"),
            )
        )
    return tuple(cards)


def stuck_cards(groups: Sequence[GroupLogons], look: dict[str, Look]) -> tuple[Card, ...]:
    """The most sessions active at once in each configuration (mean of its runs), and how many got stuck."""
    cards = []
    for logons in groups:
        counts = logons.counts
        most = [peak for run in logons.runs if (peak := most_active(run.logons)) is not None]
        if counts is None:
            continue
        value = count_words(float(np.mean(most))) if most else MISSING
        cards.append(
            Card(
                logons.group.label,
                look[logons.group.label],
                value,
                "at once",
                *stuck_words(counts),
                logon_source([run.run.folder for run in logons.runs], "stuck"),
            )
        )
    return tuple(cards)


def limit_cards(groups: Sequence[GroupVsimax], look: dict[str, Look]) -> tuple[Card, ...]:
    """VSImax of each configuration: ours by the model, else the analyzer's; else its EUX score."""
    cards = []
    for vsimax in groups:
        if not vsimax.runs:
            continue
        reached = [figures.vsimax for figures in vsimax.figures if figures.vsimax is not None]
        scores = [test.score for run in vsimax.runs for test in run.eux_summaries if test.score is not None]
        most = [figures.most_active for figures in vsimax.figures if figures.reached is False and figures.most_active]
        why = f"analyzer {count_words(float(np.mean(vsimax.reported)))}" if vsimax.reported else ""
        if reached:
            value, unit, note = count_words(float(np.mean(reached))), "sessions", vsimax.figures[0].model.name
        elif vsimax.reported:
            value, unit, note = count_words(float(np.mean(vsimax.reported))), "sessions", "VSImax, analyzer's"
            why = vsimax.figures[0].why if vsimax.figures else ""
        elif most:
            value, unit, note = (f">{THIN}{min(most)}", "sessions", f"{vsimax.figures[0].model.name} not reached")
        elif scores:
            value, unit, note = number(float(np.mean(scores))), "of 10", "EUX score"
        else:
            value, unit, note = MISSING, "", vsimax.figures[0].why if vsimax.figures else "no VSImax"
        cards.append(Card(vsimax.group.label, look[vsimax.group.label], value, unit, note, why))
    return tuple(cards)


def app_cards(studies: Sequence[Sequence[GroupAppStarts]], look: dict[str, Look]) -> tuple[Card, ...]:
    """The slowest application of each configuration."""
    cards = []
    for apps in studies:
        if not apps:
            continue
        slowest = max(apps, key=lambda app: app.spread.mean)
        label = slowest.group.label
        note = f"{slowest.app}, the slowest of {len(apps)}" if len(apps) > 1 else slowest.app
        parts = (f"p95 {seconds(slowest.spread.p95)}", trend_short(slowest.trends, "100 sessions"))
        detail = " · ".join(part for part in parts if part)
        source = logon_source([run.run.folder for run in slowest.runs], "app_start_s_mean", slowest.app)
        cards.append(Card(label, look[label], number(slowest.spread.mean), "s", note, detail, source))
    return tuple(cards)
