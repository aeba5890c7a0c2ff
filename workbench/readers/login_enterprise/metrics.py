"""Platform and session metrics of Login Enterprise's API as series and measurements."""

from __future__ import annotations

from workbench.readers.login.json import JsonObject, moment_of, number_of, text_of
from workbench.readers.login.metrics import PLATFORM_VM, Sample
from workbench.readers.login_enterprise.records import Records, owner_of

# Keys that tell metrics of one displayName apart. They name no person and no machine; what may, is of the instance.
_IDS = ("metricId", "environmentKey")


def take_series(item: JsonObject, records: Records) -> None:
    """A platform metric with its points: one row each."""
    points = item.get("dataPoints")
    if not isinstance(points, list):
        records.lack("is a metric without dataPoints")
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
            f"{records.where} has {lost} points without a usable value or timestamp.",
            "points rejected",
        )
    records.per_machine = False
    records.rows += 1


def take_metric(item: JsonObject, records: Records) -> None:
    """One sample of a platform or session metric."""
    key = "measurement" if "measurement" in item else "value"
    value, moment = records.number(item, key), records.moment(item, "timestamp")
    if value is None or moment is None:
        records.lack("is a metric without " + (key if value is None else "timestamp"))
        return
    records.samples.append(sample_of(item, moment.at, value))
    # A session's key is no machine's name.
    records.per_machine = False
    records.rows += 1


def sample_of(item: JsonObject, at: float, value: float) -> Sample:
    """A value of a platform or session metric with what names its series. The owner of a VM's metric is the VM."""
    component = text_of(item, "componentType")
    of_vm = component.casefold() == PLATFORM_VM
    owner = text_of(item, "instance") if of_vm else text_of(item, "userSessionKey") or owner_of(item)
    name = text_of(item, "displayName") or text_of(item, "metricId")
    field, unit = text_of(item, "fieldName") or component, text_of(item, "unit")
    return Sample(at, owner, name, _instance(item, owner), field, unit, value, _ids(item, name, owner))


def _ids(item: JsonObject, name: str, owner: str) -> tuple[str, ...]:
    """What tells this metric from others of its name; empty texts for what its name and its owner say already."""
    return tuple(text if (text := text_of(item, key)) not in (name, owner) else "" for key in _IDS)


def _instance(item: JsonObject, owner: str) -> str:
    """The instance with the group, the tag and the custom tags that tell it from others, where they are stated."""
    tags = item.get("customTags")
    tagged = [f"{key}={text_of(tags, key)}" for key in sorted(tags)] if isinstance(tags, dict) else []
    group = text_of(item, "group")
    instance = text_of(item, "instance")
    parts = (instance if instance != owner else "", group if group != owner else "", text_of(item, "tag"), *tagged)
    return ", ".join(part for part in parts if part)
