"""fio results in the shape of real ones of each version, with invented values: the keys, units and layouts that
changed between 2.1 and 3.42, several clients, interim reports, clones and a stonewall."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.readers.fio_results import Json, direction, idle, job, text_of
from workbench.model.benchmark import Op

Figures = tuple[float | None, ...]


def document(version: str, *jobs: Json, **changes: Any) -> Json:
    """A document with the head that this version writes."""
    stamp = {} if version.startswith("2.1.") else {"timestamp": 1_600_000_010, "timestamp_ms": 1_600_000_010_500}
    return {"fio version": f"fio-{version}", **stamp, "jobs": list(jobs), **changes}


def old(ios: int, mean: float, p50: float, p95: float, p99: float) -> Json:
    """A direction of fio before 2.99: microseconds, KiB/s, no `bw_bytes`."""
    percentile = {"50.000000": p50, "95.000000": p95, "99.000000": p99}
    nothing = {"min": 0, "max": max(9000, mean, p99), "mean": mean, "stddev": 1.0}
    return {
        "io_bytes": ios * 4,
        "bw": ios * 4,
        "iops": float(ios),
        "runtime": 1000,
        "total_ios": ios,
        "slat": {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0},
        "clat": {**nothing, "percentile": percentile},
        "lat": nothing,
    }


def new(ios: int, mean: float, *percentiles: float, kind: str = "clat_ns", **changes: Any) -> Json:
    """A direction of fio 3: nanoseconds and `bw_bytes`."""
    shares = dict(zip(("50.000000", "95.000000", "99.000000"), percentiles, strict=True))
    spread = {"min": 1, "max": max(9_000_000, mean), "mean": mean, "stddev": 1.0, "N": ios}
    return direction(ios, **{"lat_ns": spread, "clat_ns": spread, kind: {**spread, "percentile": shares}, **changes})


def _one(version: str, name: str, op: str, amount: Json, options: Json | None = None, **changes: Any) -> Json:
    others = {other: idle() for other in ("read", "write", "trim") if other != op}
    asked = {"name": name, "rw": "randrw", "bs": "4k", "direct": "1", **(options or {})}
    own = job(name, **{"job options": asked, **others, op: amount, **changes})
    if op == "mixed":
        own = {key: value for key, value in own.items() if key not in others}
    return document(version, own)


def _two_jobs(version: str) -> Json:
    return document(version, job("rr", groupid=0), job("second", groupid=1))


def _clients(version: str) -> Json:
    """Two machines, and the sum that fio prints after them."""
    stats = [
        {**job("vdi", read=direction(ios)), "hostname": host, "port": 8765} for host, ios in (("h1", 700), ("h2", 900))
    ]
    content = document(version)
    del content["jobs"]
    return {**content, "client_stats": [*stats, {**job("All clients", read=direction(1600)), "hostname": ""}]}


def contents() -> dict[str, list[Json]]:
    """The documents of each file by its place below the folder."""
    clone = {"rw": "randrw", "bs": "256k", "iodepth": "1", "numjobs": "12", "rwmixread": "60"}
    return {
        "fio/fio-2.17_pkb_hist.json": [_one("2.17", "rand_16k", "read", old(8087, 238.5, 96, 1288, 1352))],
        "fio/fio-3.12_arau_reads-100-0.json": [
            _one("3.12", "vol0", "read", new(460, 3.5e7, 978944, 13828096, 759169024))
        ],
        "fio-generated/fio-2.1.14_randrw.json": [_one("2.1.14", "rr", "read", old(12000, 74.5, 71, 90, 322))],
        "fio-generated/fio-2.16_unified_mixed.json": [_one("2.16", "rr", "mixed", old(5000, 0.5, 0, 1, 1))],
        "fio-generated/fio-3.42_lat_percentiles.json": [
            _one(
                "3.42",
                "rr",
                "read",
                new(8983, 101900.0, 92672, 132096, 346112, kind="lat_ns"),
                {"lat_percentiles": "1"},
            )
        ],
        "fio-generated/fio-3.42_null_short.json": [_one("3.42", "n", "read", new(2_048_000, 20.5, 18, 19, 19))],
        "fio/fio-3.28_nshe_cache-log_randrw.json": [
            _one("3.28", "job", "read", new(300, 2e6, 1, 2, 3), clone, write=new(200, 2e6, 1, 2, 3))
        ],
        "fio/fio-3.16_fiometer_randrw65.json": [
            _one("3.16", "i", "read", new(ios, 2e6, 1, 2, 3)) for ios in (100, 150, 170)
        ],
        "fio-generated/fio-3.36_two_jobs_stonewall.json": [_two_jobs("3.36")],
        "fio-generated/fio-3.42_two_jobs_stonewall.json": [_two_jobs("3.42")],
        "fio-generated/fio-3.42_client2.json": [_clients("3.42")],
    }


# As FIGURES of test_fio_real_files: iops, MB/s, then mean, p50, p95 and p99 in ms.
US, NS = 1e-3, 1e-6
FIGURES: dict[tuple[str, str, Op], Figures] = {
    ("fio/fio-2.17_pkb_hist.json", "rand_16k", Op.READ): (
        *(8087, 8087 * 4096 / 1e6),
        *(value * US for value in (238.5, 96, 1288, 1352)),
    ),
    ("fio/fio-3.12_arau_reads-100-0.json", "vol0", Op.READ): (
        *(460, 460 * 4096 / 1e6),
        *(value * NS for value in (3.5e7, 978944, 13828096, 759169024)),
    ),
    ("fio-generated/fio-2.1.14_randrw.json", "rr", Op.READ): (
        *(12000, 12000 * 4096 / 1e6),
        *(value * US for value in (74.5, 71, 90, 322)),
    ),
    ("fio-generated/fio-2.16_unified_mixed.json", "rr", Op.MIXED): (
        *(5000, 5000 * 4096 / 1e6),
        *(value * US for value in (0.5, 0, 1, 1)),
    ),
    ("fio-generated/fio-3.42_lat_percentiles.json", "rr", Op.READ): (
        *(8983, 8983 * 4096 / 1e6),
        *(value * NS for value in (101900, 92672, 132096, 346112)),
    ),
    ("fio-generated/fio-3.42_null_short.json", "n", Op.READ): (
        *(2_048_000, 2_048_000 * 4096 / 1e6),
        *(value * NS for value in (20.5, 18, 19, 19)),
    ),
}


def write(folder: Path) -> Path:
    """Writes all of them below `folder`."""
    for name, documents in contents().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("".join(text_of(content) for content in documents), encoding="utf-8")
    return folder
