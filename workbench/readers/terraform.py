"""Terraform files of the Citrix provider, and of Azure host pools: how the desktops of a run get their disk.

    resource "citrix_machine_catalog" "w11" {
      provisioning_type = "MCS"
      … writeback_cache = { persist_wbc = true, persist_os_disk = true, writeback_cache_memory_size_mb = 256 } …

Only assignments of plain values are read; nothing is evaluated. A file with several catalogues is not used, because it
does not state which of them was tested. Source: github.com/citrix/terraform-provider-citrix, resource
citrix_machine_catalog; registry.terraform.io, azurerm, azurerm_virtual_desktop_host_pool.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.model.run import Provisioning
from workbench.readers.common.row_problems import Problems
from workbench.readers.text.documents import RUN_BYTES, load_bytes
from workbench.readers.text.encodings import decode_text

LABEL = "terraform"
_RESOURCE = re.compile(
    r'^[ \t]*resource[ \t]+"(citrix_machine_catalog|azurerm_virtual_desktop_host_pool)"', re.MULTILINE
)
# A text in quotes may contain something that looks like a comment or a brace. An unclosed text ends at the end of its
# line, an unclosed comment at the end of the file: searching for the end again and again would take quadratic time.
_TEXT = r'"(?:[^"\\\n]|\\[^\n])*+(?:"|$)'
_COMMENT = re.compile(rf"({_TEXT})|(?:#|//)[^\n]*|/\*(?s:.)*?(?:\*/|\Z)", re.MULTILINE)
_KEYS = (
    "provisioning_type",
    "use_ephemeral_os_disk",
    "writeback_cache",
    "persist_wbc",
    "writeback_cache_memory_size_mb",
)
# A brace, a statement on a key, another text in quotes, or an equals sign that has lost its key.
_TOKEN = re.compile(
    rf"""(?P<brace>[{{}}])|(?<![\w.])(?P<key>{"|".join(_KEYS)}|type)\b[ \t]*(?P<is>=?)[ \t]*"""
    r"""(?:(?:"(?P<quoted>[^"\\\n]*+)"|(?P<plain>\w++))(?=[ \t]*(?:[,}\r\n]|$))|(?P<begin>(?=\{)))?+"""
    rf"""|(?P<text>{_TEXT})|(?P<lost>^[ \t]*+=(?!=))""",
    re.MULTILINE,
)
_FLAGS = frozenset(("true", "false"))
_VALID = {
    "provisioning_type": frozenset(("MCS", "PVSStreaming", "Manual")),
    "use_ephemeral_os_disk": _FLAGS,
    "persist_wbc": _FLAGS,
    "writeback_cache": frozenset(("{", "null")),
    "type": frozenset(("Pooled", "Personal")),
}
_POOL = "azurerm_virtual_desktop_host_pool"
# These keys occur only in the write-back cache.
_OF_THE_CACHE = ("writeback_cache", "persist_wbc", "writeback_cache_memory_size_mb")


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 for a resource of one of the two kinds."""
    return 1.0 if _RESOURCE.search(decode_text(head)[0]) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns the file's statements on the catalogue, as facts for a guess; it holds no results."""
    data = load_bytes(path, name, LABEL, RUN_BYTES)
    if isinstance(data, Reading):
        return data
    text, encoding = decode_text(data)
    text, problems = _COMMENT.sub(lambda match: match[1] or "", text), Problems(name)
    heads = list(_RESOURCE.finditer(text))
    report = FileReport(path=name, reader=LABEL, recognised=True, rows=len(heads), encoding=encoding)
    if len(heads) != 1:
        message = f"The file has {len(heads)} catalogues or host pools."
        problems.info("several-catalogs", message, "no values imported; set them in run.toml")
        return Reading(report, problems.all())
    kind = heads[0][1]
    values, fault = _values(text, heads[0].end(), ("type",) if kind == _POOL else _KEYS)
    if fault:
        problems.warn("unclear-catalog", f"{fault}.", "no values imported; set them in run.toml")
        return Reading(report, problems.all())
    provisioning, size = _provisioning(kind, values), values.get("writeback_cache_memory_size_mb", "")
    facts = [("provisioning", provisioning.value)] if provisioning is not None else []
    if size.isdecimal() and int(size):
        facts.append(("ram_cache_mb", str(int(size))))
    return Reading(report, problems.all(), facts=tuple(facts))


READER = Reader(LABEL, identify, read)


def _values(text: str, start: int, keys: Sequence[str]) -> tuple[dict[str, str], str]:
    """Returns the values that a resource states for the keys, from its start to its closing brace, and the unclear
    ones. A value that Terraform computes is unclear, because nothing is evaluated here."""
    values: dict[str, str] = {}
    depth, is_whole = 0, False
    for token in _TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token["brace"], 0)
        if token["text"] == '"' or (token["text"] and not token["text"].endswith('"')):
            return {}, "A quotation mark is not closed"
        if token["lost"]:
            return {}, "A statement has no name"
        if token["brace"] == "}" and depth <= 0:
            is_whole = depth == 0
            break
        key = token["key"]
        if key not in keys:
            continue
        value = token["quoted"] or token["plain"] or ("{" if token["begin"] is not None else "")
        # Terraform's older blocks have no equals sign.
        stated = bool(token["is"]) or value == "{"
        if not stated or not (value in _VALID[key] if key in _VALID else value.isdecimal() and len(value) < 10):
            return {}, f"The value of {key} is computed, damaged or unknown"
        if values.setdefault(key, value) != value:
            return {}, f"{key} has two values"
    return values, "" if is_whole else "The file ends before the brace that closes the resource"


def _provisioning(resource: str, values: dict[str, str]) -> Provisioning | None:
    if resource == _POOL:
        return Provisioning.AVD_POOLED if values.get("type") == "Pooled" else None
    if values.get("provisioning_type") == "PVSStreaming":
        return Provisioning.PVS
    if values.get("use_ephemeral_os_disk") == "true":
        return Provisioning.EPHEMERAL_OS_DISK
    if any(values.get(key, "null") != "null" for key in _OF_THE_CACHE):
        return Provisioning.PERSISTENT_WRITE_BACK if values.get("persist_wbc") == "true" else Provisioning.MCSIO
    return Provisioning.MCS if values.get("provisioning_type") == "MCS" else None
