import re
from zipfile import ZipFile

import numpy as np
import pytest
from openpyxl import load_workbook

from tests.exporters.jobs import chosen_of
from tests.exporters.office import recalculated
from tests.exporters.reading import Reopened, title
from tests.exporters.studies import MCS, MCSIO, PVS, columns, figures_of, make_run, make_study, replicate_study
from workbench.answers.cache.figures import cache_figure
from workbench.answers.common.traces.traces import View
from workbench.answers.overview.figures import overview_figure
from workbench.answers.per_vm.figures import median_figure
from workbench.charts.content import Content
from workbench.exporters.job import DocumentPart
from workbench.exporters.workbook.book import check_workbook, write_workbook
from workbench.exporters.workbook.columns import COLUMNS, PLACES
from workbench.exporters.workbook.sheets.configurations import HEADER_ROW as MEANS_HEADER
from workbench.exporters.workbook.sheets.phases import FIRST_ROW, HEADER_ROW
from workbench.measures.configurations import group_runs
from workbench.model.benchmark import Benchmark, Op
from workbench.model.phase import BOOT, STEADY
from workbench.model.run import Configuration, Provisioning, Study


def _exported(tmp_path, *studies):
    write_workbook(tmp_path / "findings.xlsx", studies, figures_of(*studies), (), chosen_of(*studies))
    check_workbook(tmp_path / "findings.xlsx")
    return Reopened(tmp_path / "findings.xlsx")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return replicate_study(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def book(study, tmp_path_factory):
    """The workbook of the study, which no test changes."""
    return _exported(tmp_path_factory.mktemp("book"), study)


def _phase_rows(book):
    """The phase table as the stored results have it, by (run, phase)."""
    sheet = book.results["Phase table"]
    keys = [column.key for column in COLUMNS]
    rows = [dict(zip(keys, row, strict=False)) for row in sheet.iter_rows(FIRST_ROW, values_only=True)]
    return {(row["run"], row["phase"]): row for row in rows}


def _means(book):
    sheet = book.results["Configurations"]
    keys = [cell.value for cell in sheet[MEANS_HEADER]]
    rows = [dict(zip(keys, row, strict=True)) for row in sheet.iter_rows(MEANS_HEADER + 1, values_only=True)]
    return {(row["Configuration"], row["Phase"]): row for row in rows}


def test_that_one_study_has_plain_sheet_names_with_the_numbers_last(book):
    visible = [sheet.title for sheet in book.formulas if sheet.sheet_state == "visible"]
    assert visible == [
        "Summary",
        "Data",
        "Phase table",
        "Configurations",
        "IOPS",
        "Compare values",
        "Cache",
        "Sizing plan",
        "Import report",
        "Sources",
    ]
    assert book.formulas.sheetnames[len(visible) :] == ["IOPS data", "Cache data", "Sources data"]


def test_that_the_sheets_of_several_studies_begin_with_short_names_that_the_index_explains(tmp_path):
    one = replicate_study(tmp_path / "a", "a study with a name far longer than a sheet")
    two = replicate_study(tmp_path / "b", "a study with a name far longer than a sheet too")
    book = _exported(tmp_path, one, two).formulas
    assert {"S1 IOPS", "S1 Cache", "S2 IOPS", "S2 Sizing plan", "S2 Cache data"} <= set(book.sheetnames)
    index = [row[0] for row in book["Summary"].iter_rows(min_col=2, max_col=2, values_only=True)]
    assert f"S1 {one.name}" in index
    assert f"S2 {two.name}" in index


def test_that_the_index_links_to_every_visible_sheet_and_each_sheet_links_back(tmp_path):
    one, two = replicate_study(tmp_path / "a", "one"), replicate_study(tmp_path / "b", "two")
    book = _exported(tmp_path, one, two).formulas
    links = [cell.hyperlink for row in book["Summary"].iter_rows(min_col=2, max_col=2) for cell in row]
    reached = [link.location for link in links if link is not None]
    visible = [sheet.title for sheet in book if sheet.sheet_state == "visible" and sheet.title != "Summary"]
    assert reached == [f"'{title}'!A1" for title in visible]
    for sheet in book:
        back = [cell.hyperlink for (cell,) in sheet["A1:A3"] if cell.hyperlink is not None]
        assert [link.location for link in back] == ([] if sheet.title == "Summary" else ["'Summary'!A1"]), sheet.title


def test_that_every_page_is_one_page_wide_with_its_title_in_the_head_and_limited_row_height(tmp_path):
    study = replicate_study(tmp_path / "data", "R&D")
    part = DocumentPart("logons", "", "Logons", Content("?", "many words " * 3_000, empty="many words " * 3_000))
    write_workbook(tmp_path / "a.xlsx", [study], figures_of(study), [part], chosen_of(study))
    for sheet in load_workbook(tmp_path / "a.xlsx"):
        if sheet.title == "Data":
            # The row is not printed.
            continue
        turned = "portrait" if sheet.title == "Sizing plan" else "landscape"
        assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth) == (turned, 1), sheet.title
        assert sheet.oddHeader.left.text == "Virtual-desktop test results: R&&D"
        assert all((row.height or 0) <= 409 for row in sheet.row_dimensions.values()), sheet.title


