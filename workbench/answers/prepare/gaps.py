"""The questions that a run cannot answer, and the reasons: counters of machines that are missing, too coarse, or
shorter than the phase.

A question is answered if its page shows a value (`shown`) and nothing that it needs is missing in a phase or a VM. It
is answered in part if the page shows a value although something is missing. If only the phases are missing, because
none was recorded, the counters are complete: so a log of two minutes can be judged before the test.

The pages themselves report if they show the answer of a question for a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from workbench.answers.logons.compute import logon_figures
from workbench.answers.logons.session_logons import session_logons
from workbench.answers.logons.vsimax import run_vsimax
from workbench.answers.logons.vsimax_models import load_models
from workbench.answers.prepare.logged import Logged
from workbench.answers.prepare.questions import QUESTIONS, CounterNeed, Extra, Part, Place, Question, counters_of
from workbench.measures.caches.use import has_ram_cache, run_cache
from workbench.measures.catalogue import MEASURES
from workbench.measures.phase_problems import GAP_SHARE
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.benchmark import Benchmark
from workbench.model.metric import Quantity
from workbench.model.phase import STANDARD_PHASES
from workbench.model.run import Provisioning
from workbench.model.run_cache import kept_with_run
from workbench.readers.common.counters import Collected

# An interval may be longer than needed by this share, because clocks and schedulers are late.
_LATE = 0.1
_STUDY_WIDE = "storage-limit"
_SEEN_IN_FACTS = {Extra.LOGONS, Extra.RESPONSES, Extra.STORAGE_TEST, Extra.CACHE_SIZE}


class Standing(StrEnum):
    """The extent to which a run answers a question. READY: every counter exists, but the phases are not recorded.
    OUTSIDE: the question does not apply to such desktops."""

    ANSWERED = "answered"
    IN_PART = "in part"
    READY = "counters complete"
    MISSING = "not answered"
    OUTSIDE = "does not apply"


class GapKind(StrEnum):
    """The kind of a gap: missing everywhere; missing in some VMs; no samples in part of a phase; samples too far apart;
    a phase is not recorded; something other than counters is missing; the page still shows no value; the page shows an
    estimate."""

    COUNTER = "missing"
    VMS = "missing in VMs"
    COVERAGE = "part of the phase"
    COARSE = "too coarse"
    PHASE = "no phase"
    FACT = "not recorded"
    VALUE = "no value"
    ESTIMATE = "estimated"


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that a run lacks for a question.

    `parts` are the missing parts of a need, and `place` the machine to collect them on. `phases` are those without it,
    empty: the whole run. `vms` are the names of machines without it, `of` the number of all machines, `lacking` the
    number without it, named or not. `measured` is the share of the phase with samples. `holes`: samples are missing
    inside the phase, because the log begins before the phase and ends after it. `interval_s` and `wanted_s` are the
    seconds between samples. A gap that is not `needed` would only help.
    """

    kind: GapKind
    parts: tuple[Part, ...] = ()
    place: Place = Place.GUEST
    phases: tuple[str, ...] = ()
    vms: tuple[str, ...] = ()
    lacking: int = 0
    of: int = 0
    measured: float | None = None
    holes: bool = False
    interval_s: float | None = None
    wanted_s: float | None = None
    why: str = ""
    needed: bool = True
    provisioning: Provisioning = Provisioning.OTHER

    @property
    def counters(self) -> tuple[Collected, ...]:
        """The counters that the kit collects for this need, for such desktops."""
        return counters_of(self.parts, self.place, frozenset((self.provisioning,)))


@dataclass(frozen=True, slots=True)
class QuestionVerdict:
    """The extent to which a run (its name and folder, "" for the whole study) answers a question (its key)."""

    question: str
    run: str
    folder: str
    standing: Standing
    gaps: tuple[Gap, ...] = ()

    @property
    def blocking(self) -> tuple[Gap, ...]:
        """The gaps in needed counters or files."""
        return tuple(gap for gap in self.gaps if gap.needed)


def verdicts(
    figures: RunFigures, benchmarks: Sequence[Benchmark] = (), questions: Iterable[str] = tuple(QUESTIONS)
) -> tuple[QuestionVerdict, ...]:
    """The verdict of a run on each of the questions; `benchmarks` are those of its study."""
    of_run = {verdict.question: verdict for verdict in _verdicts(figures)}
    of_run[_STUDY_WIDE] = _of_study(of_run[_STUDY_WIDE], benchmarks)
    return tuple(of_run[key] for key in questions if key in of_run)


# Cached: the page, the findings and the exports use the same runs.
@kept_with_run
def _verdicts(figures: RunFigures) -> tuple[QuestionVerdict, ...]:
    logged = Logged(figures)
    return tuple(_verdict(question, logged) for question in QUESTIONS.values())


