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
from pathlib import Path

from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.model.run import Provisioning
from workbench.readers.common.row_problems import Problems
from workbench.readers.login.json import read_bytes
from workbench.readers.login.table import decode

LABEL = "terraform"
_RESOURCE = re.compile(
    r'^[ \t]*resource[ \t]+"(citrix_machine_catalog|azurerm_virtual_desktop_host_pool)"', re.MULTILINE
)
# A text in quotes may hold what looks like a comment or a brace. What is not closed reaches to the end of its line, a
# comment to that of the file: looking for its end again and again would take quadratic time.
_TEXT = r'"(?:[^"\\\n]|\\[^\n])*+(?:"|$)'
_COMMENT = re.compile(rf"({_TEXT})|(?:#|//)[^\n]*|/\*(?s:.)*?(?:\*/|\Z)", re.MULTILINE)
_BRACE = re.compile(rf"{_TEXT}|[{{}}]", re.MULTILINE)
_VALUE = re.compile(r'\b([a-z_]{1,60})[ \t]*=[ \t]*(?:"([^"\n]{0,200})"|(true|false|\d{1,9})\b|(\{))')


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 for a resource of one of the two kinds."""
    return 1.0 if _RESOURCE.search(decode(head)[0]) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns the file's statements on the catalogue, as facts for a guess; it holds no results."""
    data = read_bytes(path, name, LABEL)
    if isinstance(data, Reading):
        return data
    text, encoding = decode(data)
    text, problems = _COMMENT.sub(lambda match: match[1] or "", text), Problems(name)
    kinds = _RESOURCE.findall(text)
    values = {key: quoted or plain or "{" for key, quoted, plain, _ in _VALUE.findall(_block(text))}
    report = FileReport(path=name, reader=LABEL, recognised=True, rows=len(kinds), encoding=encoding)
    if len(kinds) != 1:
        problems.info(
            "several-catalogs", f"The file has {len(kinds)} catalogues or host pools.", "nothing taken from it"
        )
        return Reading(report, problems.all())
    kind, size = _provisioning(kinds[0], values), values.get("writeback_cache_memory_size_mb", "")
    facts = [("provisioning", kind.value)] if kind is not None else []
    if size.isdecimal() and int(size):
        facts.append(("ram_cache_mb", str(int(size))))
    return Reading(report, problems.all(), facts=tuple(facts))


READER = Reader(LABEL, identify, read)


def _block(text: str) -> str:
    """The first resource of one of the two kinds, from its head to the brace that closes it."""
    head = _RESOURCE.search(text)
    start, depth = head.end() if head else len(text), 0
    for match in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth <= 0 and match[0] == "}":
            return text[start : match.end()]
    return text[start:]


def _provisioning(resource: str, values: dict[str, str]) -> Provisioning | None:
    if resource == "azurerm_virtual_desktop_host_pool":
        return Provisioning.AVD_POOLED if values.get("type") == "Pooled" else None
    if values.get("provisioning_type") == "PVSStreaming":
        return Provisioning.PVS
    if values.get("use_ephemeral_os_disk") == "true":
        return Provisioning.EPHEMERAL_OS_DISK
    if "writeback_cache" in values:
        return Provisioning.PERSISTENT_WRITE_BACK if values.get("persist_wbc") == "true" else Provisioning.MCSIO
    return Provisioning.MCS if values.get("provisioning_type") == "MCS" else None
