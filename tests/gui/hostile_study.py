"""A study with names that Qt would read as markup."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.builders import perfmon_csv
from tests.readers.test_vdi_benchmark import FILE, RESULT

# Each name begins and ends with letters that identify a text with the name.
BEGIN, END = "Zq", "qZ"
TEXTS = {
    "markup": "<b>x</b><img src=none.png>",
    "image": "<img src=file:///etc/hostname width=900>&lt;",
    "key": "R&D &File a && b",
    "marks": "%1 %n {} {0} {x} [*] $x",
    "letters": "\u202eabc\u200f \u05d0\u05d1 \U0001f600\u0301 ﷽",
    "long": "W" * 490,
    "lines": "one\ntwo\tthree\u2028four",
}
NAMES = {key: f"{BEGIN}{key}{text}{END}" for key, text in TEXTS.items()}
MARKUP, KEY, MARKS, LETTERS, LONG, LINES = (
    NAMES[key] for key in ("markup", "key", "marks", "letters", "long", "lines")
)
# Characters that a counter's path, a row of a CSV and a file name can contain.
IN_FILES = {key: name for key, name in NAMES.items() if key != "lines"}
# Characters that a folder name cannot contain; Windows allows fewer.
_NO_FOLDER = frozenset('/\n<>:"|?*\t\\' if sys.platform == "win32" else "/\n")
_CONFIGURATIONS = (
    ("MCS", MARKUP, KEY),
    ("PVS", KEY, LETTERS),
    ("MCSIO", MARKS, LINES),
    ("other", LONG, NAMES["image"]),
)


def hostile_lab(lab: Path) -> Path:
    """Four configurations with a run each, VMs, phases, users, events, counters and storage benchmarks."""
    for number, (kind, name, other) in enumerate(_CONFIGURATIONS, start=1):
        # A folder name cannot have 500 characters, a slash or a line break.
        folder = "".join(char for char in name if char not in _NO_FOLDER)[:100]
        run = lab / f"run{number} {folder}{'' if folder.endswith(END) else END}"
        for key, vm in IN_FILES.items():
            _recorded(run / f"{key}.csv", vm, number)
        phases = "".join(
            f"[[phases]]\nname = {_quoted(phase)}\n"
            f"start = 2016-05-10T09:{at}:00+01:00\nend = 2016-05-10T09:{at + 9}:00+01:00\n"
            for at, phase in ((10, "steady"), (20, MARKUP), (30, other))
        )
        (run / "run.toml").write_text(
            f"configuration = {_quoted(f'{kind} {name}')}\nprovisioning = '{kind}'\nhypervisor = {_quoted(other)}\n"
            f"workload = {_quoted(name)}\n{phases}",
            encoding="utf-8",
        )
        _events(run / "events.csv", name if name != LINES else KEY)
        tests = [{**RESULT, "job": name, "iops": 1000 * number, "queue_depth": depth} for depth in (1, 8, 32)]
        content = {**FILE, "test": other, "tool": name, "host": other, "results": tests}
        (run / "bench.json").write_text(json.dumps(content), encoding="utf-8")
    return lab


def _recorded(file: Path, vm: str, number: int) -> None:
    reads, cpu = [10.0 * number] * 120, [20.0] * 120
    host = rf"\\{vm}"
    perfmon_csv(
        file,
        {
            rf"{host}\PhysicalDisk(_Total)\Disk Reads/sec": reads,
            rf"{host}\PhysicalDisk(_Total)\Disk Writes/sec": reads,
            rf"{host}\Processor(_Total)\% Processor Time": cpu,
            rf"{host}\Thing({vm})\Counter {vm}": cpu,
        },
    )


def _events(file: Path, name: str) -> None:
    kinds = ("power_on", "registered", "logon_start", "logon_end", "logoff")
    rows = "".join(f"2016-05-10T08:0{at}:00Z,{kind},{name},{name},{name}\n" for at, kind in enumerate(kinds))
    file.write_text(f"time,event,vm,user,detail\n{rows}", encoding="utf-8")


def _quoted(text: str) -> str:
    """The text as a TOML string; TOML cannot contain half a surrogate pair."""
    return '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'
