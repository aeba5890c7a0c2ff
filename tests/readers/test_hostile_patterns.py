"""Regular expressions take time in proportion to their text, for any file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from workbench.readers import sqlio
from workbench.readers.fio import reader
from workbench.readers.login_enterprise import reader as login_enterprise
from workbench.readers.login_vsi import share as login_vsi_share
from workbench.readers.tables import proposal as mapping_proposal
from workbench.readers.text.numbers import Notation
from workbench.study.discovery import infer
from workbench.study.discovery.infer import last_number

ROOT = Path(__file__).parents[2]
LOOK = """
import sys, time
from pathlib import Path
from workbench.readers.registry import recognise
for path in sorted(Path(sys.argv[1]).iterdir()):
    began = time.process_time()
    reader = recognise(path.read_bytes()[:65536], path.name.partition(" ")[2])
    if reader:
        reader.read(path, path.name, Path(sys.argv[2]))
    slow = ", slowly" if time.process_time() - began > 5 else ""
    print(path.name, "|", (reader.label if reader else "none") + slow, flush=True)
"""
SQLIO = (
    "sqlio v1.5.SG\n1 thread reading for 10 secs from file a.dat\nusing 8KB random IOs\nCUMULATIVE DATA:\n"
    "IOs/sec: 100.00\nMBs/sec: 0.78\nhistogram:\nms: 0 1 2\n"
)
COUNTERS = "Timestamp  CounterSamples\n---------  --------------\n"
HOSTILE = {
    "1 runs.txt": (SQLIO + "%:" + "7" * 5_000 + "x\n", "sqlio"),
    "2 runs.txt": (SQLIO + "%:" + " 7" * 5_000 + " x\n", "sqlio"),
    "3 runs.txt": ("\n" * 60_000 + SQLIO, "sqlio"),
    "4 runs.txt": (SQLIO + "MBs/sec:" + " \t" * 20_000 + "1 2\n", "sqlio"),
    "5 Global.ini": (";" * 20_000, "none"),
    "6 Global.ini": ("; a ;" * 10_000 + "\n[Global]\n", "login-vsi-share"),
    "7 VSILauncher.ini": (";\n" * 20_000 + "x", "none"),
    "8 " + "#" * 250: ("x", "none"),
    "9 " + "##a_#" * 50: ("x", "none"),
    "17 counters.txt": (COUNTERS + "1" * 30_000 + " " * 20_000 + "\n" + " 1" * 20_000 + "\\\\", "get-counter"),
    "11 page.html": ("<title>Vdbench " + "a" * 60_000 + "</title><pre>", "none"),
    "12 skew.html": ("<pre>\n" + "histogram" * 7_000, "none"),
    "13 swat.txt": (":date 12012016-13:15:30.000\n" + ":vdbench" * 8_000, "none"),
    "14 logfile.html": ("<pre>\nVdbench distribution: \n" + "java.lang.a: " * 30_000 + "\n", "vdbench"),
    "15 flat.html": ("10:00:00.000 Starting RD=a; \n" + "13:49:02.201avg_" * 20_000, "vdbench"),
    "16 report.txt": ("Command Line: diskspd " + '"' * 50_000 + "\nResults for timespan 1:\n", "diskspd"),
    "18 copy.csv": ("Date" + " " * 60_000 + "x", "none"),
    "19 copy.csv": ("Date" + "\t" * 60_000 + "Time", "none"),
    "20 copy.csv": ("Date,Time,\\\\A\\B(C)\\D" + '" ' * 30_000 + "\n" + "1" * 60_000, "perfmon"),
    "21 out.csv": ('"Dstat 0.7.2 CSV output"\n' + '"Date:","1 Jan 2024 ' * 20_000 + "\n" + "1" * 60_000, "dstat"),
    "22 W10-001.csv": (
        "(PDH-CSV 4.0) (UTC)(0)," + "<a>" * 50_000 + "\\\\A\\B\\C\n" + "05/24/2016 09:00:00,1\n",
        "perfmon",
    ),
    "10 job_iops.1.log": ("10, 5, 0, 4096" + " " * 60_000 + "x", "none"),
}


def test_that_hostile_files_are_checked_in_short_time(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for name, (text, _) in HOSTILE.items():
        (files / name).write_text(text, newline="")
    done = subprocess.run(
        [sys.executable, "-c", LOOK, str(files), str(tmp_path / "columns")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=ROOT,
    )
    found = dict(line.split(" | ") for line in done.stdout.splitlines())
    assert found == {name: label for name, (_, label) in HOSTILE.items()}


def test_that_every_pattern_takes_time_in_proportion_to_its_text() -> None:
    # The program names slow patterns; one with exponential time never ends.
    done = subprocess.run(
        [sys.executable, "-m", "tests.readers.pattern_attacks"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout.partition("slow:")[2] + done.stderr


def test_that_the_patterns_still_match_what_they_matched(snapshot: SnapshotAssertion) -> None:
    for line in ("ms: 0 1 2 24+", "%: 21 68 10  0  0", "%:100  0", "%:  0100", "ms:012345+"):
        assert sqlio._BUCKETS.fullmatch(line), line
    for line in ("ms:", "ms: x", "%: 21 x", "us: 0", "%:" + " 1" * 65):
        assert not sqlio._BUCKETS.fullmatch(line), line
    for line, value in (("IOs/sec: 100.00 ", "100.00"), ("MBs/sec:", ""), ("  MBs/sec:  7", "7")):
        found = sqlio._FIGURE.fullmatch(line)
        assert found is not None
        assert found[2] == value
    assert sqlio._FIGURE.fullmatch("MBs/sec: 1 2") is None
    for text in ("[Global]", "; a comment\r\n[Global]", " ;a\n ; b ; c\n\n [x]", ";;;\n;\n[x]"):
        assert login_vsi_share._INI.match(text), text
    for text in ("; see [Global]", "a=1", "", ";\n;", "[]", "[a\n]"):
        assert not login_vsi_share._INI.match(text), text
    launched = login_vsi_share._LAUNCHED.match("pc##user 1_#x_#2.txt")
    assert launched is not None
    assert launched["user"] == "user 1"
    assert login_vsi_share._LAUNCHED.match("##_#.txt") is None
    for cell in ("1", "-1.5", ".5", "+7e-3", "1.5E+10"):
        assert Notation(".").number(cell) == float(cell)
        assert Notation(",").number(cell.replace(".", ",")) == float(cell)
    for cell in ("", ".", "1.", "1.5.", "e5", "1e", "--1", "1 2"):
        assert Notation(".").number(cell) is None, cell
    for name, lun in (("LUN 12 IOPS", "12"), ("lun_a-1", "a-1"), ("Lun-_7b", "7b")):
        match = mapping_proposal._LUN.search(name)
        assert match is not None
        assert match[1] == lun
    assert (
        reader.meanings(
            "fio: pid=7, err=28/file:io_u.c:2018, func=io_u error, error=No space left on device  \nfio: x\n"
        )
        == snapshot
    )
    assert login_enterprise._defines_metrics('{"counterCategory": 1, "counterName": 2}')
    assert not login_enterprise._defines_metrics('{"counterName": 1, "counterCategory": 2}')
    assert [infer._DATE.sub("", name) for name in ("mcs_2016-05-10_0900", "20160510-mcs", "a-20160510-20160511")] == [
        "mcs",
        "-mcs",
        "a",
    ]
    assert [last_number(name) for name in ("mcs - run 1", "pvs--(3)", "mcs_2")] == [
        ("mcs", True),
        ("pvs", True),
        ("mcs", False),
    ]