def study_verdict(benchmarks: Sequence[Benchmark]) -> QuestionVerdict:
    """The verdict of a study without runs on the question about its storage tests."""
    return _of_study(QuestionVerdict(_STUDY_WIDE, "", "", Standing.MISSING), benchmarks)


def _of_study(verdict: QuestionVerdict, benchmarks: Sequence[Benchmark]) -> QuestionVerdict:
    """The verdict on a question about storage tests: optional counters belong to the run, the storage tests belong to
    the study.
    """
    helping = tuple(gap for gap in verdict.gaps if not gap.needed)
    shown = storage_limit(benchmarks)
    if shown.shown:
        return replace(verdict, standing=Standing.ANSWERED, gaps=helping)
    gap = Gap(GapKind.FACT, (Extra.STORAGE_TEST,), Place.STORAGE, why=shown.lacks)
    return replace(verdict, standing=Standing.MISSING, gaps=(gap,))


def _verdict(question: Question, logged: Logged) -> QuestionVerdict:
    run = logged.run
    verdict = QuestionVerdict(question.key, run.name, run.folder, Standing.OUTSIDE)
    if not question.concerns(logged.configuration):
        unknown = run.configuration.provisioning is Provisioning.OTHER and question.ram_cache
        return replace(verdict, gaps=(_if_mcsio(question),)) if unknown else verdict
    gaps, shown = _in_phases(question, logged) if question.phases else _in_run(question, logged)
    return replace(verdict, standing=_standing(gaps, shown, bool(logged.recorded)), gaps=tuple(gaps))


def _if_mcsio(question: Question) -> Gap:
    """The gap of a question about the RAM cache for desktops with unknown provisioning: the counters that MCSIO
    desktops would need."""
    cached = Provisioning.MCSIO
    parts = dict.fromkeys(part for need in question.needs_of(cached) if need.needed for part in need.alternatives[0])
    why = "the provisioning method is unknown, and no counter shows a RAM cache"
    return Gap(GapKind.FACT, tuple(parts), why=why, needed=False, provisioning=cached)


def _standing(gaps: Sequence[Gap], shown: bool, recorded: bool) -> Standing:
    """`recorded`: the files show the phases; otherwise a page shows phases guessed from activity."""
    kinds = {gap.kind for gap in gaps if gap.needed}
    if kinds == {GapKind.PHASE} and not (shown and recorded):
        return Standing.READY
    if not shown:
        return Standing.MISSING
    return Standing.IN_PART if kinds else Standing.ANSWERED


def _in_phases(question: Question, logged: Logged) -> tuple[list[Gap], bool]:
    """The gaps of a question about each phase, and True if any phase has an answer."""
    shown_rows = [row for name in question.phases if (row := logged.figures.phase(name)) is not None]
    there = [row for row in shown_rows if row in logged.recorded]
    recorded = {row.phase.name for row in there}
    unrecorded = tuple(name for name in question.phases if name not in recorded)
    gaps = [Gap(GapKind.PHASE, phases=unrecorded, why=logged.why_no_phase)] if unrecorded else []
    answers = {row.phase.name: shown_in_phase(question, row) for row in shown_rows}
    judged: list[PhaseFigures | None] = [*there] or [None]
    for need in question.needs_of(logged.configuration.provisioning):
        gaps += _merged([gap for row in judged for gap in _of_need(need, question, logged, row)])
    # Phases whose page shows no value although nothing it needs is missing, for example counters without I/O, or only
    # negative ones.
    explained = {phase for gap in gaps if gap.needed for phase in gap.phases}
    open_phases = {phase: shown for phase, shown in answers.items() if shown.lacks and phase not in explained}
    reasons = dict.fromkeys(shown.lacks for shown in open_phases.values())
    gaps += [
        Gap(GapKind.VALUE, phases=tuple(name for name, shown in open_phases.items() if shown.lacks == why), why=why)
        for why in reasons
    ]
    return gaps, any(shown.shown for shown in answers.values())


def _in_run(question: Question, logged: Logged) -> tuple[list[Gap], bool]:
    """The gaps of a question about the whole run, and True if it has an answer."""
    gaps: list[Gap] = []
    for need in question.needs_of(logged.configuration.provisioning):
        of_need = _of_need(need, question, logged, None)
        gaps += of_need
        if need.needed and not any(gap.kind is GapKind.COUNTER for gap in of_need):
            gaps += _merged(_uncovered_phases(need, logged))
    shown = shown_of_run(question.key, logged.figures)
    if shown.lacks and not any(gap.needed for gap in gaps):
        of_shown = GapKind.ESTIMATE if shown.better else GapKind.VMS
        kind = of_shown if shown.shown else GapKind.VALUE
        gaps.append(Gap(kind, shown.better, why=shown.lacks, provisioning=logged.provisioning))
    if question.ram_cache and not logged.recorded:
        gaps.append(Gap(GapKind.PHASE, phases=STANDARD_PHASES, why=logged.why_no_phase))
    # Events in a phase without samples are unknown; events seen in another phase count.
    blind = any(gap.kind is GapKind.COVERAGE and gap.measured == 0 for gap in gaps)
    return gaps, shown.shown and (shown.seen or not blind)


