"""Each worked example of docs/intervals.md, computed again with SciPy and NumPy, from the files if possible."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from tests.docs.pages import ROOT, text_of
from workbench.cli import main

SWEEP = ROOT / "sample_data" / "rds-mcsio-cache-sweep"
SUMMER = timezone(timedelta(hours=1))
FloatArray = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def reply(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The JSON of a command on the sample, once."""

    @cache
    def ask(*words: str) -> Any:
        import contextlib
        import io

        with contextlib.redirect_stdout(io.StringIO()) as out:
            main([*words, "--format", "json"])
        return json.loads(out.getvalue())

    return ask


def shows(*words: str) -> None:
    """Asserts that the page contains these words, with any line breaks."""
    page = " ".join(text_of("docs/intervals.md").split())
    assert [word for word in words if word not in page] == []


def of_runs(reply: Any, configuration: str, key: str) -> list[float]:
    runs = [run for run in reply("summary", str(SWEEP))["runs"] if run["configuration"] == configuration]
    return [row[key] for run in runs for row in run["phases"] if row["phase"] == "steady"]


def student(values: Sequence[float]) -> tuple[float, float, float]:
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    return float(np.mean(values)), float(low), float(high)


def welch(base: Sequence[float], ours: Sequence[float]) -> tuple[float, float, float, float]:
    """The change and the ends of its interval in percent, and the degrees of freedom."""
    logs = np.log(ours), np.log(base)
    test = stats.ttest_ind(*logs, equal_var=False)
    ends = test.confidence_interval(0.95)
    change, low, high = (float(100 * np.expm1(log)) for log in (logs[0].mean() - logs[1].mean(), ends.low, ends.high))
    return change, low, high, float(test.df)


def test_that_the_worked_example_of_a_change_agrees_with_scipy(reply: Any) -> None:
    change, low, high, freedom = welch(
        of_runs(reply, "MCS", "iops_per_vm"), of_runs(reply, "MCSIO 4 GB", "iops_per_vm")
    )
    assert (round(change, 1), round(low, 1), round(high, 1), round(freedom, 2)) == (-93.0, -93.2, -92.8, 3.91)
    shows("−93.0 %", "−93.2 to −92.8 %", "f = 3.91")


def test_that_the_worked_examples_of_mean_and_limits_agree_with_scipy(reply: Any) -> None:
    mean, low, high = student(of_runs(reply, "MCS", "read_latency_p95_ms"))
    assert (round(mean, 1), round(low, 1), round(high, 1)) == (13.6, 12.7, 14.6)
    mean, low, high = student(of_runs(reply, "MCSIO 512 MB", "read_latency_p95_ms"))
    assert (round(mean, 1), round(low, 2), round(high, 1)) == (10.5, 9.91, 11.1)
    shows("13.6 ms, and the interval is 12.7 to 14.6 ms", "10.5 ms, with an interval of 9.91 to 11.1 ms")
    values = reply("benchmarks", str(ROOT / "sample_data" / "storage-benchmarks"), "--repeats")["tests"][0]["iops"]
    mean, low, high = student(values["values"])
    assert (round(mean, -1), round(low, -1), round(high, -1)) == (17910, 17860, 17960)


def test_that_the_worked_example_of_a_step_agrees_with_scipy(reply: Any) -> None:
    series = reply("trend", str(ROOT / "sample_data" / "windows-11-builds"))["series"]
    values = next([run["value"] for run in one["runs"]] for one in series if one["phase"] == "steady")
    change, low, high, _ = welch(values[:7], values[7:])
    assert (round(change, 1), round(low, 1), round(high, 1)) == (16.0, 13.5, 18.5)
    shows("+16.0 %, and the interval is +13.5 to +18.5 %")


