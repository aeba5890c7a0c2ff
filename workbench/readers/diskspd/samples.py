"""The samples that DiskSpd takes through a test (`-D`, with `-Rxml`), as time series for each time span.

Source: Microsoft's DiskSpd, `XmlResultParser.cpp`, `_PrintIops` [S], and the reports of its unit tests [F]. A
`Bucket` of `TimeSpan/Iops` speaks of the interval that ends at `SampleMillisecond` of the time span: `Read` and
`Write` are I/Os per second, whatever the interval; `ReadAvgLatencyMilliseconds` and its like stand there since
2.0.20 and are 0 where they were not measured (no `-L`, or no such I/O): that is missing, not 0 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from workbench.model.metric import Quantity
from workbench.model.problem import Problem
from workbench.readers.common.relative_series import Measure, Samples
from workbench.readers.text import documents as bt

_RATES = {
    "Read": Measure("read", "1/s", Quantity.READ_IOPS),
    "Write": Measure("write", "1/s", Quantity.WRITE_IOPS),
    "Total": Measure("total", "1/s", Quantity.IOPS),
}
_LATENCIES = {
    "ReadAvgLatencyMilliseconds": Measure("read latency", "ms", Quantity.READ_LATENCY, 1e-3),
    "WriteAvgLatencyMilliseconds": Measure("write latency", "ms", Quantity.WRITE_LATENCY, 1e-3),
}
# Times beyond a year of milliseconds are no times of a test.
_MAX_MS = 366 * 86_400_000


def span_samples(spans: Sequence[Element], name: str) -> tuple[Samples, list[Problem]]:
    """The samples of the time spans, each of them from its own start, and a problem for those without a number."""
    samples, unusable, number = Samples(), 0, 0
    for index, span in enumerate(spans, 1):
        for bucket in span.findall("Iops/Bucket"):
            number += 1
            at = bt.number(bucket.get("SampleMillisecond"))
            rates = {measure: bt.number(bucket.get(key)) for key, measure in _RATES.items()}
            if at is None or at > _MAX_MS or None in rates.values():
                unusable += 1
                continue
            if not samples.full:
                samples.add(round(at * 1000), f"time span {index}", rates | _latencies(bucket))
    if not unusable:
        return samples, []
    message = f"{unusable:,} of {number:,} samples of the DiskSpd report lack their time or their rates."
    return samples, [bt.warning(name, "not-a-number", message, "samples rejected")]


def _latencies(bucket: Element) -> dict[Measure, float | None]:
    return {measure: bt.number(bucket.get(key)) or None for key, measure in _LATENCIES.items()}
