"""Metrics: the quantity that a counter measures, its unit, and the measuring point."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Quantity(StrEnum):
    """What is measured. `UNITS` gives the canonical unit of each quantity."""

    IOPS = "iops"
    READ_IOPS = "read_iops"
    WRITE_IOPS = "write_iops"
    LATENCY = "latency"
    READ_LATENCY = "read_latency"
    WRITE_LATENCY = "write_latency"
    THROUGHPUT = "throughput"
    READ_THROUGHPUT = "read_throughput"
    WRITE_THROUGHPUT = "write_throughput"
    IO_SIZE = "io_size"
    QUEUE_DEPTH = "queue_depth"
    CPU = "cpu"
    CPU_PRIVILEGED = "cpu_privileged"
    CPU_INTERRUPT = "cpu_interrupt"
    MEMORY_AVAILABLE = "memory_available"
    MEMORY = "memory"
    POOL_NONPAGED = "pool_nonpaged"
    ACTIVE_SESSIONS = "active_sessions"
    CACHE_RAM_USED = "cache_ram_used"
    CACHE_RAM_SIZE = "cache_ram_size"
    CACHE_DISK_USED = "cache_disk_used"
    CACHE_DISK_SIZE = "cache_disk_size"
    INPUT_DELAY = "input_delay"
    ROUND_TRIP = "round_trip"
    ROUND_TRIP_UDP = "round_trip_udp"
    BANDWIDTH = "bandwidth"
    BANDWIDTH_UDP = "bandwidth_udp"
    ROUND_TRIP_AVD = "round_trip_avd"
    BANDWIDTH_AVD = "bandwidth_avd"
    PACKET_LOSS = "packet_loss"
    FRAMES = "frames"
    SKIPPED_CLIENT = "frames_skipped_client"
    SKIPPED_NETWORK = "frames_skipped_network"
    SKIPPED_SERVER = "frames_skipped_server"
    ENCODING = "encoding_time"
    CPU_UTILITY = "cpu_utility"
    POWER = "power"


UNITS: dict[Quantity, str] = {
    Quantity.IOPS: "1/s",
    Quantity.READ_IOPS: "1/s",
    Quantity.WRITE_IOPS: "1/s",
    Quantity.LATENCY: "s",
    Quantity.READ_LATENCY: "s",
    Quantity.WRITE_LATENCY: "s",
    Quantity.THROUGHPUT: "B/s",
    Quantity.READ_THROUGHPUT: "B/s",
    Quantity.WRITE_THROUGHPUT: "B/s",
    Quantity.IO_SIZE: "B",
    Quantity.QUEUE_DEPTH: "",
    Quantity.CPU: "%",
    Quantity.CPU_PRIVILEGED: "%",
    Quantity.CPU_INTERRUPT: "%",
    Quantity.MEMORY_AVAILABLE: "B",
    Quantity.MEMORY: "B",
    Quantity.POOL_NONPAGED: "B",
    Quantity.ACTIVE_SESSIONS: "",
    Quantity.CACHE_RAM_USED: "B",
    Quantity.CACHE_RAM_SIZE: "B",
    Quantity.CACHE_DISK_USED: "B",
    Quantity.CACHE_DISK_SIZE: "B",
    Quantity.INPUT_DELAY: "s",
    Quantity.ROUND_TRIP: "s",
    Quantity.ROUND_TRIP_UDP: "s",
    Quantity.BANDWIDTH: "Mbit/s",
    Quantity.BANDWIDTH_UDP: "Mbit/s",
    Quantity.ROUND_TRIP_AVD: "s",
    Quantity.BANDWIDTH_AVD: "Mbit/s",
    Quantity.PACKET_LOSS: "%",
    Quantity.FRAMES: "1/s",
    Quantity.SKIPPED_CLIENT: "1/s",
    Quantity.SKIPPED_NETWORK: "1/s",
    Quantity.SKIPPED_SERVER: "1/s",
    Quantity.ENCODING: "s",
    Quantity.CPU_UTILITY: "%",
    Quantity.POWER: "W",
}


# What users notice in their sessions: one counter per session of a machine, blank while there is no such session.
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
