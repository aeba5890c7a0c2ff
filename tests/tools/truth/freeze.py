"""Writes the outputs of the program: each command for each study, each document, each reading; jobs in processes."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.tools.truth.places import Plain, copied, write

ENDINGS = (".xlsx", ".pptx", ".html")
FAILED = "failed"
_USAGE = 2


@dataclass(frozen=True, slots=True)
class Job:
    """A part of a freeze: `kind` is `study`, `commands` (a study without documents), `public` or `corpus`; `source` is
    its subject."""

    kind: str
    name: str
    source: Path
    out: Path

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def freeze(
    out: Path, sample: Path, public: Path | None = None, only: Sequence[str] = (), workers: int = 2
) -> Iterator[str]:
    """Writes into `out` and yields each finished job. A folder in `sample` is a study; so are `sample` as a whole and
    each folder in `public`. A job that raises is FAILED, and its files may be missing."""
    wanted = [job for job in _jobs(out, sample, public) if not only or any(part in str(job) for part in only)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(_done, job): job for job in wanted}
        for future in as_completed(running):
            error = future.exception()
            yield str(running[future]) if error is None else f"{running[future]} {FAILED}: {error!r}"


def _jobs(out: Path, sample: Path, public: Path | None) -> Iterator[Job]:
    """The jobs, longest first."""
    studies = sorted(path for path in sample.iterdir() if path.is_dir() and not (path / "__init__.py").exists())
    yield Job("commands", sample.name, sample, out)
    yield from (Job("study", study.name, study, out) for study in studies)
    if public is not None:
        folders = sorted(path for path in public.iterdir() if path.is_dir())
        yield from (Job("commands", f"public-{folder.name}", folder, out) for folder in folders)
        yield Job("public", "readings", public, out)
    yield Job("corpus", "readings", sample, out)


def _done(job: Job) -> None:
    """Does one job in separate folders, so other jobs cannot change its files or caches."""
    os.environ |= {"QT_QPA_PLATFORM": "offscreen", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for own in ("store", "settings", "mappings", "journals"):
            os.environ[f"VDI_WORKBENCH_{own.upper()}"] = str(folder / "own" / own)
        if job.kind == "corpus":
            _readings("freeze_corpus", job.out)
        elif job.kind == "public":
            _readings("freeze_files", job.out, job.source)
        else:
            lab = copied(job.source, folder / "lab" / job.source.name)
            plain = Plain({"<lab>": folder / "lab", "<own>": folder / "own", "<folder>": folder})
            _commands(job, lab, plain)
            if job.kind == "study":
                for ending in ENDINGS:
                    _document(job, lab, plain, folder / f"out{ending}")


def _readings(name: str, *arguments: Path) -> None:
    from tests.tools.truth import readings

    getattr(readings, name)(*arguments)


def _commands(job: Job, lab: Path, plain: Plain) -> None:
    """Each command of each question in each of its formats for data, with the options of its example."""
    from workbench.answers.registry import COMMANDS

    for command in COMMANDS:
        options = _options(command.example)
        for form in command.formats:
            if form == "table":
                continue
            asked = [command.name, str(lab), *options, "--format", form]
            answer = _answered(asked)
            if answer["status"] == _USAGE and options:
                # The study does not have an object of the example, such as a configuration.
                answer = _answered([command.name, str(lab), "--format", form])
            write(job.out, f"{job.name}/{command.name}.{form}", plain.value(answer))


def _options(example: str) -> list[str]:
    """The options of `vdiwb NAME PATH OPTIONS`, without its format."""
    words = shlex.split(example)[3:]
    if "--format" in words:
        at = words.index("--format")
        del words[at : at + 2]
    return words


def _answered(words: list[str]) -> dict[str, Any]:
    """Exit status, text on standard error, and the answer: JSON as its value, CSV as cells, otherwise lines."""
    from workbench.cli import main

    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        try:
            status = main(words)
        except SystemExit as ended:  # the option does not exist
            status = int(ended.code or 0)
    return {"status": status, "errors": errors.getvalue().splitlines(), "answer": _parsed(out.getvalue(), words[-1])}


def _parsed(text: str, form: str) -> Any:
    if form == "json" and text.strip():
        return json.loads(text)
    if form == "csv":
        return list(csv.reader(io.StringIO(text)))
    return text.splitlines()


def _document(job: Job, lab: Path, plain: Plain, file: Path) -> None:
    from tests.tools.truth.documents import document
    from workbench.cli import main

    errors = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(errors):
        status = main(["export", str(lab), "-o", str(file)])
    said = {"status": status, "errors": errors.getvalue().splitlines()}
    content = document(file) if file.exists() else None
    write(job.out, f"{job.name}/export{file.suffix}", plain.value(said | {"content": content}))
