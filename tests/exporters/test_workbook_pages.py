"""The workbook with every page of the window: screen and sheet show the same, and formulas follow their inputs."""

import math

import numpy as np
import pytest
from openpyxl import load_workbook

from tests.exporters.jobs import chosen_of
from tests.exporters.office import needed_office, recalculated
from tests.exporters.reading import Reopened, title
from tests.exporters.studies import MCS, columns, figures_of, make_run, make_study, replicate_study
from workbench.answers.common.library import Library
from workbench.answers.compare.compute import compare
from workbench.answers.sizing.compute import plans
from workbench.answers.sizing.constants import Own
from workbench.answers.sizing.tables import capital
from workbench.charts.content import Content
from workbench.charts.figure import Axis, Bars, Figure, FigureSource, Line, Look, Panel
from workbench.charts.tables import Cell, Column, TableData
from workbench.exporters.contents import contents
from workbench.exporters.job import DocumentPart
from workbench.exporters.workbook.book import check_workbook, write_workbook
from workbench.exporters.workbook.columns import PLACES
from workbench.exporters.workbook.sheets.phases import FIRST_ROW
from workbench.measures.configurations import group_runs
from workbench.model.run import Configuration, Provisioning
from workbench.session.state import State

LOOK = Look("MCS", marker="circle")
# Texts that spreadsheets read as a formula, a link or a control, now or in the past.
PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", '=HYPERLINK("http://x")', "=cmd|' /C calc'!A0", "_x0041_")