def test_that_the_worked_example_of_a_slope_agrees_with_scipy() -> None:
    found = []
    for run in ("mcs-r1", "mcs-r2", "mcs-r3"):
        starts: dict[str, datetime] = {}
        logons = []
        for row in events(SWEEP / run):
            at = datetime.fromisoformat(row["time"])
            if row["event"] == "logon_start":
                starts[row["user"]] = at
            elif row["event"] == "logon_end":
                logons.append((starts[row["user"]], (at - starts[row["user"]]).total_seconds()))
        times = [seconds for _, seconds in sorted(logons)]
        found.append(stats.theilslopes(times, np.arange(len(times)) / 100, 0.95))
    slopes = [float(one.slope) for one in found]
    assert (round(slopes[0], 2), round(found[0].low_slope, 2), round(found[0].high_slope, 2)) == (-0.98, -2.93, 0.90)
    assert (round(np.mean(slopes), 2), round(min(slopes), 2), round(max(slopes), 2)) == (0.13, -0.98, 2.06)
    shows("−0.98 s per 100 logons, with an interval of −2.93 to +0.90 s", "+0.13 s and a range of −0.98 to +2.06 s")


def test_that_the_worked_example_of_a_percentile_within_a_run_agrees_with_numpy() -> None:
    """Blocks of one moment. The random generator differs from that of the program, so the values agree only roughly."""
    rows = []
    for log in sorted((SWEEP / "mcs-r1" / "guest").glob("*.csv")):
        times, values = column(log, r"\PhysicalDisk(_Total)\Disk Transfers/sec")
        start, end = steady(SWEEP / "mcs-r1")
        rows.append(values[(times - 7.5 >= start) & (times - 7.5 < end)])
    samples = np.array(rows)
    assert samples.size == 480
    rng = np.random.default_rng(5)
    draws = rng.integers(0, samples.shape[1], (4000, samples.shape[1]))
    resampled = [np.percentile(samples[:, draw], 95) for draw in draws]
    assert round(float(np.percentile(samples, 95))) == 182
    assert np.percentile(resampled, (2.5, 97.5)) == pytest.approx((168, 213), rel=0.03)
    shows("182 IOPS, with an interval of 168 to 213 IOPS")


def test_that_the_worked_example_of_a_cache_prediction_agrees_with_scipy(reply: Any) -> None:
    kind = reply("cache", str(SWEEP), "--size", "2048")["predicted"][0]
    filled = (kind["filled_share_low"] + kind["filled_share_high"]) / 2 * 2048
    earliest, latest, spilled = [], [], []
    for run in caches():
        moments, written = [], []
        for times, used in run:
            written.append(used[-1])
            over = int(np.argmax(used > filled))
            moments.append((times[over - 1], times[over]))
        earliest.append(min(moments)[0])
        latest.append(min(moments)[1])
        spilled.append(float(np.mean(np.maximum(0, np.array(written) - 2048))))
    mean, low, high = student(latest)
    low = mean - float(np.hypot(mean - low, mean - np.mean(earliest)))
    assert ([round(at) for at in latest], round(mean)) == ([1933, 1949, 1889], 1924)
    assert (round(low), round(high)) == (1845, 2001)
    assert [round(value) for value in student(spilled)] == [541, 450, 631]
    shows("1,845 to 2,001 s", "541 MB per VM are written to disk. The interval is 450 to 631 MB")


