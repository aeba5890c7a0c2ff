"""Small fio results as fio writes them, for the tests of the fio reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from workbench.model.reading import Reading
from workbench.readers.fio.reader import READER

Json = dict[str, Any]


def direction(ios: int = 1000, **changes: Any) -> Json:
    """A direction of fio 3.x: `ios` I/Os of 4 KiB in one second, 2 ms each."""
    latency = {"min": 1, "max": 9_000_000, "mean": 2_000_000.0, "stddev": 1.0, "N": ios}
    percentile = {"50.000000": 1_500_000, "95.000000": 3_000_000, "99.000000": 4_000_000}
    return {
        "io_bytes": ios * 4096,
        "io_kbytes": ios * 4,
        "bw_bytes": ios * 4096,
        "bw": ios * 4,
        "iops": float(ios),
        "runtime": 1000,
        "total_ios": ios,
        "clat_ns": {**latency, "mean": 1_900_000.0, "percentile": percentile},
        "lat_ns": latency,
        **changes,
    }


def idle() -> Json:
    """A direction that did no I/O, all zeros, as fio writes it."""
    nothing = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    return {
        "io_bytes": 0,
        "io_kbytes": 0,
        "bw_bytes": 0,
        "bw": 0,
        "iops": 0.0,
        "runtime": 0,
        "total_ios": 0,
        "clat_ns": nothing,
        "lat_ns": nothing,
    }


def job(name: str = "j", **changes: Any) -> Json:
    """A job of fio 3.x that read; `changes` replace keys of the job."""
    return {
        "jobname": name,
        "groupid": 0,
        "error": 0,
        "elapsed": 2,
        "job options": {"name": name, "rw": "randread", "bs": "4k", "direct": "1"},
        "read": direction(),
        "write": idle(),
        "trim": idle(),
        **changes,
    }


def result(*jobs: Json, **changes: Any) -> Json:
    """A fio 3.19 document."""
    content = {"fio version": "fio-3.19", "timestamp": 1600000010, "timestamp_ms": 1600000010500}
    return {**content, "jobs": list(jobs or [job()]), **changes}


def text_of(content: Json) -> str:
    """JSON in fio's layout: one key per line."""
    return json.dumps(content, indent=2) + "\n"


def read_text(folder: Path, text: str | bytes, name: str = "test.json") -> Reading:
    """The reading of a file with this text."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return READER.read(path, name, folder / "columns.arrow")


def read_result(folder: Path, content: Json) -> Reading:
    """The reading of a file with this document."""
    return read_text(folder, text_of(content))


FIO = text_of(result())