def _written(tmp_path, parts=(), *studies):
    path = tmp_path / "book.xlsx"
    write_workbook(path, studies, figures_of(*studies), parts, chosen_of(*studies))
    check_workbook(path)
    return Reopened(path)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return replicate_study(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def parts(study):
    return _pages(study)


@pytest.fixture(scope="module")
def paged(study, parts, tmp_path_factory):
    """The workbook of the study with every page, which no test changes."""
    return _written(tmp_path_factory.mktemp("paged"), parts, study)


@pytest.fixture(scope="module")
def plain(study, tmp_path_factory):
    """The workbook of the study without pages, which no test changes."""
    return _written(tmp_path_factory.mktemp("plain"), (), study)


def _pages(*studies):
    figures = {run.run.folder: run for run in figures_of(*studies)}
    return contents(Library(tuple(studies), figures, {}), State()).parts


def _part(content, page="logons", name="Logons"):
    return DocumentPart(page, "", name, content)


def _plots(chart):
    """A chart and those that share its axes."""
    return [chart, *(one for one in chart._charts if one is not chart)]


def test_that_every_page_is_a_sheet_and_its_charts_show_the_numbers_of_its_figures(parts, paged):
    checked = 0
    for part in parts:
        figure, name = part.content.figure, part.name.partition(",")[0]
        name = "IOPS" if part.page in ("overview", "per-vm-iops") else name
        if figure is None or part.page == "import-report":
            continue
        drawn = [
            (paged.name_of(series), paged.numbers((series.yVal or series.val).numRef.f))
            for chart in paged.charts(name)
            for plot in _plots(chart)
            for series in plot.series
        ]
        for mark in (mark for panel in figure.panels for mark in panel.marks):
            wanted = mark.y if isinstance(mark, Line) else mark.values if isinstance(mark, Bars) else np.empty(0)
            known = wanted[np.isfinite(wanted)]
            # A short line within one column, such as a mean, is one value there.
            if isinstance(mark, Line) and figure.key == "estimation" and np.ptp(np.round(mark.x)) == 0:
                known = known[:1]
            if not known.size or (isinstance(mark, Line) and not mark.prominent):
                continue
            assert any(_holds(values, known) for _, values in drawn), (part.name, mark.name)
            checked += 1
    assert checked > 20


def _holds(values, known):
    """The numbers in their order; configurations side by side share one series."""
    found = [value for value in values if math.isfinite(value)]
    if len(found) == len(known):
        return np.allclose(found, known, rtol=1e-12)
    return len(known) == 1 and any(math.isclose(value, known[0], rel_tol=1e-12) for value in found)


def test_that_every_axis_except_the_second_x_of_two_scales_is_visible(paged):
    seen = 0
    for sheet in paged.formulas:
        for chart in sheet._charts:
            for plot in _plots(chart):
                hidden = [axis.axId for axis in (plot.x_axis, plot.y_axis) if axis.delete]
                assert hidden in ([], [20]), (sheet.title, title(chart))
                seen += 1
    assert seen > 15


def test_that_two_quantities_over_one_x_are_one_chart_with_an_axis_on_the_right(tmp_path):
    x = Axis("Queue depth", categories=("1", "2", "4"))
    at = np.arange(3.0)
    upper = Panel("", x, Axis("I/O per second", "IOPS"), (Line("IOPS", at, np.array([1.0, 2.0, 3.0]), LOOK),))
    lower = Panel("", x, Axis("Latency", "ms"), (Line("mean", at, np.array([4.0, 5.0, 9.0]), LOOK),))
    figure = Figure("sweep", "Where is the knee?", "", (upper, lower))
    book = _written(tmp_path, [_part(Content(figure.question, figure=figure))])
    (chart,) = book.charts("Logons")
    left, right = _plots(chart)
    assert (left.y_axis.axId, right.y_axis.axId, right.y_axis.crosses) == (100, 200, "max")
    assert (title(left.y_axis), title(right.y_axis)) == ("I/O per second", "Latency (ms)")
    assert book.numbers(right.series[0].val.numRef.f) == [4, 5, 9]
    # Equal ticks on two scales would be read from the wrong axis.
    assert right.series[0].spPr.ln.prstDash == "dash"


def test_that_bars_that_go_below_zero_keep_the_scale_of_their_figure(tmp_path):
    bars = (Bars("a", np.array([-93.0, 12.0]), LOOK),)
    panel = Panel("Boot", Axis("", categories=("x", "y")), Axis("Change", "%", limits=(-110.0, 30.0)), bars)
    book = _written(tmp_path, [_part(Content("?", figure=Figure("c", "?", "", (panel,))))])
    (chart,) = book.charts("Logons")
    assert chart.y_axis.scaling.min <= -110
    assert chart.y_axis.scaling.max >= 30


def test_that_a_bar_with_a_source_links_to_the_phase_table(study, tmp_path):
    folder = study.runs[0].folder
    source = FigureSource((folder,), "boot", "iops_per_vm")
    bars = Bars("MCS", np.array([10.0]), LOOK, sources=(source,))
    panel = Panel("Boot", Axis("", categories=("MCS",)), Axis("IOPS per VM", "IOPS"), (bars,))
    book = _written(tmp_path, [_part(Content("?", figure=Figure("c", "?", "", (panel,))))], study)
    cell = book.formulas["Logons data"]["B5"]
    assert "'Phase table'" in cell.value
    assert book.results["Logons data"]["B5"].value == 10.0


def test_that_table_cells_are_numbers_shown_as_on_screen_and_missing_values_are_empty(tmp_path):
    cells = (
        Cell("MCS", "MCS"),
        Cell("86 %", 86.04),
        Cell("1 234.5", 1234.46),
        Cell("—", None),
        Cell("−1", -1.0),
        Cell("better −93.1 %", -93.1),
        Cell("6:00 min", 360.0),
        Cell("+4.0 %", 4.0),
    )
    titles = ("Configuration", "Share", "I/O", "Missing", "Minus one", "Verdict", "Time", "Change")
    table = TableData(tuple(Column(one, numeric=one != "Configuration") for one in titles), (cells,), "", "T")
    book = _written(tmp_path, [_part(Content("?", tables=(table,)))])
    sheet = book.results["Logons"]
    (row,) = [row for row in sheet.iter_rows() if row[0].value == "MCS"]
    values = [cell.value for cell in row[:8]]
    assert values == ["MCS", 86.04, 1234.46, None, -1, "better −93.1 %", 360, 4]
    assert row[1].number_format == '#,##0" %"'
    assert row[6].number_format == '#,##0" s"'
    assert row[7].number_format.startswith("+")
    assert [one.ref for one in sheet.tables.values()] == [f"A{row[0].row - 1}:H{row[0].row}"]


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("29.4*", 29.36, '#,##0.0"*"'),
        ("≤\u2009100\u2009%*", 100.0, '"≤ "#,##0" %*"'),
        ("~12", 12.2, '"~"#,##0'),
        ("1\u2009076*", 1076.2, '#,##0"*"'),
    ],
)
def test_that_the_mark_of_an_estimate_is_in_the_number_format(tmp_path, text, value, shown):
    table = TableData((Column("Used"),), ((Cell(text, value),),), "", "T")
    book = _written(tmp_path, [_part(Content("?", tables=(table,)))])
    (cell,) = [row[0] for row in book.results["Logons"].iter_rows() if row[0].value == value]
    assert (cell.data_type, cell.number_format) == ("n", shown)


