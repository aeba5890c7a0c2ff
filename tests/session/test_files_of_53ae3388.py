"""Files written at commit 53ae3388 open with their complete content, which fixtures/53ae3388/README.md lists."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from pptx import Presentation
from syrupy.assertion import SnapshotAssertion

from workbench.answers.common.library import Library, edited_library
from workbench.answers.common.looks import looks
from workbench.answers.common.storyboard import Switches
from workbench.answers.compare.compute import comparisons
from workbench.answers.findings.page import kept_findings
from workbench.answers.limits.file import limits_of
from workbench.answers.storyboard.compute import shown_story
from workbench.charts.palette import colour
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.model.edits import Note, PhaseEdit
from workbench.model.mapping import Decimal, MappedColumn, TimeFormat
from workbench.model.metric import Quantity, Vantage
from workbench.model.recording import SeriesKey
from workbench.model.run import Provisioning
from workbench.session.bundle import load_bundle
from workbench.session.document import load_session
from workbench.session.earlier_folders import of_today
from workbench.session.journal import read_journal
from workbench.session.preferences import value_of
from workbench.session.settings import load_settings
from workbench.session.state import State
from workbench.study.history.read import parsed
from workbench.study.importing.mappings import load_mappings
from workbench.study.store.column_store import Store

FIXTURES = Path(__file__).parent / "fixtures" / "53ae3388"
# Their paths are those of Linux; another system cannot find them.
made_on_linux = pytest.mark.skipif(sys.platform == "win32", reason="the fixture's paths are those of Linux")
T0 = 1462867200.0
OFFICE, WINDOWS = ["office-16", "office-19"], ["windows-10", "windows-11"]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder on this machine with the results and the workspace files next to them."""
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("results")))
    shutil.copytree(FIXTURES / "results", folder, dirs_exist_ok=True)
    for file in FIXTURES.glob("*.vdiwb"):
        shutil.copyfile(file, folder / file.name)
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    kept = Store(tmp_path_factory.mktemp("store"))
    kept.prepare()
    return kept


def opened(file: Path, store: Store) -> tuple[Library, State]:
    """The results of a workspace file: its folders read, its edits applied."""
    document = load_session(file)
    as_read = read(store, *map(Path, document.paths))
    state = of_today(document.state, as_read.studies)
    return edited_library(as_read, as_read, state), state


def read(store: Store, *folders: Path) -> Library:
    studies = load_studies(list(folders), store)
    return Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})


def shown(library: Library, state: State) -> dict[str, Any]:
    """The stored properties of the window, with numbers to nine digits."""
    studies = {}
    for study in library.with_runs:
        groups = library.groups(replace(state, study=study.folder))
        by_label = looks(groups)
        studies[study.name] = {
            group.label: {
                "runs": sorted(run.run.name for run in group.runs),
                "excluded": sorted(run.run.name for run in group.excluded),
                "colours": [colour(by_label[group.label], "light"), colour(by_label[group.label], "dark")],
                "marker": by_label[group.label].marker,
                "dash": by_label[group.label].dash,
                "steady": {
                    run.run.name: {
                        "seconds": pytest.approx(row.phase.end - row.phase.start, rel=1e-9),
                        "iops": pytest.approx(row.iops, rel=1e-9),
                    }
                    for run in group.runs
                    if (row := run.phase("steady")) is not None
                },
            }
            for group in groups
        }
    return studies


