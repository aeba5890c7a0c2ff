"""Short names: the parts that differ, complete and in order, never empty, and unique."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.charts.content import Card, Content
from workbench.charts.figure import Axis, Bars, Figure, Line, Look, Panel
from workbench.charts.short_names import FITS, ROOM, bare_names, short_names, with_short_names, with_short_rows
from workbench.charts.tables import Cell, Column, TableData

HOSTS, BUILDS = ("Dell-R740", "HPE-DL380", "Cisco-B200", "Lenovo-SR650"), ("1201", "1207")
SIZES = ("MCS", "MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB", "MCSIO 4 GB")
FORTY = [
    f"Contoso RDS test Windows Server 2019 {host} image build-{build} with Office LTSC 2021 {size} policy set standard"
    for host, build, size in product(HOSTS, BUILDS, SIZES)
]


def parts(name: str) -> list[str]:
    return [part for part in re.split(r"[\s_/.-]+", name.casefold()) if part]


def in_order(some: list[str], every: list[str]) -> bool:
    rest = iter(every)
    return all(part in rest for part in some)


def test_that_forty_long_names_are_shortened_to_the_parts_that_differ() -> None:
    short = short_names(FORTY)
    expected = [f"{host} {build} {size}" for host, build, size in product(HOSTS, BUILDS, SIZES)]
    assert list(short.values()) == expected
    assert max(map(len, short.values())) <= ROOM < min(map(len, FORTY))


def test_that_short_names_are_unchanged() -> None:
    names = ["MCS", "MCSIO 256 MB", "MCSIO 512 MB"]
    assert list(short_names(names).values()) == names
    assert short_names([FORTY[0]]) == {FORTY[0]: FORTY[0]}
    assert short_names([]) == {}


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("golden image of May_MCS/24H2.final", "golden image of May_PVS/24H2.final"), ("MCS", "PVS")),
        (("golden image of May, build 7 of 9", "golden image of May, build 12 of 9"), ("build 7", "build 12")),
        (("the cache of our desktops 256 MB", "the cache of our desktops 512 MB"), ("256 MB", "512 MB")),
        (("the cache of our desktops", "the cache of our desktops twice"), ("desktops", "desktops twice")),
        (("first-the long name of a test-last", "second-the long name of a test-end"), ("first last", "second end")),
    ],
)
def test_that_common_parts_are_removed_at_the_start_and_in_the_middle_and_at_the_end(
    names: tuple[str, ...], short: tuple[str, ...]
) -> None:
    assert tuple(short_names(names).values()) == short


def test_that_one_different_name_does_not_prevent_shortening_the_others() -> None:
    short = short_names(["MCS", *FORTY])
    assert short["MCS"] == "MCS"
    assert max(map(len, short.values())) <= ROOM
    assert len(set(short.values())) == 41


@given(
    st.lists(
        st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "1", "2", "256", "MB"]), min_size=1), min_size=2
    )
)
def test_that_every_short_name_has_parts_of_its_name_in_order_and_is_unique(names: list[list[str]]) -> None:
    labels = ["-".join(["a name that is long"] * (len(of) % 2) + of) for of in names]
    short = short_names(labels)
    assert set(short) == set(labels)
    assert len({text.casefold() for text in short.values()}) == len(set(labels))
    for label, text in short.items():
        assert text.strip()
        assert in_order(parts(text), parts(label))
    if max(map(len, labels)) <= FITS:
        assert all(label == text for label, text in short.items())


def test_that_narrow_charts_omit_a_first_word_only_if_the_names_stay_unique() -> None:
    assert bare_names(["MCS", "MCSIO 1 GB", "MCSIO 4 GB"])["MCSIO 4 GB"] == "4 GB"
    assert bare_names(["MCSIO 1 GB", "MCSIO 4 GB", "PVS 1 GB", "PVS 4 GB"])["PVS 4 GB"] == "PVS 4 GB"
    assert bare_names(["MCS, 1 VM", "MCS, 5 VMs"])["MCS, 1 VM"] == "MCS, 1 VM"
    hosts = ["HP 1201 MCS", "Dell 1201 MCS", "Dell 1207 MCS"]
    assert list(bare_names(hosts).values()) == hosts


def test_that_a_page_shows_short_names_and_keeps_the_full_ones() -> None:
    first, second = FORTY[:2]
    bars = tuple(Bars(name, np.ones(2), Look("MCS")) for name in (first, second))
    line = Line(f"{first}: mean", np.ones(2), np.ones(2), Look("MCS"))
    axis = Axis("", categories=(f"{first} (105)", second), of=(first, second))
    panel = Panel(first, axis, Axis("IOPS"), (*bars, line), subtitle=f"vs. '{second}'")
    explained = Cell(second, second, tip="guessed from the folder")
    table = TableData((Column("Configuration"), Column("By")), ((Cell(second, second), explained),))
    card = Card(second, Look("MCS"), "1", "IOPS", "")
    content = Content("What?", figure=Figure("f", "What?", "", (panel,)), cards=(card,), tables=(table,))
    shown = with_short_rows(with_short_names(content, FORTY), FORTY)
    assert shown.figure is not None
    (drawn,) = shown.figure.panels
    assert drawn.x.categories == ("Dell-R740 1201 MCS (105)", "Dell-R740 1201 MCSIO 256 MB")
    assert drawn.x.names == axis.categories
    assert (drawn.title, drawn.heading) == (first, "Dell-R740 1201 MCS")
    assert drawn.drawn(line.name) == "Dell-R740 1201 MCS: mean"
    assert [mark.name for mark in drawn.marks] == [first, second, line.name]
    assert drawn.subtitle == "vs. 'Dell-R740 1201 MCSIO 256 MB'"
    assert (shown.cards[0].title, shown.cards[0].heading) == (second, "Dell-R740 1201 MCSIO 256 MB")
    cell, other = shown.tables[0].rows[0]
    assert other.tip.splitlines() == [second, "guessed from the folder"]
    assert (cell.text, cell.tip, cell.value) == ("Dell-R740 1201 MCSIO 256 MB", second, second)


def test_that_a_number_keeps_its_unit_if_the_first_word_is_omitted() -> None:
    assert bare_names(["PVS 256 MB", "PVS 256 MB bloated profile"]) == {
        "PVS 256 MB": "256 MB",
        "PVS 256 MB bloated profile": "256 MB bloated profile",
    }
