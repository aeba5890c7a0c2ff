"""Documents that several tests read: each is written once for all processes of the suite, and no test changes it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from tests.exporters.jobs import exported
from tests.samples import sample, shared
from workbench.answers.common.library import Library
from workbench.exporters.assemble import job_of
from workbench.exporters.export import export
from workbench.exporters.job import ExportJob, Written
from workbench.exporters.wanted import Length, Wanted
from workbench.session.state import State

SWEEP = "rds-mcsio-cache-sweep"


def document(library: Library, file: str, length: str = "full") -> Path:
    """The document of a library; its name differs from that of any other library or length."""
    return _kept(file, lambda path: exported(library, path, length=length))


def sample_document(study: str, ending: str, length: Length = "full", language: str = "en") -> Path:
    """The document of a study of the sample."""
    # A page and a Markdown file have the same content.
    job = "html" if ending == "md" else ending
    return _kept(
        f"{study}-{length}-{language}.{ending}",
        lambda path: export(replace(_job(study, job, length), path=path, language=language)),
    )


# The documents of one study and ending are written one after the other, in each language.
@lru_cache(maxsize=8)
def _job(study: str, ending: str, length: Length) -> ExportJob:
    return job_of(sample(study), State(), Wanted(Path(f"a.{ending}"), length=length))


def _kept(file: str, write: Callable[[Path], Written]) -> Path:
    path = shared() / file
    if not path.exists():
        part = shared() / f"{os.getpid()}-{file}"
        written = write(part)
        assert not any("could not be" in text for text in written.left_out)
        part.replace(path)
    return path
