"""50 damaged files of each format in every run, and every file found earlier; the long run is `python -m tests.tools
fuzz`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.tools.fuzz.case import CORPUS, Case, Rule, keep, kept
from tests.tools.fuzz.formats import formats, seeds_of
from tests.tools.fuzz.judge import judged
from tests.tools.fuzz.mutations import NUMBER, Seed, case_of
from tests.tools.fuzz.outcome import Outcome, Remark
from tests.tools.fuzz.sweep import Progress, Worker, progress_of, swept
from tests.tools.fuzz.worker import Ask
from workbench.readers.registry import readers

CASES = 50
PACKAGE = Path(__file__).parents[3] / "workbench"
OPENS = re.compile(
    r"tomllib\.loads|msgspec\.(?:json|toml)\.decode|json\.loads?\(|load_workbook\(|Presentation\(|ZipFile\(|tarfile\."
    r"|pl\.read_|read_ipc|scan_ipc|np\.load"
)
# Modules that do not open files that may be damaged.
OTHERWISE = {
    "answers.cache.sentences": "shipped with the program",
    "answers.common.causes": "shipped with the program",
    "answers.prepare.collections": "shipped with the program",
    "words.translated": "shipped with the program",
    "gui.pages.counter_model": "dragged within the window",
    "exporters.slides.write": "written a moment before",
    "exporters.workbook.book": "written a moment before",
    "exporters.workbook.finish": "written a moment before",
    "study.plausibility.judge": "written a moment before",
}
CLEAN = b"time,iops\n1,2003\n"
FIGURE = {"iops": 2003.0}


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as started:
        yield started


def test_that_every_reader_has_files_to_damage() -> None:
    assert [reader.label for reader in readers() if not seeds_of(reader.label)] == []


def test_that_every_module_that_opens_project_files_is_attacked() -> None:
    sources = {
        ".".join(file.relative_to(PACKAGE).with_suffix("").parts): file.read_text("utf-8")
        for file in PACKAGE.rglob("*.py")
        if file.relative_to(PACKAGE).parts[0] != "readers"
    }
    known = {module for format_ in formats().values() for module in format_.modules} | OTHERWISE.keys()
    assert {name for name, text in sources.items() if OPENS.search(text)} == known


@pytest.mark.parametrize("name", formats())
def test_that_an_undamaged_file_has_figures_and_no_fault(name: str, tmp_path: Path) -> None:
    for at, seed in enumerate(seeds_of(name)):
        (tmp_path / str(at)).mkdir()
        outcome = formats()[name].read(seed.data, seed.name, tmp_path / str(at))
        assert not outcome.faults
        assert outcome.figures or name.startswith("own-") or seed.name in ("Global.ini", "catalog.tf"), seed.name


@pytest.mark.parametrize("name", formats())
def test_that_damaged_files_raise_no_error_and_give_no_silent_wrong_figure(worker: Worker, name: str) -> None:
    answers = [(number, worker.ask(Ask(name, number)).wrong) for number in range(CASES)]
    assert [answer for answer in answers if answer[1]] == []


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.json")), ids=lambda file: file.stem)
def test_that_faults_found_once_stay_fixed(worker: Worker, file: Path) -> None:
    assert worker.ask(Ask(file=str(file))).wrong == []


def verdict(rule: Rule, text: str, names: Sequence[str] = ("iops",), **damaged: object) -> list[str]:
    """The judge's faults for a reader with this result for the file with `text` instead of 2003; the number decides the
    figures of these names."""
    start = CLEAN.index(b"2003")
    case = Case("f", "a.csv", "k", rule, CLEAN, CLEAN.replace(b"2003", text.encode()), start, start + 4, text)

    def read(data: bytes, name: str) -> Outcome:
        if data == case.damaged:
            return Outcome(**damaged)  # type: ignore[arg-type]
        return Outcome(dict.fromkeys(names, float(data.split(b",")[-1])))

    return judged(case, read)


TOLD = (Remark("not-a-number", 2, "Line 2 has no number."),)


@pytest.mark.parametrize(
    ("rule", "text", "damaged", "wrong"),
    [
        (Rule.NO_NUMBER, "x", {}, "no problem tells of the damaged number: iops"),
        (Rule.NO_NUMBER, "x", {"figures": {"iops": 7.0}, "remarks": TOLD}, "figures of no number: iops 2003 -> 7"),
        (Rule.NO_NUMBER, "x", {"remarks": TOLD}, ""),
        (Rule.NO_NUMBER, "x", {"figures": FIGURE}, ""),
        (Rule.BLANK, "", {"figures": {"iops": 0.0}, "remarks": TOLD}, "blank is not missing but zero: iops 2003 -> 0"),
        (Rule.BLANK, "", {}, ""),
        (Rule.NUMBER, "-1", {"figures": {"iops": 1.0}}, "iops is 1 where the text says -1"),
        (Rule.NUMBER, "-1", {}, "iops is gone without a word"),
        (Rule.NUMBER, "-1", {"figures": {"iops": -1.0}}, ""),
        (Rule.NUMBER, "-1", {"remarks": TOLD}, ""),
        (Rule.CHANGED, "x", {"figures": {"iops": 2.0}}, "without a word: iops 2003 -> 2"),
        (Rule.CHANGED, "x", {}, ""),
        (Rule.LOUD, "x", {}, "gone without a word: iops"),
        (Rule.ANY, "x", {"faults": ("iops is inf",)}, "iops is inf"),
    ],
)
def test_that_the_judge_detects_a_silent_wrong_figure(
    rule: Rule, text: str, damaged: dict[str, object], wrong: str
) -> None:
    assert verdict(rule, text, **damaged) == ([wrong] if wrong else [])


def test_that_a_silent_wrong_figure_is_detected_next_to_a_reported_one() -> None:
    names = ("latency", "iops")
    assert verdict(Rule.NUMBER, "0", names, figures={"iops": 999.0}) == ["iops is 999 where the text says 0"]
    assert verdict(Rule.NUMBER, "0", names, figures={"iops": 0.0}) == []


def test_that_a_number_in_a_name_is_not_a_figure() -> None:
    start = CLEAN.index(b"2003")
    case = Case("f", "a", "k", Rule.NO_NUMBER, CLEAN, CLEAN.replace(b"2003", b"x"), start, start + 4, "x")
    assert judged(case, lambda data, _: Outcome({f"job {data.split(b',')[-1].decode().strip()}": 5.0})) == []


def test_that_a_process_that_hangs_or_dies_on_a_file_is_named() -> None:
    for program, words in (
        ("print(flush=True); input(); import time; time.sleep(60)", "hung for 0.5 s"),
        ("print(flush=True); input(); import os; os._exit(7)", "the process died with 7"),
    ):
        with Worker([sys.executable, "-c", program], patience_s=0.5) as worker:
            worker.start(60.0)
            answer = worker.ask(Ask("events", 3))
        assert answer.wrong == [words]
        assert answer.case == case_of("events", seeds_of("events"), 3)


def test_that_cases_are_reproducible_and_of_every_kind() -> None:
    cases = [case_of("events", seeds_of("events"), number) for number in range(200)]
    assert cases == [case_of("events", seeds_of("events"), number) for number in range(200)]
    assert len({case.kind for case in cases[:CASES]}) > 15
    assert all(case.damaged != case.clean for case in cases)


def test_that_isolated_numbers_are_found() -> None:
    text = b"v1.2 2016-05-10T09:00 -o 8, rate: 36000.50 (x5) 12/24 a7 1,5 [90]"
    assert [match[0] for match in NUMBER.finditer(text)] == [b"8", b"36000.50", b"90"]


def test_that_a_recorded_case_is_restored_from_its_file(tmp_path: Path) -> None:
    for damaged in (b"\xff\x00", "ä".encode()):
        case = Case("events", "e.csv", "zeros", Rule.LOUD, CLEAN, damaged)
        assert kept(keep(case, tmp_path)) == case


def test_that_an_interrupted_run_resumes(tmp_path: Path) -> None:
    assert list(swept(tmp_path, ["own-sizing"], 3, 5.0)) == []
    assert progress_of(tmp_path, "own-sizing").tried == 3
    list(swept(tmp_path, ["own-sizing"], 5, 5.0))
    progress = progress_of(tmp_path, "own-sizing")
    assert (progress.tried, progress.found, progress_of(tmp_path, "events")) == (5, {}, Progress())
    assert 0 < progress.peak_bytes < 2**30 or sys.platform != "linux"


def test_that_a_seed_file_without_a_number_is_damaged_too() -> None:
    case = case_of("f", (Seed("a", b"words"),), 1)
    assert case.damaged != case.clean