def test_that_a_long_table_has_a_separate_sheet_that_the_page_names(tmp_path):
    rows = tuple((Cell(f"VM-{n}", f"VM-{n}"), Cell(str(n), n)) for n in range(1_000))
    table = TableData((Column("VM", numeric=False), Column("Sessions")), rows, "", "Sessions")
    book = _written(tmp_path, [_part(Content("?", tables=(table,)))])
    sheet = book.results["Logons Sessions"]
    assert [sheet.cell(4 + n, 2).value for n in (0, 999)] == [0, 999]
    assert sheet.freeze_panes == "A4"
    assert sheet.auto_filter.ref == "A3:B1003"
    assert any(
        "The hidden sheet 'Logons Sessions' contains 1,000 rows" in str(cell.value)
        for row in book.results["Logons"]
        for cell in row
    )


def _evil_content(evil):
    """Figure and tables in which every text is this one."""
    rows = tuple((Cell(evil, evil), Cell("−1", -1)) for _ in range(70))
    named = (Column(evil, numeric=False), Column("n"))
    line = Line(evil, np.array([0.0, 60.0]), np.array([1.0, 2.0]), LOOK)
    panel = Panel(evil, Axis(evil, "s"), Axis(evil, evil), (line,))
    tables = (TableData(named, rows[:2], evil, evil), TableData(named, rows, evil, "Long"))
    return Content(evil, evil, figure=Figure("f", evil, evil, (panel,), summary=evil), tables=tables)


def test_that_no_name_from_a_file_becomes_a_formula_a_link_or_a_control_character(tmp_path):
    evils = [f"{prefix}1+1" for prefix in PREFIXES]
    runs = [
        make_run(
            tmp_path / "data" / str(at),
            evil.strip().replace("/", ""),
            Configuration(evil, Provisioning.MCS),
            columns(2, 5.0, 5.0),
        )
        for at, evil in enumerate(evils)
    ]
    study = make_study(evils[0], runs)
    parts = [DocumentPart(f"logons-{at}", "", f"Logons {at}", _evil_content(evil)) for at, evil in enumerate(evils)]
    book = _written(tmp_path, [*parts, *_pages(study)], study)
    minus = 0
    for sheet in book.formulas:
        for cell in (cell for row in sheet.iter_rows() for cell in row if cell.value is not None):
            if cell.data_type == "f":
                assert [evil for evil in evils if evil in cell.value] == [], (sheet.title, cell.coordinate)
                assert "HYPERLINK" not in cell.value
                assert "cmd|" not in cell.value
            assert cell.hyperlink is None or cell.hyperlink.target is None
            minus += cell.data_type == "n" and cell.value == -1
    assert minus >= 72 * len(evils)


def test_that_infinite_values_are_empty_and_reported_with_shortened_texts(tmp_path):
    panel = Panel("", Axis("t", "s"), Axis("y"), (Line("a", np.arange(3.0), np.array([1.0, np.inf, 2.0]), LOOK),))
    table = TableData((Column("Text", numeric=False),), ((Cell("x" * 40_000, "x" * 40_000),),), "", "T")
    content = Content("?", figure=Figure("f", "?", "", (panel,)), tables=(table,))
    book = _written(tmp_path, [_part(content)])
    assert book.results["Logons data"]["B6"].value is None
    said = [str(cell.value) for row in book.results["Import report"] for cell in row]
    assert "A number is infinite and cannot be written to a sheet." in said
    assert "A text of 40000 characters does not fit." in said


SIZED = {
    "fits": {"desktops": 1_234.0, "raid": "RAID 5 (4+1)", "growth_percent": 12.5, "host_ram_gib": 256.0},
    "too little RAM": {"vm_ram_gib": 500.0},
    "too much kept": {"host_reserve_gib": 127.0},
    "too few cores": {"vm_vcpus": 32.0},
}
DOUBLED = "twice the I/O"


@pytest.fixture(scope="module")
def changed(plain, tmp_path_factory):
    """For each change, by its name, the changed workbook; LibreOffice starts once for all."""
    needed_office()
    folder, book = tmp_path_factory.mktemp("changed"), load_workbook(plain.path)
    sheet, paths = book["Sizing plan"], []
    for changes in SIZED.values():
        cells = {name: sheet[book.defined_names[f"Sizing_{name}"].attr_text.rpartition("!")[2]] for name in changes}
        exported = {name: cell.value for name, cell in cells.items()}
        for name, cell in cells.items():
            cell.value = changes[name]
        paths.append(folder / f"{len(paths)}.xlsx")
        book.save(paths[-1])
        for name, cell in cells.items():
            cell.value = exported[name]
    sheet = book["Phase table"]
    for row in range(FIRST_ROW, sheet.max_row + 1):
        if sheet.cell(row, PLACES["run"]).value == "mcsio-r1":
            sheet.cell(row, PLACES["total_io"]).value *= 2
    book.save(folder / "doubled.xlsx")
    anew = recalculated([*paths, folder / "doubled.xlsx"], folder, "Sizing plan", "Compare values", "Summary")
    return dict(zip((*SIZED, DOUBLED), anew, strict=True))


