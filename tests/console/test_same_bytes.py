"""Equal input gives equal bytes of JSON and CSV, for any process, order of reading and folder.

The separate processes write numbers with 17 digits, which show differences that 12 would hide.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import shutil
from itertools import pairwise
from pathlib import Path, PureWindowsPath
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy._core._multiarray_umath import __cpu_dispatch__
from syrupy.assertion import SnapshotAssertion

from tests.builders import run
from tests.console.irregular_study import irregular_study
from tests.console.written_answers import unlike, walked, written, written_by_another
from tests.readers.fio_results import result, text_of
from workbench.answers.common.document import as_written, to_csv, to_json
from workbench.measures.phase_problems import of_machines
from workbench.phases.integral import Integral

ROOT = Path(__file__).parents[2]
STORE = "VDI_WORKBENCH_STORE"
# Two machines with settings as different as possible.
SETTINGS = (
    (
        ("--workers", "1", "--walk", "1"),
        {"PYTHONHASHSEED": "1", "POLARS_MAX_THREADS": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C", "OMP_NUM_THREADS": "1"},
    ),
    (
        ("--workers", "3", "--walk", "2"),
        {"PYTHONHASHSEED": "2", "POLARS_MAX_THREADS": "8", "TZ": "America/New_York", "LC_ALL": "de_DE.UTF-8"},
    ),
)
OF_LARGE = ("--digits", "17", "--only", "summary", "--only", "sizing", "--only", "findings", "--only", "compare")
COMMANDS = ("inspect", "summary", "findings", "compare", "cache", "sizing", "what-if", "benchmarks", "plan", "export")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = irregular_study(tmp_path_factory.mktemp("first") / "lab", vms=4, runs=2)
    (folder / "fio.json").write_text(text_of(result()), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def reference(lab: Path, store: Path) -> dict[str, str]:
    """The output of the first run on the study, with an empty store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(STORE, str(store))
        texts = written([lab], COMMANDS)
    assert all(text.startswith("exit status 0\n") for name, text in texts.items() if not name.startswith("exported"))
    return texts