def test_that_every_chart_has_an_alternative_text_and_its_numbers(book):
    assert sum(len(sheet._charts) for sheet in book.formulas) > 8
    with ZipFile(book.path) as archive:
        drawings = [archive.read(name).decode() for name in archive.namelist() if "/drawings/drawing" in name]
        charts = [archive.read(name).decode() for name in archive.namelist() if "/charts/chart" in name]
    frames = [frame for drawing in drawings for frame in re.findall("<cNvPr [^>]*>", drawing)]
    assert len(frames) == len(charts)
    assert all(re.search('descr="[^"]{20,}"', frame) for frame in frames)
    for chart in charts:
        assert len(re.findall("<(?:num|str)Ref>", chart)) == len(re.findall("<(?:num|str)Cache>", chart)) > 0


def test_that_rates_are_formulas_with_the_results_of_the_phase_table(book):
    row = _phase_rows(book)["mcs-r2", "boot"]
    # Two VMs, 8 reads and 4 writes per second each, for 300 s.
    assert row["total_io"] == pytest.approx(2 * 12 * 300)
    assert row["iops"] == pytest.approx(24)
    assert row["iops_per_vm"] == pytest.approx(12)
    assert row["read_percent"] == pytest.approx(100 * 8 / 12)
    formulas = book.formulas["Phase table"]
    for key in ("iops", "iops_per_vm", "iops_per_user", "read_percent", "total_io_per_vm"):
        assert str(formulas.cell(FIRST_ROW, PLACES[key]).value).startswith("=IF(COUNT("), key
    assert formulas.cell(FIRST_ROW, PLACES["total_io"]).data_type == "n"


def test_that_an_unmeasured_value_is_an_empty_cell_with_a_note(tmp_path, snapshot):
    study = make_study("lab", [make_run(tmp_path / "data", "r1", MCS, columns(1, 3.0, None))])
    book = _exported(tmp_path, study)
    row = _phase_rows(book)["r1", "boot"]
    for key in ("total_io", "iops", "write_iops_per_vm", "read_percent", "cpu_percent", "cache_ram_used_mb_end"):
        assert row[key] is None, key
    assert row["read_iops_per_vm"] == pytest.approx(3.0)
    assert book.results["Phase table"]["A2"].value == snapshot


def test_that_an_excluded_run_is_listed_with_its_reason_and_not_counted(book):
    row = _phase_rows(book)["mcs-r4", "boot"]
    assert row["excluded"] == "vCenter failed over"
    assert row["set"] is None
    mean = _means(book)["MCS", "boot"]
    assert mean["n (runs)"] == 3
    assert mean["IOPS per VM"] == pytest.approx((10 + 12 + 14) / 3)


def test_that_the_change_from_the_baseline_is_the_one_on_screen(book, snapshot):
    means = _means(book)
    assert means["MCS", "steady state"]["Type of interval"] == "baseline"
    change = means["MCSIO 512 MB", "steady state"]
    assert change["IOPS per VM vs. baseline (%)"] == pytest.approx(100 * (0.75 / 12 - 1))
    assert change["Interval, lower end (%)"] is None
    assert change["Type of interval"] == snapshot


