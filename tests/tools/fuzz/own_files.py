"""Every project file that the program reads again, each with its reader."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from openpyxl import Workbook
from pptx import Presentation

from tests.builders import disk_csv
from tests.session.test_document import worked_on
from tests.study.history.kept import kept_run, kept_study
from tests.study.packed_lab import Lab, samples_of
from tests.study.test_damaged_store import PARTS, Stored
from tests.study.test_descriptions import READING
from tests.study.test_mappings import MAPPING
from tests.tools.fuzz.archives import archives, read_archive
from tests.tools.fuzz.formats import Format
from tests.tools.fuzz.mutations import Seed
from tests.tools.fuzz.outcome import Outcome, of_value
from workbench.answers.common.spec import UsageError
from workbench.answers.limits.file import read_limits
from workbench.answers.logons.vsimax_models import ModelFileError, load_models
from workbench.answers.prepare.kit.contents import Kit, KitChoices, make_kit
from workbench.answers.prepare.kit.write import LISTING, write_kit
from workbench.answers.sizing.constants import SizingError, own_file
from workbench.console.changes import _summary
from workbench.console.loading import load_studies
from workbench.exporters.preview import template_fault
from workbench.exporters.safe_file import ExportError
from workbench.exporters.wanted import Wanted
from workbench.exporters.workbook.template.fill import fill_template
from workbench.session.bundle import load_bundle, save_bundle, sources_of
from workbench.session.document import SavedSource, SessionDocument, SessionError, encode, load_session
from workbench.session.journal import _content, read_journal
from workbench.session.preferences import with_value
from workbench.session.settings import Settings, load_settings, save_settings, settings_file, with_recent
from workbench.study.discovery.manifest import limits_text, read_manifest
from workbench.study.history.layout import written
from workbench.study.history.read import parsed
from workbench.study.importing.mappings import load_mappings, mappings_file, save_mapping
from workbench.study.store import descriptions
from workbench.study.store.column_store import Store
from workbench.study.store.pack_file import read_index

RUN_TOML = """# A run of the lab.
configuration = "MCSIO 512 MB"
provisioning = "MCSIO"
ram_cache_mb = 512
session_type = "vdi"
vms = 5
users = 7
build = "1201"
time_zone = "+01:00"
baseline = true
leave_out = ["W10-009"]
[primary]
boot = "total_io_per_vm"
[[phases]]
name = "boot"
start = 2016-05-10T09:00:00+01:00
end = 2016-05-10T09:06:00+01:00
"""
LIMITS_TOML = """[[limits]]
name = "Boot"
measure = "total_io_per_vm"
phase = "boot"
at_most = 26000
[[limits]]
measure = "iops_per_vm"
phase = "steady"
against = "baseline"
at_most = "110%"
[[limits]]
measure = "iops_per_vm"
phase = "steady"
at_least = 12.5
"""
SIZING_TOML = 'disk_iops = 210\nraid = "none"\n[disk_gb]\nvalue = 1800\nsource = "quote of May"\n'
VSIMAX_TOML = '[[model]]\nname = "ours"\nbaseline.lowest = 3\nthreshold.factor = 2\nindex.fixed = 4\nweights.NSLD = 1\n'
SUMMARY = """{"schema": "vdi-workbench/summary/1", "runs": [{"run": "mcs-5vm", "configuration": "MCS", "vms": 5,
 "excluded": null, "phases": [{"phase": "boot", "start": "2016-05-10T08:00:00Z", "duration_s": 360.0,
 "total_io": 126360.0, "total_io_per_vm": 25272.0, "iops": 351.0, "iops_per_vm": 70.2, "read_percent": 86.0}]}],
 "problems": []}
