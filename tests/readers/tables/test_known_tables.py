"""Long tables that are read without a mapping, compared cell by cell with Python's csv module.

The samples are invented, after the documentation that `layouts` names. Each row of a file must be in the store at its
time, under its machine, disk and counter.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import polars as pl
import pytest

from tests.builders import run, stored_frame
from workbench.model.metric import Quantity, Vantage
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.recording import Series
from workbench.readers.common.row_problems import WIDTH_ADVICE
from workbench.readers.registry import recognise
from workbench.readers.tables import cells
from workbench.study.series.vm_series import vm_samples

START = datetime(2025, 2, 25, 9, 19, 25, 391000, tzinfo=UTC)
Cells = dict[tuple[str, int], float | None]


def read(folder: Path, text: str, name: str = "export.csv", order: str = "") -> tuple[Reading, pl.DataFrame]:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    reader = recognise(text.encode()[:65_536], name)
    assert reader is not None
    if order:
        assert reader.read_dated is not None
        reading = reader.read_dated(path, name, folder / "columns", order)
    else:
        reading = reader.read(path, name, folder / "columns")
    return reading, stored_frame(folder / "columns") if reading.recording is not None else pl.DataFrame()


def series_of(reading: Reading) -> dict[str, Series]:
    assert reading.recording is not None
    return {series.path: series for series in reading.recording.series}


def cells_of(reading: Reading, frame: pl.DataFrame) -> Cells:
    """Every cell with a number, by the path of its series and its local time in microseconds."""
    cells: Cells = {}
    for path, series in series_of(reading).items():
        for time, value in frame.select("t", f"c{series.column}").iter_rows():
            if value is not None:
                cells[path, time] = value
    return cells


def us(at: datetime) -> int:
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def azure_text(machines: int = 3, samples: int = 4) -> str:
    """Machines that report a few seconds after each other, like agents; the portal puts times in quotes because of the
    comma."""
    rows = [
        "TenantId,Computer,ObjectName,CounterName,InstanceName,Min,Max,CounterValue,TimeGenerated [UTC],_ResourceId"
    ]
    for sample in range(samples):
        for machine in range(machines):
            at = START + timedelta(seconds=60 * sample + 7 * machine)
            time = f"{at.month}/{at.day}/{at.year}, {at:%I:%M:%S}.391 {at:%p}"
            name = f"W10-{machine + 1:03}"
            for counter, value in (
                ("Disk Reads/sec", 40.25 + sample + machine),
                ("Disk Writes/sec", 7 * machine + sample),
            ):
                rows.append(f't1,{name},PhysicalDisk,{counter},_Total,,,{value},"{time}",/vm/{name}')
    return "\n".join(rows) + "\n"


def azure_cells(text: str) -> Cells:
    cells: Cells = {}
    for row in csv.DictReader(io.StringIO(text)):
        at = datetime.strptime(row["TimeGenerated [UTC]"], "%m/%d/%Y, %I:%M:%S.%f %p").replace(tzinfo=UTC)
        path = rf"\\{row['Computer']}\{row['ObjectName']}({row['InstanceName']})\{row['CounterName']}"
        cells[path, us(at)] = float(row["CounterValue"])
    return cells


def stat_text(delimiter: str = ",") -> str:
    """Get-Stat through Export-Csv: two VMs with a disk each, and the host, on a German Windows."""
    names = ("Value", "Timestamp", "MetricId", "Unit", "Description", "Entity", "EntityId", "IntervalSecs", "Instance")
    rows = ["#TYPE VMware.VimAutomation.ViCore.Impl.V1.Stat.FloatSampleImpl", delimiter.join(f'"{n}"' for n in names)]
    metrics = (("virtualDisk.numberReadAveraged.average", "number", "scsi0:0"), ("cpu.usage.average", "%", ""))
    for sample in range(3):
        at = f"{18 + sample // 2}.09.2015 10:{44 + sample}:20"
        for vm in (90, 91):
            for metric, unit, instance in metrics:
                cells = (
                    f"{sample + vm},5",
                    at,
                    metric,
                    unit,
                    "text",
                    f"w10-{vm}",
                    f"VirtualMachine-vm-{vm}",
                    "20",
                    instance,
                )
                rows.append(delimiter.join(f'"{cell}"' for cell in cells))
        cells = ("12,5", at, "cpu.usage.average", "%", "text", "esx1", "HostSystem-host-9", "20", "")
        rows.append(delimiter.join(f'"{cell}"' for cell in cells))
    return "\r\n".join(rows) + "\r\n"


def stat_cells(text: str) -> Cells:
    cells: Cells = {}
    for row in csv.DictReader(io.StringIO(text.partition("\r\n")[2]), delimiter=";"):
        at = datetime.strptime(row["Timestamp"], "%d.%m.%Y %H:%M:%S").replace(tzinfo=UTC)
        path = f"{row['Entity']}: {row['MetricId']}" + (f" ({row['Instance']})" if row["Instance"] else "")
        cells[path, us(at)] = float(row["Value"].replace(",", "."))
    return cells


def samples_text() -> str:
    rows = [
        '"Path","InstanceName","CookedValue","RawValue","SecondValue","MultipleCount","CounterType","Timestamp","Status"'
    ]
    for sample in range(3):
        for counter, value in ((r"physicaldisk(0 c:)\disk reads/sec", 50.5), (r"memory\available mbytes", 4800)):
            cells = (
                rf"\\lap1\{counter}",
                "",
                f"{value + sample}",
                "1",
                "2",
                "1",
                "Rate",
                f"6/18/2019 2:39:5{sample} PM",
                "0",
            )
            rows.append(",".join(f'"{cell}"' for cell in cells))
    return "\r\n".join(rows) + "\r\n"


def samples_cells(text: str) -> Cells:
    return {
        (row["Path"], us(datetime.strptime(row["Timestamp"], "%m/%d/%Y %I:%M:%S %p").replace(tzinfo=UTC))): float(
            row["CookedValue"]
        )
        for row in csv.DictReader(io.StringIO(text))
    }


def paths_text(names: str = '"TimeStamp","Path","Value"', form: str = "%m/%d/%Y %H:%M:%S", comma: bool = False) -> str:
    """The output of a script that uses Get-Counter, with column names of its author."""
    rows = [names]
    for sample in range(3):
        at = datetime(2018, 12, 20, 22, 16, 22 + sample, tzinfo=UTC)
        for counter, value in ((r"physicaldisk(_total)\disk reads/sec", 52.75), (r"memory\available mbytes", 4801)):
            shown = f"{value + sample}".replace(".", "," if comma else ".")
            rows.append(",".join(f'"{cell}"' for cell in (at.strftime(form), rf"\\denpc\{counter}", shown)))
    return "\r\n".join(rows) + "\r\n"


def paths_cells(text: str) -> Cells:
    cells: Cells = {}
    for time, path, value in list(csv.reader(io.StringIO(text)))[1:]:
        first, second, rest = time.replace(".", "/").split("/")
        month, day = sorted((int(first), int(second)))
        at = datetime.strptime(rest, "%Y %H:%M:%S").replace(month=month, day=day, tzinfo=UTC)
        cells[path, us(at)] = float(value.replace(",", "."))
    return cells


def insights_text() -> str:
    rows = [
        "TenantId,SourceSystem,TimeGenerated [UTC],Computer,Origin,Namespace,Name,Val,Tags,AgentId,Type,_ResourceId"
    ]
    for sample in range(3):
        at = START + timedelta(seconds=60 * sample)
        time = f"{at.month}/{at.day}/{at.year}, {at:%I:%M:%S}.391 {at:%p}"
        for kind, name, value, tags in (
            ("LogicalDisk", "ReadsPerSecond", 12.5, {"mountId": "C:"}),
            ("LogicalDisk", "ReadsPerSecond", 2.5, {"mountId": "D:"}),
            ("LogicalDisk", "ReadLatencyMs", 1.5, {"mountId": "C:"}),
            ("Network", "ReadBytesPerSecond", 100.0, {"networkDeviceId": "eth0", "bytes": str(1000 + sample)}),
            ("Memory", "AvailableMB", 4800.0, {"memorySizeMB": "8192"}),
            ("Processor", "UtilizationPercentage", 20.25, {"totalCpus": "4"}),
        ):
            held = json.dumps({f"vm.azm.ms/{key}": one for key, one in tags.items()}, separators=(",", ":"))
            quoted = held.replace('"', '""')
            cells = (
                "t1",
                "Insights",
                f'"{time}"',
                "w10-1",
                "vm.azm.ms",
                kind,
                name,
                str(value + sample),
                f'"{quoted}"',
            )
            rows.append(",".join((*cells, "a1", "InsightsMetrics", "/vm/w10-1")))
    return "\n".join(rows) + "\n"


def insights_cells(text: str) -> Cells:
    cells: Cells = {}
    for row in csv.DictReader(io.StringIO(text)):
        at = datetime.strptime(row["TimeGenerated [UTC]"], "%m/%d/%Y, %I:%M:%S.%f %p").replace(tzinfo=UTC)
        tags = json.loads(row["Tags"])
        device = tags.get("vm.azm.ms/mountId", tags.get("vm.azm.ms/networkDeviceId", ""))
        device = "_Total" if row["Namespace"] == "Processor" else device
        instance = f"({device})" if device else ""
        cells[rf"\\{row['Computer']}\{row['Namespace']}{instance}\{row['Name']}", us(at)] = float(row["Val"])
    return cells


def influx_text() -> str:
    """Two tables of one query with other tags, so each has annotations and its own header."""
    text = ""
    tables = (
        (("host", "instance", "objectname"), ("W10-1", "_Total", "PhysicalDisk"), "Disk_Reads_persec", 30.5),
        (("cpu", "host"), ("cpu0", "lnx1"), "usage_user", 3.25),
    )
    for number, (tags, held, field, value) in enumerate(tables):
        flags = ("false",) * 5 + ("true",) * (2 + len(tags))
        text += "#group,false,false," + ",".join(flags[2:]) + "\n"
        text += "#datatype,string,long,dateTime:RFC3339,double" + ",string" * (2 + len(tags)) + "\n"
        text += "#default,_result,,,,,," + "," * (len(tags) - 1) + "\n"
        text += ",result,table,_time,_value,_field,_measurement," + ",".join(tags) + "\n"
        for sample in range(3):
            at = f"2018-05-22T00:00:{10 * sample:02}Z"
            text += f",,{number},{at},{value + sample},{field},m{number}," + ",".join(held) + "\n"
        text += "\n"
    return text


def influx_cells(_text: str) -> Cells:
    cells: Cells = {}
    for sample in range(3):
        at = us(datetime(2018, 5, 22, 0, 0, 10 * sample, tzinfo=UTC))
        cells[r"\\W10-1\PhysicalDisk(_Total)\Disk Reads/sec", at] = 30.5 + sample
        cells[r"\\lnx1\m1\usage_user [cpu=cpu0]", at] = 3.25 + sample
    return cells


@pytest.mark.parametrize(
    ("text", "independent", "offset"),
    [
        (azure_text(), azure_cells, 0),
        (stat_text(";"), stat_cells, None),
        (samples_text(), samples_cells, None),
        (paths_text(), paths_cells, None),
        (paths_text("Zeit,Pfad,Wert", "%d.%m.%Y %H:%M:%S", comma=True), paths_cells, None),
        (paths_text("Horodatage,Chemin,Valeur", "%d/%m/%Y %H:%M:%S", comma=True), paths_cells, None),
        (insights_text(), insights_cells, 0),
        (influx_text(), influx_cells, 0),
    ],
    ids=["azure", "get-stat", "get-counter-samples", "paths", "german-paths", "french-paths", "insights", "influx"],
)
def test_that_a_known_long_table_is_read_cell_by_cell(
    tmp_path: Path, text: str, independent: Callable[[str], Cells], offset: int | None
) -> None:
    reading, frame = read(tmp_path, text)
    expected = independent(text)
    assert cells_of(reading, frame) == expected
    report = reading.report
    assert (report.reader, report.rows, report.rejected_rows) == ("long-table", len(expected), 0)
    assert (report.cells, report.missing_cells, report.utc_offset_minutes) == (len(expected), 0, offset)
    assert {problem.code for problem in reading.problems} == (set() if offset == 0 else {"time-zone-unknown"})


def test_that_counters_of_a_known_table_have_their_metric_machine_and_unit(tmp_path: Path) -> None:
    azure = series_of(read(tmp_path, azure_text())[0])[r"\\W10-002\PhysicalDisk(_Total)\Disk Reads/sec"]
    assert azure.metric is not None
    assert (azure.vm, azure.metric.quantity, azure.metric.vantage) == ("W10-002", Quantity.READ_IOPS, Vantage.GUEST)
    stat = series_of(read(tmp_path, stat_text(";"))[0])
    disk = stat["w10-91: virtualDisk.numberReadAveraged.average (scsi0:0)"]
    assert disk.metric is not None
    assert (disk.vm, disk.instance, disk.metric.vantage) == ("w10-91", "scsi0:0", Vantage.HOST)
    host = stat["esx1: cpu.usage.average"]
    assert (host.vm, host.host, host.metric) == (None, "esx1", None)
    influx = series_of(read(tmp_path, influx_text())[0])
    assert influx[r"\\lnx1\m1\usage_user [cpu=cpu0]"].metric is None
    reads = influx[r"\\W10-1\PhysicalDisk(_Total)\Disk Reads/sec"].metric
    assert reads is not None
    assert reads.quantity is Quantity.READ_IOPS


@pytest.mark.parametrize(
    ("metric", "unit", "quantity", "scale"),
    [
        ("virtualDisk.totalReadLatency.average", "millisecond", Quantity.READ_LATENCY, 0.001),
        ("virtualDisk.write.average", "KBps", Quantity.WRITE_THROUGHPUT, 1024.0),
        ("datastore.numberWriteAveraged.average", "number", Quantity.WRITE_IOPS, 1.0),
        ("cpu.usage.average", "%", Quantity.CPU, 1.0),
        ("virtualDisk.write.average", "MBps", None, 1.0),
        ("disk.numberwrite.summation", "number", None, 1.0),
    ],
)
def test_that_a_vsphere_metric_has_the_meaning_documented_by_vmware_only_in_its_unit(
    tmp_path: Path, metric: str, unit: str, quantity: Quantity | None, scale: float
) -> None:
    text = "Value,Timestamp,MetricId,Unit,Entity,EntityId,Instance\n"
    text += f"5,2015-09-18 10:44:20,{metric},{unit},w10-1,VirtualMachine-vm-1,\n"
    reading, _ = read(tmp_path, text)
    (series,) = series_of(reading).values()
    assert (series.metric and series.metric.quantity) == quantity
    assert series.metric is None or series.metric.scale == scale
    assert ("other-unit" in {problem.code for problem in reading.problems}) == (unit == "MBps")


def test_that_only_the_sum_is_used_if_vsphere_also_lists_single_disks(tmp_path: Path) -> None:
    """`virtualDisk.read` has a row without an instance, which is the sum of the others."""
    text = "Value,Timestamp,MetricId,Unit,Entity,EntityId,Instance\n"
    for second in (20, 40):
        for instance, value in (("scsi0:0", 30), ("scsi0:1", 10), ("", 40)):
            stamp = f"2015-09-18 10:44:{second}"
            text += f"{value},{stamp},virtualDisk.read.average,KBps,w10,VirtualMachine-vm-1,{instance}\n"
    reading, _ = read(tmp_path, text)
    assert reading.recording is not None
    placed = reading.recording.placed("export.csv", str(tmp_path / "columns"))
    assert vm_samples(run(placed), Quantity.READ_THROUGHPUT)["w10"].values.tolist() == [40 * 1024.0] * 2


def test_that_an_entity_that_is_not_marked_as_a_vm_is_not_read_as_one(tmp_path: Path) -> None:
    text = "Value,Timestamp,MetricId,Unit,Entity,Instance\n"
    text += "5,2015-09-18 10:44:20,cpu.usage.average,%,esx1,\n"
    text += "9,2015-09-18 10:44:20,virtualDisk.numberReadAveraged.average,number,w10-1,scsi0:0\n"
    reading, _ = read(tmp_path, text)
    assert [series.vm for series in series_of(reading).values()] == [None, "w10-1"]
    (told,) = [problem for problem in reading.problems if problem.code == "machine-kind-unknown"]
    assert "esx1" in told.message


def test_that_two_machines_with_one_name_are_rejected_with_the_distinguishing_column(tmp_path: Path) -> None:
    """The same VM name in two folders of a vCenter: their IOPS must not become those of one VM."""
    text = "Value,Timestamp,MetricId,Unit,Entity,EntityId,Instance\n"
    for second in (20, 40):
        for vm in (1, 2):
            counter = "virtualDisk.numberReadAveraged.average,number"
            text += f"{50 * vm},2015-09-18 10:44:{second},{counter},w10,VirtualMachine-vm-{vm},scsi0:0\n"
    reading, _ = read(tmp_path, text)
    (told,) = [problem for problem in reading.problems if problem.severity is Severity.REFUSED]
    assert "'VirtualMachine-vm-1' and 'VirtualMachine-vm-2'" in told.message
    assert (reading.recording, reading.report.rejected_rows) == (None, 4)


def test_that_a_removed_column_that_distinguished_simultaneous_rows_is_named(tmp_path: Path) -> None:
    """Two machines called W10 in two resource groups; Azure's `Computer` is equal for both."""
    text = "Computer,ObjectName,CounterName,InstanceName,CounterValue,TimeGenerated [UTC],_ResourceId\n"
    for minute in range(20):
        for group in ("east", "west"):
            text += f"W10,PhysicalDisk,Disk Reads/sec,_Total,5{minute},2025-02-25T09:{minute:02}:00Z,/group/{group}\n"
    reading, _ = read(tmp_path, text)
    (told,) = reading.problems
    assert told.code == "long-table"
    assert told.message == (
        "From line 3, '/group/east' and '/group/west' alternate in one series (column '_ResourceId')."
    ) or told.message.endswith("name several machines, '/group/east' and '/group/west' (column '_ResourceId').")


