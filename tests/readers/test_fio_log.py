"""fio's logs: values by direction over time, units, and every line kept or rejected by number."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
from polars import selectors

from workbench.model.metric import Quantity
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.readers.fio import histogram_log, log_rows
from workbench.readers.fio import log as fio_log
from workbench.readers.registry import recognise

DATA = Path(__file__).parents[3] / "shared" / "data" / "benchmarks"
AVERAGES = "250, 40144, 0, 0, 0\n250, 41856, 1, 0, 0\n500, 41248, 0, 0, 0\n500, 40000, 1, 0, 0\n"


def read(path: Path, text: str | bytes) -> tuple[Reading, pl.DataFrame | None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    columns = path.with_suffix(".arrow")
    reading = fio_log.read(path, path.name, columns)
    if reading.recording is None:
        return reading, None
    times, *values = np.load(columns)
    frame = pl.DataFrame({"t": times.astype(np.int64), **{f"c{at}": column for at, column in enumerate(values)}})
    return reading, frame.with_columns(selectors.float().fill_nan(None))


def codes(reading: Reading) -> list[str]:
    return [problem.code for problem in reading.problems]


@pytest.mark.parametrize(("lines", "known"), [(2, False), (3, True)])
def test_that_a_log_with_an_unusual_name_needs_three_lines(tmp_path: Path, lines: int, known: bool) -> None:
    text = "".join(AVERAGES.splitlines(keepends=True)[:lines])
    assert fio_log.identify(text.encode(), "results.txt") == (0.4 if known else 0.0)


@pytest.mark.parametrize(
    ("name", "quantities", "scale", "unit"),
    [
        ("j_iops.1.log", [Quantity.READ_IOPS, Quantity.WRITE_IOPS], 1.0, "[1/s]"),
        ("j_bw.log", [Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT], 1024.0, "[KiB/s]"),
        ("j_lat.12.log", [Quantity.READ_LATENCY, Quantity.WRITE_LATENCY], 1e-9, "[assumed ns (fio ≥ 2.99)]"),
        ("fio-3.1_clat.1.log", [Quantity.READ_LATENCY, Quantity.WRITE_LATENCY], 1e-9, "[ns]"),
        ("fio-2.99_clat.1.log", [Quantity.READ_LATENCY, Quantity.WRITE_LATENCY], 1e-9, "[ns]"),
        ("fio-2.98_clat.1.log", [Quantity.READ_LATENCY, Quantity.WRITE_LATENCY], 1e-6, "[µs]"),
    ],
)
def test_that_the_name_gives_the_measured_quantity_and_its_unit(
    tmp_path: Path, name: str, quantities: list[Quantity], scale: float, unit: str
) -> None:
    reading, frame = read(tmp_path / name, AVERAGES)
    assert frame is not None
    assert frame.to_dict(as_series=False) == {
        "t": [250_000, 500_000],
        "c0": [40144.0, 41248.0],
        "c1": [41856.0, 40000.0],
    }
    assert reading.recording is not None
    metrics = [series.metric for series in reading.recording.series]
    assert [(m.quantity, m.scale) for m in metrics if m is not None] == [(q, scale) for q in quantities]
    assert all(series.path.endswith(unit) for series in reading.recording.series)
    assert ("fio-log-unit" in codes(reading)) == ("lat" in name)
    assert (reading.recording.relative, reading.recording.first_us, reading.report.first) == (True, 250_000, None)
    assert (reading.report.rows, reading.report.cells, reading.report.rejected_rows) == (4, 4, 0)


def test_that_submission_latency_is_not_a_latency_of_the_storage(tmp_path: Path) -> None:
    reading, _ = read(tmp_path / "j_slat.1.log", AVERAGES)
    assert reading.recording is not None
    assert [series.metric for series in reading.recording.series] == [None, None]


def test_that_several_samples_at_one_time_are_kept(tmp_path: Path) -> None:
    _, frame = read(tmp_path / "j_lat.1.log", "7, 10, 0, 4096\n7, 20, 0, 4096\n7, 30, 1, 4096\n8, 40, 2, 4096\n")
    assert frame is not None
    assert frame.rows() == [(7000, 10.0, 30.0, None), (7000, 20.0, None, None), (8000, None, None, 40.0)]


def test_that_mean_and_largest_are_distinguished(tmp_path: Path) -> None:
    reading, frame = read(tmp_path / "j_lat.1.log", "250, 71907, 445258, 0, 0, 0\n250, 2280, 114479, 1, 0, 0\n" * 2)
    assert frame is not None
    assert frame.row(0) == (250_000, 71907.0, 445258.0, 2280.0, 114479.0)
    assert reading.recording is not None
    assert [s.metric is None for s in reading.recording.series] == [False, True, False, True]


@pytest.mark.parametrize("width", [5, 6, 7])
def test_that_a_log_with_means_and_maxima_may_end_after_any_optional_cell(tmp_path: Path, width: int) -> None:
    lines = ("250, 71907, 445258, 0, 4096, 0, 0", "250, 2280, 114479, 1, 4096, 0, 0")
    text = "".join(", ".join(line.split(", ")[:width]) + "\n" for line in lines)
    _, frame = read(tmp_path / "j_lat.1.log", text)
    assert frame is not None
    assert frame.row(0) == (250_000, 71907.0, 445258.0, 2280.0, 114479.0)


@pytest.mark.parametrize("bad", ["500, 1, x, 0, 0, 0", "500, x, 1, 0, 0, 0", "500, 1, 0x10, 0, 0, 0"])
def test_that_a_maximum_that_is_not_a_number_skips_its_line(tmp_path: Path, bad: str) -> None:
    good = "250, 71907, 445258, 0, 0, 0\n250, 2280, 114479, 1, 0, 0\n"
    reading, frame = read(tmp_path / "j_lat.1.log", good + bad + "\n")
    assert frame is not None
    assert (frame.height, reading.report.rejected_rows) == (1, 1)


@pytest.mark.parametrize(("late_ms", "rejected"), [(0, 0), (1, 1)])
def test_that_a_log_spans_at_most_a_year(tmp_path: Path, late_ms: int, rejected: int) -> None:
    year = 366 * 24 * 60 * 60 * 1000
    reading, _ = read(tmp_path / "j_iops.1.log", f"5, 1, 0, 0\n{year + late_ms}, 2, 0, 0\n")
    assert (reading.report.rows, reading.report.rejected_rows) == (2 - rejected, rejected)


@pytest.mark.parametrize(
    "bad",
    [
        "500, 4w50605, 1, 4096, 0",
        "500, 40144, 3, 0, 0",
        "500, 401",
        "500",
        "500, -1, 0, 0, 0",
        "500, 1e9, 0, 0, 0",
        "fio: terminating on signal 2",
        "500, 40144, 0, 0, 0, 0, 0",
        "99999999999999, 1, 0, 0, 0",
        "500, 0x10, 0, 0, 0",
        "500,, 0, 0, 0",
        "500, 1, 0, 0, \0",
    ],
)
def test_that_a_broken_line_is_rejected_by_its_number(tmp_path: Path, bad: str) -> None:
    text = AVERAGES + bad + "\n" + AVERAGES.replace("250,", "750,").replace("500,", "1000,")
    reading, frame = read(tmp_path / "j_iops.1.log", text)
    assert frame is not None
    assert frame.height == 4
    assert (reading.report.rows, reading.report.rejected_rows) == (8, 1)
    assert [problem.line for problem in reading.problems if problem.severity is Severity.WARNING] == [5]


def test_that_times_out_of_order_are_put_in_order_and_reported(tmp_path: Path) -> None:
    reading, frame = read(tmp_path / "j_iops.1.log", "5, 1, 0, 0\n3, 2, 0, 0\n9, 3, 0, 0\n")
    assert frame is not None
    assert frame.rows() == [(3000, 2.0), (5000, 1.0), (9000, 3.0)]
    assert "clock-back" in codes(reading)


def test_that_an_unknown_name_leaves_the_values_without_a_unit(tmp_path: Path) -> None:
    reading, _ = read(tmp_path / "broken.log", AVERAGES)
    assert reading.recording is not None
    assert "fio-log-kind" in codes(reading)
    assert all(series.metric is None for series in reading.recording.series)


@pytest.mark.parametrize("text", ["", "\n\n", "time,value\n1,2\n", "a, b, c, d\n", '{"fio version": "fio-3.1"}\n'])
def test_that_other_text_is_not_recognised(text: str) -> None:
    assert fio_log.identify(text.encode(), "x_iops.1.log") == 0.0


def test_that_a_file_with_damaged_lines_only_is_rejected(tmp_path: Path) -> None:
    reading, _ = read(tmp_path / "j_iops.1.log", "x\ny\n")
    assert reading.recording is None
    assert (reading.report.rejected_rows, reading.report.recognised) == (2, True)
    assert reading.problems[-1].severity is Severity.REFUSED


def histogram_line(at: int, direction: int, counts: dict[int, int], bins: int = 1216) -> str:
    return ", ".join(map(str, (at, direction, 4096, *(counts.get(index, 0) for index in range(bins))))) + "\n"


def expected_ms(index: int, bins: int, per_ms: float) -> float:
    """The middle of a bin, computed bin by bin: 128 bins of one unit, then groups of 64 bins of doubled width."""
    joined, at, width = {1216: 1, 608: 2, 1856: 1}[bins], 0, 1
    edges = []
    for number in range(bins * joined + 1):
        edges.append(at)
        width = 1 if number < 128 else 1 << (number // 64 - 1)
        at += width
    low, high = edges[index * joined], edges[(index + 1) * joined]
    return (low if high - low == 1 else (low + high) / 2) / per_ms


@pytest.mark.parametrize(("bins", "per_ms"), [(1216, 1e3), (608, 1e3), (1856, 1e6)])
def test_that_a_histogram_log_gives_percentiles_over_time(tmp_path: Path, bins: int, per_ms: float) -> None:
    # Of 100 I/Os the 50th, the 95th and the 99th are in these bins.
    spread = {5: 50, 200: 45, 300: 4, 500: 1}
    lines = (
        histogram_line(1001, 0, spread, bins)
        + histogram_line(1001, 1, {7: 1}, bins)
        + histogram_line(2001, 0, {}, bins)
    )
    assert fio_log.identify(lines.encode(), "x_clat_hist.1.log") > 0
    reading, frame = read(tmp_path / "x_clat_hist.1.log", lines)
    assert (reading.report.rows, reading.report.rejected_rows) == (3, 0)
    assert frame is not None
    assert frame["t"].to_list() == [1_001_000, 2_001_000]
    for column, index in enumerate((5, 200, 300)):
        assert frame[f"c{column}"].to_list() == [pytest.approx(expected_ms(index, bins, per_ms), rel=1e-12), None]
    assert [frame[f"c{column}"][0] for column in (3, 4, 5)] == [pytest.approx(expected_ms(7, bins, per_ms))] * 3
    assert reading.report.missing_cells == 6


def test_that_a_damaged_line_of_a_histogram_log_is_rejected_by_number(tmp_path: Path) -> None:
    short = histogram_line(2001, 0, {3: 1}).rpartition(",")[0] + "\n"
    garbage = histogram_line(3001, 0, {3: 7_598_819_921_984_225_320})
    reading, frame = read(tmp_path / "x_clat_hist.1.log", histogram_line(1001, 0, {3: 1}) + short + garbage)
    assert (reading.report.rows, reading.report.rejected_rows) == (1, 2)
    assert [problem.line for problem in reading.problems if problem.code == "row-width"] == [2]
    assert frame is not None
    assert frame["c0"].to_list() == [0.003]


@pytest.mark.parametrize("text", [histogram_line(1001, 0, {}, 100), histogram_line(1001, 0, {3: 10**12})])
def test_that_a_histogram_log_of_unknown_bins_or_impossible_counts_is_rejected(tmp_path: Path, text: str) -> None:
    reading, _ = read(tmp_path / "x_clat_hist.1.log", text)
    assert [(p.severity, p.code) for p in reading.problems] == [(Severity.REFUSED, "fio-histogram")]


@pytest.mark.skipif(not DATA.exists(), reason="the real files are not here")
def test_that_percentiles_of_a_real_histogram_log_agree_with_the_output_of_fio() -> None:
    import json

    lines = (DATA / "fiolog" / "pkb_fio-2.17_clat_hist.1.log").read_text().splitlines()
    whole = np.sum([[int(cell) for cell in line.split(",")[3:]] for line in lines], axis=0)
    printed = json.loads((DATA / "fio" / "fio-2.17_pkb_hist.json").read_bytes())["jobs"][0]["read"]["clat"][
        "percentile"
    ]
    middles = histogram_log.bin_middles_ms(len(whole))
    assert middles is not None
    found = histogram_log.percentiles(whole[None, :], middles)[0]
    # The log is that of the first of two jobs; fio printed both together.
    expected = [printed[f"{percent}.000000"] for percent in (50, 95, 99)]
    assert (1000 * found).tolist() == pytest.approx(expected, rel=0.03)


def logs(folder: Path) -> list[Path]:
    return sorted(file for name in ("fiolog", "fio-generated") for file in (folder / name).glob("*.log"))


def write_logs(folder: Path) -> Path:
    """Logs of fio 2.16 and 3.42: averages of both directions and of three, and single I/Os with both latencies."""
    draw = Random(7)
    (folder / "fiolog").mkdir(parents=True)
    for version, cells in (
        ("2.16", "{at}, {value}, {op}, {size}"),
        ("3.42", "{at}, {value}, {op}, {size}, {offset}, 0"),
    ):
        for kind, directions in (("bw", 2), ("iops", 3), ("clat", 1), ("slat", 2), ("lat", 2)):
            lines = [
                cells.format(at=100 * at, value=draw.randrange(1, 90_000), op=op, size=4096, offset=8 * at)
                for at in range(1, 60)
                for op in range(directions)
                if draw.random() > 0.2
            ]
            (folder / "fiolog" / f"fio-{version}_x_{kind}.1.log").write_text("\n".join(lines) + "\n")
    both = [f"{at}, {draw.randrange(900)}, {draw.randrange(90)}, {at % 2}, 4096, 0, 0" for at in range(200)]
    (folder / "fiolog" / "fio-3.42_both_lat.1.log").write_text("\n".join(both) + "\n")
    return folder


@pytest.mark.parametrize("real", [False, *([True] if DATA.exists() else [])])
def test_that_every_log_gives_the_sums_an_independent_parse_finds(tmp_path: Path, real: bool) -> None:
    read_so = 0
    for file in logs(DATA if real else write_logs(tmp_path / "ours")):
        content = file.read_bytes()
        if not content or "_hist" in file.name:
            continue
        reader = recognise(content[:65_536], file.name)
        assert reader is fio_log.READER, file.name
        reading, frame = read(tmp_path / file.name, content)
        assert reading.recording is not None
        assert frame is not None
        at = 3 if "_both_" in file.name else 2
        sums: dict[int, float] = defaultdict(float)
        counts: dict[int, int] = defaultdict(int)
        for line in content.decode().splitlines():
            cells = [cell.strip() for cell in line.split(",")]
            if cells[1].isdigit():
                sums[int(cells[at])] += int(cells[1])
                counts[int(cells[at])] += 1
        for series in reading.recording.series:
            if series.counter.find("largest") < 0:
                direction = ("read", "write", "trim").index(series.counter.split()[1])
                column = frame[f"c{series.column}"]
                assert (column.sum(), column.count()) == (sums[direction], counts[direction]), file.name
        assert reading.report.rows == sum(counts.values())
        read_so += 1
    assert read_so >= (30 if real else 10)


@pytest.mark.skipif(not DATA.exists(), reason="the real files are not here")
def test_that_iops_of_a_log_agree_with_the_json_of_the_same_run(tmp_path: Path) -> None:
    import json

    job = json.loads((DATA / "fio-generated" / "fio-3.36_with_logs.json").read_bytes())["jobs"][0]
    reading, frame = read(
        tmp_path / "fio-3.36_x_bw.1.log", (DATA / "fio-generated" / "fio-3.36_x_bw.1.log").read_bytes()
    )
    assert frame is not None
    assert reading.recording is not None
    mean = frame["c0"].mean()
    assert isinstance(mean, float)
    metric = reading.recording.series[0].metric
    assert metric is not None
    assert mean * metric.scale == pytest.approx(job["read"]["bw"] * 1024, rel=0.15)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_that_a_log_saved_again_as_utf_16_is_read(tmp_path: Path, encoding: str) -> None:
    content = AVERAGES.encode(encoding)
    assert recognise(content, "j_iops.1.log") is fio_log.READER
    reading, frame = read(tmp_path / "j_iops.1.log", content)
    plain, expected = read(tmp_path / "j_iops.2.log", AVERAGES)
    assert frame is not None
    assert expected is not None
    assert frame.equals(expected)
    assert (reading.report.encoding, plain.report.encoding) == ("utf-16", "ascii")


@pytest.mark.parametrize(
    ("cells", "claim"),
    [
        ("40144, 1, 4096", 1.0),
        ("40144, 99000, 2, 4096", 1.0),
        ("40144, 2, 7, 4096", 1.0),
        ("40144, 3, 7, 4096", 0.0),
        ("40144, 99000, 3, 4096", 0.0),
    ],
)
def test_that_a_log_has_a_direction_in_its_third_or_its_fourth_cell(cells: str, claim: float) -> None:
    lines = "".join(f"{at}, {cells}\n" for at in range(250, 2000, 250))
    assert fio_log.identify(lines.encode(), "j_lat.1.log") == claim


@pytest.mark.parametrize(("line", "columns"), [("40144, 7, 0", 0), ("40144, 7, 0, 4096", 2), ("40144, 1, 0", 1)])
def test_that_the_maximum_is_read_only_if_a_block_size_follows_the_direction(
    tmp_path: Path, line: str, columns: int
) -> None:
    reading, _ = read(tmp_path / "j_lat.1.log", "".join(f"{at}, {line}\n" for at in (250, 500)))
    assert len(reading.recording.series if reading.recording else ()) == columns


@pytest.mark.parametrize("both", [False, True])
def test_that_the_fast_path_for_uniform_lines_equals_reading_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, both: bool
) -> None:
    # Several samples of one direction at one time, times without some directions, times out of order.
    lines = [
        f"{250 * (at * 7 % 11)}, {at * 991}, {f'{at * 1000}, ' if both else ''}{at % 4 % 3}, 4096, 0\n"
        for at in range(300)
    ]
    at_once, frame = read(tmp_path / "j_lat.1.log", "".join(lines))
    monkeypatch.setattr(log_rows, "_regular", lambda _cells, _shape: None)
    by_lines, expected = read(tmp_path / "lines" / "j_lat.1.log", "".join(lines))
    assert frame is not None
    assert expected is not None
    assert frame.equals(expected)
    assert at_once == by_lines
    assert at_once.report.rows == 300
    assert frame.width == (7 if both else 4)


def _logs() -> dict[str, str]:
    regular = [f"{250 * at}, {at * 991}, {at % 2}, 4096, 0\n" for at in range(1, 400)]
    both = [f"{250 * at}, {at * 991}, {at * 1000}, {at % 2}, 4096, 0\n" for at in range(1, 400)]
    single = [f"{at // 3 + at * 7919 % 40}, {at * 991}, {at % 4 % 3}, 4096, {at * 4096}\n" for at in range(1, 400)]
    odd = [*regular]
    odd[7], odd[205], odd[390] = "250, x, 1, 4096, 0\n", "\n", "99, 7, 5, 4096, 0\n"
    return {
        "regular": "".join(regular),
        "means and largest": "".join(both),
        "single I/Os, out of order": "".join(single),
        "damaged lines": "".join(odd),
        "cut in its last line": "".join(regular)[:-9],
        "line ends of Windows": "".join(regular).replace("\n", "\r\n"),
        "zero bytes behind it": "".join(regular) + "\0" * 900,
        "zero bytes in front": "\0" * 900 + "".join(regular),
        "70,000 zero bytes in front": "\0" * 70_000 + "\n" + "".join(regular),
        "directions of two digits": "".join(regular).replace(", 1, 4096", ", 01, 4096"),
        "priorities": "".join(regular).replace(", 0\n", ", 0x0004\n"),
        "a histogram": "".join(f"{at}, 0, 4096, {', '.join('0' * 70)}\n" for at in range(30)),
        "no log": "hello\n" * 300,
    }


@pytest.mark.parametrize("what", _logs())
def test_that_a_large_log_is_read_like_a_small_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """A log of 0.5 GB once needed 2.8 GB of memory; it is now read in pieces."""
    text = _logs()[what]
    whole, expected = read(tmp_path / "a" / "j_lat.1.log", text)
    monkeypatch.setattr(log_rows, "_PIECE", 700)
    monkeypatch.setattr(fio_log, "_TOGETHER", 50)
    pieces, _ = log_rows.pieces_of(tmp_path / "a" / "j_lat.1.log")
    assert len([*pieces]) > 1
    in_pieces, frame = read(tmp_path / "b" / "j_lat.1.log", text)
    assert in_pieces == whole
    assert (frame is None) == (expected is None)
    assert frame is None or frame.equals(expected)


def test_that_a_log_with_a_damaged_beginning_is_read_from_its_first_sample_on(tmp_path: Path) -> None:
    reading, frame = read(tmp_path / "j_lat.1.log", _logs()["70,000 zero bytes in front"])
    assert (reading.report.rows, reading.report.rejected_rows) == (399, 1)
    assert frame is not None
    assert frame.height == 399


def test_that_a_log_with_priorities_is_parsed_at_once_and_as_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Priorities are hexadecimal (`log_prio=1`). Read line by line, such a log is six times as slow."""
    text = "".join(f"{250 * at}, {at * 991}, {at % 2}, 4096, {at * 4096}, 0x{at * 7:04x}\n" for at in range(1, 400))
    with monkeypatch.context() as without_lines:
        without_lines.setattr(log_rows, "_by_lines", None)
        at_once, frame = read(tmp_path / "j_lat.1.log", text)
    monkeypatch.setattr(log_rows, "_regular", lambda _cells, _shape: None)
    by_line, expected = read(tmp_path / "lines" / "j_lat.1.log", text)
    assert at_once == by_line
    assert frame is not None
    assert expected is not None
    assert frame.equals(expected)
    assert at_once.report.rows == 399


def test_that_a_percentile_of_a_histogram_is_the_first_value_that_so_many_ios_reach() -> None:
    middles = np.array([0.5, 2.0, 8.0])
    counts = np.array([[498, 502, 0], [500, 500, 0], [10, 939, 51], [10, 940, 50], [0, 989, 11], [0, 990, 10]])
    found = histogram_log.percentiles(counts, middles)
    ranked = [np.percentile(np.repeat(middles, row), (50, 95, 99), method="inverted_cdf").tolist() for row in counts]
    assert found.tolist() == ranked
