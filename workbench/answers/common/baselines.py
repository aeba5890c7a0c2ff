"""The baseline of a study as text, and `--baseline` of the commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from workbench.answers.common.spec import UsageError
from workbench.charts.inputs import Origin
from workbench.measures.configurations import Group, UnknownBaselineError, baseline_of, lost_baselines, with_baseline
from workbench.model.problem import Problem, Severity
from workbench.model.run import BaselineEvidence, Provisioning
from workbench.words.captions import named

GUESSED: Final = "guessed"
_WHY = {
    BaselineEvidence.OPTION: "as set with --baseline",
    BaselineEvidence.CHOICE: "because you chose it",
    BaselineEvidence.RUN_TOML: "as stated in run.toml",
    BaselineEvidence.ONLY_MCS: "because it is the only MCS configuration",
    BaselineEvidence.ONLY: "because it is the only configuration",
}
_ORIGINS: dict[BaselineEvidence, Origin] = {
    BaselineEvidence.OPTION: "yours",
    BaselineEvidence.CHOICE: "yours",
    BaselineEvidence.RUN_TOML: "documented",
    BaselineEvidence.GUESSED: GUESSED,
}


def baseline_words(base: Group) -> str:
    """A sentence: which configuration is the baseline, and why."""
    if base.baseline_by is BaselineEvidence.GUESSED:
        mcs = base.configuration.provisioning is Provisioning.MCS
        return f"{named(base.label)} is the baseline, because it is the first {'MCS ' * mcs}configuration (guessed)."
    return f"{named(base.label)} is the baseline, {_WHY[base.baseline_by]}." if base.baseline_by else ""


def lost_words(lost: Sequence[Group]) -> list[str]:
    """A list with one sentence if a configuration was chosen or stated as the baseline but has no run that counts;
    otherwise empty."""
    names = ", ".join(dict.fromkeys(f"'{group.label}'" for group in lost))
    return [f"All runs of the chosen baseline are excluded: {names}."] if lost else []


def origin_of(base: Group) -> Origin:
    """The origin of the baseline choice, as the inputs of a page show it."""
    return _ORIGINS.get(base.baseline_by, "") if base.baseline_by else ""


def evidence_of_baseline(groups: Iterable[Group]) -> str | None:
    """The evidence for the baseline of these groups as a JSON value; None without a baseline."""
    base = baseline_of(groups)
    return None if base is None or base.baseline_by is None else base.baseline_by.value


def with_option(
    studies: Mapping[str, tuple[Group, ...]], name: str | None, *, every: bool = False
) -> tuple[dict[str, tuple[Group, ...]], dict[str, str]]:
    """The configurations of each study, compared with the one that --baseline names (None: by the study's default
    rule). Also, for each study without this configuration, a sentence that says so. Raises UsageError if no study has
    it, or, with `every`, if not all have it."""
    if name is None:
        return dict(studies), {}
    compared, unknown = dict(studies), dict[str, str]()
    for study, groups in studies.items():
        try:
            compared[study] = with_baseline(groups, name)
        except UnknownBaselineError as error:
            unknown[study] = str(error)
    if unknown and (every or len(unknown) == len(studies)):
        raise UsageError("\n".join(f"{study}: {text}" if len(studies) > 1 else text for study, text in unknown.items()))
    return compared, unknown


def own_baseline(unknown: Mapping[str, str]) -> tuple[Problem, ...]:
    """The problems of studies that do not have the configuration of --baseline and keep their own baseline."""
    action = "this study is compared with its own baseline; compare it separately"
    return tuple(Problem(Severity.WARNING, study, "compare-baseline", text, action) for study, text in unknown.items())


def baseline_lines(studies: Mapping[str, Sequence[Group]]) -> tuple[str, ...]:
    """A sentence about the baseline for each study with several configurations; with the study's name if there are
    several."""
    bases = {study: baseline_of(groups) for study, groups in studies.items()}
    return tuple(
        f"{study}: {baseline_words(base)}" if len(studies) > 1 else baseline_words(base)
        for study, base in bases.items()
        if base is not None and base.baseline_by is not BaselineEvidence.ONLY
    )


def guess_notes(studies: Mapping[str, Sequence[Group]]) -> tuple[str, ...]:
    """Lines for standard error: one for each study whose baseline is guessed, or differs from the one chosen or
    stated."""
    return tuple(
        " ".join((f"{study}:", *lost, baseline_words(base), "--baseline names another."))
        for study, groups in studies.items()
        if (base := baseline_of(groups)) is not None
        and ((lost := lost_words(lost_baselines(groups))) or base.baseline_by is BaselineEvidence.GUESSED)
    )
