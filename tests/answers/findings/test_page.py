"""The list of findings: storage benchmarks of other folders have a separate list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.samples import sample
from workbench.answers.benchmarks.page import benchmarks
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import Strength
from workbench.answers.findings.known import evidence_state
from workbench.answers.findings.page import kept_findings, tables
from workbench.answers.findings.tables import BENCHMARKS, NAME
from workbench.exporters.document.making import document_of
from workbench.exporters.wanted import Wanted
from workbench.model.benchmark import Benchmark, Op
from workbench.model.run import Study
from workbench.session.state import State

VDI, FIO = "windows-7-mcs-and-pvs", "storage-benchmarks"


@pytest.fixture(scope="module")
def both() -> Library:
    return sample(VDI, FIO)


def test_that_benchmarks_of_another_folder_are_not_findings_of_the_study(both: Library) -> None:
    shown = {table.name: table for table in tables(both, State())}
    assert not any(row[2].text.startswith("Benchmarks") for row in shown[NAME].rows)
    assert shown[BENCHMARKS].rows
    for row in shown[BENCHMARKS].rows:
        assert row[2].text.startswith("Benchmarks · ")
        assert row[2].text.endswith(" · storage-benchmarks")
    assert "storage-benchmarks" in shown[BENCHMARKS].legend
    assert {row[2].text.split(" · ")[1] for row in shown[BENCHMARKS].rows} >= {"fio", "sqlio"}


def test_that_evidence_of_one_benchmark_folder_is_found_among_several() -> None:
    rows = [
        Benchmark(f"{name}.json", "fio", Op.WRITE, test=name, iops=iops, block_bytes=4096, pattern="random")
        for name, iops in (("raw", 100.0), ("cache", 900.0), ("other", 50.0))
    ]
    sequential = [replace(row, pattern="sequential", path=f"s-{row.path}") for row in rows]
    first = Study("a", "a", (), benchmarks=(*sequential, *rows[:2]))
    second = Study("b", "b", (), benchmarks=(rows[2],))
    library = Library((first, second), {})
    found = next(one for one in kept_findings(library, State()) if "random" in one.text)
    seen = evidence_state(State(), found, library)
    assert str(dict(seen.inputs)["benchmarks.family"]).endswith("(2)")
    (chooser, *_) = benchmarks(library, seen).inputs
    assert "random" in str(chooser.value)
    assert str(chooser.value).endswith("(3)")


def test_that_keys_of_both_lists_are_different(both: Library) -> None:
    keys = [one.key for one in kept_findings(both, State())]
    assert len(set(keys)) == len(keys)


def test_that_a_folder_of_benchmarks_alone_has_them_as_its_findings() -> None:
    found = tables(sample(FIO), State())
    assert [table.name for table in found] == [NAME]
    assert found[0].rows


def test_that_slides_show_benchmarks_once_and_by_folder(both: Library) -> None:
    document = document_of(both, State(), Wanted(Path("a.pptx"), length="full"))
    # In addition to the slide of its answer.
    told = [slide for slide in document.slides if "storage-benchmarks" in slide.evidence and not slide.facts]
    assert told == []
    of_benchmarks = [slide for slide in document.appendix if "storage-benchmarks" in slide.evidence]
    assert of_benchmarks
    assert len({slide.title for slide in of_benchmarks}) == len(of_benchmarks)
    findings = [slide for slide in document.appendix if not slide.part]
    assert findings[-len(of_benchmarks) :] == of_benchmarks


def test_that_every_finding_from_runs_in_blocks_has_a_caveat_on_their_order() -> None:
    found = kept_findings(sample("simulated-cache-sweep"), State())
    decided = [one for one in found if one.baseline and one.strength in (Strength.INDICATIVE, Strength.STRONG)]
    assert {"compare", "sizing"} <= {one.kind for one in decided}
    for one in decided:
        assert sum("came first, so drift may affect" in text for text in one.caveats) == 1
    turns = [one for one in kept_findings(sample("rds-mcsio-cache-sweep"), State()) if one.baseline]
    assert {"sizing", "logons"} <= {one.kind for one in turns}
    assert not any("drift may affect" in text for one in turns for text in one.caveats)


def test_that_unchanged_logon_times_rank_below_every_effect() -> None:
    found = kept_findings(sample("rds-mcsio-cache-sweep"), State())
    alike = [one for one in found if one.kind == "logons" and "No difference in mean logon time" in one.text]
    effects = [one for one in found if one.kind in ("compare", "limits", "cache", "sizing") and one.relevance]
    effects = [one for one in effects if not one.led_by and one.strength is not Strength.INCONCLUSIVE]
    assert len(alike) == 4
    assert not any(one.relevance for one in alike)
    assert max(map(found.index, effects)) < min(map(found.index, alike))
