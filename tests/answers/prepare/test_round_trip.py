"""The proof of the kit: a log with exactly its counters answers every question, as the replies of the commands show.
Without a counter, exactly the questions that declare it as needed are not answered."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.answers.prepare.kit_logs import ROWS, START, STEP_S, VMS, counters_of_set, event_lines, log_run, plan_of
from tests.builders import perfmon_csv
from workbench.answers.prepare.kit.contents import KitChoices, kit_counters, make_kit
from workbench.answers.prepare.kit.write import write_kit
from workbench.answers.prepare.questions import QUESTIONS, Extra, Part, Place, Question
from workbench.console.commands import parser
from workbench.console.loading import load_studies
from workbench.model.metric import Quantity
from workbench.model.run import Provisioning, Study
from workbench.readers.common.counters import collected_counters
from workbench.study.store.column_store import Store

PHASES = ("boot", "logon", "steady")
RESULT = Path(__file__).parents[3] / "sample_data" / "storage-benchmarks" / "raw-san_randrw-20-80-4k_qd16x4.json"
# No counter shows the data written to the disk of the overflowed PVS cache: use a larger one here.
DESKTOPS = {"MCSIO 512 MB": Provisioning.MCSIO, "PVS 2 GB": Provisioning.PVS}
MEASURES = {
    "iops": ("iops_per_vm",),
    "latency": ("read_latency_ms", "write_latency_ms"),
    "cpu": ("cpu_percent",),
    "sessions": ("input_delay_ms",),
}
TAKEN: tuple[frozenset[Part], ...] = (
    frozenset(),
    frozenset((Quantity.IOPS,)),
    frozenset((Quantity.READ_IOPS,)),
    frozenset((Quantity.IOPS, Quantity.READ_IOPS)),
    frozenset((Quantity.READ_LATENCY,)),
    frozenset((Quantity.WRITE_LATENCY,)),
    frozenset((Quantity.CPU,)),
    frozenset((Quantity.CACHE_RAM_USED,)),
    frozenset((Quantity.CACHE_DISK_USED,)),
    frozenset((Quantity.CACHE_RAM_SIZE,)),
    frozenset((Quantity.MEMORY_AVAILABLE, Quantity.QUEUE_DEPTH, Quantity.READ_THROUGHPUT)),
    frozenset((Quantity.POOL_NONPAGED,)),
    frozenset((Quantity.INPUT_DELAY,)),
    frozenset((Extra.LOGONS,)),
    frozenset((Extra.RESPONSES,)),
    frozenset((Extra.STORAGE_TEST,)),
)


@pytest.mark.parametrize("configuration", DESKTOPS)
@pytest.mark.parametrize("taken", TAKEN, ids=lambda taken: "+".join(sorted(taken)) or "nothing")
def test_that_removed_counters_change_exactly_the_questions_that_need_them(
    tmp_path: Path, configuration: str, taken: frozenset[Part]
) -> None:
    results = brought_back(tmp_path, configuration, taken)
    expected = {key for key, question in QUESTIONS.items() if not lacks(question, DESKTOPS[configuration], taken)}
    if not taken:
        assert expected == set(QUESTIONS)
    assert answered(load_studies([results], Store(tmp_path / "store"))) == expected


def test_that_io_sizes_and_queue_depth_of_the_next_storage_test_equal_the_logged_ones(tmp_path: Path) -> None:
    """Each read of the logs moves 16 KiB, each write 8 KiB, and a quarter of an I/O is in flight."""
    results = brought_back(tmp_path, "MCSIO 512 MB", frozenset())
    studies = load_studies([results], Store(tmp_path / "store"))
    for mix in reply("kit", studies)["mix"]:
        values = {value["name"]: value for value in mix["values"]}
        assert {value["origin"] for value in values.values()} == {"measured"}
        assert values["size of a read"]["value"] == pytest.approx(16)
        assert values["size of a write"]["value"] == pytest.approx(8)
        assert values["I/Os in flight per desktop"]["value"] == pytest.approx(0.25)
        assert 9 < values["IOPS per desktop"]["value"] < 18


def _instance(path: str, vm: str, disk: str) -> list[str]:
    """The counter of a desktop as the tool of its host writes it."""
    named = {
        r"\Hyper-V Virtual Storage Device(*)": rf"\Hyper-V Virtual Storage Device(C:-VMs-{vm}-{disk}.vhdx)",
        r"\Hyper-V Hypervisor Virtual Processor(*)": rf"\Hyper-V Hypervisor Virtual Processor({vm}:Hv VP 0)",
        "Virtual Disk: ": rf"\Virtual Disk({vm}:scsi0:{disk})" + "\\",
        "Group Cpu: ": rf"\Group Cpu(77:{vm})" + "\\",
        "Physical Cpu: ": r"\Physical Cpu(_Total)" + "\\",
    }
    return [
        r"\\HOST01" + instance + path.removeprefix(start) for start, instance in named.items() if path.startswith(start)
    ]


@pytest.mark.parametrize(("tool", "expected"), [("perfmon", {"iops", "cpu"}), ("esxtop", {"iops", "latency", "cpu"})])
def test_that_a_host_log_alone_answers_the_questions_of_its_declared_counters(
    tmp_path: Path, tool: str, expected: set[str]
) -> None:
    """A host with two disks per desktop. Only the folder of the second disk names its desktop."""
    keys = ("iops", "latency", "cpu")
    counters = kit_counters([QUESTIONS[key] for key in keys], Place.HOST)
    paths = [
        path
        for vm in VMS
        for disk in ("0", "1")
        for counter in counters
        if counter.tool == tool
        for path in _instance(counter.name, vm, disk)
    ]
    values = {path: list(10.0 + np.arange(ROWS) % 5) for path in dict.fromkeys(paths)}
    perfmon_csv(tmp_path / "lab" / "run" / "host.csv", values)
    (tmp_path / "lab" / "run" / "events.csv").write_text("\n".join(event_lines()) + "\n")
    studies = load_studies([tmp_path / "lab"], Store(tmp_path / "store"))
    assert answered(studies) & set(keys) == expected
    (run,) = reply("summary", studies)["runs"]
    assert [phase["vms"] for phase in run["phases"]] == [len(VMS)] * len(PHASES)
    declared = {
        key
        for key in keys
        if all(
            not need.needed
            or any(
                set(parts) <= {each.quantity for each in counters if each.tool == tool} for parts in need.alternatives
            )
            for need in QUESTIONS[key].needs
        )
    }
    assert declared == expected


def lacks(question: Question, provisioning: Provisioning, taken: frozenset[Part]) -> bool:
    """True if the question declares that it needs the removed counter, or one that such logs never have."""
    # Snapshots of poolmon are not part of these logs.
    missing = taken | ({Quantity.CACHE_RAM_USED} if provisioning is Provisioning.PVS else frozenset())
    return any(
        need.needed and all(missing & set(parts) for parts in need.alternatives)
        for need in question.needs_of(provisioning)
    )


def brought_back(folder: Path, configuration: str, taken: frozenset[Part]) -> Path:
    """The results of a lab that used the kit: each run with the counters of the kit except those of the removed
    quantities, with events, response times and a fio result."""
    write_kit(folder / "kit", make_kit(KitChoices(configurations=(configuration,), runs=1)))
    results = folder / "kit" / "results"
    (row,) = plan_of(folder / "kit")
    run = results / Path(row["folder"]).name
    results.mkdir()
    (folder / "kit" / row["folder"]).rename(run)
    gone = {counter.name for counter in collected_counters() if counter.quantity in taken}
    counters = [path for path in counters_of_set(folder / "kit" / "guest" / "guest.xml") if path not in gone]
    # A desktop has the older or the newer object of the driver.
    log_run(run, [path for path in counters if not path.startswith(r"\Citrix MCS(*)")], Extra.LOGONS not in taken)
    if Extra.RESPONSES not in taken:
        (run / "load-generator").mkdir()
        (run / "load-generator" / "timers.csv").write_text("\n".join(_timer_lines()) + "\n")
    if Extra.STORAGE_TEST not in taken:
        (results / "storage").mkdir()
        shutil.copy(RESULT, results / "storage")
    if Extra.LOGONS in taken:
        # Without events the phases are stated.
        edges = ((5, 240), (300, 500), (500, 1700))
        stated = "".join(
            f'[[phases]]\nname = "{phase}"\nstart = {_moment(start)}\nend = {_moment(end)}\n'
            for phase, (start, end) in zip(PHASES, edges, strict=True)
        )
        with (run / "run.toml").open("a") as stream:
            stream.write(stated)
    return results


def answered(studies: tuple[Study, ...]) -> set[str]:
    """The questions to which the commands give a value in every phase of the answer."""
    (run,) = (run for run in reply("summary", studies)["runs"] if run["vms"])
    phases = {phase["phase"]: phase for phase in run["phases"]}
    keys = {
        key
        for key, names in MEASURES.items()
        if all(phases.get(phase, {}).get(name) is not None for phase in PHASES for name in names)
    }
    cache = reply("cache", studies)
    if any(each["overflowed"] is not None for each in cache["configurations"]):
        keys.add("overflow")
    if any(each.get("largest_measured_vm_mb") is not None for each in cache["predicted"]):
        keys.add("cache-size")
    logons = [row for study in reply("logons", studies)["studies"] for row in study["configurations"]]
    if any(row["logon_s"] is not None for row in logons):
        keys.add("logons")
    if any(run["vsimax"] and run["vsimax"]["reached"] is not None for row in logons for run in row["runs"]):
        keys.add("vsimax")
    if reply("benchmarks", studies):
        keys.add("storage-limit")
    return keys


def reply(command: str, studies: tuple[Study, ...]) -> Any:
    """The JSON reply of a console command."""
    options = parser(()).parse_args([command, ".", "--format", "json"])
    return options.command.reply(options, studies).json()


def _timer_lines() -> Iterable[str]:
    yield "time,session,active_sessions,timer,value_ms"
    for sample in range(40):
        at = START + timedelta(seconds=450 + sample * STEP_S)
        for timer in ("NSLD", "NFO", "ZHC", "ZLC", "CPU"):
            yield f"{at.isoformat()},user0,3,{timer},{500 + sample}"


def _moment(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).isoformat()
