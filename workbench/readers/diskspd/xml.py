"""DiskSpd's XML report (`-Rxml`), versions 2.0.15 to 2.2.

Source: Microsoft's DiskSpd, `XmlResultParser.cpp` [S], a real file of 2.0.21a [F] and its own unit tests [F].
`Results/TimeSpan` holds one result: IOPS and MB/s are the sums of `Thread/Target/ReadCount`, `WriteCount`, `ReadBytes`,
`WriteBytes` over `TestTimeSeconds`. `Latency` (only with `-L`) has means, and a `Bucket` per percentile, in
milliseconds. The `Profile/TimeSpans/TimeSpan` at the same position holds the settings. `System/RunTime` is the start of
the first time span in UTC.

Rows: as in the text report. Several reports in one file are read one after the other.

`TimeSpan/Iops/Bucket` (only with `-D`) are samples during the test; they become a time series per time span (source:
`_PrintIops` in `XmlResultParser.cpp`). A `Bucket` covers the interval that ends at `SampleMillisecond` of the time
span. `Read` and `Write` are I/Os per second for any interval. `ReadAvgLatencyMilliseconds` and similar values exist
since 2.0.20; they are 0 if they were not measured (no `-L`, or no such I/O), which means missing, not 0 ms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree.ElementTree import Element

from workbench.model.benchmark import Benchmark, Op
from workbench.model.metric import Quantity
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.readers.common.relative_series import RelativeSamples, SeriesMeasure, with_series
from workbench.readers.common.row_problems import acted
from workbench.readers.text import documents as bt
from workbench.readers.text import xml as safe_xml
from workbench.readers.text.documents import Figures, LoadedText
from workbench.readers.text.numbers import WRITTEN
from workbench.readers.text.xml import Unusable

LABEL = "diskspd-xml"
_TOOL = "diskspd"
_SKIP = frozenset(("CpuUtilization", "ProcessorTopology", "Distribution"))
_PERCENTILES = ("50", "95", "99")
_OPENS, _CLOSES = "<Results>", "</Results>"
_HEAD = re.compile(r"<Results>\s*<System>|<Results>\s*<Profile>|<Results>\s*<TimeSpan>")
_SHOWN = 40
# The elements and attributes with decimals.
_NUMBERS = re.compile(
    rf"(?:Seconds|Milliseconds|Percentile|StdDev|SampleMillisecond|Read|Write|Total)(?:>|=\")(?P<n>{WRITTEN})(?=[<\"])"
)
_PROFILE = re.compile(r"<Profile>\s*<Progress>|<Profile>\s*<TimeSpans>")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The settings that a profile's time span has for its targets. A setting is None if it is absent or differs between
    targets."""

    block_bytes: int | None = None
    queue_depth: int | None = None
    read_percent: float | None = None
    pattern: str | None = None


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 for a report, less for a profile, which holds no results."""
    text = bt.head_text(head)
    if "<Results>" in text and _HEAD.search(text):
        return 1.0
    if "<!" in text and "<Results>" in text and "<TimeSpan" in text:
        return 0.8
    return 0.6 if "<TimeSpans>" in text and _PROFILE.search(text) else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """Returns the rows of every report and time span. The file is not imported if its XML is unsafe or incomplete."""
    data = bt.load_bytes(path, name, LABEL)
    if isinstance(data, Reading):
        return data
    loaded = safe_xml.decode_xml(data)
    if isinstance(loaded, Unusable):
        return _refused(name, loaded, None)
    told = bt.with_points(loaded, name, LABEL, _NUMBERS)
    if isinstance(told, Reading):
        return told
    loaded, noted = told
    roots = _roots(loaded)
    if isinstance(roots, Unusable):
        return _refused(name, roots, loaded.encoding)
    if all(root.tag == "Profile" for root in roots):
        message = "The file is a DiskSpd profile: it describes a test and contains no results."
        return bt.refused(LABEL, name, "no-results", message, "open the report of the run", encoding=loaded.encoding)
    return _reading(roots, name, loaded.encoding, columns, noted)


READER = Reader(LABEL, identify, read, by_name=True)


def _roots(loaded: LoadedText) -> list[Element] | Unusable:
    """Returns the root of the document, or of each report if text or other reports surround them."""
    root = safe_xml.parse(loaded.text, _SKIP)
    if isinstance(root, Element):
        return [root] if root.tag in ("Results", "Profile") else Unusable("not-diskspd", f"it is <{root.tag}>")
    if root.code != "not-xml" or "<!" in loaded.text:
        return root
    roots = [safe_xml.parse(report, _SKIP) for report in _reports(loaded.text)]
    usable = [root for root in roots if isinstance(root, Element)]
    return usable if usable and len(usable) == len(roots) else root


def _reports(text: str) -> Iterator[str]:
    """Yields each report of a text, in order."""
    begin = text.find(_OPENS)
    while begin >= 0:
        end = text.find(_CLOSES, begin)
        if end < 0:
            return
        yield text[begin : end + len(_CLOSES)]
        begin = text.find(_OPENS, end)


def _refused(name: str, why: Unusable, encoding: str | None) -> Reading:
    message = f"The DiskSpd XML cannot be read: {why.reason}."
    advice = "copy the file again, or repeat the run"
    return bt.refused(LABEL, name, why.code, message, advice, why.line, encoding, rejected=1)


def _reading(roots: Sequence[Element], name: str, encoding: str, columns: Path, problems: list[Problem]) -> Reading:
    rows: list[Benchmark] = []
    rejected = 0
    for root in roots:
        spans = root.findall("TimeSpan")
        elements = root.findall("Profile/TimeSpans/TimeSpan")
        for index, span in enumerate(spans):
            profile = _asked(elements[index]) if index < len(elements) else _Asked()
            if index < len(elements):
                wrong = _unreadable(elements[index])
                problems.extend(bt.left_empty(name, f"The profile of time span {index + 1}", wrong))
                problems.extend(_beyond_all(elements[index], name, index))
            shared = _shared(root, span, profile, name, index)
            problems.extend(_other_than_asked(profile.read_percent, shared.read_percent, name, index))
            benchmarks, new_problems = _span_rows(span, shared, index, name)
            rows.extend(benchmarks)
            problems.extend(new_problems)
            rejected += not benchmarks
    if not rows:
        message = problems[0].message if problems else "The DiskSpd report contains no time span."
        advice = "repeat the test, and let it finish"
        return bt.refused(LABEL, name, "no-results", message, advice, encoding=encoding, rejected=rejected)
    samples, new_problems = span_samples([span for root in roots for span in root.findall("TimeSpan")], name)
    reading = bt.reading_of(LABEL, name, encoding, rows, [*problems, *new_problems], rejected)
    return with_series(reading, samples, _TOOL, "samples", columns)


def _shared(root: Element, span: Element, settings: _Asked, name: str, index: int) -> Benchmark:
    version = _text(root, "System/Tool/Version")
    paths = list(dict.fromkeys(_text(target, "Path") or "" for target in span.findall("Thread/Target")))
    reads, writes = (_sum(span, f"{op}Count") or 0.0 for op in ("Read", "Write"))
    return Benchmark(
        path=name,
        tool=_TOOL,
        op=Op.TOTAL,
        tool_version=version if version and version[0].isdigit() else None,
        test=bt.file_stem(name),
        job=(paths[0] or None) if len(paths) == 1 else f"{len(paths)} targets" if paths else None,
        host=_text(root, "System/ComputerName"),
        block_bytes=settings.block_bytes,
        queue_depth=settings.queue_depth,
        threads=bt.whole(_text(span, "ThreadCount")),
        read_percent=bt.share_of_reads(settings.read_percent, reads, writes),
        started=bt.utc_start(_text(root, "System/RunTime")) if index == 0 else None,
        pattern=settings.pattern,
        place=f"Results/TimeSpan[{index + 1}]",
    )


def _span_rows(span: Element, shared: Benchmark, index: int, name: str) -> tuple[list[Benchmark], list[Problem]]:
    error = _text(span, "Error")
    if error:
        problem = bt.warning(name, "test-interrupted", error, "the test is listed without results; repeat the test")
        return [bt.with_figures(replace(shared, error=error), Op.TOTAL, Figures())], [problem]
    seconds = bt.number(_text(span, "TestTimeSeconds"))
    counts = {op: _sum(span, f"{op}Count") for op in ("Read", "Write")}
    amounts = {op: _sum(span, f"{op}Bytes") for op in ("Read", "Write")}
    if not seconds or not span.findall("Thread/Target") or None in counts.values():
        message = f"Time span {index + 1} of the DiskSpd report has no duration or no counts."
        return [], [bt.warning(name, "not-a-number", message, "time span rejected; repeat the test")]
    figures = {op: _figures(span, op, counts[op], amounts[op], seconds) for op in ("Read", "Write")}
    total = _figures(span, "Total", _added(counts), _added(amounts), seconds)
    rows = bt.direction_rows(shared, figures["Read"], figures["Write"], total)
    if not rows:
        message = f"Time span {index + 1} of the DiskSpd report contains no I/O."
        return [], [bt.warning(name, "no-io", message, "excluded from the results; repeat the test")]
    wrong = bt.unreadable(_latencies(span))
    if _text(span, "ThreadCount") and shared.threads is None and "ThreadCount" not in wrong:
        wrong.append("ThreadCount")
    return rows, bt.left_empty(name, f"Time span {index + 1} of the DiskSpd report", wrong)


def _latencies(span: Element) -> list[tuple[str, str | None]]:
    """Returns the threads, amounts and latencies that rows are made of, as text."""
    means = [f"Average{op}Milliseconds" for op in ("Read", "Write", "Total")]
    latencies = [(key, _text(span, f"Latency/{key}")) for key in means]
    buckets = [element for element in span.findall("Latency/Bucket") if _text(element, "Percentile") in _PERCENTILES]
    threads = [("ThreadCount", _text(span, "ThreadCount"))]
    every = [("Percentile", _text(bucket, "Percentile")) for bucket in span.findall("Latency/Bucket")]
    amounts = [
        (f"{op}Bytes", _text(target, f"{op}Bytes"))
        for target in span.findall("Thread/Target")
        for op in ("Read", "Write")
    ]
    return (
        threads
        + amounts
        + latencies
        + every
        + [
            (f"{op}Milliseconds", _text(bucket, f"{op}Milliseconds"))
            for bucket in buckets
            for op in ("Read", "Write", "Total")
        ]
    )


def _figures(span: Element, op: str, count: float | None, amount: float | None, seconds: float) -> Figures | None:
    if not count:
        return None
    mean = bt.number(_text(span, f"Latency/Average{op}Milliseconds"))
    percentiles = [_percentile(span, percent, op) for percent in _PERCENTILES]
    return Figures(count / seconds, None if amount is None else amount / seconds / 1e6, mean, *percentiles)


def _percentile(span: Element, percent: str, op: str) -> float | None:
    for bucket in span.findall("Latency/Bucket"):
        if _text(bucket, "Percentile") == percent:
            return bt.number(_text(bucket, f"{op}Milliseconds"))
    return None


def _sum(span: Element, key: str) -> float | None:
    """Returns the sum over threads and targets, or None if one of them has no number."""
    values = [bt.number(_text(target, key)) for target in span.findall("Thread/Target")]
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _added(values: dict[str, float | None]) -> float | None:
    known = [value for value in values.values() if value is not None]
    return sum(known) if len(known) == len(values) else None


def _asked(span: Element) -> _Asked:
    targets = span.findall("Targets/Target")
    block = bt.only(bt.whole(_text(target, "BlockSize")) for target in targets)
    depth = bt.only(bt.whole(_text(target, "RequestCount")) for target in targets)
    # -O sets the I/Os of a thread over all its targets; 0 if it was not given.
    shared_depth = bt.whole(_text(span, "RequestCount"))
    writes = bt.only(bt.number(_text(target, "WriteRatio")) for target in targets)
    pattern = bt.only(_pattern(target) for target in targets)
    return _Asked(
        block_bytes=block if isinstance(block, int) else None,
        queue_depth=shared_depth or (depth if isinstance(depth, int) else None),
        read_percent=100.0 - writes if isinstance(writes, float) and writes <= 100 else None,
        pattern=pattern if isinstance(pattern, str) else None,
    )


def _unreadable(span: Element) -> list[str]:
    """Returns the settings that are not numbers, or not whole numbers of bytes or I/Os."""
    cells = list(_asked_cells(span))
    counts = [
        key for key, text in cells if key != "WriteRatio" and bt.number(text) is not None and bt.whole(text) is None
    ]
    return list(dict.fromkeys((*bt.unreadable(cells), *counts)))


def _asked_cells(span: Element) -> Iterator[tuple[str, str | None]]:
    """Returns the settings as text."""
    yield "RequestCount", _text(span, "RequestCount")
    for target in span.findall("Targets/Target"):
        yield from ((key, _text(target, key)) for key in ("BlockSize", "RequestCount", "WriteRatio"))


def _beyond_all(span: Element, name: str, index: int) -> list[Problem]:
    """Returns the problem of a write share above 100 %, if there is one."""
    shares = [_text(target, "WriteRatio") for target in span.findall("Targets/Target")]
    wrong = next((text for text in shares if (bt.number(text) or 0.0) > 100), None)
    if wrong is None:
        return []
    message = f"The profile of time span {index + 1} requests {wrong[:_SHOWN]} % writes, but the maximum is 100 %."
    return [
        bt.warning(
            name,
            "out-of-range",
            message,
            "requested share left empty, measured share of reads shown; check the profile",
        )
    ]


def _other_than_asked(asked: float | None, measured: float | None, name: str, index: int) -> list[Problem]:
    """Returns the problem of a profile that asks for only one direction although the other ran."""
    if asked not in (0.0, 100.0) or measured is None or measured == asked:
        return []
    wanted, others, share = ("reads", "writes", 100 - measured) if asked else ("writes", "reads", measured)
    message = (
        f"The profile of time span {index + 1} requests {wanted} only, but {share:.3g} % of the I/Os were {others}."
    )
    return [bt.warning(name, "out-of-range", message, "measured share of reads shown; check the profile")]


def _pattern(target: Element) -> str | None:
    """Returns the pattern: the key is `RandomAccess` until 2.0.21, later `Random` with a size and `RandomRatio`."""
    ratio = bt.number(_text(target, "RandomRatio"))
    if ratio is not None and 0 < ratio < 100:
        return None
    if _text(target, "RandomAccess") == "true" or bt.whole(_text(target, "Random")):
        return "random"
    return "sequential" if target.find("StrideSize") is not None else None


def _text(element: Element, path: str) -> str | None:
    text = element.findtext(path)
    return text.strip() or None if text else None


_RATES = {
    "Read": SeriesMeasure("read", "1/s", Quantity.READ_IOPS),
    "Write": SeriesMeasure("write", "1/s", Quantity.WRITE_IOPS),
    "Total": SeriesMeasure("total", "1/s", Quantity.IOPS),
}
_LATENCIES = {
    "ReadAvgLatencyMilliseconds": SeriesMeasure("read latency", "ms", Quantity.READ_LATENCY, 1e-3),
    "WriteAvgLatencyMilliseconds": SeriesMeasure("write latency", "ms", Quantity.WRITE_LATENCY, 1e-3),
}
# A test does not last longer than a year, in milliseconds.
_MAX_MS = 366 * 86_400_000


def span_samples(spans: Sequence[Element], name: str) -> tuple[RelativeSamples, list[Problem]]:
    """Returns the samples of the time spans, each counted from its own start, and a problem for each sample without a
    number."""
    samples, unusable, number = RelativeSamples(), 0, 0
    for index, span in enumerate(spans, 1):
        for bucket in span.findall("Iops/Bucket"):
            number += 1
            at = bt.number(bucket.get("SampleMillisecond"))
            rates = {measure: bt.number(bucket.get(key)) for key, measure in _RATES.items()}
            if at is None or at > _MAX_MS or None in rates.values():
                unusable += 1
                continue
            if not samples.full:
                samples.add(round(at * 1000), f"time span {index}", rates | _bucket_latencies(bucket))
    if not unusable:
        return samples, []
    has = "has" if unusable == 1 else "have"
    message = f"{unusable:,} of {number:,} samples in the DiskSpd report {has} no time or no rates."
    return samples, [
        bt.warning(name, "not-a-number", message, acted("sample rejected; check it in the file", unusable))
    ]


def _bucket_latencies(bucket: Element) -> dict[SeriesMeasure, float | None]:
    return {measure: bt.number(bucket.get(key)) or None for key, measure in _LATENCIES.items()}
