"""Writes resources/schemas/ and docs/json.md from the output of the commands: uv run python docs/tools/schemas.py

Every command with `--format json` is run on the sample studies and on the damaged ones, with the options that add keys.
A schema lists all printed keys with their types. A key that is not in `required` is printed only with such an option,
or only if there is something to report. Keys that may be null are declared in the code (docs/tools/declared.py).
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import declared

from workbench.cli import main
from workbench.answers.common.spec import LIMIT_FAILED

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "resources" / "schemas"
PAGE = ROOT / "docs" / "json.md"
SWEEP, STORM, BENCHMARKS = (
    f"sample_data/{name}" for name in ("rds-mcsio-cache-sweep", "vdi-login-storm", "storage-benchmarks")
)
DAMAGED, WINDOWS_7, XENAPP = (
    "sample_data/damaged",
    "sample_data/windows-7-mcs-and-pvs",
    "sample_data/xenapp-pvs-ram-cache",
)
BUILDS = "sample_data/windows-11-builds"
ALL = (SWEEP, STORM, BENCHMARKS, WINDOWS_7, XENAPP)
# Written while the schemas are made: two files of `vdiwb summary --format json`, and a test run of Login Enterprise.
EARLIER, LATER, ENTERPRISE = "earlier.json", "later.json", "login-enterprise.json"
# The builds of the sample, for which the last run may be a step; no sample study has such a step.
LAST_STEP = "last-step"
POSSIBLE = {"build": "1212", "date": "2026-03-30", "run": "build-1212", "change_percent": 16.0, "more_sessions": 1}
TEST_RUN = {
    "type": "loadTest",
    "id": "run-1",
    "testId": "test-1",
    "state": "completed",
    "created": "2024-03-05T07:58:00Z",
    "started": "2024-03-05T08:00:00Z",
    "finished": "2024-03-05T09:10:00Z",
    "loginCounts": {"successCount": 118, "totalCount": 120},
    "euxScore": {"score": 7.2, "steadyStateScore": 7.6, "baseline": 8.1, "version": "2023", "state": "completed"},
    "vsiMax": {"maxSessions": 110, "version": "1", "state": "completed", "timestamp": "2024-03-05T08:50:00Z"},
}
# The schema of each reply, and the command lines that print the reply.
REPLIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "inspect": (("inspect", *ALL), ("inspect", DAMAGED)),
    "summary": (
        ("summary", *ALL),
        ("summary", DAMAGED),
        ("summary", SWEEP, "--explain", "--figure", "iops_per_vm", "--figure", "overflow_start"),
    ),
    "findings": (
        ("findings", *ALL),
        ("findings", DAMAGED),
        ("findings", SWEEP, "--all", "--explain"),
        ("findings", STORM, "--explain"),
        ("findings", BENCHMARKS, "--explain"),
    ),
    "compare": (
        ("compare", SWEEP),
        ("compare", WINDOWS_7),
        ("compare", DAMAGED),
        ("compare", SWEEP, "--explain", "--figure", "iops_per_vm"),
    ),
    "plan": (("plan", SWEEP, "--detect", "5%"), ("plan", WINDOWS_7, "--detect", "5%")),
    "distribution": (("distribution", SWEEP), ("distribution", WINDOWS_7)),
    "cache": (("cache", SWEEP), ("cache", XENAPP), ("cache", WINDOWS_7), ("cache", SWEEP, "--explain")),
    "logons": (("logons", STORM), ("logons", WINDOWS_7), ("logons", STORM, "--explain"), ("logons", ENTERPRISE)),
    "benchmarks": (
        ("benchmarks", BENCHMARKS),
        ("benchmarks", BENCHMARKS, "--raw", "guess"),
        ("benchmarks", BENCHMARKS, "--explain"),
    ),
    "sweeps": (("benchmarks", BENCHMARKS, "--sweeps"), ("benchmarks", BENCHMARKS, "--sweeps", "--explain")),
    "repeats": (("benchmarks", BENCHMARKS, "--repeats"), ("benchmarks", BENCHMARKS, "--repeats", "--explain")),
    "sizing": (
        ("sizing", SWEEP, "--desktops", "500"),
        ("sizing", WINDOWS_7, "--desktops", "500"),
        ("sizing", SWEEP, "--desktops", "500", "--explain"),
        # No VM fits on a host.
        ("sizing", SWEEP, "--desktops", "500", "--set", "vm_ram_gib=500"),
    ),
    "what-if": (
        ("what-if", WINDOWS_7, "--desktops", "500", "--minutes", "20"),
        ("what-if", WINDOWS_7, "--desktops", "500", "--minutes", "20", "--explain"),
    ),
    # A sweep has too few runs of each configuration to show a step.
    "trend": (("trend", BUILDS), ("trend", SWEEP), ("trend", DAMAGED), ("trend", LAST_STEP)),
    "check": (("check", SWEEP), ("check", WINDOWS_7, "--limits", f"{SWEEP}/limits.toml")),
    "kit": (("kit",), ("kit", SWEEP)),
    "kit-check": tuple(("kit", "--check", study) for study in (SWEEP, DAMAGED, WINDOWS_7, STORM, BENCHMARKS)),
    "storyboard": (("storyboard", SWEEP), ("storyboard", WINDOWS_7)),
    "changes": (("changes", EARLIER, LATER),),
}
NAMES = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    type(None): "null",
}
# Parts of other results that the sample does not show and no annotation declares.
ALSO = {
    **dict.fromkeys(("raw_test", "raw_test_guessed", "path", "counts"), "null"),
    # The folder of a test kit.
    **dict.fromkeys(("before", "after", "folder"), "string"),
    # No run of the sample drifts.
    "drift_verdict": "string",
}
# Objects whose keys are names of VSImax models: their values share one schema.
BY_NAME = ("numbers", "weights")


def reply(line: tuple[str, ...]) -> Any:
    """The JSON output of a command."""
    if EARLIER in line or ENTERPRISE in line:
        return reply_of_made(line)
    if LAST_STEP in line:
        builds = reply(("trend", BUILDS))
        builds["series"][0]["possible"] = POSSIBLE
        return builds
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()), contextlib.chdir(ROOT):
        status = main([*line, "--format", "json"])
    # A limit of the sample is exceeded on purpose.
    if status not in (0, 1, LIMIT_FAILED):
        raise RuntimeError(f"vdiwb {' '.join(line)} ended with {status}")
    return json.loads(output.getvalue())


def reply_of_made(line: tuple[str, ...]) -> Any:
    """The reply for files that are written for it: of two summaries, the later one lacks a run and has another run
    moved.
    """
    contents = {ENTERPRISE: TEST_RUN}
    if EARLIER in line:
        earlier, later = reply(("summary", SWEEP)), reply(("summary", SWEEP))
        del later["runs"][0]
        later["runs"][0]["phases"][0]["iops_per_vm"] *= 2
        contents = {EARLIER: earlier, LATER: later}
    with tempfile.TemporaryDirectory() as folder:
        for name, content in contents.items():
            Path(folder, name).write_text(json.dumps(content), encoding="utf-8")
        return reply(tuple(str(Path(folder, word)) if word in contents else word for word in line))


def schema_of(values: list[Any], key: str = "", nullable: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The schema that all `values` of a key follow; keys in `nullable` may be null in other results."""
    if key == "schema":
        return {"const": values[0]}
    kinds = {NAMES[type(value)] for value in values}
    if "number" in kinds or (key in nullable and "array" not in kinds):
        # Any value may be missing in other results, and is null then.
        kinds.add("null")
    kinds |= {ALSO[key]} if key in ALSO else set()
    schema: dict[str, Any] = {} if kinds == {"null"} else {"type": sorted(kinds) if len(kinds) > 1 else kinds.pop()}
    objects = [value for value in values if isinstance(value, dict)]
    if objects and key in BY_NAME:
        members = [member for value in objects for member in value.values()]
        schema["additionalProperties"] = schema_of(members, nullable=nullable)
    elif objects:
        keys = list(dict.fromkeys(key for value in objects for key in value))
        schema["properties"] = {
            key: schema_of([value[key] for value in objects if key in value], key, nullable) for key in keys
        }
        schema["required"] = [key for key in keys if all(key in value for value in objects)]
    items = [item for value in values if isinstance(value, list) for item in value]
    if items:
        schema["items"] = schema_of(items, nullable=nullable)
    return schema


