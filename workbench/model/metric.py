"""Metrics: the quantity that a counter measures, its unit, and the measuring point."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Quantity(StrEnum):
    """A measured quantity: its name in files, and its canonical unit."""

    unit: str

    def __new__(cls, name: str, unit: str = "") -> Quantity:
        """The member of that name."""
        made = str.__new__(cls, name)
        made._value_ = name
        made.unit = unit
        return made

    IOPS = "iops", "1/s"
    READ_IOPS = "read_iops", "1/s"
    WRITE_IOPS = "write_iops", "1/s"
    LATENCY = "latency", "s"
    READ_LATENCY = "read_latency", "s"
    WRITE_LATENCY = "write_latency", "s"
    THROUGHPUT = "throughput", "B/s"
    READ_THROUGHPUT = "read_throughput", "B/s"
    WRITE_THROUGHPUT = "write_throughput", "B/s"
    IO_SIZE = "io_size", "B"
    QUEUE_DEPTH = "queue_depth"
    CPU = "cpu", "%"
    CPU_PRIVILEGED = "cpu_privileged", "%"
    CPU_INTERRUPT = "cpu_interrupt", "%"
    MEMORY_AVAILABLE = "memory_available", "B"
    MEMORY = "memory", "B"
    POOL_NONPAGED = "pool_nonpaged", "B"
    ACTIVE_SESSIONS = "active_sessions"
    CACHE_RAM_USED = "cache_ram_used", "B"
    CACHE_RAM_SIZE = "cache_ram_size", "B"
    CACHE_DISK_USED = "cache_disk_used", "B"
    CACHE_DISK_SIZE = "cache_disk_size", "B"
    INPUT_DELAY = "input_delay", "s"
    ROUND_TRIP = "round_trip", "s"
    ROUND_TRIP_UDP = "round_trip_udp", "s"
    BANDWIDTH = "bandwidth", "Mbit/s"
    BANDWIDTH_UDP = "bandwidth_udp", "Mbit/s"
    ROUND_TRIP_AVD = "round_trip_avd", "s"
    BANDWIDTH_AVD = "bandwidth_avd", "Mbit/s"
    PACKET_LOSS = "packet_loss", "%"
    FRAMES = "frames", "1/s"
    SKIPPED_CLIENT = "frames_skipped_client", "1/s"
    SKIPPED_NETWORK = "frames_skipped_network", "1/s"
    SKIPPED_SERVER = "frames_skipped_server", "1/s"
    ENCODING = "encoding_time", "s"
    CPU_UTILITY = "cpu_utility", "%"
    POWER = "power", "W"


# Values that users notice in their sessions: one counter per session of a machine, blank if there is no such session.
OF_SESSIONS = frozenset(
    (
        Quantity.INPUT_DELAY,
        Quantity.ROUND_TRIP,
        Quantity.ROUND_TRIP_UDP,
        Quantity.BANDWIDTH,
        Quantity.BANDWIDTH_UDP,
        Quantity.ROUND_TRIP_AVD,
        Quantity.BANDWIDTH_AVD,
        Quantity.PACKET_LOSS,
        Quantity.FRAMES,
        Quantity.SKIPPED_CLIENT,
        Quantity.SKIPPED_NETWORK,
        Quantity.SKIPPED_SERVER,
        Quantity.ENCODING,
    )
)


class Vantage(StrEnum):
    """The measuring point of a value."""

    GUEST = "guest"
    HOST = "host"
    ARRAY = "array"


class Tier(StrEnum):
    """The storage that served the I/O."""

    SHARED = "shared"
    CACHE_DISK = "cache-disk"
    RAM = "ram"


class Side(StrEnum):
    """The side of a write cache in the desktop that a counter measures: requested I/O, or I/O on the disks."""

    ABOVE = "above-cache"
    BELOW = "below-cache"


@dataclass(frozen=True, slots=True)
class Metric:
    """The meaning of one counter. `scale` converts the value in the file to the canonical unit."""

    quantity: Quantity
    vantage: Vantage = Vantage.GUEST
    tier: Tier | None = None
    scale: float = 1.0
    estimate: bool = False
