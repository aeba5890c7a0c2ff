"""All JSON and CSV that the commands write for some paths. Also a program, for a process with other settings."""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.processes import ROOT
from tests.samples import read_once
from workbench.answers.common import document
from workbench.answers.registry import COMMANDS
from workbench.cli import main
from workbench.console import running
from workbench.study.store.column_store import default_store

# In addition to the examples of the commands: replies with separate forms.
_MORE = (("summary", "--explain"), ("benchmarks", "--sweeps"), ("benchmarks", "--repeats"))
_EXPORTS = {"phases": (), "samples": ("--only", "data"), "chart": ("--only", "per-vm-iops")}


def written(paths: Sequence[Path], commands: Sequence[str] = ()) -> dict[str, str]:
    """The outputs of each command for the paths, by command and format. The paths are read once, in this process.
    `commands` selects some."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "load_studies", read_once(*paths, store=default_store().root))
        return _written(paths, commands)


def _written(paths: Sequence[Path], commands: Sequence[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for words, forms in _asked():
        for form in forms if not commands or words[0] in commands else ():
            texts[f"{shlex.join(words)} {form}"] = _output([words[0], *map(str, paths), *words[1:], "--format", form])
    with TemporaryDirectory() as folder:
        for name, only in _EXPORTS.items():
            if not commands or "export" in commands:
                texts[f"export {name}"] = _output(["export", *map(str, paths), *only, "-o", f"{folder}/{name}.csv"])
        for file in sorted(Path(folder).iterdir()):
            texts[f"exported {file.name}"] = file.read_bytes().decode("utf-8")
    return texts


def _asked() -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The arguments of each command without its paths, and its formats."""
    for command in COMMANDS:
        words = shlex.split(command.example)[1:]
        if "--format" in words:
            del words[words.index("--format") : words.index("--format") + 2]
        forms = tuple(form for form in command.formats if form != "table")
        yield tuple(word for word in words if not word.startswith("sample_data")), forms
    yield from ((words, ("json", "csv")) for words in _MORE)


def _output(arguments: list[str]) -> str:
    out, errors = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = ended.code
    return f"exit status {status}\n{errors.getvalue()}{out.getvalue()}"


def written_by_another(
    paths: Sequence[Path], store: Path, options: Sequence[str] = (), **variables: str
) -> dict[str, str]:
    """The outputs from a separate process, with these options of the program below and environment variables."""
    environment = {**os.environ, "VDI_WORKBENCH_STORE": str(store), **variables}
    command = [sys.executable, "-m", "tests.console.written_answers", *options, *map(str, paths)]
    process = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    texts: dict[str, str] = json.loads(process.stdout)
    return texts


@contextmanager
def walked(order: Callable[[list[str]], None]) -> Iterator[None]:
    """Makes every folder list its entries in another order, as on other file systems; `order` sorts a list of names."""
    listed, scanned = os.listdir, os.scandir

    class Entries:
        def __init__(self, path: Any = ".") -> None:
            with scanned(path) as entries:
                by_name = {os.fsdecode(entry.name): entry for entry in entries}
            names = sorted(by_name)
            order(names)
            self._entries = iter([by_name[name] for name in names])

        def __iter__(self) -> Iterator[os.DirEntry[str]]:
            return self._entries

        def __next__(self) -> os.DirEntry[str]:
            return next(self._entries)

        def __enter__(self) -> Entries:
            return self

        def __exit__(self, *_error: object) -> None:
            self.close()

        def close(self) -> None:
            self._entries = iter(())

    def names(path: Any = ".") -> list[str]:
        known = sorted(listed(path))
        order(known)
        return known

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "scandir", Entries)
        patch.setattr(os, "listdir", names)
        yield


def _main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--walk", type=int, help="the seed of the order in which folders list their entries")
    parser.add_argument("--digits", type=int, default=document.DIGITS, help="17: what rounding would hide")
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    document.DIGITS = options.digits
    if options.workers:
        os.cpu_count = lambda: options.workers
    if options.walk is None:
        texts = written(options.paths, options.only)
    else:
        with walked(random.Random(options.walk).shuffle):
            texts = written(options.paths, options.only)
    sys.stdout.write(json.dumps(texts))


def unlike(texts: Mapping[str, str], others: Mapping[str, str]) -> list[str]:
    """The first different lines of each text, as a readable message; empty if all are equal."""
    lines = []
    for name in sorted({*texts, *others}):
        pairs = zip(texts.get(name, "").splitlines(), others.get(name, "").splitlines(), strict=False)
        differing = [f"{name}: {one[:200]} | {other[:200]}" for one, other in pairs if one != other]
        if differing or texts.get(name) != others.get(name):
            lines += differing[:3] or [f"{name}: one is longer"]
    return lines


# The pool's workers import this module as well.
if __name__ == "__main__":
    _main()
