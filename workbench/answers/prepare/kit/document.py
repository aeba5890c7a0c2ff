"""The kit as JSON, for the console and for its own list of files."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from workbench.answers.common.document import Table
from workbench.answers.prepare.kit.contents import Kit
from workbench.answers.prepare.kit.mix import Mix

KIT_SCHEMA: Final = "vdi-workbench/kit/1"


def kit_document(kit: Kit, folder: str | None = None) -> Table:
    """Everything about the kit; `folder` is where it was written (None: nowhere)."""
    planned = kit.planned
    return {
        "schema": KIT_SCHEMA,
        "folder": folder,
        "questions": [{"key": question.key, "text": question.text} for question in kit.choices.asked],
        "interval_s": kit.choices.sample_s,
        "configurations": [configuration.name for configuration in planned.configurations],
        "baseline": planned.baseline,
        "baseline_evidence": planned.baseline_by.value,
        "runs": planned.runs,
        "runs_reason": planned.reason,
        "detect_percent": 100 * kit.choices.detect,
        "order": [configuration.name for configuration in planned.order],
        "mix": [_mix(mix) for mix in kit.mixes],
        "files": [{"path": file.path, "place": file.place or None, "about": file.about} for file in kit.files],
    }


def _mix(mix: Mix) -> Table:
    return {
        "phase": mix.phase,
        "desktops": mix.desktops,
        "desktops_assumed": mix.assumed_desktops,
        "values": [asdict(value) for value in mix.values],
    }
