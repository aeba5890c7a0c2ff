"""Names of studies that lie side by side: no two are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.model.run import Study


def with_unlike_names(studies: Sequence[Study]) -> tuple[Study, ...]:
    """The studies; those that share a name have as many of their folders before it as tell them apart."""
    folders = [(*study.folder.replace("\\", "/").split("/")[:-1], study.name) for study in studies]
    names = [study.name for study in studies]
    for count in range(2, max(map(len, folders), default=0) + 1):
        if len(set(names)) == len(names):
            break
        names = [
            "/".join(folder[-count:]) if names.count(name) > 1 else name
            for name, folder in zip(names, folders, strict=True)
        ]
    # The same folder twice cannot be told apart by it.
    names = [f"{name} ({number})" if names.count(name) > 1 else name for number, name in enumerate(names, 1)]
    return tuple(
        study if study.name == name else replace(study, name=name) for study, name in zip(studies, names, strict=True)
    )