def null_keys(value: Any, key: str = "") -> set[str]:
    """The keys that are null somewhere in a reply."""
    if isinstance(value, dict):
        return {name for key, member in value.items() for name in null_keys(member, key)}
    if isinstance(value, list):
        return {name for member in value for name in null_keys(member)}
    return {key} if value is None else set()


def written(name: str, replies: list[Any], nullable: frozenset[str]) -> str:
    """The schema of a reply as the text of its file."""
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"vdi-workbench/{name}/1",
        **schema_of(replies, nullable=nullable),
    }
    if "properties" in whole:
        # Only in a reply with --anonymise.
        whole["properties"]["anonymised"] = {"type": "boolean"}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


PAGE_HEAD = """# JSON

This page lists the keys and schema of each reply, the JSON output of a command. The pages in [Answers](answers.md)
explain how the values are computed. Scripts can rely on these rules for `--format json`:

- The name, position and unit of a key never change. Key names contain the unit (`_ms`, `_mb`, `_percent`, `_s`).
- New versions may add keys, so scripts must ignore unknown keys.
- `schema` ends with a number. The number changes only if existing scripts can no longer read the reply.
- A missing value is `null`, never 0. Times are in ISO 8601 format, in UTC.
- The same result files always give exactly the same reply
  (see [Reliability](developing/reliability.md#same-input-same-bytes)).

These keys occur in most replies:

- `problems` lists everything that was ignored, guessed, fixed automatically or not imported. Each problem has
  `severity` (`info`, `warning`, `refused`), `file`, `line`, `column`, `code`, `message` and `action`. `refused` means
  *not imported*.
- `method` is the version of the rules for verdicts (see [Statistics](statistics.md)).
- `explain` shows the source of each value (only with the option `--explain`).
- `anonymised` is true if names were replaced (only with the option `--anonymise`).

The keys for the comparison with the raw disk (`raw_test…` and `iops_ratio_…`) are present only with `benchmarks --raw`.

The schemas follow JSON Schema 2020-12. A schema defines the keys and their types, but does not restrict the values.
Keys that are present only with an option are optional in the schema. The *keys* column lists the top-level keys of the
reply, without `schema`.

| reply | command | keys | schema |
|---|---|---|---|
"""


