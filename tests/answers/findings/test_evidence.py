"""The evidence of findings is in brackets at the end, and inconclusive findings have their reasons as caveats."""

from __future__ import annotations

from workbench.answers.findings.compute import Finding, Said, Strength, in_brackets
from workbench.answers.findings.tables import caveats_in, finding_tip, numbered_table
from workbench.answers.findings.values import still_values
from workbench.answers.findings.words import Subject, open_sentence
from workbench.words.numbers import THIN

SUBJECT = Subject("B", "A", "IOPS per VM", "in steady state", 5.0, 10.0, "IOPS")
HEAD = "The difference in IOPS per VM in steady state between B and A is inconclusive"


def test_that_more_evidence_joins_the_brackets() -> None:
    assert in_brackets("A cuts IOPS (1 vs. 2)", "n = 3", "", "p95 4") == "A cuts IOPS (1 vs. 2; n = 3; p95 4)"
    assert in_brackets("A cuts IOPS", "n = 3") == "A cuts IOPS (n = 3)"
    said = Said("A cuts IOPS (1 vs. 2)", "A cuts IOPS").with_evidence("n = 3")
    assert (said.text, said.short) == ("A cuts IOPS (1 vs. 2; n = 3)", "A cuts IOPS")


def test_that_an_objection_has_its_details_as_a_caveat() -> None:
    missing = open_sentence(SUBJECT, "missing samples: VM-1 lacks 50 % of its samples in run 'a'")
    assert (missing.text, missing.short) == (f"{HEAD} (missing samples)", HEAD)
    assert missing.caveats == ("VM-1 lacks 50 % of its samples in run 'a'. Repeat the run.",)
    running = open_sentence(SUBJECT, "b1 is still running")
    assert (running.text, running.caveats) == (f"{HEAD} (b1 is still running)", ())
    unlike = open_sentence(SUBJECT, "different measuring points: only the I/O of B was measured above the cache")
    assert unlike.caveats == ("Only the I/O of B was measured above the cache. Measure both at the same point.",)


def test_that_both_times_of_a_sentence_have_the_same_unit() -> None:
    assert Subject("B", "A", "boot", "", 960.0, 90.0, "s").amounts == (f"16:00{THIN}min", f"1:30{THIN}min")
    assert Subject("B", "A", "boot", "", 40.0, 90.0, "s").amounts == (f"40{THIN}s", f"90{THIN}s")


def test_that_digits_do_not_exaggerate_a_small_difference() -> None:
    assert Subject("B", "A", "IOPS", "", 13.1646, 13.1651, "IOPS").amounts == ("13.1646", "13.1651")


def test_that_values_of_an_earlier_sentence_may_now_be_in_the_caveats() -> None:
    was = "Inconclusive: difference between B and A (+5.3 %). To show equality within ±5 %, run each 79 times."
    text, caveats = "Inconclusive: difference between B and A (+5.3 %)", ("Run each 79 times to show ±5 %.",)
    assert still_values(was, text, caveats)
    assert not still_values(was, text, ())
    assert not still_values(was.replace("5.3", "6.1"), text, caveats)
    assert not still_values("Inconclusive", text, caveats)


def test_that_the_caveats_are_found_in_the_tip_of_a_finding() -> None:
    caveats = ("The runs vary too much. Run each configuration 92 times.", "Add runs.")
    assert caveats_in(finding_tip(Finding("key", HEAD, "compare", Strength.INCONCLUSIVE, caveats=caveats))) == [
        *caveats
    ]
    assert caveats_in(HEAD) == []


def test_that_the_command_line_numbers_findings_for_their_caveats() -> None:
    findings = [Finding(key, HEAD, "compare", Strength.INCONCLUSIVE) for key in ("a", "b")]
    table = numbered_table(findings, "s1: findings")
    assert [[cell.text for cell in row[:3]] for row in table.rows] == [
        ["1", HEAD, "inconclusive"],
        ["2", HEAD, "inconclusive"],
    ]
