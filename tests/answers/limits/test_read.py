"""limits.toml: each limit is read correctly, or is reported with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from workbench.answers.limits.file import MOST_LIMITS, limits_toml, parse_limits
from workbench.answers.limits.limit import OVERFLOW, Limit, LimitsFile, limited
from workbench.study.discovery.manifest import limits_text

GOOD = '[[limits]]\nmeasure = "iops_per_vm"\nphase = "steady"\nat_most = 25\n'


def read(text: str) -> LimitsFile:
    return parse_limits(text, "limits.toml")


def complaint(text: str) -> tuple[str, int | None]:
    (problem,) = read(text).problems
    return problem.sentences, problem.line


def test_that_measures_and_phases_are_accepted_by_key_and_by_title(snapshot: SnapshotAssertion) -> None:
    text = '[[limits]]\nmeasure = "P95 of read latency"\nphase = "Steady state"\nat_least = 10\n'
    (limit,) = read(text).limits
    assert limit == Limit("read_latency_p95_ms", 10.0, False, "steady", line=1)
    assert limit.words == snapshot
    against = GOOD.replace("25", "-80") + 'against = "MCS"\nconfigurations = "MCSIO 4 GB"\n'
    (limit,) = read(against).limits
    assert limit.words == snapshot
    assert limit.configurations == ("MCSIO 4 GB",)


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        (
            GOOD.replace("iops_per_vm", "iops_per_wm"),
            "no metric has this name. Limit not checked. Did you mean 'iops_per_vm'?",
            2,
        ),
        (
            GOOD.replace("at_most", "at_mots"),
            "has an unknown key: 'at_mots'. Limit not checked. Did you mean 'at_most'?",
            4,
        ),
        (GOOD.replace("phase", "fase"), "Did you mean 'phase'?", 3),
        (GOOD.replace('phase = "steady"\n', ""), "has no phase", 1),
        (
            GOOD.replace("25", "true"),
            "has true for 'at_most'. Limit not checked. Write a number without its unit (IOPS)",
            4,
        ),
        (GOOD.replace("25", "inf"), "at most 10\u00b9\u2075", 4),
        (GOOD.replace("25", "nan"), "Write a number without its unit", 4),
        (GOOD.replace("25", "1e300"), "at most 10\u00b9\u2075", 4),
        (GOOD.replace("25", "1" + "0" * 400), "at most 10\u00b9\u2075", 4),
        (
            GOOD.replace("25", '"10 ms"'),
            "has '10 ms' for 'at_most'. Limit not checked. Write a number without its unit (IOPS)",
            4,
        ),
        (GOOD.replace("25", '"1 %"') + 'against = "MCS"\n', "Write a number without its unit (%)", 4),
        (GOOD.replace("25", "2026-11-23"), "has 2026-11-23 for 'at_most'", 4),
        (GOOD.replace("25", "09:30:00"), "has 09:30:00 for 'at_most'", 4),
        (
            GOOD.replace("25", "-1"),
            "cannot be below 0. Limit not checked. To limit a change, add the key 'against'.",
            4,
        ),
        (GOOD.replace("25", "-120") + 'against = "MCS"\n', "cannot fall by more than 100 %", 4),
        (GOOD.replace("at_most = 25", "at_most = 25\nat_most = 26"), "cannot be read", 5),
        ("[limits]\na = 1\n[limits]\n", "cannot be read", 3),
        (GOOD.replace("at_most = 25", ""), "neither at_most nor at_least", 1),
        (GOOD + "at_least = 3\n", "both at_most and at_least", 4),
        (GOOD.replace("iops_per_vm", "read_latency_p95_ms") + 'against = "MCS"\n', "not compared", 5),
        ('[[limits]]\nmeasure = "overflow"\nat_most = 1\n', "an overflow has no value", 3),
        ('[[limits]]\nmeasure = "stuck_percent"\nphase = "logon"\nat_most = 1\n', "is a value of the whole run", 3),
        (GOOD + "configurations = [1]\n", "Write a list of names", 5),
        ("limits = 3\n", "Write each limit as [[limits]]", 1),
        ('limit = "x"\n' + GOOD, "'limit' is not a key of limits.toml. Key ignored. Did you mean 'limits'?", 1),
        ("[[limits]\n", "cannot be read", 1),
        ("a" + ".a" * 100 + " = 1\n", "more than 64 dots", None),
    ],
)
def test_that_invalid_entries_are_named_with_their_line(text: str, words: str, line: int | None) -> None:
    message, at = complaint(text)
    assert words in message
    assert line is None or at == line


def test_that_a_bad_limit_affects_only_itself() -> None:
    found = read(f"{GOOD}\n{GOOD.replace('iops_per_vm', 'nothing')}\n{GOOD.replace('25', '30')}")
    assert [limit.bound for limit in found.limits] == [25.0, 30.0]
    assert [problem.line for problem in found.problems] == [7]


def test_that_a_repeated_limit_counts_once() -> None:
    found = read(GOOD + GOOD.replace("steady", "Steady state") + GOOD + 'name = "again"\n')
    assert not found.problems
    assert [(limit.name, limit.line) for limit in found.limits] == [("", 1), ("again", 9)]
    (limit,) = read(GOOD + 'configurations = ["MCS", "PVS", "mcs ", "MCS"]\n').limits
    assert limit.configurations == ("MCS", "PVS")


def test_that_limits_above_the_maximum_number_are_ignored_and_reported(snapshot: SnapshotAssertion) -> None:
    found = read("".join(GOOD.replace("25", str(bound)) for bound in range(MOST_LIMITS + 1)))
    assert len(found.limits) == MOST_LIMITS
    assert found.problems[0].message == snapshot


def test_that_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    large, odd = tmp_path / "large.toml", tmp_path / "odd.toml"
    large.write_text("#" * 70_000)
    odd.write_bytes(b"\xff\xfe")
    reasons = [limits_text(path, path.name).problem for path in (large, odd, tmp_path / "absent.toml")]
    words = [problem.message for problem in reasons if problem is not None]
    assert ["larger than 64 KB" in words[0], "not UTF-8" in words[1], "cannot be read" in words[2]] == [True] * 3


words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).map(str.strip).filter(bool)


@st.composite
def some_limit(draw: st.DrawFn) -> Limit:
    figure = draw(st.sampled_from(list(limited().values())))
    overflow = figure.key == OVERFLOW
    against = draw(st.just("") | words) if figure.change_unit else ""
    lowest = 0.0 if not against else -1e15 if figure.change_unit == "pp" else -100.0
    phase = "" if figure.of_run else draw(st.sampled_from(["boot", "steady", "av-scan"]))
    return Limit(
        figure.key,
        None if overflow else draw(st.floats(lowest, 1e15).map(lambda value: float(f"{value:.12g}"))),
        overflow or draw(st.booleans()),
        phase,
        against,
        tuple(draw(st.lists(words, max_size=3, unique_by=str.casefold))),
        draw(st.just("") | words),
    )


@given(st.lists(some_limit(), max_size=4, unique_by=lambda limit: limit.key))
def test_that_saved_limits_are_read_back_unchanged(limits: list[Limit]) -> None:
    found = read(limits_toml(limits))
    assert not found.problems
    plain = [Limit(x.measure, x.bound, x.at_most, x.phase, x.against, x.configurations, x.name) for x in found.limits]
    assert plain == limits