def _uncovered_phases(need: CounterNeed, logged: Logged) -> list[Gap]:
    """A gap for each phase without samples of a need of the whole run."""
    if isinstance(need.alternatives[0][0], Extra):
        return []
    of_run = partial(Gap, provisioning=logged.provisioning)
    return [gap for row in logged.recorded if (gap := _uncovered(of_run, need, logged, row, of_all=True))]


def _of_need(need: CounterNeed, question: Question, logged: Logged, row: PhaseFigures | None) -> list[Gap]:
    """The gaps of a run for a need in a phase (None: in the whole run)."""
    facts = [part for part in need.alternatives[0] if part in _SEEN_IN_FACTS]
    phases = () if row is None else (row.phase.name,)
    place = logged.place(need)
    if place is None:
        return []
    # Only a few of hundreds of needs have gaps, so a gap is created only when needed.
    gap = partial(
        Gap,
        parts=need.alternatives[0],
        place=place,
        phases=phases,
        needed=need.needed,
        provisioning=logged.provisioning,
    )
    if facts:
        return [] if _known(facts[0], question, logged) else [_of_fact(gap, facts[0], question, logged)]
    if need.places == (Place.HOST,):
        return [] if logged.on_host(need) else [gap(GapKind.COUNTER)]
    having = logged.machines_with(need, row)
    if not having and logged.machines_with(need, None):
        return [gap(GapKind.COVERAGE, measured=0.0)]
    if not having:
        return [gap(GapKind.COUNTER, parts=logged.lacking_parts(need))]
    of = max(len(logged.machines), logged.run.vms or 0)
    gaps: list[Gap] = []
    if len(having) < of:
        lacking = tuple(vm for vm, key in logged.keys if key not in having)
        missing = logged.lacking_parts(need, lacking)
        gaps.append(gap(GapKind.VMS, parts=missing, vms=lacking, lacking=of - len(having), of=of))
    if not need.needed:
        return gaps
    if row is not None and (uncovered := _uncovered(gap, need, logged, row)) is not None:
        gaps.append(uncovered)
    interval = logged.interval(need)
    if interval is not None and interval > (1 + _LATE) * question.interval_s:
        gaps.append(gap(GapKind.COARSE, interval_s=interval, wanted_s=question.interval_s))
    return gaps


def _uncovered(
    gap_of: Callable[..., Gap], need: CounterNeed, logged: Logged, row: PhaseFigures, *, of_all: bool = False
) -> Gap | None:
    """The part of a phase without samples of a need; None if there are samples throughout."""
    share = logged.measured(need, row, of_all=of_all)
    if share is None or share >= 1 - GAP_SHARE:
        return None
    parts = need.alternatives[0]
    holes = share > 0 and logged.encloses(need, row)
    return gap_of(GapKind.COVERAGE, parts=parts, phases=(row.phase.name,), measured=share, holes=holes)


def _known(fact: Part, question: Question, logged: Logged) -> bool:
    if fact is Extra.CACHE_SIZE:
        return logged.cache_size_known
    # The storage tests belong to the study (`_of_study`).
    return fact is Extra.STORAGE_TEST or shown_of_run(question.key, logged.figures).shown


def _of_fact(gap_of: Callable[..., Gap], fact: Part, question: Question, logged: Logged) -> Gap:
    if fact is Extra.CACHE_SIZE:
        return gap_of(GapKind.FACT, parts=(fact,), why="the size of the RAM cache is unknown")
    return gap_of(GapKind.FACT, parts=(fact,), why=shown_of_run(question.key, logged.figures).lacks)


def _merged(gaps: Sequence[Gap]) -> list[Gap]:
    """Joins gaps that differ only in their phases. The joined share measured is the lowest, except for phases without
    samples."""
    merged: dict[object, Gap] = {}
    for gap in gaps:
        key = replace(gap, phases=(), measured=None), gap.measured == 0
        known = merged.get(key)
        if known is None:
            merged[key] = gap
            continue
        shares = [share for share in (known.measured, gap.measured) if share is not None]
        phases = tuple(dict.fromkeys((*known.phases, *gap.phases)))
        merged[key] = replace(known, phases=phases, measured=min(shares, default=None))
    return list(merged.values())


