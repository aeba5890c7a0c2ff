"""`--anonymise`: output of a command without the names of users, machines, domains and paths.

Fast to import, because `vdiwb --help` adds these options to every command.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from workbench.answers.common.options import path_of
from workbench.answers.common.spec import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.answers.common.reply import Reply
    from workbench.model.run import Study
    from workbench.session.state import State
    from workbench.study.anonymising.pseudonyms import Pseudonyms

T = TypeVar("T")
# Options that may contain a name.
_NAMED = ("baseline", "phase", "configuration")


def anonymise_options(parser: argparse.ArgumentParser) -> None:
    """Add these options to the parser."""
    add = parser.add_argument
    add("--anonymise", action="store_true", help="replace user, machine and domain names and paths with pseudonyms")
    add(
        "--also",
        type=_words,
        metavar="WORDS",
        help="additional words to replace, separated by commas (with --anonymise)",
    )
    add("--key", type=path_of, metavar="FILE", help="CSV file to write names and pseudonyms to (with --anonymise)")


def check_anonymise(options: argparse.Namespace) -> None:
    """Raises UsageError for options without effect, and for a key file that would overwrite the output."""
    given = vars(options)
    if "anonymise" not in given:
        return
    if not options.anonymise and (options.also or options.key):
        raise UsageError("--also and --key require --anonymise.")
    outputs: list[Path] = given.get("outputs", [])
    if options.key is not None and options.key.absolute() in [output.absolute() for output in outputs]:
        raise UsageError(f"{options.key} cannot be both the export and its key. Name another file for the key.")


def names_replaced(options: argparse.Namespace, studies: tuple[Study, ...], state: State | None) -> Pseudonyms | None:
    """The replacement for each name, if requested; also writes the key if requested. Options such as `baseline` may
    have real names or pseudonyms. Raises UsageError if the key cannot be written."""
    if not vars(options).get("anonymise"):
        return None
    from workbench.study.anonymising.collecting import pseudonyms_of
    from workbench.study.anonymising.pseudonyms import write_key

    names = pseudonyms_of(studies, state, more=options.also or ())
    for option in _NAMED:
        if value := vars(options).get(option):
            setattr(options, option, names.text(value))
    try:
        if options.key is not None:
            write_key(options.key, names)
    except OSError as error:
        from workbench.file_replace import reason

        raise UsageError(f"The key {options.key} was not written: {reason(error)}. Choose another place.") from error
    return names


def without(names: Pseudonyms | None, value: T) -> T:
    """Studies, or the state of a workspace file, with names replaced if requested."""
    if names is None:
        return value
    from workbench.study.anonymising.collecting import without_names

    return without_names(value, names)


def noticed(reply: Reply) -> Reply:
    """The reply with a notice that names are replaced: first line in text, `anonymised` in JSON."""
    from workbench.study.anonymising.pseudonyms import NOTICE

    json: Callable[[], object] = reply.json

    def marked() -> object:
        value = json()
        return value | {"anonymised": True} if isinstance(value, dict) else value

    return replace(reply, text=lambda: [[f"{NOTICE}."], *reply.text()], json=marked)


def _words(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in text.split(","))))