def test_that_vm_insights_has_the_meaning_and_the_units_of_windows_counters(tmp_path: Path) -> None:
    reading, _ = read(tmp_path, insights_text())
    meant = {
        (series.counter, series.instance): (series.metric.quantity, series.metric.scale)
        for series in series_of(reading).values()
        if series.metric is not None
    }
    assert meant == {
        ("ReadsPerSecond", "C:"): (Quantity.READ_IOPS, 1.0),
        ("ReadsPerSecond", "D:"): (Quantity.READ_IOPS, 1.0),
        ("ReadLatencyMs", "C:"): (Quantity.READ_LATENCY, 1e-3),
        ("AvailableMB", ""): (Quantity.MEMORY_AVAILABLE, 2.0**20),
        ("UtilizationPercentage", "_Total"): (Quantity.CPU, 1.0),
    }


@pytest.mark.parametrize(
    "row", ['"a","\\\\h\\o\\c","1"', '"5/24/2024 10:00:00","HKCU\\Run","1"', '"5/24/2024 10:00:00",a,b']
)
def test_that_a_table_with_these_columns_but_without_counter_paths_is_not_recognised(row: str) -> None:
    reader = recognise(f'"TimeStamp","Path","Value"\r\n{row}\r\n'.encode(), "a.csv")
    assert reader is None or reader.label != "long-table"


