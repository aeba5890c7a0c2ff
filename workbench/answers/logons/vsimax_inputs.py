"""The numbers of a VSImax model as inputs that the user can change, each with its origin and source."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from workbench.answers.logons.vsimax_models import FIELDS, Number, VsimaxModel
from workbench.charts.inputs import Input, Origin

KEY = "logons.model"


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
    """The choice of the model, then its numbers: baseline, threshold, index, weights."""
    first = next(iter(models))
    # No model is right or wrong: only the user knows which one is meant.
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
