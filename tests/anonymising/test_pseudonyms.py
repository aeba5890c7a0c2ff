"""Pseudonyms: which words are names, their replacements, and which words stay."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem, Severity
from workbench.model.run import Configuration, Run, SessionType, Study
from workbench.model.session import Event, EventKind
from workbench.session.document import SessionDocument
from workbench.session.state import State
from workbench.study.anonymising.collecting import pseudonyms_of, without_names
from workbench.study.anonymising.pseudonyms import Pseudonyms, edges_of, is_common


def study_of(folder: str = "/results/mcs-r1", *events: Event, problems: tuple[Problem, ...] = ()) -> Study:
    run = Run("mcs-r1", folder, Configuration("MCS"), SessionType.VDI, None, None, (), events, ())
    return Study("lab", folder, (run,), problems=problems)


def event(vm: str = "", user: str = "", detail: str = "") -> Event:
    return Event(0.0, EventKind.MARKER, vm, user, detail)


def names_of(*events: Event, folder: str = "/results/mcs-r1") -> Pseudonyms:
    return pseudonyms_of((study_of(folder, *events),))


def test_that_a_history_folder_whose_names_were_not_collected_is_omitted() -> None:
    state = State().with_input("trend.history", "/share/history").with_input("trend.measure", "CPU")
    after = without_names(state, names_of(event("VM1")))
    assert after.inputs == (("trend.measure", "CPU"),)
    document = without_names(SessionDocument(state=state), names_of(event("VM1")))
    assert document.state.inputs == after.inputs


def test_that_a_builds_name_is_replaced_and_its_number_stays() -> None:
    run = replace(study_of().runs[0], build="Geierwally 22H2")
    names = pseudonyms_of((replace(study_of(), runs=(run,)),))
    assert names.text("Geierwally 22H2") == "name-01 22H2"


def test_that_machines_are_counted_in_their_natural_order() -> None:
    names = names_of(*(event(vm) for vm in ("VM10", "vm2", "VM1", "VM2")))
    assert [names.machine(vm) for vm in ("VM1", "VM2", "vm2", "VM10")] == ["VM-001", "VM-002", "VM-002", "VM-003"]


def test_that_a_name_is_not_replaced_within_a_longer_number_or_word() -> None:
    names = names_of(event("VM1"), event(user="mark"))
    assert names.text("VM1 VM11 mvm1 benchmark remarkable Mark") == "VM-001 VM11 mvm1 benchmark remarkable User-001"


def test_that_a_long_name_is_replaced_within_other_words() -> None:
    names = names_of(event(user="falkner"))
    assert names.text("FALKNERbank, prefalknercloud, FalknerBank") == "User-001bank, preUser-001cloud, User-001Bank"


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("ACME\\jsmith", "domain-1\\User-001"),
        ("JSmith@corp.acme.com", "User-001@domain-1"),
        ("mail to jsmith at Acme", "mail to User-001 at domain-1"),
        ("W10-001.corp.acme.com", "VM-001.domain-1"),
        ("\\\\w10-001\\PhysicalDisk(_Total)\\Disk Reads/sec", "\\\\VM-001\\PhysicalDisk(_Total)\\Disk Reads/sec"),
        ("from 10.1.2.3 at 09:40:12, 4.1.2 of 2016-05-10", "from address-1 at 09:40:12, 4.1.2 of 2016-05-10"),
    ],
)
def test_that_each_form_of_a_name_is_replaced(text: str, replaced: str) -> None:
    names = names_of(event("W10-001.corp.acme.com", "ACME\\jsmith", "10.1.2.3"), event(user="jsmith@corp.acme.com"))
    assert names.text(text) == replaced


def test_that_technical_words_stay_in_folder_names_and_other_words_are_replaced() -> None:
    folder = "/home/results/Contoso-mcsio-512-r1/guest"
    names = names_of(folder=folder)
    assert names.text(folder) == "/home/results/name-01-mcsio-512-r1/guest"
    assert names.text("Contoso MCSIO 512 MB") == "name-01 MCSIO 512 MB"


def test_that_a_machine_named_like_a_common_word_is_replaced_in_the_fields_of_machines() -> None:
    studies = without_names(
        (study_of("/r", event("master", "boot", "boot of the master")),), names_of(event("master", "boot"))
    )
    assert studies[0].runs[0].events == (event("VM-001", "User-001", "boot of the master"),)


def test_that_a_quotation_in_a_message_keeps_only_words_that_reveal_nothing() -> None:
    problem = Problem(Severity.WARNING, "a.csv", "x", "Cell 2: 'Secret O'Hara 7' is not a number.", "left")
    studies = (study_of(problems=(problem,)),)
    assert without_names(studies, pseudonyms_of(studies))[0].problems[0].message == "Cell 2: '… O'… 7' is not a number."


def test_that_an_additional_note_changes_no_other_pseudonym() -> None:
    studies = (study_of("/r", event(user="mara"), event(user="zeno")),)
    before, after = pseudonyms_of(studies), pseudonyms_of(studies, ("ask anna@acme.com",))
    assert before.users.items() <= after.users.items()
    assert after.user("anna") == "User-003"


def test_that_custom_words_are_replaced_as_well() -> None:
    names = pseudonyms_of((study_of(),), more=("Project Falcon",))
    assert names.text("Falcon saves most") == "name-01 saves most"


def test_that_the_name_version_and_figures_of_a_tool_stay() -> None:
    row = Benchmark("fio.json", "fio", Op.READ, "fio-2.16", job="randread-4k", host="esx7", iops=5.0)
    studies = (Study("lab", "/r", (), benchmarks=(row,)),)
    (changed,) = without_names(studies, pseudonyms_of(studies))[0].benchmarks
    assert (changed.tool, changed.tool_version, changed.job, changed.iops) == ("fio", "fio-2.16", "randread-4k", 5.0)
    assert changed.host == "host-01"


def test_that_capital_letters_mark_where_names_begin_and_end() -> None:
    text = "ACMEbank W10-001 AcmeBank"
    assert [text[:end] for end in edges_of(text)[1:3]] == ["ACM", "ACME"]
    assert is_common("HarddiskVolume")
    assert not is_common("AcmeVolume")


@given(st.text(alphabet="aé1_ '\"\n", max_size=40))
def test_that_a_quotation_ends_at_the_mark_that_matches_its_beginning(text: str) -> None:
    # The definition as an expression, which takes too long on a hostile line.
    quoted = re.compile(r"(?<!\w)(['\"])(.+?)\1(?!\w)")
    names = Pseudonyms()
    assert names.message(text) == quoted.sub(lambda m: f"{m[1]}{names._quoted(m[2])}{m[1]}", text)


def test_that_a_long_quotation_is_masked_to_its_end() -> None:
    path = "/".join(["acme"] * 400)
    assert "acme" not in Pseudonyms().message(f"The file '{path}' was refused.")


def test_that_hosts_and_storage_of_a_slice_are_replaced() -> None:
    part = Benchmark("out/page.html", "vdbench", Op.READ, job="run", curve="acmefin", part="host zrhnode7")
    row = Benchmark("out/flatfile.html", "vdbench", Op.READ, job="run", slices=(part,))
    studies = (Study("lab", "/results", (), benchmarks=(row,)),)
    changed = str(without_names(studies, pseudonyms_of(studies))[0].benchmarks)
    assert "zrhnode" not in changed
    assert "acmefin" not in changed
    assert "part='host " in changed