def test_that_times_cut_by_a_spreadsheet_are_named_as_the_cause(tmp_path: Path) -> None:
    text = 'Timestamp,Path,CookedValue\n00:15.0,"\\\\h\\memory\\available mbytes",5\n'
    assert [problem.code for problem in read(tmp_path, text)[0].problems][-1] == "times-cut"


def test_that_ambiguous_dates_of_one_day_are_guessed_and_those_of_several_days_cause_a_question(tmp_path: Path) -> None:
    text = "Value,Timestamp,MetricId,Unit,Entity,EntityId,Instance\n"
    text += "5,05/06/2015 10:44:20,cpu.usage.average,%,w10-1,VirtualMachine-vm-1,\n"
    recording = read(tmp_path, text)[0].recording
    assert recording is not None
    assert recording.dates is not None
    assert (recording.dates.order, recording.dates.other_us) == ("mdy", 30 * 86_400_000_000)
    reading, _ = read(tmp_path, text + text.splitlines()[1].replace("05/06", "06/07") + "\n")
    (told,) = reading.problems
    assert (told.code, told.severity) == ("ambiguous-date", Severity.REFUSED)
    for order, first in (("mdy", "2015-05-06T10:44:20"), ("dmy", "2015-06-05T10:44:20")):
        assert read(tmp_path, text, order=order)[0].report.first == first


