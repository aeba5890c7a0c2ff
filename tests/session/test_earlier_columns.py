"""Columns that the user has hidden, shown, moved or computed are found again after tables and columns were renamed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.answers.cache.untested.tables import predicted_table
from workbench.answers.overview.tables import tier_table
from workbench.answers.prepare.tables import mix_table
from workbench.answers.sizing.compute import plan
from workbench.answers.sizing.constants import own_values
from workbench.answers.sizing.tables import steps_table
from workbench.charts.tables import OwnColumn, TableData, column_key
from workbench.session.document import SessionDocument, decode, encode
from workbench.session.earlier_columns import current_columns
from workbench.session.journal import journal_of, read_journal, write_journal
from workbench.session.settings import load_settings
from workbench.session.state import State

# Tables and columns as the last version has named them.
EARLIER = {
    "By vantage and tier": ("Against", "IOPS all machines", "Vantage"),
    "Any size": ("Cache disk MB/VM, at least", "RAM GiB for 100"),
    "By configuration": ("All I/O IOPS", "All I/O change %", "Disk levels off after", "RAM GiB for 100"),
    "By VM": ("Disk levels off after", "Cache disk MB, when levelling off"),
    "Configurations": ("Hosts with spare", "IOPS at work mean"),
    "Figures": ("Tier",),
    "Verdicts in steady state": ("IOPS in total",),
    "Inputs": ("Origin",),
    "Steps of MCS": ("Between runs", "With numbers"),
    "Steps of MCS, 5 VMs": ("With numbers",),
    "Verdicts in logon": ("IOPS in total",),
    "What is missing": ("What is missing", "What to do"),
    "Repeated tests": ("Kind of interval",),
    "Required IOPS": ("Starts at once",),
    "Load of the storage test": ("Basis", "From", "What"),
    "Runs": ("From", "Offset min"),
    "Sessions": ("Apps started s later",),
    "Problems": ("What was done",),
    "Runs needed": ("Runs to prove 'same' (±5 %)",),
}
CURRENT = {
    "By measuring point and tier": ("Compared with", "IOPS all machines", "Measured at"),
    "Predictions by cache size": ("Cache disk use MB/VM, at least", "RAM GB for 100 VMs"),
    "By configuration": (
        "All tiers IOPS",
        "All tiers change %",
        "Cache disk use levels off time after start",
        "RAM GB for 100 VMs",
    ),
    "By VM": ("Cache disk use levels off time after start", "Cache disk use MB, at the plateau"),
    "Configurations": ("Hosts including spares", "IOPS of the working load mean"),
    "Values": ("Metric type",),
    "Verdicts in steady state": ("Total IOPS",),
    "Inputs": ("Type",),
    "Calculation steps for MCS": ("Interval over runs", "Formula with numbers"),
    "Calculation steps for 'MCS, 5 VMs'": ("Formula with numbers",),
    "Verdicts during logon": ("Total IOPS",),
    "Missing data": ("Missing data", "Action"),
    "Repeated tests": ("Type of interval",),
    "Required IOPS": ("Simultaneous starts",),
    "Load of the storage test": ("Type", "Source", "Input"),
    "Runs": ("Source", "UTC offset min"),
    "Sessions": ("Apps started s after logon",),
    "Problems": ("Action taken",),
    "Runs needed": ("Runs to show equality (±5 %)",),
}


@pytest.mark.parametrize("field", ["hidden_columns", "shown_columns", "column_order"])
def test_that_settings_of_the_last_version_have_the_current_names(
    field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.json"
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(file))
    file.write_text(json.dumps({field: EARLIER | {"Phase table": ["What", "Runs"]}}))
    assert getattr(load_settings(), field) == CURRENT | {"Phase table": ("What", "Runs")}


def test_that_columns_of_the_user_have_the_current_names_in_workspace_file_and_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_JOURNALS", str(tmp_path))
    kept = State(
        own_columns=(
            OwnColumn("By vantage and tier", "ratio", "Read IOPS", "Write IOPS"),
            OwnColumn("Steps", "difference", "Result", "Between runs"),
            OwnColumn("Phase table", "ratio", "What", "Runs"),
        )
    )
    expected = (
        OwnColumn("By measuring point and tier", "ratio", "Read IOPS", "Write IOPS"),
        OwnColumn("Calculation steps", "difference", "Result", "Interval over runs"),
        OwnColumn("Phase table", "ratio", "What", "Runs"),
    )
    document = SessionDocument(state=kept)
    assert decode(encode(document), "old.vdiwb").state.own_columns == expected
    write_journal(journal_of("w"), None, document)
    recovered = read_journal(journal_of("w"))
    assert recovered is not None
    assert recovered.document.state.own_columns == expected


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (tier_table(()), "By measuring point and tier"),
        (predicted_table((), 100.0), "Predictions by cache size"),
        (steps_table(plan(None, own_values({}))), "Calculation steps for MCS"),
        (mix_table(()), "Load of the storage test"),
    ],
)
def test_that_the_tables_have_the_current_names(table: TableData, name: str) -> None:
    assert name.startswith(table.name)
    assert set(CURRENT[name]) <= {column_key(column) for column in table.columns}


def test_that_current_names_stay() -> None:
    assert current_columns(CURRENT) == CURRENT
