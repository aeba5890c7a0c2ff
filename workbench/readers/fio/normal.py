"""fio's normal text report, converted to the document that fio's JSON of the same run would be; `rows` makes rows of
both.

    rr: (g=0): rw=randrw, bs=(R) 4096B-4096B, …, ioengine=sync, iodepth=1        how the job was set up
    fio-3.19
    rr: (groupid=0, jobs=1): err= 0: pid=7: Sat Nov 21 01:57:16 2026             begins a job
      read: IOPS=11.3k, BW=43.0MiB/s (46.1MB/s)(88.0MiB/2001msec)                since 2.18
      read : io=5152.7MB, bw=2575.5MB/s, iops=659210, runt=  2001msec            before 2.18
         issued rwts: total=22531,22415,0,0 …                                    I/Os of read, write, trim

The report rounds to four digits, and a carry may be lost (43.98 MiB/s is printed as 43.0). I/O counts and run times are
exact, so IOPS are computed from them. MB/s is computed from them too, if the job has one block size and the printed
value does not contradict. Each latency and each block of percentiles states its own unit. `Run status group` repeats
the jobs and gives no rows. A job printed several times with one pid is one job with interim reports
(--status-interval): the last one counts. The end of a job is stated in local time without its zone, so the start of a
row is unknown. Source of the format: HOWTO, "Interpreting the output"; stat.c (`show_thread_status_normal`,
`show_ddir_status`), init.c (`add_job`) and client.c of axboe/fio, fio-1.58 to fio-3.42.

Numbers are printed as `11.3k`, `43.0MiB/s`, `557417B/s`, `508Mbit/s`, and ranges of block sizes. Since 2.18 `Ki` is
1024 and `k` 1000; before, `K` is 1024 with bytes and 1000 with I/Os. Source: lib/num2str.c and init.c of axboe/fio,
fio-2.0.10 to fio-3.42.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from workbench.readers.common import latency_buckets
from workbench.readers.common.latency_buckets import FIO_LABELS
from workbench.readers.fio.documents import IN_PART, NORMAL, SAMPLED, FioDocument, JsonObject
from workbench.readers.fio.options import counts_nanoseconds

_LONGEST = 2_000
_HOST = re.compile(r"<([^<>]{1,255})> ?")
_SETUP = re.compile(
    r"(.{0,500}): \(g=(\d{1,9})\): rw=(\w{1,20}), +(bs.{1,200}), ioengine=(\S{1,60}), iodepth=(\d{1,9})\s*$", re.ASCII
)
# A line with the settings of a job, with any numbers.
_GROUP = ": (g="
_VERSION = re.compile(r"fio[- ](\d[\w.-]{0,60})")
_SERVED = re.compile(r"hostname=.{0,255}, be=\d.{0,255}, fio=fio-([\w.-]{1,60}),")
_JOB = re.compile(
    r"(.{0,500}): \(groupid=(\d{1,9}), jobs=(\d{1,9})\): err= {0,9}(\d{1,9})(.{0,500}): pid=(\d{1,12})(?::|$)", re.ASCII
)
_WHY = re.compile(r"error=(.{1,400})\)")
_DIRECTION = re.compile(
    r"[ \t]+(read|write|trim|mixed) *: IOPS=(\S+), BW=(\S+) \((\S+)\)\((\S+)/(\d{1,15})msec\)", re.ASCII
)
_OLD_DIRECTION = re.compile(
    r"[ \t]+(read|write|trim|mixed) *: io= *(\S+), bw= *(\S+), iops= *(\S+) *, runt= *(\d{1,15})msec", re.ASCII
)
_ISSUED = re.compile(
    r"[ \t]+issued[^:]{0,12}: total=(?:r=)?(\d{1,18})[,/](?:w=)?(\d{1,18})[,/](?:d=)?(\d{1,18})", re.ASCII
)
_LATENCY = re.compile(
    r"[ \t]+(slat|clat|lat) \((nsec|usec|msec)\): min= *[^ ,]+ *, max= *([^ ,]+) *, avg= *([\d.]{1,30}),", re.ASCII
)
_ANY_LATENCY = re.compile(r"[ \t]+(slat|clat|lat) \((?:nsec|usec|msec)\): ")
_PERCENTILES = re.compile(r"[ \t]+(?:(slat|clat|lat) )?.{0,80}percentiles \((nsec|usec|msec)\):")
_PRIORITIES = re.compile(r"[ \t]+\w+ prio ")
_PERCENTILE = re.compile(r"(\d{1,3}\.\d{1,9})th=\[[ >=]{0,20}(\d{1,18})\]", re.ASCII)
_BUCKETS = re.compile(r"[ \t]+lat \((nsec|usec|msec)\) *: (?=>?=?\d|.{0,2000}%)", re.ASCII)
_BUCKET = re.compile(r"(?<![^ \t,])((?:>=)?\d{1,4})=(\d{1,3}\.\d{1,4})%", re.ASCII)
_NS = {"nsec": 1.0, "usec": 1e3, "msec": 1e6}
_TABLES = {"nsec": "latency_ns", "usec": "latency_us", "msec": "latency_ms"}
_COUNTED = ("read", "write", "trim")


@dataclass(frozen=True, slots=True)
class Report:
    """One call of fio: its document, the meaning of error numbers, the number of directions with MB/s as rounded by
    fio, the number of replaced interim reports, the line of a job that is cut off by the end of the text, and the
    lines with a damaged number."""

    document: FioDocument
    errors: dict[int, str]
    rounded: int = 0
    replaced: int = 0
    cut: int | None = None
    unread: tuple[int, ...] = ()


@dataclass(slots=True)
class _Job:
    """A job while it is parsed: its entry, its first line, the open direction and table of percentiles, and True if a
    share of its latencies cannot be read."""

    line: int
    entry: JsonObject
    host: str | None
    members: int
    directions: dict[str, tuple[Amount | None, Amount | None, float]] = field(default_factory=dict)
    ios: tuple[int, int, int] | None = None
    section: JsonObject | None = None
    table: tuple[JsonObject, float] | None = None
    unread: list[int] = field(default_factory=list)
    shares_lost: bool = False


@dataclass(slots=True)
class _Call:
    """One call of fio: the settings, and its jobs by name, group and process."""

    version: str | None = None
    served: bool = False
    setups: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    jobs: dict[tuple[str, ...], _Job] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    replaced: int = 0
    summed: bool = False
    unread: list[int] = field(default_factory=list)


def find_reports(text: str) -> list[Report]:
    """Returns every call of fio that the text reports, in order. Never raises."""
    calls = [_Call()]
    job: _Job | None = None
    host: str | None = None
    for number, line in enumerate(_lines(text), start=1):
        if len(line) > _LONGEST:
            _take_long(calls[-1], job, line, number)
            continue
        if line.startswith((" ", "\t")):
            if job is not None:
                _take(job, line, number)
            continue
        bare, host = _without_host(line, host)
        if "(groupid=" in bare and (match := _JOB.match(bare)):
            job = _begin(calls, match, number, host)
        elif bare.startswith("Run status group"):
            calls[-1].summed, job = True, None
        elif bare:
            _set_up(calls, bare, number)
    return [_report(call) for call in calls if call.jobs]


def _take_long(call: _Call, job: _Job | None, line: str, number: int) -> None:
    """Notes the data lost in a line that is longer than any fio line."""
    if job is None:
        call.unread += [number] if _GROUP in line[:600] else []
        return
    job.unread.append(number)
    # It may be a line of shares.
    job.shares_lost = True
    _latency_lost(job, line)


def _lines(text: str) -> list[str]:
    """Returns the lines. An ETA line ends with a bare carriage return; the text after it belongs to the report."""
    return [line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n")]


def _without_host(line: str, host: str | None) -> tuple[str, str | None]:
    """Returns the line without the client name before it, and that name; the name may be on the line before the job."""
    match = _HOST.search(line[:600])
    if match is None or (match.start() and not line.startswith("Jobs:")):
        return line, host if "(groupid=" in line else None
    return line[match.end() :], match[1]


def _set_up(calls: list[_Call], line: str, number: int) -> None:
    served, version, setup = _SERVED.match(line), _VERSION.fullmatch(line.strip()), _SETUP.match(line)
    if not (served or version or setup):
        calls[-1].unread += [number] if _GROUP in line else []
        return
    if calls[-1].jobs:
        calls.append(_Call())
    call = calls[-1]
    if served:
        call.served, call.version = True, served[1]
    elif version:
        call.version = version[1]
    elif setup:
        options = {"rw": setup[3], "ioengine": setup[5], "iodepth": setup[6], **block_sizes(setup[4])}
        call.setups.append((setup[1], setup[2], options))


def _begin(calls: list[_Call], match: re.Match[str], number: int, host: str | None) -> _Job:
    name, group, members, error, why, pid = match.groups()
    entry = {"jobname": name, "groupid": int(group), "error": int(error)}
    job = _Job(number, entry, host, int(members))
    call, key = calls[-1], (name, group, pid, host or "")
    again = any(other[:2] == key[:2] for other in call.jobs)
    if call.summed and again and key not in call.jobs and not call.served:
        calls.append(_Call(call.version))
        call = calls[-1]
    call.replaced += key in call.jobs
    call.jobs[key] = job
    if meaning := _WHY.search(why):
        call.errors[int(error)] = meaning[1]
    return job


def _take(job: _Job, line: str, number: int) -> None:
    """Adds the content of an indented line to the job."""
    if (match := _DIRECTION.match(line)) or (old := _OLD_DIRECTION.match(line)):
        if match:
            op, iops, binary, decimal, _, runtime = match.groups()
            # kb_base=1000 swaps the two: the unit without an `i` is decimal.
            rate = next((each for each in (amount(decimal), amount(binary)) if each and not each.binary), None)
        else:
            assert old is not None
            op, _, speed, iops, runtime = old.groups()
            rate = amount(speed, thousand=1024)
        job.directions[op] = (amount(iops), rate, float(runtime))
        job.section, job.table = job.entry.setdefault(op, {}), None
    elif match := _ISSUED.match(line):
        job.ios, job.section, job.table = (int(match[1]), int(match[2]), int(match[3])), None, None
    elif match := _BUCKETS.match(line):
        shares = job.entry.setdefault(_TABLES[match[1]], {})
        listed_shares = {label: float(share) for label, share in _BUCKET.findall(line) if label in FIO_LABELS}
        shares.update(listed_shares)
        if len(listed_shares) < line.count("=") - line.count(">="):
            job.unread.append(number)
            job.shares_lost = True
        job.section = job.table = None
    elif job.section is not None:
        _take_latency(job, job.section, line, number)


def _take_latency(job: _Job, section: JsonObject, line: str, number: int) -> None:
    """Adds the latencies of a line to the open direction."""
    if match := _LATENCY.match(line):
        highest = amount(match[3])
        stats = section.setdefault(f"{match[1]}_ns", {})
        stats["mean"] = float(match[4]) * _NS[match[2]] if match[4].replace(".", "", 1).isdigit() else None
        stats["max"] = highest.value * _NS[match[2]] if highest else None
        if stats["mean"] is None:
            job.unread.append(number)
            stats[SAMPLED] = True
    elif _latency_lost(job, line):
        job.unread.append(number)
    elif match := _PERCENTILES.match(line):
        known = match[1] and not _PRIORITIES.match(line)
        stats = section.setdefault(f"{match[1]}_ns", {}) if known else {}
        job.table = (stats.setdefault("percentile", {}), _NS[match[2]])
    elif job.table is not None and "|" in line:
        listed, scale = job.table
        percentiles = _PERCENTILE.findall(line)
        listed.update({label: int(value) * scale for label, value in percentiles})
        job.unread += [number] if len(percentiles) < line.count("th=[") else []
    elif line.strip().startswith("fsync"):
        # The following latencies are those of a flush, which belong to no direction.
        job.section = job.table = None


def _latency_lost(job: _Job, line: str) -> bool:
    """True if this is a line of latencies that cannot be read."""
    match = _ANY_LATENCY.match(line)
    if match is None or job.section is None:
        return False
    # There are samples, but their mean is lost: values of another kind must not replace it.
    job.section.setdefault(f"{match[1]}_ns", {})[SAMPLED] = True
    return True


def _report(call: _Call) -> Report:
    jobs = list(call.jobs.values())
    rounded = sum(_figures(job, _options(call, job)) for job in jobs)
    for job in jobs:
        if job.shares_lost:
            # If a histogram lacks a share, the other shares would represent all I/O.
            job.entry = {key: value for key, value in job.entry.items() if key not in _TABLES.values()}
        elif job.entry.keys() & _TABLES.values():
            nanoseconds = counts_nanoseconds(call.version) is not False
            job.entry |= latency_buckets.fio_filled(job.entry, nanoseconds)
    content: dict[str, Any] = {IN_PART: NORMAL, "client_stats" if call.served else "jobs": [job.entry for job in jobs]}
    if call.version:
        content["fio version"] = f"fio-{call.version}"
    lines = tuple(job.line for job in jobs)
    cut = next((job.line for job in jobs[-1:] if job.ios is None), None)
    unread = (*call.unread, *(number for job in jobs for number in job.unread))
    return Report(FioDocument(lines[0], content, lines=lines), call.errors, rounded, call.replaced, cut, unread)


def _options(call: _Call, job: _Job) -> dict[str, str]:
    """Returns the settings of a job: those that all jobs of its name and group share, or all jobs of its group if the
    entry covers several jobs (group_reporting)."""
    name, group = str(job.entry["jobname"]), str(job.entry["groupid"])
    of_group = [(each, options) for each, at, options in call.setups if at == group]
    named = [options for each, options in of_group if each == name]
    # The settings of equal clones are printed on one line, followed by "...".
    behind = [options for _, options in of_group] if job.members > 1 else named
    alike = {
        key: value for key, value in (behind[0] if behind else {}).items() if all(o.get(key) == value for o in behind)
    }
    if behind and "bs" not in alike:
        alike["bssplit"] = "not alike"
    return {**alike, "numjobs": str(job.members)}


def _figures(job: _Job, options: dict[str, str]) -> int:
    """Sets the values of a job's directions. Returns how many MB/s are as rounded as fio prints them."""
    job.entry["job options"] = options
    if job.host:
        job.entry["hostname"] = job.host
    sizes = dict(zip(_COUNTED, options["bs"].split(","), strict=False)) if options.get("bs") else {}
    rounded = 0
    for op, (iops, rate, runtime) in job.directions.items():
        section = job.entry[op]
        ios = _ios(job, op)
        section["runtime"] = runtime
        if ios and runtime:
            section["total_ios"], section["iops"] = ios, 1000 * ios / runtime
        else:
            section["iops"] = iops.value if iops else None
        size = sizes.get("read" if op == "mixed" and len(set(sizes.values())) == 1 else op)
        exact = ios * int(size) * 1000 / runtime if ios and size and runtime else None
        if exact is not None and (rate is None or abs(exact - rate.value) <= rate.step):
            section["bw_bytes"], section["io_bytes"] = exact, ios * int(size or 0) if ios else None
        else:
            section["bw_bytes"] = rate.value if rate else None
            rounded += 1
    return rounded


