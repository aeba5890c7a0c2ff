"""A project file with values of a wrong type: the usable part is read, and the wrong values are named."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from workbench.session.settings import Settings
from workbench.study.store.own_parts import whole_parts


@pytest.mark.parametrize(
    ("raw", "lost"),
    [
        ({"theme": 3}, ("theme",)),
        ({"recent": [1, "a", 2, "b", 3]}, ("recent, entry 1", "recent, entry 3", "recent, entry 5")),
        ({"preferences": {"a": 1, "b": [1], "c": {}}}, ("preferences, b", "preferences, c")),
        ({"hidden_columns": {"x": ["a", 2, "b"], "y": ["a"]}}, ("hidden_columns, x, entry 2",)),
        ({"export": {"width": "x", "ending": ".pptx"}}, ("export, width",)),
    ],
)
def test_that_a_value_with_a_wrong_type_is_named_by_its_place(raw: Any, lost: tuple[str, ...]) -> None:
    assert whole_parts(raw, Settings)[1] == lost


def test_that_values_next_to_it_are_kept() -> None:
    raw = {
        "theme": 3,
        "recent": [1, "a", 2, "b"],
        "preferences": {"a": 1, "b": []},
        "hidden_columns": {"x": ["a", 2]},
        "language": "de",
    }
    assert whole_parts(raw, Settings)[0] == Settings(
        recent=("a", "b"), preferences={"a": 1.0}, hidden_columns={"x": ("a",)}, language="de"
    )


@pytest.mark.parametrize("raw", [3, [], {"recent": [1] * 200}])
def test_that_a_file_with_only_wrong_values_is_damaged_as_a_whole(raw: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        whole_parts(raw, Settings)
