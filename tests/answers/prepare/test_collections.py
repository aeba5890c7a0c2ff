"""Questions that standard collections cannot answer, and the files of a kit for them."""

from __future__ import annotations

import json

from tests.answers.prepare.kits import kit, text
from workbench.answers.prepare.collections import collections, unanswered
from workbench.answers.prepare.questions import QUESTIONS
from workbench.model.metric import Quantity


def test_that_avd_insights_cannot_answer_iops() -> None:
    (insights,) = collections()
    lacking = unanswered(insights, tuple(QUESTIONS))
    assert [counter.name for counter in lacking["iops"]] == [r"\PhysicalDisk(*)\Disk Transfers/sec"]
    assert {Quantity.READ_LATENCY, Quantity.INPUT_DELAY, Quantity.CPU} <= insights.quantities
    assert not insights.quantities & {Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS}
    # Samples every 30 s: the counters are complete, but the samples are too far apart.
    assert lacking["cpu"] == lacking["latency"] == ()
    assert "logons" not in lacking


def test_that_the_kit_contains_the_missing_counter_lines() -> None:
    made = kit("MCS", questions=("iops", "cpu"))
    rule = json.loads(text(made, "azure/data-collection-rule.json"))
    (source,) = rule["dataSources"]["performanceCounters"]
    assert source["counterSpecifiers"] == [
        rf"\PhysicalDisk(*)\Disk {kind}/sec" for kind in ("Transfers", "Reads", "Writes")
    ]
    assert (source["streams"], source["samplingFrequencyInSeconds"]) == (["Microsoft-Perf"], 15)
    readme = text(made, "README.txt")
    assert "data-collection-rule.json" in readme
    assert "remote.cmd" in readme


def test_that_desktops_are_logged_from_outside_with_the_counters_of_the_kit() -> None:
    script = text(kit("MCS", interval_s=5, questions=("iops",)), "guest/remote.cmd")
    assert 'typeperf -s %%m -cf "%~dp0counters.txt" -si 5' in script