def saved(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    main([*words, "--format", "json"])
    return json.loads(capsys.readouterr().out)


@made_on_linux
@pytest.mark.parametrize("name", ["names", "review"])
def test_that_a_saved_workspace_shows_its_groups_and_colours_and_figures(
    name: str, results: Path, store: Store
) -> None:
    now, then = shown(*opened(results / f"{name}.vdiwb", store)), saved(f"{name}.shown.json")
    assert now == then
    assert {study: list(groups) for study, groups in now.items()} == {s: list(groups) for s, groups in then.items()}


@made_on_linux
def test_that_runs_stay_in_their_saved_groups(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path))
    figures = load_session(results / "names.vdiwb").figures
    assert figures is not None
    kept = {run.name: run.configuration for study in figures.studies for run in study.runs}
    assert sorted(run for run, group in kept.items() if group == "office") == OFFICE
    assert sorted(run for run, group in kept.items() if group == "windows") == WINDOWS
    summary = answer(capsys, "summary", str(results / "names.vdiwb"))
    assert {run["run"]: run["configuration"] for run in summary["runs"]} == kept


@made_on_linux
def test_that_the_saved_baseline_is_used(results: Path, store: Store) -> None:
    library, state = opened(results / "names.vdiwb", store)
    (comparison,) = comparisons(library, state).values()
    assert comparison.baseline is not None
    assert (comparison.baseline.label, sorted(run.run.name for run in comparison.baseline.runs)) == ("office", OFFICE)


def assert_edits_of_names(state: State, folder: Path) -> None:
    steady = (PhaseEdit("steady", T0 + 120, T0 + 300),)
    assert state.excluded == {str(folder / "cache-4"): "collector stopped"}
    assert {Path(edits.run).name: edits.phases for edits in state.edits if edits.phases} == dict.fromkeys(
        WINDOWS, steady
    )
    assert state.notes == (Note("note-1", "Update of Office", T0 + 150, str(folder / "office-19")),)
    assert state.hidden == {"windows-10"}
    assert (state.page, state.phase, state.study) == ("compare", "steady", str(folder))


@made_on_linux
def test_that_a_saved_workspace_has_edges_and_notes_and_exclusions(results: Path) -> None:
    assert_edits_of_names(load_session(results / "names.vdiwb").state, results / "names")


@made_on_linux
def test_that_a_journal_restores_unsaved_work(tmp_path: Path) -> None:
    file = tmp_path / "unsaved.journal"
    shutil.copyfile(FIXTURES / file.name, file)
    recovered = read_journal(file)
    assert recovered is not None
    assert_edits_of_names(recovered.document.state, Path("/srv/results/results/names"))


def test_that_a_bundle_opens_with_its_groups_and_figures_and_edits(tmp_path: Path) -> None:
    bundle = load_bundle(FIXTURES / "names.vdibundle", Store(tmp_path))
    as_read = Library(bundle.studies, {run.folder: run_figures(run) for run in bundle.studies[0].runs})
    state = bundle.document.state
    assert shown(edited_library(as_read, as_read, state), state) == saved("names.shown.json")
    assert state.input("compare.baseline", "") == "office"


@made_on_linux
def test_that_all_edits_of_a_review_are_restored(results: Path) -> None:
    state, sweep = load_session(results / "review.vdiwb").state, results / "sweep"
    office = state.edits_of(str(results / "names" / "office-16"))
    names = {Path(edits.run).name: edits.configuration for edits in state.edits if edits.configuration}
    (view,) = state.views
    assert names == dict.fromkeys(("mcsio-512-r1", "mcsio-512-r2", "mcsio-512-r3"), "Half a gigabyte") | dict.fromkeys(
        ("windows-10-1", "windows-11"), "Our image"
    )
    assert (office.provisioning, office.write_cache, office.ram_cache_mb) == (Provisioning.PVS, "device-ram", 256)
    assert (office.vms, office.users, office.build, office.date) == (4, 4, "16.0.1", "2016-05-10")
    assert state.excluded == {str(sweep / "mcs-r2"): "fan broke at 09:03"}
    assert state.edits_of(str(sweep / "mcs-r1")).phases == (PhaseEdit("boot", T0, T0 + 105),)
    assert state.notes == (
        Note("note-1", "Antivirus scan begins «here»", T0 + 130, str(sweep / "mcs-r1")),
        Note("note-2", "Everybody works", 60.0, "", "steady"),
    )
    assert state.input("compare.baseline", "") == "MCS"
    assert (state.number("compare.margin", 0.0), state.number("sizing.desktops", 0.0)) == (7.5, 750.0)
    assert state.preferred == (("boot", ("read_iops_per_vm",)),)
    assert state.pinned == (SeriesKey(str(sweep / "mcs-r1"), r"\\W10-001\PhysicalDisk(_Total)\Disk Writes/sec"),)
    assert (view.name, view.page, view.study, view.span) == (
        "Writes of the morning",
        "timeline",
        str(sweep),
        (0.0, 120.0),
    )
    assert (state.hidden, state.hidden_entries("cache"), state.theme) == ({"cache"}, {"idle"}, "dark")


