"""Public recordings, and generated files in their shape, compared with the text as the csv module reads it; figures of
the recordings were looked up manually."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.readers import made_perfmon
from tests.readers.perfmon_files import Result, read
from workbench.readers.perfmon import reader as perfmon
from workbench.readers.registry import recognise

REAL = Path(__file__).parents[3] / "shared" / "data" / "perfmon"

# name, encoding, delimiter, rows, counters, missing cells, minutes east of UTC
PLAIN = [
    ("waflia_DataCollector01.csv", "cp1251", ",", 26, 1104, None),
    ("narmadha_DataCollector01.csv", "utf-8", ",", 21, 12, 330),
    ("ruflas_es_DataCollector01.tsv", "cp1252", "\t", 323, 14, 120),
    ("ruflas_es_OC6VVU5_000001.csv", "cp1252", ",", 13, 14, 120),
    ("ruflas_es_OC6VVU5_000002.csv", "cp1252", ",", 42, 14, 120),
    ("ruflas_es_OC6VVU5_000003.csv", "cp1252", ",", 12, 14, 120),
    ("ruflas_es_OC6VVU5_000004.csv", "cp1252", ",", 42, 14, 120),
    ("rachsharp_esxtop_small.csv", "utf-8", ",", 3, 7630, 0),
    ("gsliu_esxtop_excel_resaved.csv", "utf-8", ",", 514, 11, 0),
    ("jg185342_DataCollector02.csv", "utf-8", ",", 30, 8, -240),
    ("jg185342_DataCollector03.csv", "utf-8", ",", 26, 8, -240),
    ("PALX_citrix_xenapp_SYNTHETIC.csv", "utf-8", ",", 6, 5, None),
    ("PALX_hyperv_SYNTHETIC.csv", "utf-8", ",", 6, 15, None),
]


@pytest.fixture(scope="module", params=["made", *(["real"] if REAL.is_dir() else [])])
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return REAL if request.param == "real" else made_perfmon.write(tmp_path_factory.mktemp("made"))


def _read(tmp_path: Path, files: Path, name: str) -> Result:
    content = (files / name).read_bytes()
    reader = recognise(content[:65_536], name)
    assert reader is perfmon.READER
    return read(tmp_path, content, name)


def _cells(files: Path, name: str, encoding: str, delimiter: str) -> list[list[str]]:
    text = (files / name).read_bytes().decode(encoding)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


@pytest.mark.parametrize(("name", "encoding", "delimiter", "rows", "counters", "offset"), PLAIN)
def test_that_every_cell_of_a_real_recording_equals_its_text(
    tmp_path: Path, files: Path, name: str, encoding: str, delimiter: str, rows: int, counters: int, offset: int | None
) -> None:
    result = _read(tmp_path, files, name)
    report = result.reading.report
    assert (report.rows, report.columns, report.rejected_rows) == (rows, counters, 0)
    assert (report.encoding, report.delimiter, report.utc_offset_minutes) == (encoding, delimiter, offset)
    header, *body = _cells(files, name, encoding, delimiter)
    assert result.reading.recording is not None
    assert [one.path for one in result.reading.recording.series] == header[1 : counters + 1]
    for column in range(counters):
        texts = [cells[column + 1] for cells in body]
        assert result.columns[f"c{column}"] == [float(text) if text.strip() else None for text in texts]
    assert report.missing_cells == sum(not c.strip() for cells in body for c in cells[1 : counters + 1])


def _us(text: str, form: str) -> int:
    moment = datetime.strptime(text, form).replace(tzinfo=UTC)
    return round((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1e6)


@pytest.mark.parametrize(
    ("name", "encoding", "delimiter", "form"),
    [
        ("waflia_DataCollector01.csv", "cp1251", ",", "%m/%d/%Y %H:%M:%S.%f"),
        ("ruflas_es_DataCollector01.tsv", "cp1252", "\t", "%m/%d/%Y %H:%M:%S.%f"),
        ("rachsharp_esxtop_small.csv", "utf-8", ",", "%m/%d/%Y %H:%M:%S"),
        ("gsliu_esxtop_excel_resaved.csv", "utf-8", ",", "%m/%d/%Y %H:%M"),
        ("ruflas_es_2new_csv.csv", "cp1252", ";", "%m/%d/%Y %H:%M:%S,%f"),
    ],
)
def test_that_times_are_local_microseconds_as_written(
    tmp_path: Path, files: Path, name: str, encoding: str, delimiter: str, form: str
) -> None:
    result = _read(tmp_path, files, name)
    stamps = [cells[0].strip() for cells in _cells(files, name, encoding, delimiter)[1:]]
    assert result.columns["t"] == [_us(text, form) for text in stamps if text]


@pytest.mark.skipif(not REAL.is_dir(), reason="the public recordings are not here")
def test_that_figures_looked_up_manually_are_found(tmp_path: Path) -> None:
    files = REAL
    spanish = _read(tmp_path, files, "ruflas_es_OC6VVU5_000002.csv")
    assert spanish.columns["c0"][:2] == [None, 0.0033962159600104506463]
    assert spanish.columns["c3"][1] == 8.57e-05  # written 8.5699999999999996016e-005
    assert spanish.reading.report.first == "2022-09-19T20:44:32.813Z"
    india = _read(tmp_path, files, "narmadha_DataCollector01.csv")
    assert india.columns["c1"][:2] == [None, 0.032083023520161361]
    assert india.reading.report.first == "2017-09-19T04:21:39.073Z"
    russian = _read(tmp_path, files, "waflia_DataCollector01.csv")
    assert russian.columns["c0"][:2] == [None, 1071.0072491149669531]
    assert russian.reading.report.first == "2021-09-20T16:48:17.954"
    assert "time-zone-unknown" in russian.codes
    excel = _read(tmp_path, files, "gsliu_esxtop_excel_resaved.csv")
    assert [excel.columns[f"c{n}"][-1] for n in range(5)] == [11.2, 10.63, 11.5, 10.92, 1087]
    assert "seconds-lost" in excel.codes


@pytest.mark.parametrize(("name", "original"), [("1new", "000001"), ("2new", "000002")])
def test_that_a_copy_with_decimal_commas_has_the_original_figures(
    tmp_path: Path, files: Path, name: str, original: str
) -> None:
    copy = _read(tmp_path, files, f"ruflas_es_{name}_csv.csv")
    source = _read(tmp_path, files, f"ruflas_es_OC6VVU5_{original}.csv")
    assert copy.columns["t"] == source.columns["t"]
    for column in source.columns:
        for ours, theirs in zip(copy.columns[column], source.columns[column], strict=True):
            # The spreadsheet that made the second copy rounded to nine places, small figures to three digits.
            assert ours == (theirs if theirs is None else pytest.approx(theirs, rel=1e-3, abs=1e-9))
    text = (files / f"ruflas_es_{name}_csv.csv").read_text("cp1252")
    for row, written in enumerate(text.splitlines()[1 : len(copy.columns["t"]) + 1]):
        figures = [cell.strip().replace(",", ".") for cell in written.split(";")[1:]]
        assert [copy.columns[f"c{n}"][row] for n in range(14)] == [float(f) if f else None for f in figures]
    assert copy.reading.recording is not None
    assert source.reading.recording is not None
    assert [s.path for s in copy.reading.recording.series] == [s.path for s in source.reading.recording.series]


def test_that_a_stray_average_row_is_rejected_with_its_line(tmp_path: Path, files: Path) -> None:
    result = _read(tmp_path, files, "ruflas_es_2new_csv.csv")
    assert result.reading.report.rejected_rows == 6
    assert [p.line for p in result.reading.problems if p.code == "bad-time"] == [44, 45, 46, 47, 48, 49]


def test_that_a_header_without_rows_is_rejected_and_blg_and_plain_tables_are_not_recognised(
    tmp_path: Path, files: Path
) -> None:
    result = _read(tmp_path, files, "ecs_esxtop_header_only.csv")
    assert result.problem("no-rows").severity == "refused"
    assert result.reading.recording is None
    assert result.reading.report.recognised
    for name in ("ecs_esxtop_report.csv", "PAL_SampleLog.blg", "SOURCES.txt"):
        assert perfmon.identify((files / name).read_bytes()[:65_536], name) == 0.0


def test_that_esxtops_disks_count_once_for_each_machine(tmp_path: Path, files: Path) -> None:
    recording = _read(tmp_path, files, "rachsharp_esxtop_small.csv").reading.recording
    assert recording is not None
    reads = [s for s in recording.series if s.metric and s.metric.quantity == "read_iops"]
    assert sorted(s.instance for s in reads) == ["ananke", "hermes", "ouranos", "portunus", "poseidon", "styx"]
    assert {s.metric.vantage for s in reads if s.metric} == {"host"}
    latency = next(s for s in recording.series if s.metric and s.metric.quantity == "read_latency")
    assert latency.metric is not None
    assert latency.metric.scale == 0.001
