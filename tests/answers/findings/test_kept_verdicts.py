"""A workspace file keeps its verdicts and the version of the method; opened again it lists those that changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import BASE, LESS, MCS, SMALL, groups, replicates
from workbench.answers.cache.compute import cache_answer
from workbench.answers.common.choices import Choices
from workbench.answers.findings.kept_verdicts import changed_table, verdicts_of
from workbench.answers.findings.known import with_verdicts
from workbench.answers.findings.sentences import findings
from workbench.answers.findings.words import Asked
from workbench.measures.significance import differences
from workbench.measures.significance.method import METHOD
from workbench.session.document import SessionDocument, decode, encode
from workbench.session.state import State


def kept() -> State:
    asked = Asked("study", groups(*replicates(MCS, "iops_per_vm", BASE), *replicates(SMALL, "iops_per_vm", LESS)))
    return with_verdicts(State(), verdicts_of(asked))


def test_that_a_workspace_file_states_the_method_and_every_verdict() -> None:
    document = decode(encode(SessionDocument(state=kept())), "s.vdiwb")
    assert document.state.method == METHOD
    (verdict,) = [verdict for verdict in document.state.verdicts if verdict.measure == "iops_per_vm"]
    assert (verdict.configuration, verdict.baseline, verdict.phase, verdict.verdict) == (
        "MCSIO 256 MB",
        "MCS",
        "steady",
        "better",
    )


def test_that_findings_and_saved_verdicts_and_the_cache_sweep_share_one_comparison(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    computed: list[object] = []
    draft = differences._draft
    monkeypatch.setattr(differences, "_draft", lambda *facts: computed.append(facts) or draft(*facts))  # type: ignore[func-returns-value]
    asked = Asked("study", groups(*replicates(MCS, "iops_per_vm", BASE), *replicates(SMALL, "iops_per_vm", LESS)))
    assert findings(asked)
    once = len(computed)
    assert verdicts_of(asked)
    assert cache_answer(asked.groups, asked.phase, asked.margin).sweep.rows
    assert len(computed) == once == len(set(computed))


def test_that_a_file_without_verdicts_lists_none() -> None:
    document = decode(encode(SessionDocument()), "s.vdiwb")
    assert (document.state.verdicts, document.state.method) == ((), 0)
    assert changed_table((), kept().verdicts, 0) is None
    assert with_verdicts(kept(), None) == kept()


def test_that_changed_verdicts_are_listed_with_both_methods(snapshot: SnapshotAssertion) -> None:
    now = kept().verdicts
    assert changed_table(now, now, METHOD) is None
    earlier = tuple(replace(verdict, verdict="~") for verdict in now if verdict.measure == "iops_per_vm")
    table = changed_table(earlier, now, 1)
    assert table is not None
    assert [cell.text for cell in table.rows[0]] == [
        "MCSIO 256 MB",
        "steady state",
        "IOPS per VM",
        "~ inconclusive",
        "better",
    ]
    assert table.legend == snapshot
    assert isinstance(Choices().verdicts, tuple)
