"""The VSImax models: named sets of numbers in a shipped file (resources/vsimax_models.toml) and in the user's own file.

Each number has an origin: `documented`, `assumed`, or `yours`. The head of the shipped file explains the numbers. In
the window, the user can change them.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast, get_args

import platformdirs

from workbench.charts.inputs import Input
from workbench.model.resources import resource
from workbench.option_files import option_bytes
from workbench.study.discovery.toml_faults import toml_fault

VARIABLE = "VDI_WORKBENCH_VSIMAX"
FILE = "vsimax_models.toml"
_MOST_BYTES = 1024 * 1024

Origin = Literal["documented", "assumed", "yours"]
KEY = "logons.model"
Pool = Literal["all", "first", "first-sessions"]

# Key in the file -> its name on screen, its unit, the highest sensible value.
FIELDS: dict[str, tuple[str, str, float]] = {
    "baseline.first": ("Baseline: first responses used", "", 100_000),
    "baseline.lowest": ("Baseline: lowest responses used", "responses", 100_000),
    "baseline.drop_lowest": ("Baseline: lowest responses excluded", "responses", 10_000),
    "baseline.drop_highest": ("Baseline: highest responses excluded", "responses", 10_000),
    "threshold.factor": ("Threshold: baseline multiplied by", "", 100),
    "threshold.add_ms": ("Threshold: added to baseline", "ms", 1_000_000),
    "index.fixed": ("Index: latest responses used", "responses", 10_000),
    "index.share": ("Index: additional responses per active session", "", 10),
    "index.trim_share": ("Index: highest and lowest responses excluded (share of each)", "", 0.49),
    "index.trim_least": ("Index: highest and lowest responses excluded (minimum of each)", "responses", 1_000),
}


class ModelFileError(ValueError):
    """A sentence for the user with the file and its error."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a model with its origin."""

    value: float
    origin: Origin
    source: str = ""


@dataclass(frozen=True, slots=True)
class VsimaxModel:
    """A model: `numbers` by their key in the file (`threshold.add_ms`), and `weights` by timer. Without weights, every
    timer of the test counts once."""

    name: str
    about: str
    pool: Pool
    numbers: tuple[tuple[str, Number], ...]
    weights: tuple[tuple[str, Number], ...] = ()

    def value(self, key: str) -> float:
        """A number by its key, 0 if the model does not use it."""
        number = dict(self.numbers).get(key)
        return 0.0 if number is None else number.value

    def with_value(self, key: str, value: float) -> VsimaxModel:
        """The model with one number (`threshold.add_ms`, `weights.NSLD`) changed by the user."""
        yours = Number(value, "yours", "set by you")
        part, _, timer = key.partition(".")
        if part == "weights":
            changed = tuple((name, yours if name == timer else number) for name, number in self.weights)
            return replace(self, weights=changed)
        return replace(self, numbers=tuple((name, yours if name == key else number) for name, number in self.numbers))

    @property
    def assumed(self) -> tuple[str, ...]:
        """The keys of the numbers that are not documented."""
        every = [*self.numbers, *((f"weights.{name}", number) for name, number in self.weights)]
        return tuple(key for key, number in every if number.origin == "assumed")


def own_file() -> Path:
    """The user's own models file; VDI_WORKBENCH_VSIMAX can name another one."""
    stated = os.environ.get(VARIABLE)
    return Path(stated) if stated else Path(platformdirs.user_config_dir("vdi-workbench")) / FILE


def load_models(own: Path | None = None, shipped_only: bool = False) -> dict[str, VsimaxModel]:
    """The models by name: the shipped ones, and those of the user's own file (`own`, otherwise `own_file()` if it
    exists).

    Raises ModelFileError if the user's file cannot be used, OSError if it cannot be read.
    """
    models = dict(_shipped())
    path = own if own is not None else own_file()
    if shipped_only or (own is None and not path.is_file()):
        return models
    return models | _read(path, "yours")


@cache
def _shipped() -> dict[str, VsimaxModel]:
    return _read(resource(FILE), "assumed")


def _read(path: Path, origin: Origin) -> dict[str, VsimaxModel]:
    try:
        content = option_bytes(path, _MOST_BYTES)
        table = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{path.name} is not a TOML file: {toml_fault(error)}.") from error
    models = table.get("model")
    if not isinstance(models, list) or not models:
        raise ModelFileError(f"{path.name} contains no [[model]].")
    read = [_model(model, f"{path.name}, model {index}", origin) for index, model in enumerate(models, start=1)]
    return {model.name: model for model in read}