def test_that_the_bars_are_those_of_the_overview_and_follow_the_phase_table(study, book):
    boot = next(chart for chart in book.charts("IOPS") if title(chart) == "Boot")
    (panel,) = overview_figure(group_runs(figures_of(study)), (BOOT,)).panels
    expected = np.nansum([bars.values for bars in panel.marks], axis=0)
    (series,) = boot.series
    assert book.cells(series.cat.strRef.f) == list(panel.x.categories)
    np.testing.assert_allclose(book.numbers(series.val.numRef.f), expected)
    np.testing.assert_allclose(book.numbers(series.errBars.plus.numRef.f)[0], 2)
    sheet, area = series.val.numRef.f.rsplit("!", 1)
    first = book.formulas[sheet.strip("'")][area.replace("$", "").split(":")[0]].value
    assert first.startswith("=INDEX('Configurations'!")


def test_that_the_lines_over_time_are_those_of_the_figure(study, book):
    groups = group_runs(figures_of(study))
    drawn = [chart for chart in book.charts("IOPS") if "median" in title(chart).casefold()]
    for chart, phase in zip(drawn, (BOOT, STEADY), strict=True):
        (panel,) = median_figure(groups, View(phase)).panels
        named = book.named(chart)
        assert set(named) == {line.name for line in panel.marks} == {"MCS", "MCSIO 512 MB"}
        for line in panel.marks:
            np.testing.assert_allclose(book.numbers(named[line.name].xVal.numRef.f), line.x / 60)
            np.testing.assert_allclose(book.numbers(named[line.name].yVal.numRef.f), line.y)


def test_that_the_cache_lines_are_those_of_the_figure(study, book, snapshot):
    steady = book.charts("Cache")[-1]
    (panel,) = cache_figure(group_runs(figures_of(study)), View(STEADY)).panels
    named = book.named(steady)
    for line in panel.marks:
        known = np.isfinite(line.y)
        np.testing.assert_allclose(book.numbers(named[line.name].yVal.numRef.f), line.y[known])
    assert title(steady.y_axis) == "RAM used per VM (MB)"
    assert title(steady.x_axis) == snapshot


def test_that_names_from_files_never_become_formulas_anywhere(tmp_path):
    evil = Configuration('=HYPERLINK("http://x")', Provisioning.MCS)
    run = make_run(tmp_path / "data", "@evil", evil, columns(2, 5.0, 5.0), excluded=None)
    bad = make_run(tmp_path / "data", "+r2", evil, columns(2, 5.0, 5.0), excluded="=1+1")
    book = _exported(tmp_path, make_study("-2+3", [run, bad]))
    cells = [cell for sheet in book.formulas for row in sheet.iter_rows() for cell in row]
    formulas = {str(cell.value) for cell in cells if cell.data_type == "f"}
    assert not [text for text in formulas if "HYPERLINK" in text or text in ("=1+1", "=-2+3", "-2+3")]
    texts = {cell.value for cell in cells if cell.data_type == "s"}
    assert {'=HYPERLINK("http://x")', "@evil", "=1+1", "-2+3"} <= texts


def test_that_an_estimate_has_a_star_and_a_note(tmp_path, snapshot):
    run = make_run(tmp_path / "data", "pvs-r1", PVS, columns(1, 1.0, 1.0, ram_mb=100), estimate=True)
    book = _exported(tmp_path, make_study("lab", [run]))
    sheet = book.formulas["Phase table"]
    cell = sheet.cell(FIRST_ROW, PLACES["cache_ram_used_mb_peak"])
    assert '"*"' in cell.number_format
    assert isinstance(cell.value, float)
    assert sheet.cell(FIRST_ROW, PLACES["ram_basis"]).value == "estimate: nonpaged pool"
    assert sheet["A2"].value == snapshot


def test_that_the_table_can_be_filtered_scrolled_and_printed(book):
    sheet = book.formulas["Phase table"]
    assert sheet.freeze_panes == f"F{FIRST_ROW}"
    assert sheet.auto_filter.ref.startswith(f"A{HEADER_ROW}:")
    assert sheet.page_setup.orientation == "landscape"
    assert book.formulas["IOPS"].page_setup.orientation == "landscape"


