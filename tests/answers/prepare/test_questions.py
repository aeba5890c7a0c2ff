"""The questions: their needs, and the counters for them."""

from __future__ import annotations

import pytest

from workbench.answers.prepare.questions import QUESTIONS, Place, Question
from workbench.answers.registry import page_of
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning
from workbench.readers.common.counters import collected_counters, metric_of


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda question: question.key)
def test_that_each_question_names_a_page_and_what_it_needs(question: Question) -> None:
    assert page_of(question.page) is not None
    assert any(need.needed for need in question.needs)
    for need in question.needs:
        if isinstance(need.alternatives[0][0], Quantity):
            assert need.counters()


def test_that_a_counter_of_the_kit_is_imported_with_its_intended_meaning() -> None:
    """By the rules of the reader, the counter name alone decides the quantity."""
    counters = [counter for counter in collected_counters() if counter.tool == "perfmon"]
    assert len(counters) > 20
    for counter in counters:
        object_name, _, name = counter.name.removeprefix("\\").rpartition("\\")
        object_name, _, instance = object_name.removesuffix(")").partition("(")
        metric = metric_of(object_name, instance, name)
        assert metric is not None, counter.name
        assert metric.quantity is counter.quantity


def test_that_the_counters_depend_on_the_provisioning() -> None:
    overflow = QUESTIONS["overflow"]
    names = {
        provisioning: [counter.name for need in overflow.needs_of(provisioning) for counter in need.counters()]
        for provisioning in (Provisioning.MCSIO, Provisioning.PVS)
    }
    assert any("Citrix MCS" in name for name in names[Provisioning.MCSIO])
    assert names[Provisioning.PVS] == ["VhdR"]
    assert not overflow.concerns(Configuration("MCS", Provisioning.MCS))
    assert not overflow.concerns(Configuration("PVS", Provisioning.PVS, "device-disk"))
    assert overflow.concerns(Configuration("PVS", Provisioning.PVS, "device-ram-overflow", 512))


def test_that_iops_are_logged_in_the_guest_or_on_the_host() -> None:
    need = QUESTIONS["iops"].needs[0]
    assert [counter.name for counter in need.counters()] == [r"\PhysicalDisk(*)\Disk Transfers/sec"]
    assert [counter.name for counter in need.counters(Place.HOST)] == ["Virtual Disk: Commands/sec"]
