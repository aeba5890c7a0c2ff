"""yabs (yet-another-bench-script): its fio disk tests, in the text that it prints and in its JSON.

    fio Disk Speed Tests (Mixed R/W 50/50) (Partition /dev/vda1):
    Block Size | 4k            (IOPS) | 64k           (IOPS)
    Read       | 388.78 MB/s  (97.1k) | 1.23 GB/s    (19.2k)

    {"fio":[{"bs":"4k","speed_r":290662,"iops_r":72665,"speed_w":…,"iops_w":…,"speed_rw":…,"iops_rw":…}]}

Each block size is one run of random reads and writes in equal shares, with a queue depth of 64 in two jobs. The speeds
are fio's KiB/s, with any stated unit: 290,662 for 72,665 I/Os of 4 KiB. In the text, speeds and IOPS have three or four
digits. Source: masonr/yet-another-bench-script, yabs.sh; its JSON in public repositories. Network and CPU tests are not
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures, LoadedText
from workbench.readers.text.json import Broken, decode_json

LABEL = "yabs"
_TITLE = re.compile(r"^fio Disk Speed Tests \(Mixed R/W 50/50\)", re.MULTILINE)
_JSON = re.compile(r'"fio"\s{0,5}:\s{0,5}\[\s{0,20}\{\s{0,20}"(?:bs|speed_r)"\s{0,5}:')
_SIZES = re.compile(r"Block Size +\|(.{1,200})")
_SIZE = re.compile(r" *(\d{1,5}[kKmM]) +\(IOPS\) *")
# The lines between the rows, and the section that an empty line ends.
_RULE = re.compile(r"[-=| ]*")
_ROW = re.compile(r"(Read|Write|Total) +\|(.{1,200})")
_CELL = re.compile(r" *(\d{1,9}(?:\.\d{1,3})?) ([KMG]B)/s +\((\d{1,9}(?:\.\d{1,3})?)(k?)\) *", re.ASCII)
_KIB = {"KB": 1.0, "MB": 1e3, "GB": 1e6}
_OPS = {"Read": Op.READ, "Write": Op.WRITE, "Total": Op.TOTAL}
_KEYS = {Op.READ: "r", Op.WRITE: "w", Op.TOTAL: "rw"}
_ADVICE = "copy the whole output of yabs again"


def identify(head: bytes, _name: str) -> float:
    """Returns 0.95 for the title of yabs' disk tests, or for their list in its JSON."""
    text = bt.head_text(head)
    return 0.95 if _TITLE.search(text) or _JSON.search(text) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns a row for reads, one for writes and one for both, per block size."""
    loaded = bt.load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    problems: list[Problem] = []
    rows = list(_of_text(loaded, name, problems) if _TITLE.search(loaded.text) else _of_json(loaded, name, problems))
    rejected = sum(problem.code in ("row-width", "not-a-number") for problem in problems)
    if not rows:
        message = problems[0].message if problems else "The output of yabs contains no readable disk test."
        return bt.refused(LABEL, name, "no-results", message, _ADVICE, None, loaded.encoding, rejected)
    return bt.reading_of(LABEL, name, loaded.encoding, rows, problems, rejected)


READER = Reader(LABEL, identify, read, by_name=True)


def _of_text(loaded: LoadedText, name: str, problems: list[Problem]) -> Iterator[Benchmark]:
    sizes: list[str] = []
    run, within = 0, False
    for number, line in enumerate(loaded.text.split("\n"), 1):
        if _TITLE.match(line):
            sizes, run, within = [], run + 1, True
        elif not within or not line.strip():
            within = False
        elif match := _SIZES.fullmatch(line):
            cells = [_SIZE.fullmatch(cell) for cell in match[1].split("|")]
            sizes = [cell[1] for cell in cells if cell is not None]
            if len(sizes) != len(cells):
                sizes = []
                problems.append(_left_out(name, number, line))
        elif match := _ROW.fullmatch(line):
            found = [_CELL.fullmatch(cell) for cell in match[2].split("|")]
            if not sizes or len(found) != len(sizes) or not all(found):
                problems.append(_left_out(name, number, line))
                continue
            for size, cell in zip(sizes, found, strict=True):
                assert cell is not None
                kib, iops = float(cell[1]) * _KIB[cell[2]], float(cell[3]) * (1000 if cell[4] else 1)
                yield _row(name, size, _OPS[match[1]], kib, iops, run, number)
        elif not _RULE.fullmatch(line):
            problems.append(_left_out(name, number, line))
    if any(problem.code == "row-width" for problem in problems):
        return
    problems.extend(bt.open_end(loaded, name, problems) if loaded.text.rpartition("\n")[2].startswith("Total") else [])


def _left_out(name: str, number: int, line: str) -> Problem:
    message = f"Line {number} of the disk tests cannot be read: '{line.strip()[:60]}'."
    return bt.warning(name, "row-width", message, "line rejected; check it in the file", number)


def _of_json(loaded: LoadedText, name: str, problems: list[Problem]) -> Iterator[Benchmark]:
    document = decode_json(loaded.text)
    if isinstance(document, Broken):
        problems.append(
            bt.warning(name, document.code, f"The JSON cannot be read: {document.reason}.", f"JSON ignored; {_ADVICE}")
        )
        return
    problems.extend(bt.repeated_keys(document, name))
    tests = document.content.get("fio") if _is_map(document.content) else None
    for place, test in enumerate(tests if isinstance(tests, list) else ()):
        size = test.get("bs") if _is_map(test) else None
        units = test.get("speed_units", "KBps") if _is_map(test) else None
        if not isinstance(size, str) or bt.size_bytes(size) is None or units != "KBps":
            message = f"Entry {place + 1} of the disk tests has no block size, or a unit other than KBps."
            problems.append(bt.warning(name, "row-width", message, "entry rejected; check it in the file"))
            continue
        for op, key in _KEYS.items():
            kib, iops = (_number(test.get(f"{what}_{key}")) for what in ("speed", "iops"))
            if kib is None or iops is None:
                message = f"The disk test with {size} blocks has no numbers for '{op}'."
                problems.append(bt.warning(name, "not-a-number", message, "row rejected; check it in the file"))
                continue
            yield _row(name, size, op, kib, iops, 1, None, f"fio[{place}]")


def _row(
    name: str, size: str, op: Op, kib: float, iops: float, run: int, line: int | None, place: str = ""
) -> Benchmark:
    shared = Benchmark(
        path=name,
        tool=LABEL,
        op=op,
        test=bt.file_stem(name),
        job=f"randrw {size}",
        block_bytes=bt.size_bytes(size),
        queue_depth=64,
        threads=2,
        read_percent=50.0,
        pattern="random",
        run=run,
        line=line,
        place=place,
    )
    return bt.with_figures(shared, op, Figures(iops=iops, mb_per_s=kib * 1024 / 1e6))


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _number(value: Any) -> float | None:
    """Returns a finite number that is not negative; JSON of yabs has only plain numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e15 else None
