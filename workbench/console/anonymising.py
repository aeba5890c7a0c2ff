"""`--anonymise`: what a command prints or writes without the names of users, machines, domains and paths.

Light to import: `vdiwb --help` adds these options to every command.
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
# Options in which a user may write a name.
_NAMED = ("baseline", "phase", "configuration")


def anonymise_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to the parser."""
    add = parser.add_argument
    add("--anonymise", action="store_true", help="replace names of users, machines, domains and paths")
    add("--also", type=_words, metavar="WORDS", help="more words to replace, such as the customer (with --anonymise)")
    add("--key", type=path_of, metavar="FILE", help="CSV file for the replaced names (with --anonymise)")


def check_anonymise(options: argparse.Namespace) -> None:
    """Raises UsageError for options that mean nothing alone, and for a key that would replace what is written."""
    given = vars(options)
    if "anonymise" not in given:
        return
    if not options.anonymise and (options.also or options.key):
        raise UsageError("--also and --key need --anonymise.")
    output: Path | None = given.get("output")
    if options.key is not None and output is not None and options.key.absolute() == output.absolute():
        raise UsageError(f"{options.key} cannot be both the export and its key. Name another file for the key.")


def names_replaced(options: argparse.Namespace, studies: tuple[Study, ...], state: State | None) -> Pseudonyms | None:
    """What stands for each name, where that is asked for; the key is written where one is. `baseline` and the like
    are the options' real names or their pseudonyms. Raises UsageError for a key that cannot be written."""
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

        raise UsageError(f"The key {options.key} was not written: {reason(error)}.") from error
    return names


def without(names: Pseudonyms | None, value: T) -> T:
    """Studies, or the state of a workspace file, with the names replaced, or as they are."""
    if names is None:
        return value
    from workbench.study.anonymising.collecting import without_names

    return without_names(value, names)


def noticed(reply: Reply) -> Reply:
    """The reply, which says that its names are replaced: in text first, in JSON as `anonymised`."""
    from workbench.study.anonymising.pseudonyms import NOTICE

    json: Callable[[], object] = reply.json

    def marked() -> object:
        value = json()
        return value | {"anonymised": True} if isinstance(value, dict) else value

    return replace(reply, text=lambda: [[f"{NOTICE}."], *reply.text()], json=marked)


def _words(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in text.split(","))))
