"""Terraform files: guesses about the run in their folder, which the name and run.toml override."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import perfmon_csv
from tests.readers.login_files import codes
from workbench.console.loading import load_studies
from workbench.readers.registry import recognise
from workbench.readers.terraform import READER
from workbench.study.store.column_store import Store

CATALOG = """
resource "citrix_machine_catalog" "w11" {
  name              = "w11" # persist_wbc = true
  provisioning_type = "MCS"
  provisioning_scheme = {
    azure_machine_config = {
      writeback_cache = {
        wbc_disk_storage_type          = "Standard_LRS"
        persist_wbc                    = false
        persist_os_disk                = false
        writeback_cache_disk_size_gb   = 127
        writeback_cache_memory_size_mb = 256
      }
    }
  }
}
"""
POOL = 'resource "azurerm_virtual_desktop_host_pool" "p" {\n  type = "Pooled"\n}\n'


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (CATALOG, {"provisioning": "MCSIO", "ram_cache_mb": "256"}),
        (
            CATALOG.replace("persist_wbc                    = false", "persist_wbc = true"),
            {"provisioning": "persistent write-back", "ram_cache_mb": "256"},
        ),
        (
            CATALOG.replace("writeback_cache = {", "use_ephemeral_os_disk = true\n x = {"),
            {"provisioning": "ephemeral OS disk", "ram_cache_mb": "256"},
        ),
        (CATALOG.replace('"MCS"', '"PVSStreaming"'), {"provisioning": "PVS", "ram_cache_mb": "256"}),
        ('resource "citrix_machine_catalog" "a" {\n provisioning_type = "MCS"\n}\n', {"provisioning": "MCS"}),
        (POOL, {"provisioning": "AVD pooled"}),
        (POOL.replace("Pooled", "Personal"), {}),
        (CATALOG + POOL, {}),
    ],
)
def test_that_terraform_files_give_guesses_of_run_properties(tmp_path: Path, text: str, facts: dict[str, str]) -> None:
    path = tmp_path / "main.tf"
    path.write_text(text, encoding="utf-8")
    assert recognise(text.encode(), "main.tf") is READER
    reading = READER.read(path, "main.tf", tmp_path / "columns")
    assert dict(reading.facts) == facts
    assert codes(reading) == (["several-catalogs"] if text == CATALOG + POOL else [])


@pytest.mark.parametrize(
    ("folder", "configuration"),
    [("lab-1", ("MCSIO", 256)), ("pvs-512", ("PVS", 512)), ("instant-clone", ("instant clone", None))],
)
def test_that_the_name_of_the_run_overrides_the_guess(
    tmp_path: Path, folder: str, configuration: tuple[str, int | None]
) -> None:
    run = tmp_path / "study" / folder
    perfmon_csv(run / "W11-001.csv", {r"\\W11-001\PhysicalDisk(_Total)\Disk Transfers/sec": [1.0] * 8})
    (run / "main.tf").write_text(CATALOG, encoding="utf-8")
    store = Store(tmp_path / "store")
    store.prepare()
    (study,) = load_studies([tmp_path / "study"], store)
    found = study.runs[0].configuration
    assert (found.provisioning.value, found.ram_cache_mb) == configuration


OTHERS = (
    'resource "x_y" "z" {\n  writeback_cache = {}\n  persist_wbc = true\n}\n',
    'variable "v" {\n  writeback_cache_memory_size_mb = 4096\n}\n',
)


@pytest.mark.parametrize("other", OTHERS)
def test_that_other_blocks_do_not_describe_the_catalogue(tmp_path: Path, other: str) -> None:
    catalog = 'resource "citrix_machine_catalog" "w" {\n  provisioning_type = "MCS"\n  name = "a } b"\n}\n'
    for whole in (catalog + other, other + catalog):
        (tmp_path / "m.tf").write_text(whole)
        reading = READER.read(tmp_path / "m.tf", "m.tf", tmp_path / "columns")
        assert dict(reading.facts) == {"provisioning": "MCS"}


def test_that_comment_marks_within_a_text_start_no_comment(tmp_path: Path) -> None:
    line = 'resource "citrix_machine_catalog" "w" { image = "https://x/#1", provisioning_type = "PVSStreaming" }\n'
    (tmp_path / "m.tf").write_text(line)
    assert dict(READER.read(tmp_path / "m.tf", "m.tf", tmp_path / "columns").facts) == {"provisioning": "PVS"}
