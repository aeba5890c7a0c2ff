"""Files that another program holds open for a moment are still replaced and deleted."""

from __future__ import annotations

import ast
import os
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from threading import Thread, Timer

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from workbench import file_replace
from workbench.cancellation import Cancelled, cancelled_by
from workbench.exporters.safe_file import ExportError, write_safely
from workbench.file_replace import delete_file, deleted_afterwards, reason, replace_file, try_to_delete, wait_at_most
from workbench.session.document import SessionDocument, SessionError, save_session
from workbench.session.settings import Settings, load_settings, save_settings
from workbench.study.store.own_files import set_aside
from workbench.study.store.temporary import write_whole

WORKBENCH = Path(file_replace.__file__).parent
SHARING_VIOLATION, ACCESS_DENIED = 32, 5


def windows_error(winerror: int) -> PermissionError:
    """The error of Python on Windows, with its message in the language of that Windows."""
    error = PermissionError(13, "Der Prozess kann nicht auf die Datei zugreifen")
    error.winerror = winerror  # type: ignore[attr-defined, unused-ignore]
    return error


Held = Callable[[str, int], list[int]]


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    """Makes a method of Path fail that many times, as on Windows if another program has the file open; the returned
    list has an entry for each failure."""

    def hold(method: str, times: int, winerror: int = SHARING_VIOLATION) -> list[int]:
        real, failures = getattr(Path, method), list[int]()

        def tried(path: Path, *arguments: object, **named: object) -> object:
            if len(failures) < times:
                failures.append(winerror)
                raise windows_error(winerror)
            return real(path, *arguments, **named)

        monkeypatch.setattr(Path, method, tried)
        return failures

    return hold


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_replace, "PATIENCE_S", 0.05)


@pytest.mark.parametrize("winerror", [ACCESS_DENIED, SHARING_VIOLATION, 33, 1224])
def test_that_a_file_is_replaced_after_the_other_program_closes_it(tmp_path: Path, held: Held, winerror: int) -> None:
    source, target = tmp_path / "new", tmp_path / "old"
    source.write_text("new")
    target.write_text("old")
    failures = held("replace", 3, winerror)
    replace_file(source, target)
    assert (target.read_text(), source.exists(), len(failures)) == ("new", False, 3)


def test_that_a_file_is_deleted_after_the_other_program_closes_it(tmp_path: Path, held: Held) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    failures = held("unlink", 3)
    delete_file(file)
    assert (file.exists(), len(failures)) == (False, 3)
    delete_file(file)  # gone already


@pytest.mark.usefixtures("impatient")
def test_that_after_the_time_limit_both_files_are_unchanged(tmp_path: Path, held: Held) -> None:
    source, target = tmp_path / "new", tmp_path / "old"
    source.write_text("new")
    target.write_text("old")
    failures = held("replace", 10_000)
    with pytest.raises(PermissionError):
        replace_file(source, target)
    assert (target.read_text(), source.read_text()) == ("old", "new")
    assert len(failures) > 1


def test_that_a_thread_that_must_not_block_gives_up_sooner(tmp_path: Path, held: Held) -> None:
    failures = held("unlink", 10_000)
    errors: list[OSError] = []

    def work() -> None:
        wait_at_most(0.0)
        try:
            delete_file(tmp_path / "file")
        except OSError as error:
            errors.append(error)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert (len(failures), len(errors)) == (1, 1)


def test_that_other_failures_are_not_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []

    def full(_path: Path, _target: Path) -> None:
        tries.append(1)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(tmp_path / "new", tmp_path / "old")
    assert len(tries) == 1


def test_that_a_folder_in_place_of_the_file_is_not_retried(tmp_path: Path, held: Held) -> None:
    failures = held("replace", 10_000)
    with pytest.raises(PermissionError):
        replace_file(tmp_path / "new", tmp_path)
    assert len(failures) == 1


def test_that_cancel_stops_the_wait(tmp_path: Path, held: Held) -> None:
    from threading import Event

    held("replace", 10_000)
    asked = Event()
    asked.set()
    with pytest.raises(Cancelled), cancelled_by(asked):
        replace_file(tmp_path / "new", tmp_path / "old")


def test_that_an_open_file_stays_until_the_next_cleanup(tmp_path: Path, held: Held) -> None:
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("x")
    (folder / "within").mkdir(parents=True)
    assert try_to_delete(folder)
    failures = held("unlink", 1)
    assert not try_to_delete(file)
    assert file.exists()
    assert len(failures) == 1
    assert try_to_delete(file)
    assert not file.exists()


@pytest.mark.usefixtures("impatient")
def test_that_an_open_temporary_file_does_not_hide_an_error(tmp_path: Path, held: Held) -> None:
    part = tmp_path / "part"
    part.write_text("half")
    held("unlink", 10_000)
    with pytest.raises(Cancelled), deleted_afterwards(part):
        raise Cancelled


