"""Findings on logon times: the sessions that a mean excludes, and runs of several builds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.answers.logons.login_storms import group, sessions, storm_seconds
from tests.builders import run
from workbench.answers.findings.claims import claim_of
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.rules.logons import logon_findings
from workbench.answers.findings.words import Asked
from workbench.charts.claim import BarClaim
from workbench.measures.configurations import Group, with_baseline
from workbench.model.run import Configuration, Provisioning
from workbench.words.numbers import THIN


def storms(label: str, means: Sequence[float], stuck: int = 0, builds: Sequence[str] = ()) -> Group:
    """A run of 50 logons for each mean; the last `stuck` sessions of each never log on."""
    made = []
    for place, mean in enumerate(means):
        logons = sessions(storm_seconds(50, 0.5 * mean, mean, 2 * mean))
        hung = tuple(replace(one, logon_end=None, logon_s=None) for one in logons[50 - stuck :])
        made.append(
            run(
                name=f"{label}-{place}",
                folder=f"{label}-{place}",
                configuration=Configuration(label, Provisioning.MCS),
                sessions=(*logons[: 50 - stuck], *hung),
                build=builds[place] if builds else None,
            )
        )
    return group(*made, label=label)


def mean_finding(*groups: Group) -> Finding:
    return next(one for one in logon_findings(Asked("study", with_baseline(groups, "MCS"))) if "/mean/" in one.key)


@pytest.mark.parametrize("runs", [1, 3])
def test_that_the_finding_on_mean_logon_time_counts_excluded_sessions(runs: int) -> None:
    means = list(np.linspace(10, 11, runs))
    alone = mean_finding(storms("MCS", means, stuck=2))
    assert f"{48 * runs} of {50 * runs} sessions" in alone.text
    count = f"{2 * runs} of {50 * runs} sessions"
    compared = mean_finding(storms("MCS", means), storms("MCSIO", means, stuck=2))
    assert count not in compared.text
    assert sum(count in caveat for caveat in compared.caveats) == 1
    clean = mean_finding(storms("MCS", means), storms("MCSIO", means))
    assert not [caveat for caveat in clean.caveats if "leaves out" in caveat]


def test_that_a_mean_over_several_builds_names_the_builds() -> None:
    builds = ["1", "2", "2"]
    assert "2 different builds" in mean_finding(storms("MCS", [10, 11, 12], builds=builds)).caveats[0]
    assert not mean_finding(storms("MCS", [10, 11, 12], builds=["2"] * 3)).caveats


def test_that_the_bars_of_logon_times_say_their_unit() -> None:
    groups = [storms("MCS", [4.0]), storms("MCSIO", [3.0])]
    claim = claim_of(mean_finding(*groups), with_baseline(groups, "MCS"), 0.05)
    assert isinstance(claim, BarClaim)
    assert [bar.words.endswith(f"{THIN}s") for bar in claim.bars] == [True, True]
