"""JSON replies of the console, compared with their schemas in resources/schemas."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).parents[1] / "resources" / "schemas"
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "null": type(None)}


def schema_file(name: str) -> Path:
    return SCHEMAS / f"{name}.schema.json"


@cache
def schema(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(schema_file(name).read_text(encoding="utf-8"))
    return content


def name_of(reply: Any) -> str | None:
    """The name of the schema of a reply; a list states none, so the keys of its rows decide."""
    if isinstance(reply, list):
        return "benchmarks" if reply and "latency_kind" in reply[0] else None
    stated = str(reply.get("schema", ""))
    return stated.split("/")[1] if stated.startswith("vdi-workbench/") else None


def faults(value: Any, schema: dict[str, Any], place: str = "") -> list[str]:
    """The places at which `value` does not follow `schema`: types, required keys, and keys that the schema lacks."""
    if "const" in schema:
        return [] if value == schema["const"] else [f"{place}: {value}"]
    kinds = schema.get("type", list(KINDS))
    if not any(isinstance(value, KINDS[kind]) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return [f"{place}: {type(value).__name__}"]
    if isinstance(value, list):
        return [fault for item in value for fault in faults(item, schema.get("items", {}), f"{place}[]")]
    if not isinstance(value, dict):
        return []
    known, rest = schema.get("properties", {}), schema.get("additionalProperties")
    missing = [f"{place}.{key}: missing" for key in schema.get("required", []) if key not in value]
    unknown = [f"{place}.{key}: not in the schema" for key in value if schema and key not in known and rest is None]
    inside = [
        fault for key, member in value.items() for fault in faults(member, known.get(key, rest or {}), f"{place}.{key}")
    ]
    return missing + unknown + inside


def keys_of(schema: Any) -> set[str]:
    """Every key that a schema names, at any depth."""
    if isinstance(schema, list):
        return {key for member in schema for key in keys_of(member)}
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})) | {key for member in schema.values() for key in keys_of(member)}