def test_that_a_warm_store_and_a_cold_store_give_the_same_bytes(
    lab: Path, store: Path, reference: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert any(store.rglob("*.arrow"))
    monkeypatch.setenv(STORE, str(store))
    assert unlike(reference, written([lab], COMMANDS)) == []


def test_that_a_copied_study_in_another_file_order_gives_the_same_bytes(
    lab: Path, reference: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STORE, str(tmp_path / "store"))
    copied = shuffled_copy(lab, tmp_path / "other place" / lab.name, Random(3))
    with walked(list.reverse):
        assert unlike(reference, written([copied], COMMANDS)) == []


def test_that_outputs_do_not_contain_the_path_of_the_study(lab: Path, reference: dict[str, str]) -> None:
    for text in reference.values():
        assert str(lab.parent) not in text


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return irregular_study(tmp_path_factory.mktemp("large") / "lab", vms=25, runs=1)


@pytest.fixture(scope="module")
def of_large(large: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The output of a process with the first settings."""
    options, variables = SETTINGS[0]
    return written_by_another([large], tmp_path_factory.mktemp("store"), (*options, *OF_LARGE), **variables)


def test_that_two_processes_with_different_settings_write_the_same_17_digits(
    large: Path, of_large: dict[str, str], tmp_path: Path
) -> None:
    options, variables = SETTINGS[1]
    second = written_by_another([large], tmp_path, (*options, *OF_LARGE), **variables)
    assert len(second) == 10
    assert unlike(of_large, second) == []
    assert re.search(r"\d\.\d{15}", second["summary json"])


def test_that_the_first_by_name_of_two_possible_hosts_is_named(snapshot: SnapshotAssertion) -> None:
    names = [f"W10-{number:02}" for number in range(20)]
    for first, second in pairwise(names):
        load = {name: Integral(1000.0 if name in (first, second) else 1e-3, 60.0) for name in reversed(names)}
        (problem,) = of_machines(run(), [load, load])
        assert problem.message == snapshot


OF_PATHS = ("inspect", "summary", "findings", "compare")


@pytest.fixture
def scattered(lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Paths: one is inside another, and two are missing."""
    monkeypatch.setenv(STORE, str(tmp_path / "store"))
    other = irregular_study(tmp_path / "other", seed=2, vms=2, runs=1)
    return [other, other / "MCS r1", lab, tmp_path / "absent", tmp_path / "lost"]


def test_that_the_order_of_paths_has_no_effect(
    scattered: list[Path], lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = written(scattered, OF_PATHS)
    assert [len(text) > 1000 for text in texts.values()].count(True) >= 7
    # In the reversed order each of two paths comes first once.
    assert unlike(texts, written(scattered[::-1], OF_PATHS)) == []
    monkeypatch.chdir(tmp_path)
    relative = [Path("other"), lab, Path("absent"), Path("lost"), Path("other/MCS r1")]
    assert unlike(placeless(texts, tmp_path), placeless(written(relative, OF_PATHS), tmp_path)) == []


@pytest.mark.slow
def test_that_a_shuffled_order_of_paths_means_nothing(scattered: list[Path]) -> None:
    shuffled = Random(0).sample(scattered, len(scattered))
    assert shuffled not in (scattered, scattered[::-1])
    assert unlike(written(scattered, OF_PATHS), written(shuffled, OF_PATHS)) == []


def test_that_figures_do_not_depend_on_file_order(large: Path, of_large: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / large.name
    shutil.copytree(large, folder)
    options = ("--digits", "17", "--only", "compare", "--only", "sizing")
    for place in folder.iterdir():
        files = sorted((place / "guest").iterdir())
        for number, file in enumerate(files):
            file.rename(file.with_name(f"{len(files) - number:02} renamed.csv"))
    after = tables(written_by_another([folder], tmp_path / "store", options))
    assert len(after) == 2
    assert unlike({name: of_large[name] for name in after}, after) == []


def test_that_an_archive_and_its_folder_give_the_same_bytes_except_the_name(
    lab: Path, reference: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STORE, str(tmp_path / "store"))
    shutil.make_archive(str(tmp_path / "lab"), "zip", lab)
    packed = written([tmp_path / "lab.zip"], ("summary", "compare", "sizing"))
    unpacked = {name: text for name, text in reference.items() if name in packed}
    plain = {name: text.replace("lab.zip/", "").replace("lab.zip", "lab") for name, text in packed.items()}
    assert unlike(unpacked, plain) == []


def test_that_written_numbers_have_at_most_12_digits(reference: dict[str, str]) -> None:
    numbers = 0
    for name, text in reference.items():
        body = text.removeprefix("exit status 0\n")
        if name.endswith(" json"):
            fractions: list[str] = []
            json.loads(body, parse_float=fractions.append)
        elif name.endswith(" csv") or name in ("exported phases.csv", "exported chart.csv"):
            cells = [cell for row in csv.reader(io.StringIO(body)) for cell in row]
            fractions = [cell for cell in cells if re.fullmatch(r"-?\d+\.\d+(e[-+]\d+)?", cell)]
        else:
            continue
        numbers += len(fractions)
        assert [fraction for fraction in fractions if significant(fraction) > 12] == []
    assert numbers > 10_000


@given(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False))
def test_that_a_written_number_is_rounded_to_12_digits_and_rounding_again_keeps_it(value: float) -> None:
    shown = as_written(value)
    assert type(shown) is float
    assert math.isinf(shown * 10) or abs(shown - value) <= 5.01e-12 * abs(value)
    assert significant(repr(shown)) <= 12
    assert repr(as_written(shown)) == repr(shown)


@given(st.floats(min_value=1e-9, max_value=1e9), st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=9))
def test_that_integers_and_texts_and_missing_values_are_unchanged(value: float, values: list[float]) -> None:
    row = {"n": 2**70, "yes": True, "none": None, "text": f"{value!r} ms", "list": [3, "x", None]}
    assert as_written(row) == row
    assert as_written(tuple(values)) == [as_written(one) for one in values]


def test_that_a_number_that_is_not_finite_becomes_null_and_zero_has_no_sign() -> None:
    assert json.loads(to_json({"a": math.nan, "b": [math.inf, -math.inf], "c": -0.0, "d": 0.1 + 0.2})) == {
        "a": None,
        "b": [None, None],
        "c": 0.0,
        "d": 0.3,
    }
    assert "-0" not in to_json([-0.0, {"zero": -0.0}])
    row = {"a": math.nan, "b": math.inf, "c": -0.0, "d": 0.1 + 0.2, "e": [0.1 + 0.2, 3], "f": 1e22, "method": 2}
    assert to_csv([row]).splitlines()[1] == ",,0.0,0.3,0.3; 3,1e+22,2"


def test_that_file_names_use_slashes_on_every_system(reference: dict[str, str]) -> None:
    paths = [file["path"] for file in json.loads(reference["inspect json"].removeprefix("exit status 0\n"))["files"]]
    assert "MCS r1/guest/vm-00.csv" in paths
    # Windows treats both names as equal.
    assert [PureWindowsPath(*path.split("/")).as_posix() for path in paths] == paths == sorted(paths)


SAMPLES = [folder for folder in sorted((ROOT / "sample_data").iterdir()) if folder.is_dir()]
OF_SAMPLES = ("--digits", "17", *(word for name in COMMANDS if name != "export" for word in ("--only", name)))


@pytest.fixture(scope="module")
def of_samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    options, variables = SETTINGS[0]
    return written_by_another(SAMPLES, tmp_path_factory.mktemp("one"), (*options, *OF_SAMPLES), **variables)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_that_the_sample_study_gives_the_same_bytes_in_every_process(
    seed: int, of_samples: dict[str, str], tmp_path: Path
) -> None:
    random, (options, variables) = Random(seed), SETTINGS[1]
    shuffled = random.sample(SAMPLES, len(SAMPLES))
    variables = variables | {"PYTHONHASHSEED": str(random.randrange(2**32))}
    cold = written_by_another(shuffled, tmp_path, (*options, *OF_SAMPLES), **variables)
    assert unlike(of_samples, cold) == []
    assert unlike(of_samples, written_by_another(SAMPLES, tmp_path, OF_SAMPLES)) == []


@pytest.mark.slow
def test_that_a_processor_without_the_newest_instructions_gives_the_same_bytes(tmp_path: Path) -> None:
    """Computes like numpy and OpenBLAS on a machine of 2008: logarithms differ in the last of 17 digits."""
    folders = [irregular_study(tmp_path / "lab", vms=9), ROOT / "sample_data" / "rds-mcsio-cache-sweep"]
    without = {"NPY_DISABLE_CPU_FEATURES": " ".join(__cpu_dispatch__), "OPENBLAS_CORETYPE": "NEHALEM"}
    here = written_by_another(folders, tmp_path / "store")
    assert unlike(here, written_by_another(folders, tmp_path / "store", **without)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_that_a_study_of_many_digits_gives_the_same_bytes_in_every_process(seed: int, tmp_path: Path) -> None:
    folder = irregular_study(tmp_path / "lab", seed, vms=5 + seed, runs=3)
    texts = []
    for number, (options, variables) in enumerate(SETTINGS):
        variables = variables | {"PYTHONHASHSEED": str(100 * seed + number)}
        texts.append(written_by_another([folder], tmp_path / str(number), (*options, "--digits", "17"), **variables))
    assert unlike(*texts) == []


def shuffled_copy(folder: Path, target: Path, random: Random) -> Path:
    """A copy; its files were created in another order, with other times."""
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    random.shuffle(files)
    for number, file in enumerate(files):
        copied = target / file.relative_to(folder)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copied)
        os.utime(copied, (1_500_000_000 + number,) * 2)
    return target


def placeless(texts: dict[str, str], folder: Path) -> dict[str, str]:
    """The texts without the folder, because given paths are repeated as they were given."""
    place = f"{folder}{os.sep}"
    # JSON doubles a backslash of Windows.
    return {name: text.replace(json.dumps(place)[1:-1], "").replace(place, "") for name, text in texts.items()}


def tables(texts: dict[str, str]) -> dict[str, str]:
    """Only the CSV texts, because they contain no problems with file names."""
    return {name: text for name, text in texts.items() if name.endswith("csv")}


def significant(number: str) -> int:
    """The number of significant digits of a number as text."""
    return len(number.split("e")[0].lstrip("-").replace(".", "").strip("0"))