@pytest.mark.parametrize("order", ["%d/%m/%Y", "%m/%d/%Y"])
@pytest.mark.parametrize("many", [9, 7_000])
def test_that_samples_across_midnight_decide_the_order_of_their_dates(tmp_path: Path, order: str, many: int) -> None:
    """Samples in the middle of the file decide as well, although both ends of the file are checked first."""
    start = datetime(2015, 5, 6, 23, 58)
    moments = [start + timedelta(seconds=30 * (at - many + 6)) for at in range(many)]
    rows = [f"{at},{{}},cpu.usage.average,%,{vm},{vm}," for at in range(many) for vm in ("VirtualMachine-1", "vm-2")]
    texts = [row.format(f"{moments[at // 2]:{order} %H:%M:%S}") for at, row in enumerate(rows)]
    text = "\n".join(("Value,Timestamp,MetricId,Unit,Entity,EntityId,Instance", *reversed(texts))) + "\n"
    reading, _ = read(tmp_path, text)
    assert reading.report.first == f"{moments[0]:%Y-%m-%dT%H:%M:%S}"
    assert (reading.report.rows, reading.report.rejected_rows) == (2 * many, 0)


def test_that_a_row_that_cannot_be_read_affects_only_itself_and_is_counted(tmp_path: Path) -> None:
    text = azure_text(1, 3)
    lines = text.splitlines()
    lines[2] = lines[2].rpartition(",")[0]
    lines[3] = lines[3].replace("2/25/2025", "2/35/2025")
    lines[4] = lines[4].replace(",1,", ",n/a,")
    lines[5] = lines[5].replace('"', "", 1)
    reading, _ = read(tmp_path, "\n".join([*lines, lines[0]]) + "\n")
    told = {problem.code: problem.line for problem in reading.problems}
    assert told == {"row-width": 3, "bad-time": 4, "not-a-number": 5, "row-damaged": 6, "repeated-header": 8}
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.missing_cells) == (3, 4, 1)


