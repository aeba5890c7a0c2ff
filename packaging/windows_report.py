"""The results of the check on Windows' Python: pytest's results, the known failures, and the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree


@dataclass(frozen=True)
class Failure:
    """One check or test that failed: its name and its message."""

    name: str
    message: str


@dataclass(frozen=True)
class Outcome:
    """The result of one step; `failed` includes the known failures."""

    step: str
    passed: tuple[str, ...] = ()
    failed: tuple[Failure, ...] = ()
    skipped: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)


def read_results(step: str, junit: str) -> Outcome:
    """The outcome of one pytest run, from its JUnit file of the family xunit1."""
    passed, failed, skipped = [], [], []
    for case in ElementTree.fromstring(junit).iter("testcase"):
        name = _test_name(case)
        problem = case.find("failure") if case.find("failure") is not None else case.find("error")
        if problem is not None:
            failed.append(Failure(name, (problem.text or problem.get("message") or "").strip()))
        elif case.find("skipped") is not None:
            skipped.append(name)
        else:
            passed.append(name)
    return Outcome(step, tuple(passed), tuple(failed), tuple(skipped))


def _test_name(case: ElementTree.Element) -> str:
    """The name of a test for pytest's command line. For a module that cannot be collected, it is the file name."""
    file = (case.get("file") or "").replace("\\", "/")
    if not file:
        return (case.get("name") or "").replace(".", "/") + ".py"
    inner = (case.get("classname") or "").removeprefix(file.removesuffix(".py").replace("/", ".")).strip(".")
    return "::".join(filter(None, [file, inner.replace(".", "::"), case.get("name")]))


def read_known(text: str) -> dict[str, str]:
    """Name -> reason. In the file, a reason starts a paragraph, and its names are indented below it."""
    known: dict[str, str] = {}
    reason = ""
    complete = False
    for line in text.splitlines():
        if not line.strip():
            reason, complete = "", False
        elif line.startswith("#"):
            continue
        elif line[0].isspace():
            if not reason:
                raise ValueError(f"{line.strip()} is in windows_known.txt without a reason")
            known[line.strip()] = reason
            complete = True
        else:
            reason = line.strip() if complete else f"{reason} {line.strip()}".strip()
            complete = False
    return known


def entry_of(name: str, known: Mapping[str, str]) -> str | None:
    """The entry that covers a test: the test itself, the test without its parameters, or its file."""
    return next((entry for entry in (name, name.split("[")[0], name.split("::")[0]) if entry in known), None)


def unexpected(outcome: Outcome, known: Mapping[str, str]) -> list[Failure]:
    """The failures that are not covered by any entry."""
    return [failure for failure in outcome.failed if entry_of(failure.name, known) is None]


def outdated(outcomes: Sequence[Outcome], known: Mapping[str, str]) -> list[str]:
    """The entries whose tests ran and did not fail."""
    failing = {entry_of(failure.name, known) for outcome in outcomes for failure in outcome.failed}
    running = {entry_of(name, known) for outcome in outcomes for name in outcome.passed}
    return sorted(entry for entry in running - failing if entry is not None)


def report(outcomes: Sequence[Outcome], known: Mapping[str, str]) -> str:
    """The unexpected failures with their messages, then the table."""
    failures = [failure for outcome in outcomes for failure in unexpected(outcome, known)]
    said = [f"FAILED {failure.name}\n{_indented(failure.message)}" for failure in failures]
    stale = [f"No longer fails, take it out of windows_known.txt: {entry}" for entry in outdated(outcomes, known)]
    return "\n".join([*said, *stale, "", *_table(outcomes, known), ""])


def _table(outcomes: Sequence[Outcome], known: Mapping[str, str]) -> Iterator[str]:
    wide = max((28, *(len(outcome.step) for outcome in outcomes)))
    yield f"{'on Windows':<{wide}}{'run':>7}{'passed':>8}{'failed':>8}{'skipped':>9}{'known':>7}{'seconds':>9}"
    rows = [(outcome.step, *_counts(outcome, known)) for outcome in outcomes]
    rows.append(("total", *map(sum, zip(*(row[1:] for row in rows), strict=True))))
    for step, ran, passed, failed, skipped, expected, seconds in rows:
        yield f"{step:<{wide}}{ran:>7}{passed:>8}{failed:>8}{skipped:>9}{expected:>7}{seconds:>9}"


def _counts(outcome: Outcome, known: Mapping[str, str]) -> tuple[int, ...]:
    passed, failed, skipped = len(outcome.passed), len(outcome.failed), len(outcome.skipped)
    new = len(unexpected(outcome, known))
    return passed + failed + skipped, passed, new, skipped, failed - new, round(outcome.seconds)


def _indented(message: str) -> str:
    return "\n".join(f"    {line}" for line in message.splitlines()[-15:])