"""


def _manifest(data: bytes, name: str, _folder: Path) -> Outcome:
    manifest, problems = read_manifest(data, name)
    return of_value((manifest.values, manifest.phases), problems)


def _limits(data: bytes, name: str, _folder: Path) -> Outcome:
    text = limits_text(data, name)
    file = read_limits(text)
    bounds = {f"{limit.measure} {limit.phase} {limit.against}": limit.bound for limit in file.limits}
    return of_value(bounds, file.problems)


def _told(read: Callable[[Path, Callable[[str], None]], object], *declared: type[Exception]) -> Callable[..., Outcome]:
    """A reader of a path that returns sentences, or raises a declared error."""

    def read_bytes(data: bytes, name: str, folder: Path) -> Outcome:
        path, words = folder / name, list[str]()
        path.write_bytes(data)
        try:
            value = read(path, words.append)
        except declared as error:
            return of_value(None, [*words, str(error)])
        return of_value(value, words)

    return read_bytes


def _as_kept(
    variable: str, load: Callable[[Callable[[str], None]], object]
) -> Callable[[Path, Callable[[str], None]], object]:
    """Files with a path in an environment variable."""

    def read(path: Path, tell: Callable[[str], None]) -> object:
        with _set(variable, path):
            return load(tell)

    return read


@contextmanager
def _set(variable: str, path: Path) -> Iterator[None]:
    before = os.environ.get(variable)
    os.environ[variable] = str(path)
    try:
        yield
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before


def _history(data: bytes, name: str, _folder: Path) -> Outcome:
    kept = parsed(name, data)
    runs = {run.name: [phase.figures for phase in run.phases] for run in kept.runs}
    return of_value(runs, kept.problems)


def _bundle(path: Path, _tell: Callable[[str], None]) -> object:
    bundle = load_bundle(path, Store(path.parent / "elsewhere"))
    return [[run.recordings for run in study.runs] for study in bundle.studies]


def _kit(data: bytes, name: str, folder: Path) -> Outcome:
    """A folder with a file of the user, for any list of kit files: nothing is written there."""
    own = folder / "own.txt"
    (folder / name).write_bytes(data)
    own.write_text("the user's", encoding="utf-8")
    try:
        write_kit(folder, _new_kit())
    except UsageError as error:
        return of_value(None, [str(error)])
    return Outcome(faults=("a kit was written over the user's file",))


@cache
def _new_kit() -> Kit:
    return make_kit(KitChoices())


def _template(data: bytes, name: str, folder: Path) -> Outcome:
    path = folder / name
    path.write_bytes(data)
    wanted = Wanted(folder / f"out{path.suffix}", template=path)
    if fault := template_fault(wanted):
        return of_value(None, [fault])
    try:
        if path.suffix == ".xlsx":
            fill_template(path, wanted.path, ())
    except ExportError as error:
        return of_value(None, [str(error)])
    return Outcome()


@cache
def _stored(part: str, flat: bool) -> Stored:
    return Stored(_lasting(), part, flat)


@cache
def _lab() -> Lab:
    return Lab(_lasting())


_folders: list[tempfile.TemporaryDirectory[str]] = []


def _lasting() -> Path:
    """A folder that exists until the process ends."""
    _folders.append(tempfile.TemporaryDirectory())
    return Path(_folders[-1].name)


def _store_part(data: bytes, name: str, _folder: Path) -> Outcome:
    stored = _stored(*PARTS[int(name)])
    stored.file.write_bytes(data)
    try:
        stored.check_opening()
    except AssertionError as error:
        return Outcome(faults=(f"the numbers are others: {str(error)[:200]}",))
    return Outcome()


@cache
def _wide_description() -> Path:
    """A description of some counters, stored like one of very many; its checksum is only for this file."""
    file = _lasting() / "readings" / "0123.json"
    file.parent.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(descriptions, "WIDE", 2)
        patch.setattr(descriptions, "_LINE", 2)
        descriptions.write_description(file, READING)
    return file


def _described(data: bytes, _name: str, _folder: Path) -> Outcome:
    file = _wide_description()
    file.write_bytes(data)
    reading = descriptions.read_description(file)
    return Outcome(faults=() if reading in (None, READING) else ("the counters are others",))


def _pack(data: bytes, _name: str, _folder: Path) -> Outcome:
    lab = _lab()
    lab.pack.write_bytes(data)
    read_index(lab.pack)
    opened = lab.opened()
    same = len(opened) == len(lab.samples) and all(
        repr(samples_of(reading)) == repr(samples) for reading, samples in zip(opened, lab.samples, strict=True)
    )
    return Outcome(faults=() if same else ("the numbers are others",))


def _pack_seed() -> tuple[Seed, ...]:
    return (Seed("a.pack", _lab().pack.read_bytes(), sealed=True),)


def _saved(variable: str, save: Callable[[], object], file: Callable[[], Path]) -> tuple[Seed, ...]:
    with tempfile.TemporaryDirectory() as folder, _set(variable, Path(folder) / "own.json"):
        save()
        return (Seed("own.json", file().read_bytes(), ours=True),)


def _settings_seed() -> tuple[Seed, ...]:
    settings = with_recent(with_value(with_value(Settings(), "margin", 3.0), "units", "MiB"), "/lab/sweep")
    return _saved("VDI_WORKBENCH_SETTINGS", lambda: save_settings(settings), settings_file)


def _mappings_seed() -> tuple[Seed, ...]:
    more = replace(MAPPING, names=(*MAPPING.names, "more"))
    save = lambda: (save_mapping(MAPPING), save_mapping(more))  # noqa: E731
    return _saved("VDI_WORKBENCH_MAPPINGS", save, mappings_file)


def _document() -> SessionDocument:
    return SessionDocument(paths=("lab", "lab2"), files=(SavedSource("a.csv", 1, 2),), state=worked_on())


def _bundle_seed() -> tuple[Seed, ...]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = disk_csv(folder / "lab" / "MCS" / "A.csv", "A", [1.5] * 24, [2.5] * 24)
        studies = load_studies([folder / "lab"], Store(folder / "store"))
        save_bundle(folder / "a.vdibundle", SessionDocument(), studies, sources_of({"A.csv": source}))
        return (Seed("a.vdibundle", (folder / "a.vdibundle").read_bytes(), sealed=True),)


def _history_seed() -> tuple[Seed, ...]:
    return (Seed("builds.vdihistory", written(kept_study(runs=2), (kept_run(1), kept_run(2))), sealed=True),)


def _templates() -> tuple[Seed, ...]:
    book, file = Workbook(), io.BytesIO()
    book.active["A1"] = "{{table:phases}}"
    book.active["A2"] = "{{text:study}}"
    book.save(file)
    return (Seed("template.xlsx", file.getvalue()),)


def _decks() -> tuple[Seed, ...]:
    file = io.BytesIO()
    Presentation().save(file)
    return (Seed("template.pptx", file.getvalue()),)


def _one(name: str, text: str) -> Callable[[], tuple[Seed, ...]]:
    return lambda: (Seed(name, text.encode(), ours=not name.endswith(".toml")),)


def _store_seeds() -> tuple[Seed, ...]:
    return tuple(Seed(str(at), _stored(*part).file.read_bytes(), sealed=True) for at, part in enumerate(PARTS))


OWN = (
    Format("own-run.toml", _one("run.toml", RUN_TOML), _manifest, modules=("study.discovery.manifest",)),
    Format("own-limits.toml", _one("limits.toml", LIMITS_TOML), _limits, modules=("answers.limits.file",)),
    Format(
        "own-workspace",
        lambda: (Seed("review.vdiwb", encode(_document()), ours=True),),
        _told(load_session, SessionError),
        modules=("session.document",),
    ),
    Format(
        "own-journal",
        lambda: (Seed("w1.journal", _content("/lab/review.vdiwb", _document()), ours=True),),
        _told(read_journal),
        modules=("session.journal",),
    ),
    Format(
        "own-settings",
        _settings_seed,
        _told(_as_kept("VDI_WORKBENCH_SETTINGS", load_settings)),
        modules=("session.settings",),
    ),
    Format(
        "own-mappings",
        _mappings_seed,
        _told(_as_kept("VDI_WORKBENCH_MAPPINGS", load_mappings)),
        modules=("study.importing.mappings",),
    ),
    Format("own-bundle", _bundle_seed, _told(_bundle, SessionError), modules=("session.bundle",)),
    Format("own-history", _history_seed, _history, modules=("study.history.read",)),
    Format("own-store", _store_seeds, _store_part, quiet=True, modules=("study.store.own_files",)),
    Format(
        "own-wide-description",
        lambda: (Seed("0123.json", _wide_description().read_bytes(), sealed=True),),
        _described,
        quiet=True,
        modules=("study.store.descriptions",),
    ),
    Format("own-pack", _pack_seed, _pack, quiet=True, modules=("study.store.pack_file", "study.store.packs")),
    Format(
        "own-sizing",
        _one("ours.toml", SIZING_TOML),
        _told(lambda path, _: own_file(path), SizingError),
        modules=("answers.sizing.constants",),
    ),
    Format(
        "own-vsimax",
        _one("mine.toml", VSIMAX_TOML),
        _told(lambda path, _: load_models(path).get("ours"), ModelFileError, OSError),
        modules=("answers.logons.vsimax_models",),
    ),
    Format(
        "own-summary",
        _one("before.json", SUMMARY),
        _told(lambda path, _: _summary(path), UsageError),
        modules=("console.changes",),
    ),
    Format(
        "own-kit",
        _one(LISTING, '{"schema": "vdi-workbench/kit/1", "files": [{"path": "README.md", "sha256": "00"}], "set": 1}'),
        _kit,
        modules=("answers.prepare.kit.write",),
    ),
    Format(
        "own-workbook-template",
        _templates,
        _template,
        modules=("exporters.workbook.package", "exporters.workbook.template.fill"),
    ),
    Format("own-deck-template", _decks, _template, modules=("exporters.slides.template",)),
    Format(
        "own-archive",
        archives,
        read_archive,
        modules=("study.discovery.archive", "study.discovery.archive_opening", "study.discovery.archive_packed"),
    ),
)