def test_that_rows_below_a_header_with_other_columns_are_rejected_until_the_first_header_returns(
    tmp_path: Path,
) -> None:
    """Joined exports: the second one has the values in another column, with the same number of columns."""
    header, *rows = azure_text(1, 3).splitlines()
    other = header.replace("CounterValue", "Count").replace("Min", "CounterValue")
    reading, frame = read(tmp_path, "\n".join([header, *rows[:2], other, *rows[2:4], header, *rows[4:]]) + "\n")
    assert {problem.code: problem.line for problem in reading.problems} == {"other-header": 4, "repeated-header": 7}
    assert (reading.report.rows, reading.report.rejected_rows) == (4, 4)
    assert frame["c0"].to_list() == [40.25, 42.25]


def test_that_a_joined_export_keeps_the_rows_below_a_second_header_with_a_mark(tmp_path: Path) -> None:
    """Windows joins files with `copy /b`: each part begins with its byte order mark."""
    header, *rows = azure_text(1, 3).splitlines()
    reading, frame = read(tmp_path, "\n".join([header, *rows[:2], f"\ufeff{header}", *rows[2:]]) + "\n")
    assert {problem.code: problem.line for problem in reading.problems} == {"repeated-header": 4}
    assert (reading.report.rows, reading.report.rejected_rows) == (6, 1)
    assert frame["c0"].to_list() == [40.25, 41.25, 42.25]