def test_that_the_import_report_has_files_and_problems_and_the_sources_sheet_has_phases(book):
    report = [cell for row in book.results["Import report"].values for cell in row]
    assert "guest/a.csv" in report
    assert "'n/a' is no number." in report
    assert 44 in report
    sources = [cell for row in book.results["Sources"].values for cell in row]
    assert "stated in run.toml" in sources


def test_that_a_study_of_benchmarks_alone_has_its_table_and_charts(tmp_path):
    rows = (Benchmark("a.json", "fio", Op.READ, job="=job", iops=1_000.0, mb_per_s=4.096, latency_mean_ms=0.5),)
    book = _exported(tmp_path, Study("bench", "bench", (), (), (), rows))
    (header, *lines) = book.results["Benchmark table"].iter_rows(values_only=True)
    assert dict(zip(header, lines[0], strict=True))["IOPS (1/s)"] == 1_000
    chart = book.charts("Benchmarks")[0]
    assert book.numbers(book.named(chart)["read"].val.numRef.f) == [1_000]


def test_that_runs_without_phases_or_samples_still_make_a_workbook(tmp_path):
    run = make_run(tmp_path / "data", "r1", MCSIO, {}, stated=())
    book = _exported(tmp_path, make_study("lab", [run]))
    assert not book.charts("IOPS")
    assert book.results["IOPS"]["A4"].value


@pytest.fixture(scope="module")
def of_boot_and_steady(book):
    """The rows of the first run in the phase table."""
    sheet = book.formulas["Phase table"]
    return [row for row in range(FIRST_ROW, sheet.max_row + 1) if sheet.cell(row, PLACES["run"]).value == "mcs-r1"]


@pytest.fixture(scope="module")
def calculated(book, of_boot_and_steady, tmp_path_factory):
    """The workbook as another program calculates it, and with two changes of its first run; one start for both."""
    folder, (boot, steady) = tmp_path_factory.mktemp("calculated"), of_boot_and_steady
    # The stored results are removed, so only a calculation can restore them.
    bare = load_workbook(book.path)
    bare.save(folder / "bare.xlsx")
    sheet = bare["Phase table"]
    assert sheet.cell(boot, PLACES["phase"]).value == "boot"
    sheet.cell(boot, PLACES["total_io"]).value *= 10
    # An input that is cleared is not available: not 0, and no error.
    sheet.cell(steady, PLACES["total_io"]).value = None
    bare.save(folder / "changed.xlsx")
    return recalculated([folder / "bare.xlsx", folder / "changed.xlsx"], folder)


def test_that_another_program_calculates_the_same_numbers(book, calculated):
    anew, _ = calculated
    compared = 0
    for sheet in book.formulas:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    ours = book.results[sheet.title][cell.coordinate].value
                    theirs = anew[sheet.title][cell.coordinate].value
                    same = (
                        (theirs or "") == (ours or "")
                        if ours is None or isinstance(ours, str)
                        else (theirs == pytest.approx(ours, rel=1e-9, abs=1e-12))
                    )
                    assert same, (sheet.title, cell.coordinate, ours, theirs)
                    compared += 1
    assert compared > 150


def test_that_a_changed_input_moves_the_rates_the_means_and_the_bars(calculated, of_boot_and_steady):
    (_, anew), (boot, steady) = calculated, of_boot_and_steady
    assert anew["Phase table"].cell(boot, PLACES["iops_per_vm"]).value == pytest.approx(100)
    assert anew["Phase table"].cell(steady, PLACES["iops_per_vm"]).value in (None, "")
    header = [cell.value for cell in anew["Configurations"][MEANS_HEADER]]
    place = header.index("IOPS per VM") + 1
    first = MEANS_HEADER + 1
    assert anew["Configurations"].cell(first, place).value == pytest.approx((100 + 12 + 14) / 3)
    assert anew["Configurations"].cell(first + 1, place).value == pytest.approx((12 + 14) / 2)
    assert anew["IOPS data"]["B5"].value == pytest.approx((100 + 12 + 14) / 3)
