"""The import report in German: no sentence of a reader stays English."""

from __future__ import annotations

import re

import pytest

from tests.exporters.test_german import in_english
from tests.samples import SAMPLE, sample
from workbench.answers.common.library import Library
from workbench.answers.import_report.causes import causes, split_change, zone_change
from workbench.exporters.names import kept_names
from workbench.model.problem import Mending
from workbench.session.state import State
from workbench.words.translated import speaking, spoken_words

STUDIES = sorted(path.name for path in SAMPLE.iterdir() if path.is_dir() and path.name != "generator")
# Problems that occur with logs and benchmark files of other people; the samples have no such files.
OF_OTHERS = (
    "The interval rows have no time of day, only the time since the start of the test.",
    "The file contains 2 interim reports (--status-interval).",
    "27 values are below the minimum of their counters, the first: -3 in sample 4 of 'Page Faults/sec'.",
    "Every line ends with an extra delimiter.",
    "IOPS calculated from the I/O count and the run time; for exact values, run fio with --output-format=json",
    "Job “w” failed with fio error 22: “Invalid argument”.",
    "Job “w”, write: latency percentiles exclude submission (mean submission 3.41 ms, mean completion 17.7 ms).",
    "Job “w”, read: the mean total latency is 5 ms, but its maximum is 4 ms.",
    "Job “w”, read: the mean completion latency is 5 ms, but the mean total latency is only 4 ms.",
    "Job “w” on 127.0.0.1 used the page cache (direct=1 is not set, size=8m).",
    "Line 47 has no timestamp.",
    "Read of “4K”: share of reads is 300 %, which is impossible. Other impossible values in the file: 2.",
    "Several files contain samples of PC-1 for the same time (a.csv, b.csv and 3 more).",
    "The chart 'CPU' contains 3 configurations, drawn as lines over time.",
    "The chart contains no date: its times count from the start of the test, up to 01:30:00.",
    "The file contains no UTC offset, and the other files of the run have different offsets.",
    "The last line has no line break: the log may have been cut off there.",
    "The values were calculated from raw counts, but not checked with relog.",
    "A part of the recording is outside all phases (2018-04-26 10:05:27 to 11:24:58, UTC-04:00).",
    "The timestamps have no seconds, so several rows may have the same timestamp.",
    "each value is imported once, from flatfile.html; parts are listed under their run",
    "file not imported; write storage metrics as vdi-benchmark JSON (docs/formats.md)",
    'its timestamps were read as UTC; set time_zone = "+01:00" in run.toml',
    'timestamps are shown as in the file; use Run › Time zone… or set time_zone = "+01:00" in run.toml',
    "samples not assigned to a phase; set [[phases]] in run.toml",
    "Guessed: provisioning = other (the default, because names and counters do not show it).",
    "lab: 2007-08-14 19:40 to 19:50 UTC, 1 machine; log.blg (no overlap with other recordings).",
)


# Names of columns of a file.
COLUMNS = re.compile(r"\b(code|vm|moment|left_out)\b|(?<=Spalten sind unbekannt: ).*")


def sentences(library: Library) -> set[str]:
    """Every problem, its action, its cause, and what a decision about it would change."""
    said = {text for problem in library.all_problems for text in (problem.message, problem.action)}
    for cause in causes(library, State(page="import-report")):
        said |= {cause.title, cause.done, cause.noun}
        if cause.mending is Mending.SPLIT:
            said |= {*split_change(library, cause.runs).sentences}
        if cause.mending is Mending.TIME_ZONE:
            said |= {*zone_change(library, cause.runs, "+01:00").sentences}
    return said - {""}


def in_german(texts: set[str], library: Library) -> set[str]:
    with speaking("de", kept_names(library.studies)):
        return {COLUMNS.sub("", spoken_words(text)) for text in texts}


@pytest.mark.parametrize("study", STUDIES)
def test_that_every_sentence_about_a_sample_is_german(study: str) -> None:
    library = sample(study)
    texts = sentences(library)
    assert len(texts) > 80 or study != "damaged"
    assert in_english(in_german(texts, library), library) == set()


def test_that_sentences_about_files_of_other_people_are_german() -> None:
    library = Library(())
    assert len(in_german({*OF_OTHERS}, library)) == len(OF_OTHERS)
    # fio's own words stay.
    assert {
        text
        for text in in_english(in_german({*OF_OTHERS}, library), library)
        if "Invalid argument" not in text and "size=8m" not in text
    } == set()
