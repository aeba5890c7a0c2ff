"""Get-Counter's console text and its exported sample sets: each value under its path and time.

The samples are invented, after Microsoft's documentation of Get-Counter and PowerShell's type of the sets.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.readers.tables.test_known_tables import Cells, cells_of, read, series_of, us
from workbench.model.metric import Quantity

START = datetime(2023, 11, 24, 10, 22, 32, tzinfo=UTC)
PATHS = {
    r"\\lap1\physicaldisk(_total)\disk transfers/sec": 257.5,
    r"\\lap1\processor(_total)\% processor time": 68.84570784679912,
    r"\\srv2\memory\available mbytes": 4811.0,
}


def samples() -> Iterator[tuple[datetime, dict[str, float]]]:
    for number in range(4):
        yield START + timedelta(seconds=2 * number), {path: value + number for path, value in PATHS.items()}


def expected() -> Cells:
    return {(path, us(at)): value for at, values in samples() for path, value in values.items()}


def number(value: float, comma: bool) -> str:
    return f"{value!r}".replace(".", ",") if comma else f"{value!r}"


def console(comma: bool = False, form: str = "%m/%d/%Y %I:%M:%S %p") -> str:
    text = "\nPS C:\\> Get-Counter -MaxSamples 4\n\nTimestamp                 CounterSamples\n"
    text += "---------                 --------------\n"
    for at, values in samples():
        first = at.strftime(form).ljust(26)
        for path, value in values.items():
            text += f"{first}{path} :\n{' ' * 26}{number(value, comma)}\n\n"
            first = " " * 26
        text += "\n"
    return text


def listed(comma: bool = False, form: str = "%m/%d/%Y %I:%M:%S %p") -> str:
    """`Get-Counter | Format-List`, with one sample set below the other."""
    text = "\n"
    for at, values in samples():
        first = "Readings  : "
        text += f"Timestamp : {at.strftime(form)}\n"
        for path, value in values.items():
            text += f"{first}{path} :\n{' ' * 12}{number(value, comma)}\n\n"
            first = " " * 12
        text += "\n"
    return text


def exported(delimiter: str = ",", comma: bool = False, form: str = "%m/%d/%Y %I:%M:%S %p") -> str:
    rows = ["#TYPE Microsoft.PowerShell.Commands.GetCounter.PerformanceCounterSampleSet\n"]
    rows.append(delimiter.join(('"Readings"', '"Timestamp"', '"CounterSamples"')) + "\n")
    for at, values in samples():
        readings = "".join(f"{path} :\n{number(value, comma)}\n\n" for path, value in values.items())
        kind = "Microsoft.PowerShell.Commands.GetCounter.PerformanceCounterSample[]"
        rows.append(delimiter.join(f'"{cell}"' for cell in (readings, at.strftime(form), kind)) + "\n")
    return "".join(rows)


@pytest.mark.parametrize(
    "text",
    [
        console(),
        console(comma=True, form="%d.%m.%Y %H:%M:%S"),
        listed(),
        listed(comma=True, form="%d.%m.%Y %H:%M:%S"),
        exported(),
        exported(";", comma=True, form="%d.%m.%Y %H:%M:%S"),
        console().replace("\n", "\r\n"),
        exported().replace("\n", "\r"),
        "\n" + exported().partition("\n")[2],
        exported().partition("\n")[0].replace("GetCounter", '"Get" Counter') + "\n" + exported().partition("\n")[2],
    ],
    ids=[
        "console",
        "console-german",
        "listed",
        "listed-german",
        "exported",
        "exported-german",
        "console-crlf",
        "exported-cr",
        "blank-line",
        "odd-type-line",
    ],
)
def test_that_every_value_of_get_counter_is_under_its_path_and_time(tmp_path: Path, text: str) -> None:
    reading, frame = read(tmp_path, text, "counters.txt")
    assert cells_of(reading, frame) == expected()
    report = reading.report
    assert (report.reader, report.rows, report.rejected_rows) == ("get-counter", 12, 0)
    assert report.utc_offset_minutes is None
    assert {problem.code for problem in reading.problems} == {"time-zone-unknown"}


def test_that_a_set_of_thousands_of_counters_is_read(tmp_path: Path) -> None:
    """Counter * of all processes: one cell of over 128 KB, and the default limit of the csv module is unchanged
    afterwards."""
    many = {rf"\\lap1\process(program with a long name#{n})\io read bytes/sec": n + 0.5 for n in range(2500)}
    cell = "".join(f"{path} :\n{value}\n\n" for path, value in many.items())
    limit = csv.field_size_limit()
    reading, frame = read(tmp_path, f'"Timestamp","Readings"\n"11/24/2023 10:22:32 AM","{cell}"\n', "counters.csv")
    assert cells_of(reading, frame) == {(path, us(START)): value for path, value in many.items()}
    assert csv.field_size_limit() == limit


def french(date: str) -> str:
    """Text as PowerShell breaks it on a French console: within a name, and at a typographic apostrophe."""
    return f"""PS C:\\> get-counter