@made_on_linux
def test_that_a_storyboard_has_its_order_and_sentences_and_notes_and_options(results: Path, store: Store) -> None:
    library, state = opened(results / "review.vdiwb", store)
    story = shown_story(library, state)
    slides = [one.slide for one in story.slides]
    assert state.storyboard is not None
    assert state.storyboard.title == "The review of May"
    assert [slide.kind for slide in slides] == ["text", "finding", "finding", "view", "page", "finding"]
    assert [slide.appendix for slide in slides] == [False, False, False, False, True, True]
    assert [slide.notes for slide in slides] == ["Welcome", "Say it\nslowly.", None, None, None, None]
    assert [len(slide.findings) for slide in slides] == [0, 1, 5, 0, 0, 2]
    assert slides[1].words is not None
    assert slides[1].words.text == "What we saw first"
    assert slides[1].switches == Switches(bracket=False, value_axis=True)
    assert (story.slides[1].sentence, [one.lost for one in story.slides]) == ("What we saw first", [False] * 6)


@made_on_linux
def test_that_findings_keep_the_edits_of_the_user(results: Path, store: Store, snapshot: SnapshotAssertion) -> None:
    library, state = opened(results / "review.vdiwb", store)
    assert [finding.text for finding in kept_findings(library, state) if finding.edited] == snapshot
    assert [edit.key.rpartition("/sweep/")[2] for edit in state.findings if edit.dropped] == snapshot


@made_on_linux
def test_that_edited_limits_in_a_workspace_file_apply(results: Path, store: Store) -> None:
    library, state = opened(results / "review.vdiwb", store)
    file = limits_of(library.study(state.study), state)
    assert file is not None
    assert (file.problems, len(file.limits), file.limits[0].bound) == ((), 7, 27000.0)
    assert file.limits[3].configurations == ("Half a gigabyte",)


def test_that_every_kind_of_limit_is_checked(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path))
    checks = answer(capsys, "check", str(results / "sweep"))["checks"]
    verdicts = {f"line {check['line']}, {check['configuration']}": check["verdict"] for check in checks}
    assert verdicts == saved("limits.shown.json")


def test_that_every_key_of_run_toml_is_read(results: Path, store: Store) -> None:
    library = read(store, results / "sweep")
    run = next(run for run in library.studies[0].runs if run.name == "mcsio-512-r2")
    configuration = run.configuration
    assert (configuration.name, configuration.provisioning) == ("MCSIO, 512 MB", Provisioning.MCSIO)
    assert (configuration.write_cache, configuration.ram_cache_mb) == ("device-ram-overflow", 512)
    assert (run.session_type.value, run.vms, run.users, run.build) == ("vdi", 2, 3, "1202")
    assert [problem.message for problem in library.problems if problem.code.startswith("manifest")] == []


