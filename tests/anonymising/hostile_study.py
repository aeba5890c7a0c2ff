"""A study with a customer's names in every possible place, and a search that finds them in any file."""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from tests.builders import perfmon_csv
from workbench.model.edits import FindingEdit, Note, RunEdits
from workbench.model.run import Study
from workbench.session.state import State

# Each name is somewhere in the study, in upper or lower case, alone or within a longer word.
PLANTED = (
    *("zolkauer", "zkb-w10", "mmuster", "brandt", "quarztrader", "zkvol7", "sccmhub", "10.20.30.41"),
    *("hvquasar", "quellmeister", "falkenhorst", "drachenfels", "benchorion", "lindwurm", "nibelung", "fe80::dead"),
    *("silberfuchs", "rumpelkeller", "tannhaus", "geierwally"),
)
_ROWS = 40
_DOMAIN = "corp.zolkauer.com"


def write_study(folder: Path) -> Path:
    """Three runs of three VMs, a host's log, sessions, a benchmark, and files that are damaged or unknown."""
    root = folder / "Zolkauer Bank PoC"
    for name, rate in (("zolkauer-mcs-r1", 8.0), ("zolkauer-mcs-r2", 8.5), ("zolkauer-mcsio-512-Tannhaus", 2.0)):
        _write_run(root / name, rate)
    (root / "Quellmeister notes.csv").write_text("who,knows\nwhat,this is\n")
    logins = root / "zolkauer-mcs-r1" / "vsi"
    logins.mkdir()
    (logins / "Analyzer.csv").write_text(
        "TestName,DataTime,BaseLine,VSIMax,Uncorrected,VSIMaxDynamic,LaunchedSessions,ActiveSessions,VSIMaxReached\n"
        "Drachenfels_run1,2016-05-10T09:05:00+01:00,990,92,94,,100,98,True\n"
    )
    (logins / "Logon_1.csv").write_text(
        "DateTime,User,LogonTime\n2016-05-10T09:01:00+01:00,ZOLKAUER\\mmuster,3.5\n"
        "2016-05-10T09:01:10+01:00,Silberfuchs,4.5\n"
    )
    bench = root / "bench Rumpelkeller"
    bench.mkdir()
    row = {
        "op": "read",
        "job": "lindwurm-4k",
        "iops": 1000,
        "error": "cannot open /srv/Nibelung/zkb.dat on 10.20.30.41",
    }
    document = {
        "schema": "vdi-benchmark/1",
        "tool": "labtool",
        "test": "Lindwurm cache",
        "host": f"BENCHORION3.{_DOMAIN}",
    }
    (bench / "Lindwurm.json").write_text(json.dumps({**document, "results": [row]}))
    return root


def _write_run(run: Path, rate: float) -> None:
    for number in (1, 2, 10):
        vm = f"ZKB-W10-{number:03d}"
        host = f"\\\\{vm}.{_DOMAIN}" if number == 10 else f"\\\\{vm}"
        perfmon_csv(
            run / "guest" / f"{vm}.csv",
            {
                f"{host}\\PhysicalDisk(_Total)\\Disk Reads/sec": [rate * number] * _ROWS,
                f"{host}\\PhysicalDisk(_Total)\\Disk Writes/sec": [2 * rate] * _ROWS,
                f"{host}\\Process(QuarzTrader#1)\\% Processor Time": [1.0] * _ROWS,
            },
        )
    broken = run / "guest" / "ZKB-W10-002.csv"
    broken.write_text(broken.read_text().replace(f'"{rate * 2}"', '"Geheim-Falkenhorst 7"', 1))
    disk = "\\\\HVQUASAR07\\Hyper-V Virtual Storage Device(D:-ClusterStorage-ZKVOL7-ZKB-W10-001.vhdx)"
    perfmon_csv(run / "host" / "HVQUASAR07.csv", {f"{disk}\\Read Operations/Sec": [rate] * _ROWS})
    (run / "events.csv").write_text(
        "time,event,vm,user,detail\n"
        "2016-05-10T09:00:10+01:00,power_on,ZKB-W10-001,,\n"
        "2016-05-10T09:01:00+01:00,logon_start,ZKB-W10-001,ZOLKAUER\\mmuster,\n"
        f"2016-05-10T09:01:20+01:00,logon_end,zkb-w10-001,mmuster@{_DOMAIN},\n"
        f"2016-05-10T09:04:00+01:00,marker,ZKB-W10-002,Eva.Brandt,"
        f"pushed by sccmhub01.{_DOMAIN} (10.20.30.41; fe80::dead)\n"
    )
    name = "Zolkauer MCSIO" if "mcsio" in run.name else "Zolkauer MCS"
    (run / "run.toml").write_text(
        f'configuration = "{name}"\nbuild = "Geierwally 22H2-7"\nhypervisor = "Hyper-V on hvquasar07"\n'
        'workload = "as eva.brandt@zolkauer.com said"\n'
        '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:08:00+01:00\n'
    )


def state_of(study: Study) -> State:
    """Edits of a user in the window: notes, custom findings, views, reasons."""
    first, second, *_ = study.runs
    state = State(
        study=study.folder,
        lit_vm="ZKB-W10-001",
        hidden=frozenset({"no such configuration of Zolkauer"}),
        edits=(RunEdits(second.folder, excluded="HVQUASAR07 rebooted by mmuster"), RunEdits(first.folder, users=3)),
        notes=(Note("n1", "Ask Eva Brandt about ACMEzolkauer and \\\\hvquasar07\\c$", 1_462_867_300.0, first.folder),),
        findings=(FindingEdit("f1", "ZolkauerBank saves most with zolkauerclouds", own=True),),
    )
    return State(**{name: getattr(state, name) for name in state.__dataclass_fields__} | {"views": (_view(state),)})


def _view(state: State) -> object:
    return state.saved_view("What mmuster looks at")


def names_in(path: Path) -> set[str]:
    """The planted names that can be read in a file, also in a packed one."""
    parts = list(unpacked(path.name, path.read_bytes()))
    return {name for name in PLANTED for part in parts if _holds(part, name)}


def _holds(part: bytes, name: str) -> bool:
    folded = part.lower()
    return any(name.encode(encoding) in folded for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


def unpacked(name: str, data: bytes) -> Iterator[bytes]:
    """The bytes, and those of everything that is packed in them."""
    yield data
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield "\n".join(archive.namelist()).encode()
            for member in archive.namelist():
                yield from unpacked(member, archive.read(member))
    if name.endswith(".parquet"):
        yield str(pl.read_parquet(io.BytesIO(data)).rows()).encode()
    if data[:4] == b"%PDF":
        yield from _of_pdf(data)
    for coded in re.findall(rb"base64,([A-Za-z0-9+/=]+)", data):
        yield base64.b64decode(coded)
    for chunk in re.findall(rb"(?:zTXt|iTXt).{1,80}?\x00(x.+?)(?=IDAT)", data, re.DOTALL):
        yield zlib.decompressobj().decompress(chunk)


def _of_pdf(data: bytes) -> Iterator[bytes]:
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            yield zlib.decompress(stream)
        except zlib.error:
            continue
    # A PDF contains numbers of glyphs: only a PDF reader knows the letters.
    try:
        yield subprocess.run(["pdftotext", "-", "-"], input=data, capture_output=True, check=True).stdout
    except OSError:
        return
