"""`--baseline` and the evidence for it on the console: in text, in JSON, and from a workspace file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.builders import disk_csv
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.model.run import BaselineEvidence
from workbench.session.document import SessionDocument, save_session
from workbench.session.state import State
from workbench.study.store.column_store import default_store

CONFIGURATIONS = {"a-linked": "MCS linked", "b-full": "MCS full", "c-small": "MCSIO 256 MB"}


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("VDI_WORKBENCH_VSIMAX", str(tmp_path / "none.toml"))


def lab(folder: Path, stated: tuple[str, ...] = (), names: dict[str, str] = CONFIGURATIONS) -> Path:
    """A run of each configuration with a steady state; the run.toml of those in `stated` states the baseline."""
    for place, (run, name) in enumerate(names.items()):
        disk_csv(folder / run / "vm1.csv", "vm1", [10.0 + place] * 24, [5.0 + place] * 24)
        (folder / run / "run.toml").write_text(
            f'configuration = "{name}"\nprovisioning = "{name.split()[0]}"\nvms = 1\n'
            + ("baseline = true\n" if run in stated else "")
            + '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:00:15+01:00\nend = 2016-05-10T09:03:00+01:00\n'
        )
    return folder


def reply(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[dict[str, Any], str]:
    assert main([*words, "--format", "json"]) in (0, 1)
    out, err = capsys.readouterr()
    return json.loads(out), err


def compared(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> tuple[str, str]:
    found, _ = reply(capsys, "compare", str(path), *words)
    (one,) = found["baselines"]
    assert {row["baseline"] for row in found["differences"]} == {one["baseline"]}
    assert {row["baseline_evidence"] for row in found["differences"]} == {one["baseline_evidence"]}
    return one["baseline"], one["baseline_evidence"]


def test_that_each_kind_of_evidence_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    guessed = lab(tmp_path / "guessed")
    only = lab(tmp_path / "only", names={"a": "MCS", "b": "MCSIO 256 MB"})
    stated = lab(tmp_path / "stated", ("c-small",))
    assert compared(capsys, guessed) == ("MCS full", "guessed")
    assert compared(capsys, only) == ("MCS", "only-mcs")
    assert compared(capsys, stated) == ("MCSIO 256 MB", "run.toml")
    assert compared(capsys, stated, "--baseline", "mcs linked") == ("MCS linked", "option")


def test_that_only_a_guessed_baseline_is_reported_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guessed, stated = lab(tmp_path / "guessed"), lab(tmp_path / "stated", ("c-small",))
    single = lab(tmp_path / "single", names={"a": "PVS"})
    for command in ("compare", "findings", "cache", "plan"):
        _, err = reply(capsys, command, str(guessed))
        assert "MCS full" in err
        assert len(err.splitlines()) == 1
        for path in (stated, single):
            assert reply(capsys, command, str(path))[1] == ""
        assert reply(capsys, command, str(guessed), "--baseline", "MCS linked")[1] == ""


def test_that_all_commands_use_the_same_baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(lab(tmp_path / "lab"))
    for words, expected in (
        ((), ("MCS full", "guessed")),
        (("--baseline", "mcsio 256 mb"), ("MCSIO 256 MB", "option")),
    ):
        findings = reply(capsys, "findings", path, *words)[0]["findings"]
        assert {(one["baseline"], one["baseline_evidence"]) for one in findings if one["baseline"]} == {expected}
        (plan,) = reply(capsys, "plan", path, *words)[0]["plans"]
        assert (plan["baseline"], plan["baseline_evidence"]) == expected
        cache = reply(capsys, "cache", path, *words)[0]["configurations"]
        assert [(row["configuration"], row["baseline_evidence"]) for row in cache if row["baseline"]] == [expected]
        assert {row["baseline_evidence"] for row in cache if not row["baseline"]} == {None}
        (logons,) = reply(capsys, "logons", path, *words)[0]["studies"]
        assert (logons["baseline"], logons["baseline_evidence"]) == expected


def test_that_a_limit_relative_to_the_baseline_uses_the_same_baseline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = lab(tmp_path / "lab")
    (path / "limits.toml").write_text(
        '[[limits]]\nmeasure = "iops_per_vm"\nphase = "steady"\nagainst = "baseline"\nat_most = 5\n'
        '[[limits]]\nmeasure = "iops_per_vm"\nphase = "steady"\nagainst = "MCS linked"\nat_most = 5\n'
    )
    for words, expected in (
        ((), ("MCS full", "guessed")),
        (("--baseline", "MCSIO 256 MB"), ("MCSIO 256 MB", "option")),
    ):
        main(["check", str(path), "--format", "json", *words])
        rows = json.loads(capsys.readouterr().out)["checks"]
        found = {(row["against"], row["baseline_evidence"]) for row in rows}
        assert found == {expected, ("MCS linked", None)}
    assert main(["check", str(path), "--baseline", "nope"]) == 2


def test_that_two_stated_baselines_are_named_and_the_next_rule_decides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = lab(tmp_path / "lab", ("a-linked", "c-small"))
    assert compared(capsys, path) == ("MCS full", "guessed")
    for command in ("inspect", "summary", "compare"):
        problems = reply(capsys, command, str(path))[0]["problems"]
        (twice,) = [problem for problem in problems if problem["code"] == "baseline-twice"]
        assert twice["severity"] == "warning"
        assert {"MCS linked", "MCSIO 256 MB"} == {name for name in CONFIGURATIONS.values() if name in twice["message"]}
    assert not any(
        problem["code"] == "baseline-twice"
        for problem in reply(capsys, "inspect", str(lab(tmp_path / "one", ("a-linked",))))[0]["problems"]
    )


def saved(tmp_path: Path, path: Path, state: State) -> Path:
    file = tmp_path / "review.vdiwb"
    save_session(file, SessionDocument(paths=(str(path),), state=state))
    return file


def test_that_the_baseline_of_a_workspace_file_applies_on_the_console(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = lab(tmp_path / "lab", ("a-linked",))
    (study,) = load_studies([path], default_store())
    chosen = State(study=study.folder).with_baseline(study, [study.runs[2].folder])
    file = saved(tmp_path, path, chosen)
    assert compared(capsys, file) == ("MCSIO 256 MB", "choice")
    assert compared(capsys, file, "--baseline", "MCS full") == ("MCS full", "option")


@pytest.mark.parametrize("name", ["aaa", "MCSIO 256 MB"])
def test_that_a_workspace_of_an_earlier_version_keeps_the_baseline_it_showed(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = lab(tmp_path / "lab", ("a-linked",))
    (study,) = load_studies([path], default_store())
    edits = State(study=study.folder).edits_of(study.runs[2].folder)
    state = State(study=study.folder).with_edits(replace(edits, configuration=name))
    old = state.with_input("compare.baseline", name)
    assert compared(capsys, saved(tmp_path, path, old)) == (name, BaselineEvidence.CHOICE.value)


def test_that_a_workspace_without_a_choice_follows_the_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = lab(tmp_path / "lab", ("a-linked",))
    assert compared(capsys, saved(tmp_path, path, State())) == ("MCS linked", "run.toml")
