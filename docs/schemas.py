"""Writes resources/schemas/ and docs/json.md from what the commands print: uv run python docs/schemas.py

Every command with `--format json` is run on the sample studies and on the damaged ones. A schema has the keys that all
of them print, with the types seen; a key that is not in `required` is printed only where there is something to say.
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

from workbench.cli import main
from workbench.console.exit_status import LIMIT_FAILED

ROOT = Path(__file__).parents[1]
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
ALL = (SWEEP, STORM, BENCHMARKS, WINDOWS_7, XENAPP)
# The schema of each reply, and the command lines that show it.
REPLIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "inspect": (("inspect", *ALL), ("inspect", DAMAGED)),
    "summary": (("summary", *ALL), ("summary", DAMAGED)),
    "findings": (("findings", *ALL), ("findings", DAMAGED), ("findings", SWEEP, "--all")),
    "compare": (("compare", SWEEP), ("compare", WINDOWS_7), ("compare", DAMAGED)),
    "plan": (("plan", SWEEP, "--detect", "5%"), ("plan", WINDOWS_7, "--detect", "5%")),
    "distribution": (("distribution", SWEEP), ("distribution", WINDOWS_7)),
    "cache": (("cache", SWEEP), ("cache", XENAPP), ("cache", WINDOWS_7)),
    "logons": (("logons", STORM), ("logons", WINDOWS_7)),
    "benchmarks": (("benchmarks", BENCHMARKS),),
    "sweeps": (("benchmarks", BENCHMARKS, "--sweeps"),),
    "repeats": (("benchmarks", BENCHMARKS, "--repeats"),),
    "sizing": (("sizing", SWEEP, "--desktops", "500"), ("sizing", WINDOWS_7, "--desktops", "500")),
    "what-if": (("what-if", WINDOWS_7, "--desktops", "500", "--minutes", "20"),),
    "check": (("check", SWEEP), ("check", WINDOWS_7, "--limits", f"{SWEEP}/limits.toml")),
    "storyboard": (("storyboard", SWEEP), ("storyboard", WINDOWS_7)),
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
# Objects whose keys are names of a model of VSImax: their values share one schema.
BY_NAME = ("numbers", "weights")


def reply(line: tuple[str, ...]) -> Any:
    """What a command prints as JSON."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()), contextlib.chdir(ROOT):
        status = main([*line, "--format", "json"])
    # A limit of the sample is broken on purpose.
    if status not in (0, 1, LIMIT_FAILED):
        raise RuntimeError(f"vdiwb {' '.join(line)} ended with {status}")
    return json.loads(output.getvalue())


def schema_of(values: list[Any], key: str = "") -> dict[str, Any]:
    """What all `values` of a key follow."""
    if key == "schema":
        return {"const": values[0]}
    kinds = {NAMES[type(value)] for value in values}
    if "number" in kinds:
        # Any figure may be missing in other results, and is null then.
        kinds.add("null")
    schema: dict[str, Any] = {} if kinds == {"null"} else {"type": sorted(kinds) if len(kinds) > 1 else kinds.pop()}
    objects = [value for value in values if isinstance(value, dict)]
    if objects and key in BY_NAME:
        schema["additionalProperties"] = schema_of([member for value in objects for member in value.values()])
    elif objects:
        keys = list(dict.fromkeys(key for value in objects for key in value))
        schema["properties"] = {key: schema_of([value[key] for value in objects if key in value], key) for key in keys}
        schema["required"] = [key for key in keys if all(key in value for value in objects)]
    items = [item for value in values if isinstance(value, list) for item in value]
    if items:
        schema["items"] = schema_of(items)
    return schema


def written(name: str, replies: list[Any]) -> str:
    """The schema of a reply as the text of its file."""
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"vdi-workbench/{name}/1",
        **schema_of(replies),
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


PAGE_HEAD = """# JSON

`--format json` is a stable contract: a key keeps its name, its place and its unit. New keys may be added, so a script
ignores keys that it does not know. The number at the end of `schema` changes when an old script could no longer read the
reply.

- Missing is `null`, never 0. Times are ISO-8601 in UTC. The unit stands in the name of the key (`_ms`, `_mb`, `_percent`, `_s`).
- `problems` lists what was skipped, guessed, repaired or refused: `severity` (`info`, `warning`, `refused`), `file`, `line`,
  `column`, `code`, `message`, `action`.
- `method` is the version of the rules that make verdicts ([statistics](statistics.md)).
- [Answers](answers.md) says how each figure is computed.
- The same results give the same bytes ([reliability](reliability.md#same-input-same-bytes)).

The schemas (JSON Schema 2020-12) and this table are written from what the commands print for the sample studies, by
`uv run python docs/schemas.py`. They name the keys and their types; they do not limit values.

| reply | command | keys | schema |
|---|---|---|---|
"""


def page(texts: dict[str, str]) -> str:
    """docs/json.md: what each reply holds."""
    lines = [PAGE_HEAD]
    for name, text in texts.items():
        schema = json.loads(text)
        keys = schema.get("properties") or schema["items"]["properties"]
        line = REPLIES[name][0]
        command = " ".join(
            ("vdiwb", line[0], "PATH…", *(word for word in line[1:] if not word.startswith("sample_data")))
        )
        kind = "a list of rows with " if schema["type"] == "array" else ""
        shown = kind + ", ".join(f"`{key}`" for key in keys if key != "schema")
        lines.append(f"| {name} | `{command}` | {shown} | [schema](../resources/schemas/{name}.schema.json) |\n")
    lines.append("\n`vdiwb changes` has its keys in [What changed](changes.md#on-the-console).\n")
    return "".join(lines)


def schemas() -> dict[str, str]:
    """Every schema by the name of its reply. Uses the column store of the environment."""
    return {name: written(name, [reply(line) for line in lines]) for name, lines in REPLIES.items()}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VDI_WORKBENCH_STORE"] = folder
        texts = schemas()
        PAGE.write_text(page(texts), encoding="utf-8")
        for name, text in texts.items():
            (SCHEMAS / f"{name}.schema.json").write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name}: {len(text)} bytes\n")
