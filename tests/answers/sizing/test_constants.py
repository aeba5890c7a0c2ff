"""The constants of the plan: complete, in range, and with a message for values that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from workbench.answers.sizing.constants import ORIGINS, SizingError, checked, constants, own_file, own_words, read_table
from workbench.answers.sizing.steps import RULES

# Speeds and feeds as published, GB/s.
FEEDS = {
    "network_port": {
        "1Gb Ethernet": 0.1,
        "10Gb Ethernet": 1.1,
        "40Gb Ethernet": 4.5,
        "32Gb InfiniBand (QDR)": 3.8,
        "56Gb InfiniBand (FDR)": 6.5,
    },
    "hba_port": {"3Gb SAS x4": 1.1, "6Gb SAS x4": 2.2, "4Gb FC": 0.4, "8Gb FC": 0.8, "16Gb FC": 1.5},
    "bus_slot": {
        "PCIe Gen2 x4": 1.7,
        "PCIe Gen2 x8": 3.4,
        "PCIe Gen2 x16": 6.8,
        "PCIe Gen3 x4": 3.3,
        "PCIe Gen3 x8": 6.7,
        "PCIe Gen3 x16": 13.5,
    },
    "processor_link": {
        "QPI 4.8 GT/s": 9.8,
        "QPI 5.86 GT/s": 12.0,
        "QPI 6.4 GT/s": 13.0,
        "QPI 7.2 GT/s": 14.7,
        "QPI 8.0 GT/s": 16.4,
    },
    "memory": {
        "DDR2-400 (PC2-3200)": 3.4,
        "DDR2-667 (PC2-5300)": 5.7,
        "DDR2-1066 (PC2-8500)": 9.1,
        "DDR3-800 (PC3-6400)": 6.8,
        "DDR3-1333 (PC3-10600)": 11.4,
        "DDR3-1600 (PC3-12800)": 13.7,
        "DDR3-2133 (PC3-17000)": 18.3,
    },
}


def test_that_every_constant_has_a_description_and_a_source() -> None:
    for one in constants().values():
        assert one.label, one.name
        assert one.group, one.name
        assert one.source, one.name
        assert one.origin in ORIGINS, one.name


@pytest.mark.parametrize("name", FEEDS)
def test_that_the_speeds_and_feeds_equal_the_published_values(name: str) -> None:
    found = {choice.name: next(iter(choice.values.values())) / 1000 for choice in constants()[name].choices}
    assert found == pytest.approx(FEEDS[name])


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("disk_iop", 1, "'disk_iop' is not a sizing input. Did you mean disk_iops"),
        ("zebra", 1, "Valid inputs are listed in docs/answers/sizing.md"),
        ("disk_iops", 0, "disk_iops = 0 is out of range (IOPS per disk: 1 to 100,000,000 IOPS)."),
        ("disk_iops", -5, "out of range"),
        ("disk_iops", "many", "is not a number"),
        ("disk_iops", float("nan"), "is not a number"),
        ("disk_iops", float("inf"), "is not a number"),
        ("disk_iops", True, "is not a number"),
        ("disk_iops", None, "is not a number"),
        ("desktops", 0, "out of range"),
        ("desktops", 1e12, "out of range"),
        ("desktops", 10.5, "must be a whole number"),
        ("read_percent", 101, "out of range"),
        ("raid", "RAID 7", "raid = RAID 7 is not one of: none, RAID 10 (mirror), RAID 5 (4+1), RAID 6 (8+2)."),
    ],
)
def test_that_a_value_that_cannot_be_used_is_reported_in_a_sentence(name: str, value: Any, sentence: str) -> None:
    with pytest.raises(SizingError) as caught:
        checked(name, value)
    assert sentence in str(caught.value)


def test_that_command_line_arguments_set_a_value() -> None:
    assert own_words("disk_iops = 180")[1].value == 180.0
    assert own_words("raid=raid 5 (4+1)")[1].value == "RAID 5 (4+1)"
    for words in ("disk_iops", "=3", "disk_iops="):
        with pytest.raises(SizingError, match="is not NAME=VALUE"):
            own_words(words)


def test_that_a_constants_file_keeps_its_sources(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('disk_iops = 210\nraid = "none"\n[disk_gb]\nvalue = 1800\nsource = "quote of May"\n')
    found = own_file(path)
    assert (found["disk_iops"].value, found["disk_iops"].source) == (210.0, "ours.toml")
    assert found["raid"].value == "none"
    assert (found["disk_gb"].value, found["disk_gb"].source) == (1800.0, "quote of May")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"disk_iops = ", "ours.toml is not TOML"),
        (b"\xff\xfe\x00", "ours.toml is not UTF-8 text"),
        (b"disk_iops = 0", "ours.toml: disk_iops = 0 is out of range"),
        (b"disks = 4", "ours.toml: 'disks' is not a sizing input"),
        (b'disk_iops = {source = "x"}', "is not a number"),
        (b"disk_iops = [1, 2]", "is not a number"),
    ],
)
def test_that_an_unreadable_constants_file_is_reported_with_the_reason(
    content: bytes, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(content)
    with pytest.raises(SizingError) as caught:
        own_file(path)
    assert sentence in str(caught.value)


def test_that_a_missing_constants_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SizingError, match="cannot be read"):
        own_file(tmp_path / "none.toml")


GOOD = 'name = "a"\nlabel = "A"\ngroup = "G"\norigin = "assumed"\nsource = "s"\n'


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (GOOD.replace('label = "A"\n', ""), "'a' needs: label"),
        (GOOD.replace("assumed", "guessed"), "'a' needs: origin"),
        (GOOD.replace('source = "s"\n', ""), "'a' needs: source"),
        (GOOD.replace('name = "a"\n', ""), "entry 1 has no name"),
        (GOOD + "value = 5\nmost = 4\n", "'a' = 5 is not a number from 0 to 4"),
        (GOOD + 'choices = "b"\n', "the table 'b', but that table does not exist"),
        (GOOD + 'from = "b"\n', "uses 'b', but that input does not exist"),
        (GOOD + "[[constant]]\n" + GOOD, "'a' appears twice"),
    ],
)
def test_that_an_invalid_table_is_named(entry: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "sizing.toml"
    path.write_text("[[constant]]\n" + entry)
    with pytest.raises(SizingError) as caught:
        read_table(path)
    assert sentence in str(caught.value)


def test_that_the_docs_name_steps_and_inputs_as_the_page_does() -> None:
    page = (Path(__file__).parents[3] / "docs" / "answers" / "sizing.md").read_text()
    rows = [f"| {rule.label} | `{rule.key}` |" for rule in RULES]
    rows += [f"| `{constant.name}` | {constant.label} |" for constant in constants().values()]
    assert [row for row in rows if row not in page] == []