def _ios(job: _Job, op: str) -> int | None:
    """Returns the I/Os of a direction. Those of `mixed` are listed as reads, or are the sum of all
    (unified_rw_reporting=both)."""
    if job.ios is None:
        return None
    if op != "mixed":
        return job.ios[_COUNTED.index(op)]
    return sum(job.ios) if len(job.directions) > 1 else job.ios[0]


_AMOUNT = re.compile(r"(\d{1,20}(?:\.\d{1,20})?)([kKMGTPE]?)(i?)(B|bit)?(?:/s)?", re.ASCII)
_RANGE = re.compile(r"(\d[\w.]{0,20})-(\d[\w.]{0,20})")
_POWERS = "kMGTPE"


@dataclass(frozen=True, slots=True)
class Amount:
    """A printed amount (bits as bytes), the factor of its printed unit, and True if that factor is binary."""

    value: float
    step: float
    binary: bool


def amount(text: str, thousand: int = 1000) -> Amount | None:
    """Returns the amount; `thousand` is the factor of a unit without `i`. None for any other text."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        return None
    digits, unit, infix, kind = match.groups()
    power = _POWERS.index("k" if unit == "K" else unit) + 1 if unit else 0
    step = float((1024 if infix else thousand) ** power) / (8 if kind == "bit" else 1)
    return Amount(float(digits) * step, step, bool(infix))


def block_sizes(text: str) -> dict[str, str]:
    """Returns `bs` in bytes for read, write and trim, as an option of the job. It is marked as a range if a size is not
    a number, or was printed too short to be exact. `text` is as in `bs=(R) 4096B-4096B, (W) …` or `bs=4K-4K/4K-4K`."""
    ranges = _RANGE.findall(text)
    thousand = 1000 if "(R)" in text else 1024
    sizes = [_bytes(low, thousand) if low == high else None for low, high in ranges]
    if not sizes or "seq" in text or any(size is None for size in sizes):
        return {"bsrange": text}
    return {"bs": ",".join(str(size) for size in sizes)}


def _bytes(text: str, thousand: int) -> int | None:
    size = amount(text, thousand)
    return int(size.value) if size is not None and size.value.is_integer() else None
