"""A growing perfmon file, read in pieces, gives the same result as the complete file."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

from tests.readers.perfmon_files import READS, Result, good_rows, line, pdh, read, stamp, stored_frame
from tests.readers.test_perfmon_ways import CONTENTS
from workbench.readers.perfmon import fast
from workbench.readers.perfmon import growing as growth
from workbench.readers.perfmon.growing import Growing, begin, extended, reading

SAMPLE = Path(__file__).parents[2] / "sample_data"
NAME = "W10-001.csv"
# Files without lines and line ends: read completely each time.
WHOLE = ("utf-16", "cut off")
GROWING = [what for what in CONTENTS if what not in WHOLE]


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode("cp1252")


def _parts(result: Result) -> tuple[object, ...]:
    return result.reading.report, result.reading.problems, result.columns, result.reading.recording


def _result(growing: Growing, columns: Path) -> Result:
    columns.unlink(missing_ok=True)
    found = reading(growing, columns)
    return Result(found, {} if found.recording is None else stored_frame(columns).to_dict(as_series=False))


def _looked(growing: Growing | None, path: Path) -> Growing | None:
    growing = begin(path, NAME) if growing is None else growing
    return None if growing is None else extended(growing)


def _replayed(data: bytes, path: Path, cuts: list[int]) -> Growing | None:
    """The reading of a file written in pieces and read after each piece."""
    growing = None
    path.write_bytes(b"")
    for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
        with path.open("ab") as stream:
            stream.write(data[start:end])
        growing = _looked(growing, path)
    return growing


@pytest.mark.parametrize("what", GROWING)
@pytest.mark.parametrize("seed", range(3))
def test_that_a_file_written_in_pieces_is_read_like_the_complete_file(tmp_path: Path, what: str, seed: int) -> None:
    data = _bytes(CONTENTS[what])
    draw = random.Random(seed)
    cuts = sorted(draw.randrange(len(data)) for _ in range(draw.choice((1, 5, 40))))
    whole = read(tmp_path, data)
    grown = _replayed(data, tmp_path / "growing.csv", cuts)
    assert grown is not None
    assert grown.read_to == len(data)
    assert _parts(_result(grown, tmp_path / "grown.arrow")) == _parts(whole)


def test_that_every_look_gives_the_complete_lines_so_far(tmp_path: Path) -> None:
    path = SAMPLE / "rds-mcsio-cache-sweep"
    source = next(file for file in sorted(path.rglob("*.csv")) if file.read_bytes()[:6] == b'"(PDH-')
    data, growing = source.read_bytes(), None
    draw = random.Random(7)
    for end in (*sorted(draw.randrange(len(data)) for _ in range(6)), len(data)):
        (tmp_path / "growing.csv").write_bytes(data[:end]) if growing is None else _append(
            tmp_path / "growing.csv", data, end
        )
        growing = _looked(growing, tmp_path / "growing.csv")
        if growing is None:
            continue
        (tmp_path / "columns.arrow").unlink(missing_ok=True)
        whole = read(tmp_path, data[: data.rfind(b"\n", 0, end) + 1])
        assert _parts(_result(growing, tmp_path / "grown.arrow")) == _parts(whole)


def _append(path: Path, data: bytes, end: int) -> None:
    with path.open("ab") as stream:
        stream.write(data[path.stat().st_size : end])


def test_that_only_appended_bytes_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, rows = tmp_path / NAME, good_rows(400)
    data = _bytes(pdh(*rows))
    taken: list[int] = []
    take = growth._taken

    def counted(growing: Growing, stream: object) -> int:
        taken.append(take(growing, stream))  # type: ignore[arg-type]
        return taken[-1]

    monkeypatch.setattr(growth, "_taken", counted)
    path.write_bytes(data)
    growing = _looked(None, path)
    more = _bytes("".join(f"{row}\r\n" for row in good_rows(2, start=400)))
    with path.open("ab") as stream:
        stream.write(more)
    growing = _looked(growing, path)
    assert taken == [len(data) - data.index(b"\n") - 1, len(more)]
    assert growing is not None
    assert _result(growing, tmp_path / "c.arrow").reading.report.rows == 402


def test_that_a_half_written_last_line_waits_for_its_end(tmp_path: Path) -> None:
    path, data = tmp_path / NAME, _bytes(pdh(*good_rows(3)))
    path.write_bytes(data[:-9])
    growing = _looked(None, path)
    assert growing is not None
    half = _result(growing, tmp_path / "c.arrow")
    assert (half.reading.report.rows, half.codes) == (2, [])
    _append(path, data, len(data))
    growing = extended(growing)
    assert growing is not None
    assert _result(growing, tmp_path / "c.arrow").columns["c1"] == [0, 2, 4]


@pytest.mark.parametrize(
    "content",
    [
        pdh(*good_rows(2)),
        pdh(*good_rows(9, start=100)),
        pdh(*(line(stamp(second), 1) for second in range(9)), names=(READS,)),
    ],
    ids=["shorter", "other rows", "other header"],
)
def test_that_a_file_that_shrinks_or_is_replaced_is_another_file(tmp_path: Path, content: str) -> None:
    path = tmp_path / NAME
    path.write_bytes(_bytes(pdh(*good_rows(4))))
    growing = _looked(None, path)
    assert growing is not None
    path.write_bytes(_bytes(content))
    assert extended(growing) is None


def test_that_a_file_without_a_whole_row_or_in_utf_16_is_not_read_in_pieces(tmp_path: Path) -> None:
    data = _bytes(pdh(*good_rows(2)))
    header = data.index(b"\n") + 1
    path = tmp_path / NAME
    for content in (b"", data[: header - 5], data[:header], data[: header + 9], pdh(*good_rows(2)).encode("utf-16")):
        path.write_bytes(content)
        assert begin(path, NAME) is None


@pytest.mark.parametrize("wide", [False, True], ids=["frames", "arrays"])
def test_that_a_thousand_looks_keep_only_a_few_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wide: bool
) -> None:
    monkeypatch.setattr(growth, "_MOST_FRAMES", 2)
    if wide:
        monkeypatch.setattr(fast, "WIDE_FROM", 1)
    path = tmp_path / NAME
    path.write_bytes(_bytes(pdh(*good_rows(1))))
    growing = _looked(None, path)
    for second in range(1, 300):
        with path.open("ab") as stream:
            stream.write(_bytes(f"{good_rows(1, start=second)[0]}\r\n"))
        growing = _looked(growing, path)
        assert growing is not None
        assert len(growing.rows.rows.frames) <= 2
    assert growing is not None
    result = _result(growing, tmp_path / "c.arrow")
    assert result.columns["c0"] == pl.Series([second + 0.25 for second in range(300)]).to_list()
