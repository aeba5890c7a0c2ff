"""The readings of single files: of the fuzz corpus, of its undamaged files, and of public files."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from tests.tools.truth.places import WRITTEN, Plain, write
from workbench.readers.registry import recognise

_HEAD_BYTES = 65_536


def freeze_corpus(out: Path) -> None:
    """A file for each case of the corpus, and for each undamaged file of each format."""
    # Other versions may lack them, or one of their formats.
    from tests.tools.fuzz.case import CORPUS, kept
    from tests.tools.fuzz.formats import formats, seeds_of

    for file in sorted(CORPUS.glob("*.json")):
        case = kept(file)
        write(out, f"readings/corpus/{file.stem}", _both(formats().get(case.format), case.damaged, case.name))
    for name, format_ in formats().items():
        for at, seed in enumerate(seeds_of(name)):
            # The bytes of files that are written anew each time, such as packs, are not comparable.
            write(out, f"readings/whole/{name}-{at}", _both(format_, seed.data, seed.name))


def freeze_files(out: Path, folder: Path) -> None:
    """A file for each file in a folder."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        write(out, f"readings/public/{name}", reading(path.read_bytes(), path.name))


def _both(format_: Any, data: bytes, name: str) -> Any:
    """The result of the reader and of an import; for project files too."""
    content: dict[str, Any] = {}
    if format_ is not None and not format_.quiet:
        with TemporaryDirectory() as folder:
            outcome = format_.read(data, name, Path(folder))
            plain = Plain({"<folder>": Path(folder)})
            content["outcome"] = plain.value(
                {
                    "figures": outcome.figures,
                    "problems": [(remark.code, remark.line, remark.words) for remark in outcome.remarks],
                    "faults": outcome.faults,
                }
            )
    if format_ is None or not format_.name.startswith("own-"):
        content["reading"] = reading(data, name)
    return content


def reading(data: bytes, name: str) -> Any:
    """The `Reading` of a file with its samples, as a value of JSON; None if no reader recognises it."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / "file"
        path, columns = folder / name, Path(temporary) / "columns.arrow"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        os.utime(path, (WRITTEN, WRITTEN))
        reader = recognise(data[:_HEAD_BYTES], path.name)
        if reader is None:
            return None
        try:
            value = reader.read(path, name, columns)
        except Exception as error:
            return {"reader": reader.label, "failed": repr(error)}
        plain = msgspec.to_builtins(value, enc_hook=str, str_keys=True)
        samples = _samples(columns) if value.recording is not None else None
        return Plain({"<folder>": Path(temporary)}).value(
            {"reader": reader.label, "reading": plain, "samples": samples}
        )


def _samples(columns: Path) -> Any:
    # Handles each form in which the store holds columns.
    from tests.builders import stored_frame

    frame = stored_frame(columns)
    return {name: frame[name].to_list() for name in frame.columns}