def test_that_a_temporary_file_is_closed_before_it_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = tmp_path / "part"
    part.write_bytes(b"half")
    streams: list[weakref.ref[object]] = []
    open_then: list[bool] = []
    real = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        open_then.append(streams[0]() is not None)
        real(path, missing_ok)

    def fails() -> None:
        values = np.memmap(part, mode="r")
        streams.append(weakref.ref(values))
        raise Cancelled

    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(Cancelled), deleted_afterwards(part):
        fails()
    assert open_then == [False]
    assert not part.exists()


@pytest.mark.parametrize("write", ["export", "workspace file", "settings", "set aside"])
def test_that_every_file_type_waits_for_the_other_program(
    tmp_path: Path, held: Held, monkeypatch: pytest.MonkeyPatch, write: str
) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(target))
    failures = held("replace", 2)
    if write == "export":
        write_safely(target, lambda path: path.write_text("new") and None, lambda _path: None)
    elif write == "workspace file":
        write_whole(target, b"new")
    elif write == "settings":
        assert save_settings(Settings(language="de"))
        assert load_settings().language == "de"
    else:
        aside = set_aside(target)
        assert aside is not None
        assert aside.read_text() == "old"
    assert len(failures) == 2
    assert write in ("settings", "set aside") or target.read_text() == "new"


@pytest.mark.usefixtures("impatient")
def test_that_the_message_says_that_the_file_is_open_elsewhere(tmp_path: Path, held: Held) -> None:
    held("replace", 10_000)
    with pytest.raises(SessionError, match=r"a\.vdiwb was not saved: it is open in another program\. An earlier file"):
        save_session(tmp_path / "a.vdiwb", SessionDocument())
    with pytest.raises(ExportError, match=r"a\.csv was not written: it is open in another program"):
        write_safely(tmp_path / "a.csv", lambda path: path.write_text("new") and None, lambda _path: None)
    assert list(tmp_path.iterdir()) == []


def test_that_a_full_disk_is_reported_as_such(snapshot: SnapshotAssertion) -> None:
    assert reason(OSError(28, "No space left on device")) == snapshot
    assert reason(windows_error(ACCESS_DENIED)) == snapshot


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows keeps open files from being replaced")
def test_that_windows_replaces_a_file_that_was_briefly_open(tmp_path: Path) -> None:
    source, target = tmp_path / "new", tmp_path / "old"
    source.write_text("new")
    target.write_text("old")
    stream = target.open()
    with pytest.raises(PermissionError):
        source.replace(target)
    Timer(0.5, stream.close).start()
    replace_file(source, target)
    assert target.read_text() == "new"


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows keeps open files from being deleted")
def test_that_windows_deletes_a_file_that_was_briefly_open(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    stream = file.open()
    assert not try_to_delete(file)
    Timer(0.5, stream.close).start()
    delete_file(file)
    assert not file.exists()


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows keeps open files from being replaced")
def test_that_a_workbook_open_in_another_program_is_unchanged(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")
    with target.open(), pytest.raises(ExportError, match="it is open in another program"):
        write_safely(target, lambda path: path.write_text("new") and None, lambda _path: None)
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]
    assert target.read_text() == "old"


def test_that_no_other_module_replaces_or_deletes_a_file() -> None:
    places = [
        f"{file.relative_to(WORKBENCH).as_posix()}: {ast.unparse(call)}"
        for file in sorted(WORKBENCH.rglob("*.py"))
        if file != Path(file_replace.__file__)
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and _replaces_or_deletes(call)
    ]
    assert places == []


def _replaces_or_deletes(call: ast.Call) -> bool:
    """True for calls such as `path.unlink()`, `shutil.rmtree(path)` and `path.replace(target)`. Other `replace` calls
    differ in their arguments: a str has two, a table a dict, a struct keyword arguments."""
    if not isinstance(call.func, ast.Attribute):
        return False
    owner = call.func.value.id if isinstance(call.func.value, ast.Name) else ""
    if owner in ("os", "shutil"):
        return call.func.attr in ("replace", "rename", "renames", "unlink", "remove", "rmtree", "move")
    takes_a_path = len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Dict | ast.DictComp)
    return call.func.attr == "unlink" or (call.func.attr == "replace" and takes_a_path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_that_a_pipe_or_a_device_is_never_replaced(tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe.csv", tmp_path / "new"
    os.mkfifo(pipe)
    file.write_text("new")
    with pytest.raises(OSError, match="pipe"):
        replace_file(file, pipe)
    with pytest.raises(ExportError):
        write_safely(pipe, lambda path: path.write_text("x") and None, lambda path: None)
    assert pipe.is_fifo()
    assert file.read_text() == "new"