def _model(table: Any, where: str, origin: Origin) -> VsimaxModel:
    if not isinstance(table, dict):
        raise ModelFileError(f"{where} is not a table.")
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ModelFileError(f"{where} has no name.")
    baseline = _part(table, "baseline", where)
    pool = baseline.get("pool", "all")
    if pool not in get_args(Pool):
        raise ModelFileError(f"{where} has the unknown pool {pool!r}. Use one of: {', '.join(get_args(Pool))}.")
    numbers = []
    for key, (_, _, most) in FIELDS.items():
        part, _, field = key.partition(".")
        stated = _part(table, part, where).get(field)
        if stated is not None:
            numbers.append((key, _number(stated, f"{where}, {key}", origin, most)))
    weights = tuple(
        (timer, _number(stated, f"{where}, weights.{timer}", origin, 1_000))
        for timer, stated in _part(table, "weights", where).items()
    )
    model = VsimaxModel(name.strip(), str(table.get("about", "")), cast(Pool, pool), tuple(numbers), weights)
    _check(model, where)
    return model


def _check(model: VsimaxModel, where: str) -> None:
    for key in ("threshold.factor", "index.fixed"):
        if model.value(key) <= 0:
            raise ModelFileError(f"{where} needs {key} above 0.")
    if model.pool != "all" and model.value("baseline.first") < 1:
        raise ModelFileError(f"{where} needs baseline.first, because its pool is {model.pool!r}.")


def _part(table: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    part = table.get(name, {})
    if not isinstance(part, dict):
        raise ModelFileError(f"{where}: {name} is not a table.")
    return part


def _number(stated: Any, where: str, origin: Origin, most: float) -> Number:
    """A bare number, or a table of value, origin and source."""
    table = stated if isinstance(stated, dict) else {"value": stated}
    value, value_origin = table.get("value"), table.get("origin", origin)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ModelFileError(f"{where} is not a number.")
    if not 0 <= value <= most:
        raise ModelFileError(f"{where} is {value:g}; it must be between 0 and {most:g}.")
    if value_origin not in get_args(Origin):
        known = ", ".join(get_args(Origin))
        raise ModelFileError(f"{where} has the unknown origin {value_origin!r}. Use one of: {known}.")
    return Number(float(value), cast(Origin, value_origin), str(table.get("source", "")))


def chosen_model(models: Mapping[str, VsimaxModel], name: str, number: Callable[[str, float], float]) -> VsimaxModel:
    """The model of this name (the first if there is none), with the user's changes.

    `number` returns the user's value of an input, or the default passed to it.
    """
    stated = models.get(name) or next(iter(models.values()))
    model = stated
    for key, known_model in _every(stated):
        value = number(_key(stated, key), known_model.value)
        if value != known_model.value:
            model = model.with_value(key, value)
    return model


def model_inputs(models: Mapping[str, VsimaxModel], model: VsimaxModel) -> tuple[Input, ...]:
    """The inputs: the choice of the model, then its numbers: baseline, threshold, index, weights."""
    first = next(iter(models))
    # All models are valid: only the user knows which one applies.
    choice: Origin = "assumed" if model.name == first else "yours"
    inputs = [Input(KEY, "Model", model.name, choices=tuple(models), origin=choice, tip=model.about, group="VSImax")]
    for key, number in _every(model):
        inputs.append(_input(model, key, number))
    return tuple(inputs)


def _input(model: VsimaxModel, key: str, number: Number) -> Input:
    part, _, timer = key.partition(".")
    if part == "weights":
        label, unit, most, group = timer, "×", 1_000.0, "Weights of the timers"
    else:
        label, unit, most = FIELDS[key]
        group = {"baseline": "Baseline", "threshold": "Threshold", "index": "Index"}[part]
        label = label.removeprefix(f"{group}: ").capitalize()
        if key == "baseline.first":
            unit = "sessions" if model.pool == "first-sessions" else "responses"
    fractions = key in ("index.share", "index.trim_share", "threshold.factor") or part == "weights"
    return Input(
        _key(model, key),
        label,
        number.value,
        unit,
        (),
        0.0,
        most,
        3 if fractions else 0,
        number.origin,
        number.source,
        group,
    )


def _every(model: VsimaxModel) -> list[tuple[str, Number]]:
    numbers = dict(model.numbers)
    kept = [(key, numbers[key]) for key in FIELDS if key in numbers]
    return [*kept, *((f"weights.{name}", number) for name, number in model.weights)]


def _key(model: VsimaxModel, key: str) -> str:
    return f"{KEY}.{model.name}.{key}"