Timestamp                  CounterSamples
---------                  --------------
{date} 17:23:24        \\\\w10-007\\processeur(_total)\\% temps
                           processeur :
                           1,25

                           \\\\w10-007\\mémoire\\pourcentage d’octets
                           dédiés utilisés :
                           73,5

                           \\\\w10-007\\disque
                           physique(_total)\\lectures disque/s :
                           12,75
"""


def test_that_a_french_console_is_read_with_its_commas_and_broken_names(tmp_path: Path) -> None:
    reading, frame = read(tmp_path, french("24/11/2023"), "compteurs.txt")
    at = us(datetime(2023, 11, 24, 17, 23, 24, tzinfo=UTC))
    assert cells_of(reading, frame) == {
        (r"\\w10-007\processeur(_total)\% temps processeur", at): 1.25,
        (r"\\w10-007\mémoire\pourcentage d’octets dédiés utilisés", at): 73.5,
        (r"\\w10-007\disque physique(_total)\lectures disque/s", at): 12.75,
    }
    disk = series_of(reading)[r"\\w10-007\disque physique(_total)\lectures disque/s"].metric
    assert disk is not None
    assert disk.quantity is Quantity.READ_IOPS


def test_that_decimal_commas_decide_an_ambiguous_date_as_day_first(tmp_path: Path) -> None:
    reading, _ = read(tmp_path, french("04/11/2023"), "compteurs.txt")
    recording = reading.recording
    assert recording is not None
    assert recording.dates is not None
    assert (recording.dates.order, recording.dates.mark != "") == ("dmy", True)
    assert recording.first_us == us(datetime(2023, 11, 4, 17, 23, 24, tzinfo=UTC))
    assert recording.first_us + recording.dates.other_us == us(datetime(2023, 4, 11, 17, 23, 24, tzinfo=UTC))


def test_that_paths_of_get_counter_go_through_the_counter_catalogue(tmp_path: Path) -> None:
    series = series_of(read(tmp_path, console(), "counters.txt")[0])
    told = {
        one.vm: one.metric and (one.metric.quantity, one.metric.scale) for one in series.values() if one.vm == "srv2"
    }
    assert told == {"srv2": (Quantity.MEMORY_AVAILABLE, 1048576.0)}
    disk = series[r"\\lap1\physicaldisk(_total)\disk transfers/sec"].metric
    assert disk is not None
    assert disk.quantity is Quantity.IOPS


def test_that_a_path_broken_by_the_console_is_joined(tmp_path: Path) -> None:
    broken = console().replace(r"disk transfers/sec :", f"disk\n{' ' * 26}transfers/sec :")
    reading, frame = read(tmp_path, broken, "counters.txt")
    assert cells_of(reading, frame) == expected()


def test_that_a_line_of_another_program_is_skipped_with_its_number(tmp_path: Path) -> None:
    text = console() + "WARNING: the counter was not found\n"
    reading, frame = read(tmp_path, text, "counters.txt")
    (told,) = [problem for problem in reading.problems if problem.code == "stray-line"]
    assert told.line == text.count("\n")
    assert cells_of(reading, frame) == expected()
    assert reading.report.rejected_rows == 1


def test_that_a_row_of_an_export_with_fewer_cells_is_rejected_with_its_line(tmp_path: Path) -> None:
    kind = ',"Microsoft.PowerShell.Commands.GetCounter.PerformanceCounterSample[]"\n'
    first, *others = exported().split(kind)
    reading, frame = read(tmp_path, f"{first}{kind}stopped,by hand\n{kind.join(others)}", "counters.csv")
    (lost,) = [problem for problem in reading.problems if problem.code == "row-width"]
    assert lost.line == (first + kind).count("\n") + 1
    assert reading.report.rejected_rows == 1
    assert cells_of(reading, frame) == expected()