def test_that_a_number_below_zero_is_missing_if_the_counter_cannot_be_negative(tmp_path: Path) -> None:
    reading, frame = read(tmp_path, azure_text(1, 3).replace("41.25", "-41.25"))
    assert [problem.code for problem in reading.problems] == ["negative-rate"]
    assert frame["c0"].to_list() == [40.25, None, 42.25]


@pytest.mark.parametrize("text", [azure_text(), stat_text(";"), influx_text()], ids=["azure", "get-stat", "influx"])
def test_that_powershells_utf_16_is_read_like_utf_8(tmp_path: Path, text: str) -> None:
    reading, frame = read(tmp_path, text)
    path = tmp_path / "wide.csv"
    path.write_bytes(text.encode("utf-16"))
    reader = recognise(path.read_bytes()[:65_536], "wide.csv")
    assert reader is not None
    wide = reader.read(path, "wide.csv", tmp_path / "wide")
    assert wide.report.encoding == "utf-16"
    assert cells_of(wide, stored_frame(tmp_path / "wide")) == cells_of(reading, frame)


def test_that_a_table_cut_within_a_line_is_reported(tmp_path: Path) -> None:
    reading, _ = read(tmp_path, azure_text(1, 3).rstrip("\n"))
    assert [(problem.code, problem.line) for problem in reading.problems] == [("no-line-end", 7)]