_POOL = "the nonpaged pool also contains other data, so it does not show whether the cache overflowed"
_ESTIMATED = "the RAM cache is estimated from the nonpaged pool, which contains more than the cache"
_NO_GAUGE = "no counter shows whether the RAM cache overflowed"
_NO_LOGONS = "no file contains the start and end of logons"
_NO_RESPONSES = "no file contains Login VSI timers or load generator results"


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """True if a page shows an answer, with a short text on what is missing from the answer; `better` would provide it.
    `seen`: the answer is based on an event that happened, so missing measurements do not matter."""

    shown: bool
    lacks: str = ""
    better: tuple[Quantity, ...] = ()
    seen: bool = False


def shown_in_phase(question: Question, row: PhaseFigures) -> ShownAnswer:
    """The answer to a question about each phase."""
    measures = [MEASURES[key] for key in question.measures]
    missing = [measure for measure in measures if getattr(row, measure.key) is None]
    if not missing:
        return ShownAnswer(True)
    words = " and ".join(measure.within for measure in missing)
    return ShownAnswer(len(missing) < len(measures), f"no value of {words}")


def shown_of_run(question: str, figures: RunFigures, benchmarks: Sequence[Benchmark] = ()) -> ShownAnswer:
    """The answer to a question about the whole run; `benchmarks` are those of its study."""
    return OF_RUN[question](figures, benchmarks)


def _overflow(figures: RunFigures, _benchmarks: Sequence[Benchmark]) -> ShownAnswer:
    if not has_ram_cache(figures.run):
        return ShownAnswer(False, "no counter shows a RAM cache")
    cache = run_cache(figures)
    unknown = [vm.vm for vm in cache.vms if vm.overflowed is None]
    if cache.overflowed is None:
        estimated = any(vm.estimate for vm in cache.vms)
        return ShownAnswer(False, _POOL, (Quantity.CACHE_RAM_USED,)) if estimated else ShownAnswer(False, _NO_GAUGE)
    if cache.estimate:
        return ShownAnswer(True, _ESTIMATED, (Quantity.CACHE_RAM_USED,), seen=cache.overflowed)
    lacks = f"unknown for {len(unknown)} of {len(cache.vms)} VMs" if unknown else ""
    return ShownAnswer(True, lacks, seen=cache.overflowed)


def _cache_size(figures: RunFigures, benchmarks: Sequence[Benchmark]) -> ShownAnswer:
    overflow, vms = _overflow(figures, benchmarks), run_cache(figures).vms
    if not overflow.shown and any(vm.estimate and vm.ram_peak_mb is not None for vm in vms):
        # The page Cache predicts from the pool, with or without an overflow in it.
        overflow = ShownAnswer(True, _ESTIMATED, (Quantity.CACHE_RAM_USED,))
    if not overflow.shown:
        return overflow
    size = figures.run.configuration.ram_cache_mb or next((vm.size_mb for vm in vms if vm.size_mb), None)
    if size is None:
        return ShownAnswer(False, "the size of the RAM cache is unknown")
    if all(vm.ram_peak_mb is None for vm in vms):
        return ShownAnswer(False, "no counter shows how much RAM the cache uses")
    return overflow


def _logons(figures: RunFigures, _benchmarks: Sequence[Benchmark]) -> ShownAnswer:
    logons = logon_figures(figures.run, trends=False)
    if logons is None or logons.spread is None:
        return ShownAnswer(False, _NO_LOGONS)
    unknown = logons.counts.not_recorded
    return ShownAnswer(
        True, f"{unknown} of {logons.counts.launched} sessions have no logon end time" if unknown else ""
    )


def _vsimax(figures: RunFigures, _benchmarks: Sequence[Benchmark]) -> ShownAnswer:
    # The first model of the page. Another model changes the number, not the required data.
    model = next(iter(load_models(shipped_only=True).values()))
    shown = run_vsimax(figures.run, model, session_logons(figures.run).logons)
    reported = [summary.vsimax for summary in shown.summaries]
    reported += [summary.vsimax for summary in shown.eux_summaries]
    if any(value is not None for value in reported):
        return ShownAnswer(True)
    if shown.figures is None:
        return ShownAnswer(False, _NO_RESPONSES)
    return ShownAnswer(True) if shown.figures.reached is not None else ShownAnswer(False, shown.figures.why.rstrip("."))


def _storage_limit(_figures: RunFigures, benchmarks: Sequence[Benchmark]) -> ShownAnswer:
    return storage_limit(benchmarks)


def storage_limit(benchmarks: Sequence[Benchmark]) -> ShownAnswer:
    """The answer from the results of fio, DiskSpd and similar tools of a study."""
    measured = any(row.iops is not None for row in benchmarks)
    return ShownAnswer(measured, "" if measured else "results of fio or DiskSpd are missing")


OF_RUN: dict[str, Callable[[RunFigures, Sequence[Benchmark]], ShownAnswer]] = {
    "overflow": _overflow,
    "cache-size": _cache_size,
    "logons": _logons,
    "vsimax": _vsimax,
    "storage-limit": _storage_limit,
}
