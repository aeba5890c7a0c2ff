"""How an editor or a shell saves a text changes no figure of any reader."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.readers.test_terraform import CATALOG
from tests.tools.fuzz.formats import formats, seeds_of
from workbench.readers.fio import log_rows
from workbench.readers.terraform import READER as TERRAFORM


def _with_returns(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


FORMS: dict[str, Callable[[str], bytes]] = {
    "mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "mark and carriage returns": lambda text: codecs.BOM_UTF8 + _with_returns(text).encode(),
    "line feeds": lambda text: text.replace("\r\n", "\n").encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-be": lambda text: f"\ufeff{_with_returns(text)}".encode("utf-16-be"),
    "blank lines at the end": lambda text: f"{text}\n\n  \n".encode(),
}
# Terraform files have facts instead of figures.
READERS = [
    name
    for name in formats()
    if not name.startswith("own-") and name != "terraform" and any(seed.is_text for seed in seeds_of(name))
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("label", READERS)
def test_that_the_encoding_of_a_text_changes_no_figure(tmp_path: Path, label: str, form: str) -> None:
    read = formats()[label].read
    for seed in seeds_of(label):
        if seed.is_text:
            clean = read(seed.data, seed.name, tmp_path)
            assert clean.figures or clean.remarks
            found = read(FORMS[form](seed.data.decode()), seed.name, tmp_path)
            assert (seed.name, found.figures) == (seed.name, clean.figures)


@pytest.mark.parametrize("form", FORMS)
def test_that_the_layout_of_a_terraform_file_changes_no_fact(tmp_path: Path, form: str) -> None:
    (tmp_path / "main.tf").write_bytes(FORMS[form](CATALOG))
    reading = TERRAFORM.read(tmp_path / "main.tf", "main.tf", tmp_path / "columns")
    assert dict(reading.facts) == {"provisioning": "MCSIO", "ram_cache_mb": "256"}


def test_that_a_large_fio_log_with_a_byte_order_mark_keeps_its_first_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_rows, "_PIECE", 40)
    text = "".join(f"{1000 * at}, {100 * at}, 0, 4096\n" for at in range(1, 20))
    found = formats()["fio-log"].read(codecs.BOM_UTF8 + text.encode(), "j_iops.1.log", tmp_path)
    assert sorted(found.figures.values()) == [100.0 * at for at in range(1, 20)]


def test_that_blank_lines_above_a_results_table_are_not_part_of_it(tmp_path: Path) -> None:
    read, (seed,) = formats()["result-table"].read, seeds_of("result-table")
    found = read(b"\n\n" + seed.data, seed.name, tmp_path)
    clean = read(seed.data, seed.name, tmp_path)
    assert sorted(found.figures.values()) == sorted(clean.figures.values())


def test_that_trailing_blanks_in_iometer_lines_lose_no_figure(tmp_path: Path) -> None:
    read, (seed, *_) = formats()["iometer"].read, seeds_of("iometer")
    text = seed.data.replace(b"\r\n", b"\n").replace(b"\n", b"  \n")
    assert read(text, seed.name, tmp_path).figures == read(seed.data, seed.name, tmp_path).figures