def test_that_the_comparison_and_the_summary_follow_a_change_in_the_phase_table(changed):
    anew = changed[DOUBLED]
    # 1.5 instead of 0.75 IOPS per VM, compared with a mean of 12.
    wanted = pytest.approx(100 * (1.5 / 12 - 1))
    rows = {(row[1], row[3]): row[8] for row in anew["Compare values"].iter_rows(5, values_only=True)}
    assert rows["boot", "IOPS per VM"] == wanted
    assert rows["boot", "Read IOPS per VM"] == pytest.approx(100 * (0.5 / 8 - 1))
    summary = [
        row for row in anew["Summary"].iter_rows(values_only=True) if row[4] == "boot" and row[6] == "IOPS per VM"
    ]
    assert summary[0][9] == wanted


@pytest.mark.parametrize("name", SIZED)
def test_that_changed_sizing_inputs_give_the_plan_that_the_analysis_gives(study, changed, name):
    anew = changed[name]["Sizing plan"]
    wanted = plans(group_runs(figures_of(study)), {key: Own(value) for key, value in SIZED[name].items()})
    words = next(cell.column for cell in anew[4] if cell.value == "How") - 1
    rows = {(row[0], row[words]): row for row in anew.iter_rows(values_only=True)}
    compared = 0
    for place, plan in enumerate(wanted):
        for step in plan.steps:
            value = rows[capital(step.label), wanted[0].step(step.key).words][2 + place]
            if step.value is None:
                assert value in (None, ""), (step.key, plan.configuration, value)
                continue
            assert value == pytest.approx(step.value, rel=1e-9), step.key
            compared += step.value is not None
    assert compared > 50


def test_that_the_summary_has_the_headline_reductions_of_the_comparison(study, plain):
    found = compare(group_runs(figures_of(study))).of("MCSIO 512 MB", "steady", "iops_per_vm")
    rows = [row for row in plain.results["Summary"].iter_rows(values_only=True) if row[6] == "IOPS per VM"]
    assert pytest.approx(found.change.percent) in [row[9] for row in rows]
    assert "Findings" not in [row[3] for row in plain.results["Summary"].iter_rows(values_only=True)]


def test_that_the_sources_sheet_has_the_hash_of_an_existing_file(tmp_path):
    (tmp_path / "lab" / "guest").mkdir(parents=True)
    (tmp_path / "lab" / "guest" / "a.csv").write_bytes(b"abc")
    run = make_run(tmp_path / "more", "r1", MCS, columns(1, 1.0, 1.0))
    study = make_study("lab", [run])
    study = type(study)(study.name, str(tmp_path / "lab"), study.runs, study.files, study.problems)
    book = _written(tmp_path, (), study)
    cells = [cell for row in book.results["Sources"].iter_rows(values_only=True) for cell in row]
    # FIPS 180-2, appendix B.1.
    assert "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" in cells
    assert str(run.recordings[0].series[0].counter) in cells


def test_that_the_sources_sheet_links_cache_numbers_to_files_and_rows(tmp_path):
    made = Configuration("MCSIO 512 MB", Provisioning.MCSIO, "device-ram-overflow", 512)
    run = make_run(tmp_path / "data", "io-r1", made, columns(2, 5.0, 3.0, ram_mb=400.0))
    book = _written(tmp_path, (), make_study("lab", [run]))
    rows = list(book.results["Sources data"].iter_rows(values_only=True))
    heads = next(place for place, row in enumerate(rows) if row[3] == "Metric")
    lines = [dict(zip(rows[heads][:12], row[:12], strict=True)) for row in rows[heads + 1 :]]
    peaks = [line for line in lines if line["Metric"] == "Cache RAM used at peak (MB)"]
    assert [(line["VM or session"], line["Rows"]) for line in peaks] == [("VM-01", "60"), ("VM-02", "60")]
    assert sum(line["Contribution"] for line in peaks) == pytest.approx(400.0)
    assert ("Cache RAM used at peak (MB)", "highest sample of the run ÷ 2^20 (bytes to MB); mean over VMs") in [
        row[13:15] for row in rows
    ]


def test_that_the_workbook_has_names_for_formulas_and_file_properties(plain):
    assert {"Phase_table", "Configurations", "Sizing_desktops"} <= set(plain.formulas.defined_names)
    assert plain.formulas.properties.title == "Virtual-desktop test results"
    assert plain.formulas["Summary"].print_area
    assert plain.formulas["Compare values"].freeze_panes == "E5"