def page(texts: dict[str, str]) -> str:
    """docs/json.md: the keys of each reply."""
    lines = [PAGE_HEAD]
    for name, text in texts.items():
        schema = json.loads(text)
        keys = schema.get("properties") or schema["items"]["properties"]
        line = REPLIES[name][0]
        command = " ".join(
            (
                "vdiwb",
                line[0],
                "PATH…",
                *(word for word in line[1:] if not word.startswith("sample_data") and not word.endswith(".json")),
            )
        )
        kind = "a list of rows with " if schema["type"] == "array" else ""
        shown = kind + ", ".join(f"`{key}`" for key in keys if key != "schema")
        lines.append(f"| {name} | `{command}` | {shown} | [schema](../resources/schemas/{name}.schema.json) |\n")
    return "".join(lines)


def schemas() -> dict[str, str]:
    """Every schema by the name of its reply. Uses the column store of the environment."""
    replies = {name: [reply(line) for line in lines] for name, lines in REPLIES.items()}
    null = {key for values in replies.values() for value in values for key in null_keys(value)}
    nullable = frozenset(null | {key for key, optional in declared.keys().items() if optional} | declared.fields())
    return {name: written(name, values, nullable) for name, values in replies.items()}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VDI_WORKBENCH_STORE"] = folder
        texts = schemas()
        PAGE.write_text(page(texts), encoding="utf-8")
        for name, text in texts.items():
            (SCHEMAS / f"{name}.schema.json").write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name}: {len(text)} bytes\n")
