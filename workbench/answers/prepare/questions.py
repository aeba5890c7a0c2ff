"""The questions that a test can answer. Each is declared once, with the counters and files that it needs from each
machine.

A question with a metric needs the counters that the metric reads (`measures/catalogue.py`). The names of counters come
from the catalogue of counters (`resources/counters/metrics.toml`). Neither is repeated here.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from workbench.measures.catalogue import MEASURES
from workbench.model.metric import Quantity, Vantage
from workbench.model.phase import LOGON, STANDARD_PHASES, STEADY
from workbench.model.run import Configuration, Provisioning
from workbench.readers.common.counters import Collected, collected_counters


class Place(StrEnum):
    """The machine on which something is collected."""

    GUEST = "guest"
    HOST = "host"
    STORAGE = "storage"
    PVS_SERVER = "PVS server"
    LAUNCHER = "launcher"


class Extra(StrEnum):
    """The data that a question needs in addition to counters: the size of the RAM cache from run.toml (or its driver's
    counter), the beginning and end of logons (events.csv or the sessions of a load generator), the response times that
    a load generator samples, the results of fio or DiskSpd."""

    CACHE_SIZE = "RAM cache size"
    LOGONS = "logon times"
    RESPONSES = "response times"
    STORAGE_TEST = "storage test"


Part = Quantity | Extra
_WITH_RAM_CACHE = frozenset((Provisioning.MCSIO, Provisioning.PVS))
_EVERY = frozenset(Provisioning)
_VANTAGES = {Place.GUEST: Vantage.GUEST, Place.PVS_SERVER: Vantage.GUEST, Place.HOST: Vantage.HOST}
# PVS write caches that keep nothing in the desktop's RAM.
_WITHOUT_RAM = frozenset(("server", "device-disk"))


@dataclass(frozen=True, slots=True)
class CounterNeed:
    """Something that a question needs. Any of `alternatives` is enough, each with all its parts, best first. `places`
    are the machines that can provide it, best first. It is `needed`, or only helps: without it the answer is less
    complete. `only`: for desktops with this provisioning."""

    alternatives: tuple[tuple[Part, ...], ...]
    places: tuple[Place, ...] = (Place.GUEST,)
    _: KW_ONLY
    needed: bool = True
    only: frozenset[Provisioning] = _EVERY

    def counters(self, place: Place | None = None, provisioning: Provisioning | None = None) -> tuple[Collected, ...]:
        """The counters that provide it on that machine (None: on its best one): those of the first alternative that has
        any there. With a `provisioning`, only those that such desktops have."""
        of_each = (counters_of(parts, place or self.places[0], self.only) for parts in self.alternatives)
        counters = next((of_parts for of_parts in of_each if of_parts), ())
        return tuple(
            counter for counter in counters if provisioning is None or counter.desktops in (None, provisioning)
        )


@dataclass(frozen=True, slots=True)
class Question:
    """A question in the users' words, with the page that answers it. `phases` are those it is answered for, empty: the
    whole run. Samples more than `interval_s` seconds apart do not answer it. `ram_cache`: it applies only to
    desktops with a cache in RAM. `measures` are the metrics of the phase table that answer it in a phase. `aside`:
    many studies have other purposes, so an unanswered one is not a caveat of a study."""

    key: str
    text: str
    page: str
    needs: tuple[CounterNeed, ...]
    _: KW_ONLY
    phases: tuple[str, ...] = ()
    interval_s: float = 15.0
    ram_cache: bool = False
    measures: tuple[str, ...] = ()
    aside: bool = False

    def concerns(self, configuration: Configuration) -> bool:
        """True if the question applies to desktops of this configuration."""
        return not self.ram_cache or (
            configuration.provisioning in _WITH_RAM_CACHE
            and configuration.write_cache not in _WITHOUT_RAM
            and configuration.ram_cache_mb != 0
        )

    def needs_of(self, provisioning: Provisioning) -> tuple[CounterNeed, ...]:
        """The needs of the question for desktops with this provisioning."""
        return tuple(need for need in self.needs if provisioning in need.only)


def counters_of(parts: tuple[Part, ...], place: Place, only: frozenset[Provisioning] = _EVERY) -> tuple[Collected, ...]:
    """The counters of these quantities that a kit collects on such a machine of desktops with this provisioning, in the
    order of the catalogue. The PVS server is a Windows machine with disks: its counters are those of a guest. A
    storage test logs none."""
    vantage = _VANTAGES.get(place)
    return tuple(
        counter
        for counter in collected_counters()
        if counter.quantity in parts
        and counter.metric.vantage is vantage
        and (counter.desktops is None or counter.desktops in only)
    )


def read_by(*measures: str) -> tuple[Quantity, ...]:
    """The quantities that these metrics of the phase table read, each once."""
    return tuple(dict.fromkeys(quantity for key in measures for quantity in MEASURES[key].rule.quantities))


def _latency(measure: str) -> CounterNeed:
    """Everything that the latency reads, in the guest or from the host; without the rate of I/O, the latency is a mean
    over time.
    """
    latency, rate = read_by(measure)
    return CounterNeed(((latency, rate), (latency,)), (Place.GUEST, Place.HOST))


_MCSIO, _PVS = frozenset((Provisioning.MCSIO,)), frozenset((Provisioning.PVS,))
_RAM, _DISK = read_by("cache_ram_used_mb_peak"), read_by("overflow_start")
_SIZE = CounterNeed(((Extra.CACHE_SIZE,), (Quantity.CACHE_RAM_SIZE,)), only=_PVS)
# Without its tag in poolmon, the pool that contains the PVS cache is used instead.
_RAM_OF_PVS = CounterNeed((_RAM, (Quantity.POOL_NONPAGED,)), only=_PVS)
_READS_AND_WRITES = read_by("read_percent")
_IOPS_MEASURE, _CPU_MEASURE = "iops_per_vm", "cpu_percent"
_DELAY_MEASURE = "input_delay_ms"
_SKIPPED = (Quantity.SKIPPED_CLIENT, Quantity.SKIPPED_NETWORK, Quantity.SKIPPED_SERVER)
_LATENCIES = ("read_latency_ms", "write_latency_ms")
_IOPS = CounterNeed((read_by(_IOPS_MEASURE), _READS_AND_WRITES), (Place.GUEST, Place.HOST))
_HALVES = CounterNeed((_READS_AND_WRITES,), (Place.GUEST, Place.HOST), needed=False)
# Bytes moved and I/Os of a direction give the size of an I/O.
_SIZES = (Quantity.READ_THROUGHPUT, Quantity.WRITE_THROUGHPUT, *_READS_AND_WRITES)
_PVS_DISKS = CounterNeed((read_by(*_LATENCIES),), (Place.PVS_SERVER,), needed=False, only=_PVS)

_DECLARED = (
    Question(
        "overflow",
        "Does the RAM cache overflow, and when?",
        "cache",
        (CounterNeed((_DISK,), only=_MCSIO), CounterNeed((_RAM,), needed=False, only=_MCSIO), _RAM_OF_PVS, _SIZE),
        interval_s=60.0,
        ram_cache=True,
    ),
    Question(
        "cache-size",
        "How much RAM cache is enough?",
        "cache",
        (
            CounterNeed((_DISK,), only=_MCSIO),
            CounterNeed((_RAM,), only=_MCSIO),
            _RAM_OF_PVS,
            CounterNeed(((Extra.CACHE_SIZE,), (Quantity.CACHE_RAM_SIZE,)), only=_WITH_RAM_CACHE),
            CounterNeed(((Quantity.MEMORY_AVAILABLE,),), needed=False),
        ),
        interval_s=60.0,
        ram_cache=True,
    ),
    Question(
        "iops",
        "How many IOPS per VM during boot, logon and steady state?",
        "overview",
        (_IOPS, _HALVES),
        phases=STANDARD_PHASES,
        measures=(_IOPS_MEASURE,),
    ),
    Question(
        "latency",
        "How long do reads and writes take?",
        "overview",
        (*map(_latency, _LATENCIES), _PVS_DISKS),
        phases=STANDARD_PHASES,
        measures=_LATENCIES,
    ),
    Question("logons", "How long do logons take?", "logons", (CounterNeed(((Extra.LOGONS,),), (Place.LAUNCHER,)),)),
    Question(
        "vsimax",
        "How many sessions does the system support (VSImax)?",
        "logons",
        (CounterNeed(((Extra.RESPONSES,),), (Place.LAUNCHER,)),),
    ),
    Question(
        "storage-limit",
        "How many IOPS can the storage deliver (fio, DiskSpd)?",
        "benchmarks",
        (
            CounterNeed(((Extra.STORAGE_TEST,),), (Place.STORAGE,)),
            CounterNeed(((Quantity.QUEUE_DEPTH,),), (Place.GUEST,), needed=False),
            CounterNeed((_SIZES,), (Place.GUEST, Place.HOST), needed=False),
        ),
    ),
    Question(
        "cpu",
        "How busy are the processors of VMs and hosts?",
        "overview",
        (
            CounterNeed((read_by(_CPU_MEASURE),), (Place.GUEST, Place.HOST)),
            CounterNeed((read_by(_CPU_MEASURE),), (Place.HOST,), needed=False),
        ),
        phases=STANDARD_PHASES,
        measures=(_CPU_MEASURE,),
    ),
    Question(
        "sessions",
        "How responsive are sessions and their network connections?",
        "overview",
        (
            CounterNeed((read_by(_DELAY_MEASURE),)),
            CounterNeed(((Quantity.ROUND_TRIP,), (Quantity.ROUND_TRIP_UDP,), (Quantity.ROUND_TRIP_AVD,)), needed=False),
            CounterNeed(((Quantity.BANDWIDTH,), (Quantity.BANDWIDTH_UDP,), (Quantity.BANDWIDTH_AVD,)), needed=False),
            CounterNeed(((Quantity.PACKET_LOSS,),), needed=False),
            CounterNeed(((Quantity.FRAMES, Quantity.ENCODING, *_SKIPPED),), needed=False),
        ),
        phases=(LOGON, STEADY),
        measures=(_DELAY_MEASURE,),
        aside=True,
    ),
)

QUESTIONS: dict[str, Question] = {question.key: question for question in _DECLARED}
