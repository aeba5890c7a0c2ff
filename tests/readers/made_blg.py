"""A log of whole objects, as Windows Vista wrote them: disks, processors, memory and the time since start, with
invented values that agree with each other."""

from __future__ import annotations

from random import Random

from tests.readers.blg_files import (
    AVERAGE_BASE,
    AVERAGE_BULK,
    AVERAGE_TIMER,
    BULK,
    COUNTER,
    ELAPSED,
    FRACTION,
    FRACTION_BASE,
    FREQUENCY,
    LARGE_RAW,
    PRECISION,
    PRECISION_BASE,
    QUEUE_100NS,
    SECOND,
    START,
    TIMER_INV,
    catalogue,
    counter_block,
    local,
    log,
    names_message,
    objects,
    one_object,
    record,
    sample,
)

_TIMER = 0x20510500  # PERF_100NSEC_TIMER
_SECONDS_APART, _SAMPLES = 60, 11
_SIDES = ("Transfer", "Read", "Write")
# Counter -> its types; a type with a base has two consecutive values.
_DISK = {
    **{f"Disk {side}s/sec": (COUNTER,) for side in _SIDES},
    **{f"Disk {side}Bytes/sec": (BULK,) for side in ("", "Read ", "Write ")},
    **{f"% Disk {side}Time": (PRECISION, PRECISION_BASE) for side in ("", "Read ", "Write ")},
    **{f"Avg. Disk {side}Queue Length": (QUEUE_100NS,) for side in ("", "Read ", "Write ")},
    "Avg. Disk Bytes/Transfer": (AVERAGE_BULK, AVERAGE_BASE),
    "Avg. Disk sec/Transfer": (AVERAGE_TIMER, AVERAGE_BASE),
}
_PROCESSOR = {
    "% Processor Time": (TIMER_INV,),
    **{f"% {kind} Time": (_TIMER,) for kind in ("User", "Privileged", "Idle")},
}
_MEMORY = {
    "Available Bytes": (LARGE_RAW,),
    "Available KBytes": (LARGE_RAW,),
    "Committed Bytes": (LARGE_RAW,),
    "Commit Limit": (LARGE_RAW,),
    "% Committed Bytes In Use": (FRACTION, FRACTION_BASE),
}
_SYSTEM = {"System Up Time": (ELAPSED,)}
_OBJECTS = {"LogicalDisk": _DISK, "PhysicalDisk": _DISK, "Processor": _PROCESSOR, "Memory": _MEMORY, "System": _SYSTEM}
# Every name that is in the log, by an even number.
_TITLES = {
    name: 2 * at for at, name in enumerate(dict.fromkeys([*_OBJECTS, *(c for o in _OBJECTS.values() for c in o)]), 1)
}


def whole_objects() -> bytes:
    """The log: a sample a minute."""
    entries = (
        record(name, "*", 0x10, None if name in ("Memory", "System") else "*", form=0x10, base=0) for name in _OBJECTS
    )
    parts = names_message({number: name for name, number in _TITLES.items()}) + catalogue(*entries)
    draw, reads, writes = Random(5), _Side(), _Side()
    user = privileged = 0
    for number in range(_SAMPLES):
        second = number * _SECONDS_APART
        for side in (reads, writes):
            side.does(draw.randrange(1, 900), draw)
        user += draw.randrange(20 * SECOND)
        privileged += draw.randrange(20 * SECOND)
        disk = _disk_values(reads, writes, second)
        idle = START + second * SECOND - user - privileged
        available = 900_000_000 + draw.randrange(99_000_000)
        pages, limit = draw.randrange(100_000, 400_000), 800_000
        memory = [available, available // 1024, pages * 4096, limit * 4096, pages, limit]
        bodies = (
            _object("LogicalDisk", {"C:": disk, "_Total": disk}),
            _object("PhysicalDisk", {"0 C:": disk, "_Total": disk}),
            _object("Processor", {name: [idle, user, privileged, idle] for name in ("0", "_Total")}),
            _object("Memory", memory),
            _object("System", [SECOND], (START + second * SECOND, SECOND)),
        )
        parts += sample(local(second), *(objects(second, body) for body in bodies))
    return log(parts)


class _Side:
    """The reads or writes since the start: I/Os, bytes, and their time in 100 ns."""

    def __init__(self) -> None:
        self.ios = self.amount = self.time = 0

    def does(self, ios: int, draw: Random) -> None:
        """Adds these I/Os."""
        self.ios += ios
        self.amount += ios * 4096 * draw.randrange(1, 16)
        self.time += ios * draw.randrange(5_000, 90_000)


def _disk_values(reads: _Side, writes: _Side, second: int) -> list[int]:
    """The values in the order of `_DISK`."""
    ios, amount, time = reads.ios + writes.ios, reads.amount + writes.amount, reads.time + writes.time
    now = START + second * SECOND
    busy = [value for part in (time, reads.time, writes.time) for value in (part, now)]
    return [
        *(ios, reads.ios, writes.ios),
        *(amount, reads.amount, writes.amount),
        *busy,
        *(time, reads.time, writes.time),
        *(amount, ios),
        *(time * FREQUENCY // SECOND, ios),
    ]


def _object(name: str, values: dict[str, list[int]] | list[int], clock: tuple[int, int] = (0, 0)) -> bytes:
    """One object; each value has eight bytes; counters of four bytes use the lower half."""
    kinds = [(_TITLES[counter], kind) for counter, kinds in _OBJECTS[name].items() for kind in kinds]
    definitions = [(title, kind, 4 + 8 * at) for at, (title, kind) in enumerate(kinds)]
    layout = f"{len(kinds)}q"
    if isinstance(values, list):
        return one_object(_TITLES[name], definitions, counter_block(layout, *values), clock)
    blocks = [(instance, counter_block(layout, *numbers)) for instance, numbers in values.items()]
    return one_object(_TITLES[name], definitions, blocks, clock)