@pytest.mark.parametrize("text", [azure_text(0, 0), influx_text().partition(",,0,")[0]], ids=["azure", "influx"])
def test_that_a_header_without_rows_is_rejected(tmp_path: Path, text: str) -> None:
    reading, _ = read(tmp_path, text)
    assert [(problem.code, problem.severity) for problem in reading.problems] == [("no-rows", Severity.REFUSED)]
    assert reading.recording is None


def test_that_a_blank_value_is_missing_and_not_zero(tmp_path: Path) -> None:
    reading, frame = read(tmp_path, azure_text(1, 3).replace(",41.25,", ",,"))
    assert frame["c0"].to_list() == [40.25, None, 42.25]
    assert (reading.report.rows, reading.report.cells, reading.report.missing_cells) == (6, 6, 1)
    assert reading.problems == ()


@pytest.mark.parametrize("block", [90, 1 << 20])
def test_that_influxdb_rows_that_contain_the_name_of_the_time_column_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(cells, "BLOCK", block)
    series = [("reads", "VM-1"), ("io_time", "VM-1"), ("reads", "lab_time_1"), ("read_time", "_time _value _field")]
    tables = []
    for table, (field, host) in enumerate(series):
        head = ["#datatype,string", ",result,table,_time,_value,_field,_measurement,host"]
        rows = [f",,{table},2025-02-25T09:00:{at:02}Z,{10 * table + at},{field},diskio,{host}" for at in range(3)]
        tables.append("\n".join([*(head if table % 2 == 0 else []), *rows, ""]))
    reading, frame = read(tmp_path, "\n".join(tables))
    assert (reading.report.rows, reading.report.rejected_rows, reading.problems) == (12, 0, ())
    assert {path: frame[f"c{series.column}"].to_list() for path, series in series_of(reading).items()} == {
        rf"\\{host}\diskio\{field}": [10.0 * table + at for at in range(3)]
        for table, (field, host) in enumerate(series)
    }


def test_that_times_of_one_table_with_several_offsets_from_utc_keep_their_distance(tmp_path: Path) -> None:
    """One row per minute for an hour over the end of summer time, and one row by an agent in India."""
    start = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    moments = [start + timedelta(minutes=minute) for minute in range(60)]
    offsets = [timedelta(hours=2 if moment.hour < 1 else 1) for moment in moments]
    offsets[40] = timedelta(hours=5, minutes=30)
    rows = ["TimeGenerated,Computer,ObjectName,CounterName,InstanceName,CounterValue"]
    for minute, (moment, offset) in enumerate(zip(moments, offsets, strict=True)):
        time = moment.astimezone(timezone(offset)).isoformat()
        rows.append(f"{time},VM-1,PhysicalDisk,Disk Reads/sec,_Total,{minute}")
    reading, frame = read(tmp_path, "\n".join(rows) + "\n")
    assert reading.recording is not None
    assert reading.recording.utc_offset_minutes == 120
    assert frame["t"].to_list() == [us(moment + timedelta(hours=2)) for moment in moments]
    assert frame["c0"].to_list() == list(range(60))


def test_that_a_table_whose_numbers_have_commas_between_commas_has_that_advice(tmp_path: Path) -> None:
    text = "TimeGenerated [UTC],Computer,ObjectName,CounterName,InstanceName,CounterValue\n"
    text += "".join(f"2024-05-01T09:0{n}:00Z,vm1,LogicalDisk,Disk Reads/sec,C:,{n},5\n" for n in range(3))
    told = read(tmp_path, text)[0].problems[-1]
    assert (told.code, told.action) == ("no-rows", WIDTH_ADVICE)