def test_that_the_worked_example_of_the_upper_bound_for_many_vms_agrees_with_scipy(reply: Any) -> None:
    """A two-way random model with independent draws: it agrees with the page within a thousandth."""
    share = reply("cache", str(SWEEP), "--size", "2048")["predicted"][0]["filled_share_low"]
    logs = np.log(np.array([[used[-1] for _, used in run] for run in caches()]) / share)
    runs, vms = logs.shape
    rng = np.random.default_rng(7)
    of_run, of_vm, mean = logs.mean(1), logs.mean(0), logs.mean()
    rest = logs - of_run[:, None] - of_vm + mean
    many = 100_000
    between = vms * ((of_run - mean) ** 2).sum() / rng.chisquare(runs - 1, many)
    lasting = runs * ((of_vm - mean) ** 2).sum() / rng.chisquare(vms - 1, many)
    error = (rest**2).sum() / rng.chisquare((runs - 1) * (vms - 1), many)
    centre = (between + np.maximum(0, lasting - error)) / (runs * vms)
    run = np.maximum(0, between - error) / vms
    largest = stats.norm.ppf(rng.random(many) ** (1 / 100))
    moved = np.sqrt(centre) * rng.standard_normal(many) + np.sqrt(run) * rng.standard_normal(many)
    draws = mean + moved + np.sqrt((lasting + (runs - 1) * error) / runs) * largest
    assert float(np.exp(np.quantile(draws, 0.9))) == pytest.approx(2888, rel=0.001)
    shows("The bound for 100 VMs is 2,888 MB")


def test_that_the_worked_example_of_remaining_writes_agrees_with_scipy(reply: Any) -> None:
    base = of_runs(reply, "MCS", "write_iops_per_vm")
    gigabyte = welch(base, of_runs(reply, "MCSIO 1 GB", "write_iops_per_vm"))
    held = welch(base, of_runs(reply, "MCSIO 4 GB", "write_iops_per_vm"))
    left = np.interp(np.log(2048), np.log([1024, 2693.645]), [100 + gigabyte[0], 100 + held[0]])
    assert (round(float(left), 2), round(100 + held[1], 2), round(100 + gigabyte[2], 1)) == (5.70, 0.19, 20.2)
    shows("5.70 %. The range is 0.19 to 20.2 %")


def test_that_the_worked_example_of_the_plan_agrees_with_scipy(reply: Any) -> None:
    mean, low, high = (34 * value for value in student(of_runs(reply, "MCS", "p95_iops_per_vm")))
    assert (round(mean), round(low), round(high)) == (6273, 5607, 6940)
    shows("6,273 IOPS, and the interval is 5,607 to 6,940 IOPS")
    plan = reply("sizing", str(SWEEP), "--desktops", "500")["plans"][0]
    ratio = plan["intervals"]["coincidence_percent"]
    disks = plan["intervals"]["disks"]
    assert (round(ratio["low"], 1), round(ratio["high"], 1), disks["low"], disks["high"]) == (51.4, 84.6, 96, 113)


def events(run: Path) -> list[dict[str, str]]:
    with (run / "events.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def moments_of(run: Path, event: str) -> list[float]:
    return [datetime.fromisoformat(row["time"]).timestamp() for row in events(run) if row["event"] == event]


def steady(run: Path) -> tuple[float, float]:
    """From the last start of applications to the first logoff."""
    return max(moments_of(run, "apps_started")), min(moments_of(run, "logoff"))


def column(log: Path, ending: str) -> tuple[FloatArray, FloatArray]:
    """Times in seconds since 1970 and values of a counter, without blank cells."""
    with log.open(encoding="utf-8") as lines:
        head, *rows = csv.reader(lines)
    place = next(place for place, name in enumerate(head) if name.endswith(ending))
    known = [row for row in rows if row[place].strip()]
    times = [datetime.strptime(row[0], "%m/%d/%Y %H:%M:%S.%f").replace(tzinfo=SUMMER).timestamp() for row in known]
    return np.array(times), np.array([float(row[place]) for row in known])


def caches() -> list[list[tuple[FloatArray, FloatArray]]]:
    """For each run of 4 GB and each VM: seconds since the first power-on, and the highest RAM use so far in MB."""
    runs = []
    for run in sorted(SWEEP.glob("mcsio-4096-r*")):
        zero = min(moments_of(run, "power_on"))
        logs = [column(log, "Cache memory used") for log in sorted((run / "guest").glob("*.csv"))]
        runs.append([(times - zero, np.maximum.accumulate(used) / 2**20) for times, used in logs])
    return runs
