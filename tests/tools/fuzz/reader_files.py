"""Small undamaged files for every reader, all from the project's generators."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.pollution import documents
from tests.pollution.drafts import Draft
from tests.pollution.sheets import APP_START, ESXTOP, GENERIC, LOGON, PERFMON, RESAVED, Sheet
from tests.readers import (
    made_benchmarks,
    made_reports,
    test_blg,
    test_citrix_monitor,
    test_crystaldiskmark,
    test_diskspd,
    test_diskspd_summary,
    test_diskspd_xml,
    test_dstat,
    test_events,
    test_fio_log,
    test_goeuc,
    test_iometer,
    test_iostat,
    test_logon_tables,
    test_poolmon,
    test_prometheus,
    test_sqlio,
    test_terraform,
    test_vdi_benchmark,
    test_vmfleet,
    test_yabs,
    vdbench_folder,
)
from tests.readers import test_login_enterprise_csv as enterprise_csv
from tests.readers.fio import texts
from tests.readers.fio_results import direction, job, result, text_of
from tests.readers.login_enterprise_files import MEASUREMENT, SESSION, TEST_RUN, page
from tests.readers.tables import test_get_counter, test_results
from tests.tools.fuzz.formats import Format, seeds_of
from tests.tools.fuzz.mutations import Seed
from tests.tools.fuzz.outcome import Outcome, of_reading
from workbench.model.mapping import ColumnMapping
from workbench.model.reading import Reader
from workbench.readers.registry import readers, recognise
from workbench.readers.tables import mapped
from workbench.readers.tables.proposal import propose
from workbench.readers.tables.timed import find_timed_csv
from workbench.readers.text.documents import other_results
from workbench.readers.text.encodings import zero_bytes
from workbench.study.plausibility.judge import plausible
from workbench.study.series.time_zone import offset_minutes
from workbench.study.store.column_store import empty_file, not_recognised

HEAD_BYTES = 65_536
# 2016-05-10, for readers that use the modification time of a file.
WRITTEN = 1_462_867_200.0


def _histograms() -> str:
    return "".join(test_fio_log.histogram_line(1000 * at, at % 2, {at: 3, 70 + at: 1}, 76) for at in range(1, 9))


def readers_files() -> Iterator[Format]:
    """A format for each reader."""
    for reader in readers():
        yield Format(reader.label, _MADE.get(reader.label, tuple), partial(read_file, reader.label))


def read_file(label: str, data: bytes, name: str, folder: Path) -> Outcome:
    """Reads like an import, without the column store; a file of another format is read in that format."""
    path, columns = folder / name, folder / "columns.arrow"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (WRITTEN, WRITTEN))
    columns.unlink(missing_ok=True)
    reader = _reader_of(label, data[:HEAD_BYTES], path.name)
    if reader is None:
        return of_reading((not_recognised if data else empty_file)(name), name, columns)
    reading = reader.read(path, name, columns)
    further = (*other_results(reader.label, path, name), *zero_bytes(reading, path))
    reading = replace(reading, problems=(*reading.problems, *further))
    return of_reading(plausible(reading, columns), name, columns)


def _reader_of(label: str, head: bytes, name: str) -> Reader | None:
    reader = recognise(head, name)
    if reader is mapped.READER:
        mapping = _mappings(label).get(mapped.header_of(head))
        return reader if mapping is None else mapped.reader_with(mapping, offset_minutes)
    return reader


@cache
def _mappings(label: str) -> Mapping[str, ColumnMapping]:
    """The mapping of a user who accepts the proposal for the undamaged files."""
    found = (find_timed_csv(seed.data, whole=True) for seed in seeds_of(label))
    mappings = (propose(table) for table in found if table is not None)
    return {mapping.header: mapping for mapping in mappings}


def _table(name: str, *lines: str) -> Seed:
    return Seed(name, "".join(f"{line}\n" for line in lines).encode(), lines=True)


def _sheet(sheet: Sheet) -> Seed:
    return Seed(sheet.file, Draft(sheet).content(), lines=True)


def _json(name: str, content: Any) -> Seed:
    return Seed(name, json.dumps(content, indent=1).encode())


def _text(name: str, text: str) -> Seed:
    return Seed(name, text.encode())


def _events() -> tuple[Seed, ...]:
    kinds = ("power_on", "registered", "logon_start", "logon_end", "apps_started", "logoff", "run_end")
    rows = (f"2016-05-10T09:0{n}:00+01:00,{kind},W10-001,user{n},note {n}" for n, kind in enumerate(kinds))
    return (_table("events.csv", test_events.HEADER.strip(), *rows),)


def _poolmon() -> tuple[Seed, ...]:
    parts = (
        f"Tue 05/24/2016  9:0{n}:01.50 \n{test_poolmon.snapshot(100.5 * n, 90_000 + n, 712_000 + n)}" for n in range(3)
    )
    return (_text("W10-001 poolmon.txt", "\n".join(parts)),)


def _diskspd() -> tuple[Seed, ...]:
    # The test's own report has no rate from which a lost amount could be computed.
    first, *parts = test_diskspd.REPORT.split("       0.00 |")
    rates = ("7.81", "5.47", "2.34")
    text = "".join(f"       {rate} |{part}" for rate, part in zip(rates, parts, strict=True))
    return (_text("report.txt", first + text),)


def _fio() -> tuple[Seed, ...]:
    jobs = (job("first", read=direction(2001)), job("second", write=direction(4003), read=direction(5007)))
    return (
        Seed("run.json", text_of(result(*jobs)).encode()),
        _text("run.txt", texts.started() + texts.job() + texts.summed()),
        _text("run.terse", texts.terse()),
        _text("run5.terse", texts.terse(5)),
    )


def _sqlio() -> tuple[Seed, ...]:
    runs = test_sqlio.run() + "\n" + test_sqlio.run("writing", "sequential", 64, None)
    return (_text("sqlio.txt", runs), _text("sweep.txt", test_sqlio.SWEEP))


def _login_vsi() -> tuple[Seed, ...]:
    heads = "TestName,DataTime,BaseLine,VSIMax,Uncorrected,VSIMaxDynamic,LaunchedSessions,ActiveSessions,VSIMaxReached"
    runs = (f"mcs_run{n},5/24/2016 {7 + n}:00:00 AM,81{n},18{n},19{n},17{n},20{n},198,True" for n in (1, 2))
    timers = (f"2016-05-24T08:00:0{n}Z,s{n},{n},NSLD,{1000 + n}" for n in (1, 2, 3))
    return (
        _sheet(LOGON),
        _sheet(APP_START),
        _table("summary.csv", heads, *runs),
        _table("timers.csv", "time,session,active_sessions,timer,value_ms", *timers),
    )


def _login_enterprise() -> tuple[Seed, ...]:
    points = [{"timestamp": f"2016-05-10T08:0{n}:00Z", "value": 100 + n} for n in range(3)]
    facts = {"metricId": "Power", "environmentKey": "env", "displayName": "Power", "unit": "W", "instance": "host1"}
    scores = {"euxScores": [7.0, 7.5], "baseTimestamp": "2016-05-10T08:00:00Z", "vsiMaxOffset": None}
    return (
        _json(
            "measurements.json", page(MEASUREMENT, MEASUREMENT | {"measurementId": "user_profile", "duration": 812.5})
        ),
        _json("sessions.json", page(SESSION)),
        _json("run.json", TEST_RUN),
        _json("scores.json", scores),
        _json("metrics.json", [facts | {"group": "power", "componentType": "server", "dataPoints": points}]),
    )


def _login_enterprise_csv() -> tuple[Seed, ...]:
    at = enterprise_csv.AT
    return (
        _table("steps.csv", enterprise_csv.STEPS, f"total_login_time,{at},21.5,s1", f"user_profile,{at},2.25,s1"),
        _table("timers.csv", enterprise_csv.TIMERS, f"s1,{at},open,845", f"s2,{at},close,912"),
        _table(
            "platform.csv",
            enterprise_csv.PLATFORM,
            *(f"{at},{41 + n}.5,nutanix.vm.cpu.usage,env,VM CPU Usage,percent,W11-00{n},vm,lab," for n in (1, 2, 3)),
        ),
        _table("apps.csv", enterprise_csv.APPS, f"app_start,{at},s1,1520,e1,Word", f"app_start,{at},s2,1777,e2,Excel"),
    )


def _mapped() -> tuple[Seed, ...]:
    rows = (
        f"2016-05-24 09:00:{15 * n:02},LUN {lun},{100 * n + lun}.25,{n + lun}.5" for n in range(4) for lun in (1, 2)
    )
    return (_sheet(GENERIC), _table("long.csv", "Time,LUN,IOPS,Latency ms", *rows))


def _vdbench() -> tuple[Seed, ...]:
    return (
        _text("flatfile.html", vdbench_folder.flatfile()),
        _text("flatfile.csv", vdbench_folder.flatfile(",")),
        _text("totals.html", vdbench_folder.report("Run totals", intervals=False)),
    )


def _share() -> tuple[Seed, ...]:
    return (
        Seed("Monitor/LaunchedSessions/L01##VDI-001_#17.txt", b"launched"),
        Seed("Monitor/ActiveSessions/VDI-001@W10-001.log", b"anything"),
        Seed("Global.ini", b"[Global]\r\nTest=x\r\n"),
    )


def _vmfleet() -> tuple[Seed, ...]:
    rows = (test_vmfleet.ROW, test_vmfleet.ROW | {"IOPS": "12000", "VMCount": "41", "QOSperVM": "500"})
    return (Seed("result.tsv", test_vmfleet.table(*rows).encode(), lines=True),)


def _document(name: str) -> Seed:
    document = next(document for document in (*documents.XML, *documents.JSON) if document.name == name)
    return Seed(document.file, document.text.encode())


def _goeuc() -> tuple[Seed, ...]:
    lines = ("A", [("00:00:00", 1.5), ("00:00:30", 2.5)]), ("B", [("00:00:00", 3), ("00:00:30", 4)])
    return (_json("chart.json", test_goeuc.chart(*lines)), Seed("bars.json", made_benchmarks.chart_of_bars(2, 3)))


def _long() -> tuple[Seed, ...]:
    path = r"\\w10-001\physicaldisk(_total)\disk reads/sec"
    rows = (f'2016-05-24 09:00:{5 * n:02},"{path}",{100 + n}.5' for n in range(6))
    made = (f'05/24/2016 09:00:{5 * n:02},"{path}",{100 + n}.5' for n in range(6))
    tags = '"{""vm.azm.ms/mountId"":""C:""}"'
    insights = (f"2016-05-24T09:0{n}:00Z,w10-001,LogicalDisk,ReadsPerSecond,{100 + n}.5,{tags}" for n in range(6))
    return (
        _table("counters.csv", "Timestamp,Path,CookedValue", *rows),
        _table("made.csv", "Zeit,Pfad,Wert", *made),
        _table("insights.csv", "TimeGenerated,Computer,Namespace,Name,Val,Tags", *insights),
    )


_MADE: dict[str, Callable[[], tuple[Seed, ...]]] = {
    "perfmon": lambda: (_sheet(PERFMON), _sheet(RESAVED), _sheet(ESXTOP)),
    "blg": lambda: (Seed("W10-001.blg", test_blg.plain()),),
    "events": _events,
    "poolmon": _poolmon,
    "fio": _fio,
    "fio-log": lambda: (
        Seed("vdi_iops.1.log", test_fio_log.AVERAGES.encode(), lines=True),
        Seed("vdi_clat_hist.1.log", _histograms().encode(), lines=True),
    ),
    "diskspd": _diskspd,
    "diskspd-xml": lambda: (
        _text("result.xml", test_diskspd_xml.REPORT),
        _text("four.xml", made_reports.diskspd_xml()),
    ),
    "diskspd-summary": lambda: (
        _table("summary.csv", test_diskspd_summary.HEAD, test_diskspd_summary.MIXED, test_diskspd_summary.READS),
    ),
    "sqlio": _sqlio,
    "crystaldiskmark": lambda: (
        _text("new.txt", test_crystaldiskmark.NEW),
        _text("six.txt", test_crystaldiskmark.SIX),
        _text("three.txt", test_crystaldiskmark.THREE),
    ),
    "yabs": lambda: (_text("yabs.txt", test_yabs.TEXT), _json("yabs.json", test_yabs.document())),
    "iometer": lambda: (_text("result.csv", test_iometer.result(test_iometer.block())),),
    "vdbench": _vdbench,
    "vmfleet": _vmfleet,
    "vdi-benchmark": lambda: (_json("lab.json", test_vdi_benchmark.FILE), _document("vdi-benchmark")),
    "benchmark-json": lambda: (
        _document("neutral-json"),
        *(_json(f"{name}.json", content) for name, content in made_reports.neutral().items() if "gab" not in name),
    ),
    "login-vsi": _login_vsi,
    "login-vsi-share": _share,
    "login-enterprise": _login_enterprise,
    "login-enterprise-csv": _login_enterprise_csv,
    "citrix-monitor": lambda: (_json("connections.json", test_citrix_monitor.answer(test_citrix_monitor.CONNECTION)),),
    "logon-table": lambda: tuple(
        Seed(f"{make.__name__}.csv", make().encode(), lines=True)
        for make in (
            test_logon_tables.connections,
            test_logon_tables.checkpoints,
            test_logon_tables.network,
            test_logon_tables.logons,
            test_logon_tables.logoffs,
        )
    ),
    "prometheus": lambda: (_text("answer.json", test_prometheus.whole()),),
    "terraform": lambda: (_text("catalog.tf", test_terraform.CATALOG),),
    "go-euc": _goeuc,
    "iostat": lambda: (
        _text(
            "nas.log",
            test_iostat.SYSTEM + "".join(test_iostat.report(f"05/20/24 16:55:{5 * n:02}", 10.0 + n) for n in range(4)),
        ),
    ),
    "dstat": lambda: (_text("dstat.csv", test_dstat.written()), _text("clock.csv", test_dstat.written(clock=True))),
    "get-counter": lambda: (
        _text("counters.txt", test_get_counter.console()),
        _text("counters.csv", test_get_counter.exported()),
        _text("list.txt", test_get_counter.listed()),
    ),
    "long-table": _long,
    "mapped-csv": _mapped,
    "result-table": lambda: (_text("summary.csv", test_results.SIDES),),
}
