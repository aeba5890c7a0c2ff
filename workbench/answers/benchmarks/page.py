"""The benchmark page: storage tests side by side, sweeps, repeats and latencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from workbench.answers.benchmarks.cards import latency_cards, load_cards, repeats_cards, side_by_side_cards, sweep_cards
from workbench.answers.benchmarks.compute import Family, Group, of_one_depth
from workbench.answers.benchmarks.figures import EMPTY, QUESTION, family_figure, side_by_side
from workbench.answers.benchmarks.latency_figure import EMPTY as NO_LATENCY
from workbench.answers.benchmarks.latency_figure import QUESTION as LATENCY
from workbench.answers.benchmarks.latency_figure import has_latencies, latency_figure, with_histogram
from workbench.answers.benchmarks.load.curves import load_curves
from workbench.answers.benchmarks.load.figure import EMPTY as NO_CURVE
from workbench.answers.benchmarks.load.figure import QUESTION as LOAD
from workbench.answers.benchmarks.load.figure import load_figure, load_table
from workbench.answers.benchmarks.names import family_name
from workbench.answers.benchmarks.raw_disk import Raw, raw_disk
from workbench.answers.benchmarks.repeats_figure import EMPTY as NO_REPEATS
from workbench.answers.benchmarks.repeats_figure import QUESTION as REPEATS
from workbench.answers.benchmarks.repeats_figure import repeated, repeats_figure, repeats_name
from workbench.answers.benchmarks.slices import slices_table
from workbench.answers.benchmarks.spec import KEY
from workbench.answers.benchmarks.sweep_figure import EMPTY as NO_SWEEP
from workbench.answers.benchmarks.sweep_figure import QUESTION as SWEEPS
from workbench.answers.benchmarks.sweep_figure import sweep_figure, sweep_names
from workbench.answers.benchmarks.sweeps import sweeps
from workbench.answers.benchmarks.tables import (
    histogram_table,
    latency_table,
    repeated_table,
    results_table,
    runs_table,
    sweep_table,
)
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.charts.content import Content
from workbench.charts.inputs import Input, Origin
from workbench.model.benchmark import Benchmark

BY_NAME, NO_RAW = "by name", "none"
_NAME = "Benchmark results"


def benchmarks(library: Library, choices: Choices) -> Content:
    """The view that is chosen; the first where none is."""
    rows = library.benchmarks
    if not rows:
        empty = EMPTY if library.files else "Open a result folder (Ctrl+O) or drop one here."
        return Content(QUESTION, empty=empty, nothing_open=not library.files, to_add=bool(library.files))
    return _ANSWERS.get(choices.page_view(KEY), _side_by_side)(rows, choices)


def _side_by_side(rows: Sequence[Benchmark], choices: Choices) -> Content:
    every = side_by_side(rows)
    family, shown, inputs = _family(every, choices)
    raw, chooser = _raw(shown, choices)
    figure = family_figure(rows, every, family, raw)
    table = replace(results_table(rows, family, raw), name=_NAME)
    slices = replace(slices_table(rows), name="Slices")
    # Tests of several depths have no most and no least; their sweep says what a depth brings.
    kinds = (family.block_bytes, family.pattern, family.read_percent)
    swept = [
        sweep
        for sweep in (() if of_one_depth(shown) else sweeps(rows))
        if (sweep.kind.block_bytes, sweep.kind.pattern, sweep.kind.read_percent) == kinds
    ]
    return Content(
        figure.question,
        figure.caption,
        (*side_by_side_cards(shown, raw), *(sweep_cards(swept[0]) if swept else ())),
        figure,
        (table, slices) if slices.rows else (table,),
        inputs=(*inputs, *chooser),
    )


def _sweeps(rows: Sequence[Benchmark], choices: Choices) -> Content:
    shown_sweeps = sweeps(rows)
    if not shown_sweeps:
        return Content(SWEEPS, empty=NO_SWEEP, to_add=True)
    names = _distinct(sweep_names(shown_sweeps))
    index, inputs = _choice("benchmarks.sweep", "Sweep", names, choices, "the sweeps found in the results")
    figure = sweep_figure(shown_sweeps[index])
    table = replace(sweep_table(shown_sweeps[index]), name="Steps")
    return Content(figure.question, figure.caption, sweep_cards(shown_sweeps[index]), figure, (table,), inputs=inputs)


def _load(rows: Sequence[Benchmark], choices: Choices) -> Content:
    curves = load_curves(rows)
    if not curves:
        return Content(LOAD, empty=NO_CURVE, to_add=True)
    names = _distinct([curve.name for curve in curves])
    index, inputs = _choice("benchmarks.load", "Curve", names, choices, "the load curves found in the results")
    figure, table = load_figure(curves[index]), replace(load_table(curves[index]), name="Points")
    return Content(figure.question, figure.caption, load_cards(curves[index]), figure, (table,), inputs=inputs)


def _repeats(rows: Sequence[Benchmark], choices: Choices) -> Content:
    groups = repeated(rows)
    if not groups:
        return Content(REPEATS, empty=NO_REPEATS, to_add=True)
    names = _distinct([repeats_name(group) for group in groups])
    index, inputs = _choice("benchmarks.repeats", "Test", names, choices, "the tests that were run again")
    figure = repeats_figure(groups[index])
    tables = (replace(runs_table(groups[index]), name="Runs"), replace(repeated_table(groups), name="Repeated tests"))
    return Content(figure.question, figure.caption, repeats_cards(groups[index]), figure, tables, inputs=inputs)


def _latency(rows: Sequence[Benchmark], choices: Choices) -> Content:
    every = {family: shown for family, shown in side_by_side(rows).items() if has_latencies(shown)}
    if not every:
        return Content(LATENCY, empty=NO_LATENCY, to_add=True)
    family, shown, inputs = _family(every, choices)
    figure = latency_figure(shown)
    tables = [replace(latency_table(rows, family), name="Latencies")]
    if with_histogram(shown):
        tables.append(replace(histogram_table(shown), name="Latency histograms"))
    return Content(figure.question, figure.caption, latency_cards(shown), figure, tuple(tables), inputs=inputs)


_ANSWERS: dict[str, Callable[[Sequence[Benchmark], Choices], Content]] = {
    "side-by-side": _side_by_side,
    "sweeps": _sweeps,
    "load": _load,
    "repeats": _repeats,
    "latency": _latency,
}


FAMILY = "benchmarks.family"


def _family(
    every: dict[Family, tuple[Group, ...]], choices: Choices
) -> tuple[Family, tuple[Group, ...], tuple[Input, ...]]:
    """The family whose tests are shown, those tests, and the chooser where there are several."""
    families = list(every)
    names = _distinct([f"{family_name(family)} ({len(every[family])})" for family in families])
    tip = "Tests of one block size, pattern and mix of reads and writes share an axis; in brackets how many."
    match = str(choices.input(FAMILY, names[0]))
    if match not in names:
        # A finding of one folder counts the tests of that folder: other folders may have more of them.
        match = next((name for name in names if _uncounted(name) == _uncounted(match)), match)
        choices = choices.with_input(FAMILY, match)
    index, inputs = _choice(FAMILY, "Tests of", names, choices, tip)
    return families[index], every[families[index]], inputs


def _uncounted(name: str) -> str:
    return name.rpartition(" (")[0]


def _raw(shown: Sequence[Group], choices: Choices) -> tuple[Raw | None, tuple[Input, ...]]:
    """The raw-disk test among those shown, and its chooser."""
    chosen_raw, used = _raw_asked(choices)
    raw = raw_disk(shown, chosen_raw) if used else None
    if len(shown) < 2:
        return raw, ()
    names = tuple(dict.fromkeys(group.name for group in shown))
    value = str(choices.input("benchmarks.raw", BY_NAME))
    value = value if value in (*names, NO_RAW) else BY_NAME
    tip = "The test that went to the storage without a cache. “By name” takes the first whose name says raw."
    chooser = Input(
        "benchmarks.raw",
        "Raw disk",
        value,
        choices=(BY_NAME, *names, NO_RAW),
        origin="assumed" if value == BY_NAME else "yours",
        tip=tip,
    )
    return raw, (chooser,)


def _raw_asked(choices: Choices) -> tuple[str | None, bool]:
    """The name of the raw-disk test (None: by name), and whether there is to be one."""
    chosen = str(choices.input("benchmarks.raw", BY_NAME))
    return (None, True) if chosen == BY_NAME else (chosen, chosen != NO_RAW)


def _choice(key: str, label: str, names: Sequence[str], choices: Choices, tip: str) -> tuple[int, tuple[Input, ...]]:
    """The place of what is chosen (the first without a choice), and its chooser where there are several."""
    chosen = str(choices.input(key, names[0]))
    index = names.index(chosen) if chosen in names else 0
    if len(names) < 2:
        return 0, ()
    origin: Origin = "yours" if index else "measured"
    return index, (Input(key, label, names[index], choices=tuple(names), origin=origin, tip=tip),)


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, numbered where two are the same."""
    seen: dict[str, int] = {}
    distinct = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return distinct
