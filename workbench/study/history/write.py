"""Keeps the metrics of a study in a history folder: one file per study and its recorded data."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import xxhash

from workbench.file_replace import reason, try_to_delete
from workbench.study.history.layout import ENDING, MOST_BYTES, KeptRun, KeptStudy, written
from workbench.study.history.read import NEWER, parsed, read_file
from workbench.study.store.temporary import write_whole

_LONGEST_NAME = 60


class HistoryError(ValueError):
    """A study that could not be kept; the message is a sentence for the user."""


def keep(folder: Path, study: KeptStudy, runs: tuple[KeptRun, ...]) -> Path:
    """Writes the file of the study in one step and returns its path. Keeping the study again, also with added runs,
    replaces only its own earlier file. A study of the same name with other runs gets a separate file. A file with
    runs that are no longer in the study stays, because no other file has their values. Raises HistoryError."""
    path = folder / file_name(study, runs)
    try:
        if any(problem.code == NEWER for problem in read_file(path).problems):
            message = (
                f"{study.name} was not saved: {path} was written by a newer version of VDI Workbench. Use that version."
            )
            raise HistoryError(message)
        data = written(study, runs)
        if len(data) > MOST_BYTES:
            raise HistoryError(
                f"{study.name} was not saved: its {len(runs):,} runs take {len(data) / 2**20:.0f} MB. The "
                f"maximum size of a history file is {MOST_BYTES // 2**20} MB. Open fewer runs and save them."
            )
        for problem in parsed(path.name, data).problems:
            # Data that could not be read again is refused while its results still exist.
            raise HistoryError(f"{study.name} was not saved: {problem.message}")
        write_whole(path, data)
        _delete_older(path, study, runs)
    except OSError as error:
        raise HistoryError(
            f"{study.name} was not saved in {folder}: {reason(error)}. Nothing was changed. Choose a folder in "
            "which you may write."
        ) from error
    return path


def _delete_older(path: Path, study: KeptStudy, runs: tuple[KeptRun, ...]) -> None:
    """Deletes the files of the same study whose runs are all in the new one."""
    kept = set(map(_identity, runs))
    for other in path.parent.glob(f"{_plain_name(study)}-*{ENDING}"):
        earlier = read_file(other)
        same = earlier.study is not None and (earlier.study.name, earlier.study.path) == (study.name, study.path)
        if other != path and same and not earlier.problems and kept.issuperset(map(_identity, earlier.runs)):
            try_to_delete(other)


def _identity(run: KeptRun) -> str:
    return run.recorded or f"{run.name} {run.date}"


def _plain_name(study: KeptStudy) -> str:
    """Returns the study's name with only the characters that every system allows."""
    plain = unicodedata.normalize("NFKD", study.name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain)[:_LONGEST_NAME].strip("-") or "study"


def file_name(study: KeptStudy, runs: tuple[KeptRun, ...]) -> str:
    """Returns the name of the study's file: the study's name with allowed characters, and a checksum of the recorded
    data of its runs, including excluded ones."""
    parts = sorted(map(_identity, runs))
    return f"{_plain_name(study)}-{xxhash.xxh3_64_hexdigest(' '.join(parts).encode())}{ENDING}"