def test_that_a_history_file_has_its_runs() -> None:
    history = parsed("sweep.vdihistory", (FIXTURES / "sweep.vdihistory").read_bytes())
    assert history.problems == ()
    iops = {
        run.name: phase.figures["iops_per_vm"] for run in history.runs for phase in run.phases if phase.name == "steady"
    }
    # By hand: reads of 8 or 9, 2 or 3 (and 0.1 or 0.05 more in later runs), writes of half the first.
    expected = {f"mcs-r{n + 1}": 1.5 * (8 + 0.1 * n) + 0.5 for n in range(3)}
    expected |= {f"mcsio-512-r{n + 1}": 1.5 * (2 + 0.05 * n) + 0.5 for n in range(3)}
    assert iops == pytest.approx(expected, rel=1e-9)
    assert {run.name: run.build for run in history.runs if run.build} == {
        f"mcsio-512-r{n}": f"120{n}" for n in (1, 2, 3)
    }


def test_that_an_earlier_column_store_gives_the_figures_of_a_new_one(
    results: Path, store: Store, tmp_path: Path
) -> None:
    shutil.unpack_archive(FIXTURES / "store.zip", tmp_path)
    kept = Store(tmp_path)
    kept.prepare()
    folders = results / "names", results / "sweep"
    assert shown(read(kept, *folders), State()) == shown(read(store, *folders), State())


def test_that_preferences_keep_their_values(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copyfile(FIXTURES / "settings.json", tmp_path / "settings.json")
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings.json"))
    told: list[str] = []
    settings = load_settings(told.append)
    stated = {"theme": "dark", "margin": 3.0, "units": "MiB", "decimals": "comma", "type_size": "125"}
    stated |= {"primary_boot": "read_iops_per_vm"}
    assert {key: value_of(settings, key) for key in stated} == stated
    assert (told, settings.recent) == ([], ("/srv/results/results/sweep", "/srv/results/old"))
    assert (settings.face.customer, settings.face.author, settings.face.logo) == (
        "Contoso",
        "Anna",
        "/srv/results/logo.png",
    )
    assert (settings.export.what, settings.export.ending, settings.export.theme) == ("page", ".pptx", "dark")
    assert (settings.export.width, settings.export.scale, settings.export.templates) == (1280, 1.0, {".xlsx": "t.xlsx"})
    assert (settings.export_folder, settings.history_folder) == ("/srv/results/out", "/srv/results/history")
    assert settings.hidden_columns == {"Phase table": ("Peak IOPS of a VM",)}
    assert settings.rail_collapsed


def test_that_a_mapping_keeps_its_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copyfile(FIXTURES / "mappings.json", tmp_path / "mappings.json")
    monkeypatch.setenv("VDI_WORKBENCH_MAPPINGS", str(tmp_path / "mappings.json"))
    (mapping,) = load_mappings().values()
    assert (mapping.names, mapping.delimiter, mapping.time_column) == (("When", "Reads", "Delay"), ";", 0)
    assert (mapping.time_format, mapping.time_zone, mapping.decimal) == (
        TimeFormat.DAY_FIRST,
        "Europe/London",
        Decimal.COMMA,
    )
    assert mapping.columns == (
        MappedColumn(1, Quantity.READ_IOPS, 1.0, "LUN-7", Vantage.ARRAY),
        MappedColumn(2, None, 0.001),
    )


def test_that_templates_are_filled(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    for ending in (".xlsx", ".pptx"):
        template, out = FIXTURES / f"template{ending}", tmp_path / f"out{ending}"
        assert main(["export", str(results / "sweep"), "-o", str(out), "--template", str(template)]) == 0
    report = load_workbook(tmp_path / "out.xlsx")["Our report"]
    assert report["A1"].value == "Results of sweep"
    assert {"MCS", "MCSIO, 512 MB"} <= {str(row[0].value) for row in report["A3:A12"]}
    assert not any("{{" in str(cell.value) for row in report.iter_rows() for cell in row)
    assert len(report._charts) >= 1
    deck = Presentation(tmp_path / "out.pptx")
    texts = [shape.text_frame.text for slide in deck.slides for shape in slide.shapes if shape.has_text_frame]
    assert "Our cover" in texts
    assert len(deck.slides) > 3
