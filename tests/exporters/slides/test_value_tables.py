"""The table of all values of a study: each result is in it or counted as omitted, and a measured zero stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pptx import Presentation

from tests.exporters.documents import sample_document
from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.charts.tables import TableData
from workbench.exporters.document.lengths import TABLE
from workbench.exporters.document.making import document_of
from workbench.exporters.wanted import Wanted
from workbench.model.benchmark import Benchmark, Op
from workbench.model.run import Study
from workbench.session.state import State

SWEEP = "sweep.json"


def value_table(library: Library) -> TableData:
    """The table of all values on the slides."""
    document = document_of(library, State(), Wanted(Path("a.pptx"), length="brief"))
    (table,) = next(slide.tables for slide in document.all_slides if slide.part == TABLE)
    return table


def results(*rows: Benchmark) -> TableData:
    """The table of all values of these results of storage tools. A sweep after them gives the study a finding."""
    steps = [row(SWEEP, Op.READ, iops, depth=depth) for depth, iops in ((1, 1_000), (2, 2_000), (4, 2_100), (8, 2_120))]
    table = value_table(Library((Study("bench", "bench", (), (), (), (*rows, *steps)),), {}))
    return replace(table, rows=tuple(cells for cells in table.rows if cells[0].tip != SWEEP))


def row(path: str, op: Op, iops: float, block: int = 4096, depth: int = 16) -> Benchmark:
    """A result with one job name for all files; half of the I/Os took 0 ms, rounded to whole milliseconds."""
    return Benchmark(
        path,
        "fio",
        op,
        test="test",
        job="job",
        iops=iops,
        latency_mean_ms=0.5,
        latency_p50_ms=0.0,
        block_bytes=block,
        queue_depth=depth,
        threads=1,
    )


def mixed(path: str, iops: float, block: int = 4096) -> tuple[Benchmark, ...]:
    """The rows of a job with reads and writes."""
    return (
        row(path, Op.READ, iops / 4, block),
        row(path, Op.WRITE, iops * 3 / 4, block),
        row(path, Op.TOTAL, iops, block),
    )


def column(table: TableData, title: str) -> list[str]:
    at = next(at for at, column in enumerate(table.columns) if column.title == title)
    return [cells[at].text for cells in table.rows]


def iops_of(rows: Sequence[Benchmark]) -> list[str]:
    return column(results(*rows), "IOPS")


def test_that_a_total_does_not_replace_a_result_of_another_file_with_the_same_job() -> None:
    assert sorted(iops_of([*mixed("a.json", 400), row("b.json", Op.READ, 900)])) == ["400", "900"]


def test_that_a_total_does_not_replace_a_result_with_another_block_size() -> None:
    assert sorted(iops_of([*mixed("a.json", 400), row("a.json", Op.READ, 900, 65_536)])) == ["400", "900"]


def test_that_the_table_of_results_says_how_many_rows_are_omitted() -> None:
    several = results(*mixed("a.json", 400), *mixed("b.json", 800))
    assert len(several.rows) == 2
    assert "omits 4 rows with reads or writes" in several.whole_legend
    assert "omitted" not in results(row("b.json", Op.READ, 900)).whole_legend


def test_that_a_column_of_measured_zeros_stays_and_one_without_values_does_not() -> None:
    table = results(*mixed("a.json", 400), *mixed("b.json", 800))
    assert column(table, "p50") == ["0", "0"]
    assert "p99" not in [column.title for column in table.columns]


def test_that_only_a_study_without_a_cache_has_no_column_for_its_ram() -> None:
    title = "RAM for the cache"
    assert title not in [column.title for column in value_table(sample("windows-11-builds")).columns]
    assert "0" in column(value_table(sample("windows-7-mcs-and-pvs")), title)


def test_that_the_rows_of_a_table_have_one_height() -> None:
    # An interval in one row would have space for one line, and need two lines in a wider font.
    for study in ("rds-mcsio-cache-sweep", "storage-benchmarks"):
        slides = Presentation(sample_document(study, "pptx", "review")).slides
        (table,) = (shape.table for shape in list(slides)[-1].shapes if shape.has_table)
        assert len(table.rows) > 4
        assert len({row.height for row in list(table.rows)[1:]}) == 1
