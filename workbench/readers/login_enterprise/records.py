"""Collects the content of the objects of Login Enterprise's API: sessions, measurements, events, metrics and problems.
Platform and session metrics become series and measurements.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from workbench.model.session import EuxSummary, Event, Measurement, Session
from workbench.readers.common.row_problems import Problems, acted, numbered
from workbench.readers.login.metrics import PLATFORM_VM, Sample
from workbench.readers.text.json import JsonObject, moment_of, number_of, shown, text_of
from workbench.readers.text.timestamps import RecordTime, on_one_clock

SHOWN = 60
# EUX scores are from 0 to 10.
EUX_MOST = 10.0


@dataclass(eq=False)
class Records:
    """The content collected from a file's objects. `rows` counts objects kept; `local` is True if a time had no
    offset."""

    problems: Problems
    sessions: list[Session] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    summaries: list[EuxSummary] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    per_machine: bool = True
    moments: list[RecordTime] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)
    rows: int = 0
    rejected: int = 0
    where: str = ""

    def lack(self, what: str) -> None:
        """Rejects the current object."""
        self.rejected += 1
        self.problems.warn("item-rejected", f"{self.where} {what}.", "item rejected; check it in the file")

    def moment(self, item: JsonObject, key: str) -> RecordTime | None:
        """Returns a time of the object. A stated but unreadable time is reported."""
        moment = moment_of(item, key)
        if moment is not None:
            self.moments.append(moment)
        elif item.get(key) not in (None, ""):
            self.problems.warn(
                "bad-time",
                f"{self.where} has an invalid time for '{key}': {shown(item[key], SHOWN)}.",
                "value left empty; check it in the file",
            )
        return moment

    def times(self, item: JsonObject, **keys: str) -> tuple[dict[str, float], bool]:
        """Returns the times of the object by name, and True if they have an offset. Local times next to others are
        reported."""
        values, has_offset, mixed = on_one_clock({name: self.moment(item, key) for name, key in keys.items()})
        if mixed:
            self.problems.warn(
                "mixed-offsets",
                f"{self.where} has timestamps with and without a UTC offset.",
                "timestamps without an offset are left empty; check them in the file",
            )
        return values, has_offset

    def number(
        self, item: JsonObject, key: str, low: float = -inf, whole: bool = False, high: float = inf
    ) -> float | None:
        """Returns a number of the object. A stated number is reported if it cannot be read, is outside `low` and
        `high`, or is not whole although it should be."""
        value = number_of(item, key)
        if value is not None and low <= value <= high and not (whole and value % 1):
            return value
        if item.get(key) is not None:
            self.problems.warn(
                "not-a-number",
                f"{self.where} has an invalid value for '{key}': {shown(item[key], SHOWN)}.",
                "value left empty; check it in the file",
            )
        return None


def part_of(item: JsonObject, key: str, records: Records) -> JsonObject:
    """Returns the object under a key, {} if it is absent. A value of another kind is a problem."""
    part = item.get(key)
    if part is not None and not isinstance(part, dict):
        records.problems.warn(
            "wrong-type",
            f"{records.where}: '{key}' is {shown(part, SHOWN)}, not an object.",
            "value left empty; check it in the file",
        )
    return part if isinstance(part, dict) else {}


def count_of(records: Records, item: JsonObject, key: str) -> int | None:
    """Returns the whole number under a key, or None if it is missing or not a whole number of 0 or more."""
    value = records.number(item, key, 0.0, whole=True)
    return None if value is None else int(value)


def owner_of(item: JsonObject) -> str:
    """Returns the host, group or environment that owns a metric; empty if none is stated."""
    return text_of(item, "host") or text_of(item, "group") or text_of(item, "environmentKey")


def property_of(item: JsonObject, name: str) -> str:
    """Returns the text of a named property; empty if there is none."""
    listed = item.get("properties")
    for listed_item in listed if isinstance(listed, list) else ():
        if isinstance(listed_item, dict) and listed_item.get("propertyId") == name:
            return text_of(listed_item, "value")
    return ""


# Keys that separate metrics with one displayName. They never name a person or machine; keys that could are part of the
# instance.
_IDS = ("metricId", "environmentKey")


def take_series(item: JsonObject, records: Records) -> None:
    """Adds a platform metric with its points, one sample per point."""
    points = item.get("dataPoints")
    if not isinstance(points, list):
        records.lack("is a metric without 'dataPoints'")
        return
    lost = 0
    for point in points:
        value = number_of(point, "value") if isinstance(point, dict) else None
        moment = moment_of(point, "timestamp") if isinstance(point, dict) else None
        if value is None or moment is None:
            lost += 1
            continue
        records.moments.append(moment)
        records.samples.append(sample_of(item, moment.at, value))
    if lost:
        records.problems.warn(
            "item-rejected",
            f"{records.where} has {numbered(lost, 'point')} without a usable value or timestamp.",
            acted("point rejected; check it in the file", lost),
        )
    records.per_machine = False
    records.rows += 1


def take_metric(item: JsonObject, records: Records) -> None:
    """Adds one sample of a platform or session metric."""
    key = "measurement" if "measurement" in item else "value"
    value, moment = records.number(item, key), records.moment(item, "timestamp")
    if value is None or moment is None:
        records.lack(f"is a metric without '{key if value is None else 'timestamp'}'")
        return
    records.samples.append(sample_of(item, moment.at, value))
    # A session's key is not the name of a machine.
    records.per_machine = False
    records.rows += 1


def sample_of(item: JsonObject, at: float, value: float) -> Sample:
    """Returns a value of a platform or session metric with the names of its series. A VM's metric is owned by the
    VM."""
    component = text_of(item, "componentType")
    of_vm = component.casefold() == PLATFORM_VM
    owner = text_of(item, "instance") if of_vm else text_of(item, "userSessionKey") or owner_of(item)
    name = text_of(item, "displayName") or text_of(item, "metricId")
    field, unit = text_of(item, "fieldName") or component, text_of(item, "unit")
    return Sample(at, owner, name, _instance(item, owner), field, unit, value, _ids(item, name, owner))


def _ids(item: JsonObject, name: str, owner: str) -> tuple[str, ...]:
    """Returns the ids that separate this metric from others with its name. An id is empty if it repeats the name or the
    owner."""
    return tuple(text if (text := text_of(item, key)) not in (name, owner) else "" for key in _IDS)


def _instance(item: JsonObject, owner: str) -> str:
    """Returns the instance with the group, the tag and the custom tags that distinguish it, if they are stated."""
    tags = item.get("customTags")
    tagged = [f"{key}={text_of(tags, key)}" for key in sorted(tags)] if isinstance(tags, dict) else []
    group = text_of(item, "group")
    instance = text_of(item, "instance")
    parts = (instance if instance != owner else "", group if group != owner else "", text_of(item, "tag"), *tagged)
    return ", ".join(part for part in parts if part)
