"""Everything that is shown of the sample study: a text for each page of the window and each table of the console."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

from tests.snapshots.page_text import page_text
from workbench.answers.common.library import Library
from workbench.answers.common.spec import PageSpec
from workbench.answers.registry import COMMANDS, PAGES
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.session.state import State
from workbench.study.store.column_store import Store
from workbench.words.numbers import decimal_mark, write_decimals_with

FOLDER = Path(__file__).parent
SAMPLE = Path(__file__).parents[2] / "sample_data"
STORE_VARIABLE = "VDI_WORKBENCH_STORE"


def stored() -> dict[str, str]:
    """The reviewed snapshots, by their names such as `pages/cache`."""
    files = FOLDER.glob("*/*.txt")
    return {file.relative_to(FOLDER).with_suffix("").as_posix(): file.read_text(encoding="utf-8") for file in files}


def write(shown: dict[str, str]) -> None:
    """Replaces the stored snapshots by these."""
    for name in stored():
        (FOLDER / f"{name}.txt").unlink()
    for name, text in shown.items():
        file = FOLDER / f"{name}.txt"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")


def taken(store: Path) -> dict[str, str]:
    """The snapshots of the sample study as the program shows it now, read through a column store in this folder."""
    with _as_on_every_machine(store):
        return {f"pages/{name}": text for name, text in _pages(Store(store))} | {
            f"console/{name}": text for name, text in _console()
        }


@contextmanager
def _as_on_every_machine(store: Path) -> Iterator[None]:
    """A separate store, and a point as decimal mark."""
    mark, variable = decimal_mark(), os.environ.get(STORE_VARIABLE)
    write_decimals_with(".")
    os.environ[STORE_VARIABLE] = str(store)
    try:
        yield
    finally:
        write_decimals_with(mark)
        if variable is None:
            del os.environ[STORE_VARIABLE]
        else:
            os.environ[STORE_VARIABLE] = variable


def _library(store: Store) -> Library:
    store.prepare()
    studies = load_studies([SAMPLE], store)
    return Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})


def _pages(store: Store) -> Iterator[tuple[str, str]]:
    library = _library(store)
    for spec in PAGES:
        sections: dict[str, list[str]] = {}
        for study in library.with_runs:
            for view, words in spec.views or (("", ""),):
                title = f"{study.name}, {words}" if words else study.name
                sections[title] = _answer(spec, view, library, State(study=study.folder))
        yield spec.key, _page(spec.name, sections)


def _answer(spec: PageSpec, view: str, library: Library, state: State) -> list[str]:
    asked = replace(state, page=spec.key)
    return page_text(spec.answer(library, asked.with_page_view(spec.key, view) if view else asked))


def _page(name: str, sections: dict[str, list[str]]) -> str:
    """The text of a page with all of its views; parts that are equal for several studies appear once."""
    lines, known = [f"# {name}"], dict[tuple[str, ...], str]()
    for title, section in sections.items():
        same = known.setdefault(tuple(section), title)
        lines += ["", f"## {title}", *(section if same == title else [f"the same as: {same}"])]
    return "\n".join(lines) + "\n"


def _console() -> Iterator[tuple[str, str]]:
    """The output of each command's example that has a table."""
    for command in COMMANDS:
        if "table" not in command.formats:
            continue
        words = shlex.split(command.example)[1:]
        if "--format" in words:
            at = words.index("--format")
            del words[at : at + 2]
        out, errors = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(errors):
            status = main([_on_this_machine(word) for word in words])
        lines = [line.rstrip() for line in out.getvalue().splitlines()]
        head = [f"$ vdiwb {shlex.join(words)}", *errors.getvalue().splitlines(), f"exit status {status}", ""]
        yield command.name, "\n".join([*head, *lines]) + "\n"


def _on_this_machine(word: str) -> str:
    """The path of the sample study, or of a part of it, on this machine; any other word unchanged."""
    return str(SAMPLE.parent / word) if word.split("/")[0] == SAMPLE.name else word
