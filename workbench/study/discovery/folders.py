"""The files of a run: finds folders and their files, and combines the folders that hold parts of one run.

Every entry of a folder is accounted for, also entries that look like a file but are not one.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePosixPath

from workbench.cancellation import stop_if_cancelled
from workbench.model.problem import Problem, Severity
from workbench.study.discovery.archive import Listed, list_archive, looks_like_archive
from workbench.study.discovery.archive_packed import holds_one_file, own_name
from workbench.study.discovery.copies import without_copies
from workbench.study.discovery.manifest import LIMITS, MANIFEST, date_order_of, date_orders, limits_text, read_manifest
from workbench.study.importing import spool
from workbench.study.importing.source import HEAD_BYTES, ImportSource, ends_the_program, failed
from workbench.study.store.column_store import Store, default_store
from workbench.windows_paths import is_too_long, of_any_length, true_path

# The parts of a path as key of a table: Path objects that differ only in case are equal on Windows, but members of an
# archive may differ only in case.
Parts = tuple[str, ...]
# Folders that hold one part of a run's results, not a complete run.
_PARTS = frozenset(
    (
        "guest",
        "guests",
        "host",
        "hosts",
        "array",
        "storage",
        "vm",
        "vms",
        "client",
        "clients",
        "counters",
        "perfmon",
        "perf",
        "logs",
        "results",
        "raw",
        "data",
        "benchmark",
        "benchmarks",
        "fio",
        "monitor",
        "launchedsessions",
        "activesessions",
        "appstart",
    )
)
# Folders below one of these (one per machine, say) still belong to the same run.
_VANTAGES = frozenset(["guest", "guests", "host", "hosts", "array", "vm", "vms", "client", "clients"])
# Consecutive captures of one perfmon collector set: HOST_20220919-000001.
_SEGMENT = re.compile(r"_\d{8}-\d{6}$")


@dataclass(frozen=True, slots=True)
class Found:
    """The files below the paths that a user opened, paths that do not exist, folders that cannot be read, and archives,
    which count as folders."""

    sources: tuple[ImportSource, ...]
    roots: tuple[Path, ...]
    absent: tuple[Path, ...]
    unreadable: tuple[Path, ...] = ()
    archives: frozenset[Path] = frozenset()


def find_sources(paths: list[Path], store: Store | None = None) -> Found:
    """Returns every visible file below `paths`, named relative to the path it was found under.

    With several paths each name starts with its path's own name, and names are unique. The order of the paths does not
    matter. An archive counts as a folder of its members; archives within archives are spooled in `store` until they are
    read. Each run.toml is read. Raises Cancelled, and then leaves no spooled files.
    """
    listing = _listing(paths)
    if any(map(is_too_long, listing.not_opened())):
        listing = _listing([of_any_length(path) for path in paths])
    sources = listing.sources
    with spool.kept_if_all_goes_well():
        looked = [_looked_into(source, store) for source in sources.values()]
    looked = without_copies(sources.values(), looked)
    archives = frozenset(
        listed_file.path for listed in looked for listed_file in listed if isinstance(listed_file, Listed)
    )
    file_sources = tuple(
        listed_file for listed in looked for listed_file in listed if isinstance(listed_file, ImportSource)
    )
    return Found(
        _dated(_stating(file_sources)), listing.paths, tuple(listing.absent), tuple(listing.unreadable), archives
    )


@dataclass(frozen=True, slots=True)
class _Listing:
    """The entries below the paths, keyed by their path without links, before any of them is opened."""

    paths: tuple[Path, ...]
    sources: dict[Parts, ImportSource] = field(default_factory=dict)
    absent: list[Path] = field(default_factory=list)
    unreadable: list[Path] = field(default_factory=list)

    def not_opened(self) -> Iterator[Path]:
        yield from self.absent
        yield from self.unreadable
        yield from (source.path for source in self.sources.values() if source.problem is not None)


def _listing(paths: list[Path]) -> _Listing:
    listing = _Listing(tuple(paths))
    sources = listing.sources
    links: list[ImportSource] = []
    prefixes = _prefixes(paths)
    # Checked once: a folder may contain thousands of files.
    resolved_folder = cache(true_path)
    # A folder precedes its content, which is then named from the outermost folder.
    for path in sorted(paths, key=parts_from_root):
        if path.is_dir():
            for new_source in _within(path, prefixes[path], listing.unreadable):
                stop_if_cancelled()
                if new_source.problem is None and new_source.path.is_symlink():
                    links.append(new_source)
                else:
                    folder = new_source.path.parent
                    there = resolved_folder(folder) if new_source.problem is None else folder.absolute()
                    sources.setdefault((*there.parts, new_source.path.name), new_source)
        elif path.exists() or path.is_symlink():
            name = _shown(prefixes[path] if len(paths) > 1 else PurePosixPath(path.name))
            code, why = what_is(path)
            resolved = path.absolute() if code else true_path(path)
            sources.setdefault(
                resolved.parts, ImportSource(path, name, problem=odd_entry(name, code, why) if code else None)
            )
        else:
            listing.absent.append(path)
    for link in links:
        # Links are checked after all files, because a file read under its own name is not read again under another one.
        same = sources.get(true_path(link.path).parts)
        if same is None:
            sources[true_path(link.path).parts] = link
        else:
            sources[link.path.absolute().parts] = replace(link, problem=same_file(link.name, same.name))
    return listing


def _within(folder: Path, prefix: PurePosixPath, unreadable: list[Path]) -> Iterator[ImportSource]:
    """Yields everything below a folder under the name that the user sees. An entry that is not a file has a problem
    that says so."""
    for path, code, why in walked(folder, unreadable):
        name = _shown(prefix / path.relative_to(folder).as_posix())
        yield ImportSource(path, name, problem=odd_entry(name, code, why) if code else None)


def _stating(sources: tuple[ImportSource, ...]) -> tuple[ImportSource, ...]:
    """Returns the files, each run.toml with its statements and each limits.toml with its text."""

    def stating(source: ImportSource) -> ImportSource:
        if source.path.name not in (MANIFEST, LIMITS) or source.problem is not None:
            return source
        stop_if_cancelled()
        content = source.path if source.content is None else source.content
        if source.path.name == LIMITS:
            return replace(source, limits=limits_text(content, source.name))
        return replace(source, stated=read_manifest(content, source.name))

    return tuple(map(stating, sources))


def _dated(sources: tuple[ImportSource, ...]) -> tuple[ImportSource, ...]:
    """Returns the files with the order of day and month that the run.toml of their run states."""
    orders = date_orders({source.path: source.stated[0] for source in sources if source.stated is not None})
    if not orders:
        return sources
    return tuple(replace(source, date_order=date_order_of(source.path, orders)) for source in sources)


def _looked_into(source: ImportSource, store: Store | None) -> list[ImportSource | Listed]:
    """Returns the file itself, or the members of an archive, and the archives among them as they were listed. A failure
    affects only the one file."""
    stop_if_cancelled()
    try:
        return _listed(source, store)
    except BaseException as error:
        if ends_the_program(error):
            raise
        return [replace(source, problem=failed(source.name, error).problems[0])]


def _listed(source: ImportSource, store: Store | None) -> list[ImportSource | Listed]:
    if source.problem is not None or not looks_like_archive(source.path) or _only_called_zip(source.path):
        return [source]
    listed = list_archive(source.path, source.name, store or default_store())
    if listed is None:
        return [source]
    return [
        member
        if member.is_archive
        else ImportSource(member.path, member.name, member.member, member.problem, member.content)
        for member in listed
    ]


def _only_called_zip(path: Path) -> bool:
    """True if the file is not an archive except by its ending, and a reader recognises it."""
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        return False
    if not head or head.startswith(b"PK"):
        return False
    # Imported here, so an import without unusual files starts without the readers.
    from workbench.readers.registry import recognise

    return recognise(head, path.name) is not None


def parts_from_root(path: Path) -> Parts:
    """Returns the parts of the absolute path, so paths sort alike from every working folder."""
    return Path(os.path.normpath(path.absolute())).parts


def _prefixes(paths: list[Path]) -> dict[Path, PurePosixPath]:
    """Returns the prefix of names below each path: empty for one path, otherwise its name or, if that is ambiguous, its
    whole path."""
    if len(paths) == 1:
        return {paths[0]: PurePosixPath()}
    counts = Counter(_own_name(path) for path in dict.fromkeys(paths))
    return {
        path: PurePosixPath(_own_name(path) if counts[_own_name(path)] == 1 else true_path(path).as_posix())
        for path in paths
    }


def _shown(name: PurePosixPath) -> str:
    """Returns the name as text. Bytes that are not UTF-8 (possible in Unix file names) become question marks."""
    return os.fsencode(str(name)).decode(errors="replace")


def _own_name(path: Path) -> str:
    return true_path(path).name or "root"


def run_folders(files: list[Path], roots: tuple[Path, ...]) -> dict[Parts, Path]:
    """Returns the run of each recognised file: parts of the file -> the run's folder (an opened file is its own run).

    A folder with a run.toml is a run with everything below it. Otherwise the folder of a file is its run. Folders that
    hold one part of a run (`guest`, `host`, …, or a perfmon segment) count as their parent, unless that holds runs.
    """
    manifests = {file.parent.parts for file in files if file.name == MANIFEST}
    opened = {true_path(root) for root in roots}
    # Resolving each file of an opened folder would take longer than everything else.
    alone = {true_path(root) for root in roots if not root.is_dir()}
    paths: dict[Parts, Path] = {}
    # All files of one folder belong to one run: checked once, because a folder may contain thousands.
    by_folder: dict[Parts, Path] = {}
    for file in files:
        if alone and true_path(file) in alone:
            paths[file.parts] = file
            continue
        folder = file.parent
        if holds_one_file(folder.name, file.name) and true_path(folder) not in opened:
            folder = folder.parent
        if folder.parts not in by_folder:
            by_folder[folder.parts] = _stated(folder, manifests, opened) or _inferred(folder, opened)
        paths[file.parts] = by_folder[folder.parts]
    around = _folders_of_runs(by_folder, manifests, opened)
    for file in files:
        run = paths[file.parts]
        if run.parts in around and file.parent.parts != run.parts:
            # The part of the folder of runs that contains the file.
            paths[file.parts] = Path(*file.parts[: len(run.parts) + 1])
    return paths


def _folders_of_runs(by_folder: dict[Parts, Path], manifests: set[Parts], opened: set[Path]) -> set[Parts]:
    """Returns opened folders that became a run because of part folders (`raw`, `results`), although they contain other
    runs."""
    runs = {run.parts for run in by_folder.values()}
    tops = {run.parts for folder, run in by_folder.items() if folder != run.parts and true_path(run) in opened}
    return {
        top
        for top in tops - manifests
        if top not in by_folder and any(run != top and run[: len(top)] == top for run in runs)
    }


def study_folder(run: Path, opened: set[Path]) -> Path:
    """Returns the folder around a run. Below the opened path, a folder `results` or `raw` counts as a part of its
    parent."""
    folder = run.parent
    while is_part(_name(folder)) and true_path(folder) not in opened and opened.intersection(true_path(folder).parents):
        folder = folder.parent
    return folder


def _stated(folder: Path, manifests: set[Parts], opened: set[Path]) -> Path | None:
    """Returns the nearest folder upward that has a run.toml, within the opened path."""
    for candidate in _upward(folder, opened):
        if candidate.parts in manifests:
            return candidate
    return None


def _inferred(folder: Path, opened: set[Path]) -> Path:
    chain = _upward(folder, opened)
    inside = [index for index, candidate in enumerate(chain[:-1]) if _name(candidate) in _VANTAGES]
    index = inside[-1] + 1 if inside else 0
    while index < len(chain) - 1 and is_part(_name(chain[index])):
        index += 1
    return chain[index]


def _upward(folder: Path, opened: set[Path]) -> list[Path]:
    """Yields the folder and its parents, up to the opened one."""
    chain: list[Path] = []
    for candidate in (folder, *folder.parents):
        chain.append(candidate)
        if true_path(candidate) in opened:
            break
    return chain


def _name(folder: Path) -> str:
    """Returns a folder's name in one case; an archive is named like the folder it was packed from."""
    return own_name(folder.name.lower())


def is_part(name: str) -> bool:
    """True if a folder with this lower-case name holds a part of a run or of a study."""
    return name in _PARTS or _SEGMENT.search(name) is not None


_SKIPPED_FOLDERS = frozenset(("__pycache__", "node_modules"))
# A folder with this file holds no lab data: it is skipped without a message.
SKIPPED = ".vdi-skip"
# A folder with this file is read if it is opened itself, not as a part of its parent.
OPEN_ALONE = ".vdi-open-alone"
# Windows' mark of a junction.
_MOUNT_POINT = 0xA0000003
_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
_ACTIONS = {
    "not-a-file": "ignored",
    "unreadable": "file not imported; check its permissions, or close the program that uses it",
    "broken-link": "link ignored; copy the target file instead",
    "linked-folder": "link not followed; to import the results, open that folder",
    "opened-alone": "folder ignored; to import its results, open it separately",
}


def walked(folder: Path, unreadable: list[Path]) -> list[tuple[Path, str, str]]:
    """Yields every visible entry below a folder, except folders that are walked themselves: its path, with an empty
    code for a file, otherwise with the code and the sentence of its kind. Unreadable folders are added to
    `unreadable`.

    Links to folders are not followed: one that leads upward would never end. Raises Cancelled.
    """
    entries: list[tuple[Path, str, str]] = []
    for parent, folders, files in os.walk(folder, onerror=lambda error: unreadable.append(Path(error.filename))):
        folders[:] = sorted(name for name in folders if not _hidden(name) and name not in _SKIPPED_FOLDERS)
        stop_if_cancelled()
        here = Path(parent)
        if SKIPPED in files and here != folder:
            folders.clear()
            continue
        if OPEN_ALONE in files and here != folder:
            folders.clear()
            entries.append((here, "opened-alone", f"The file {OPEN_ALONE} marks this folder as separate."))
            continue
        links = [name for name in folders if _is_link(here / name)]
        entries += [
            (here / name, "linked-folder", f"This is a link to the folder {_target(here / name)}.") for name in links
        ]
        folders[:] = [name for name in folders if name not in links]
        for name in sorted(name for name in files if not _hidden(name)):
            stop_if_cancelled()
            entries.append((here / name, *what_is(here / name)))
    return entries


def odd_entry(name: str, code: str, why: str) -> Problem:
    """Returns the problem of a folder entry that is not a readable file."""
    severity = Severity.INFO if code in ("not-a-file", "opened-alone") else Severity.WARNING
    if code == "unreadable":
        severity = Severity.REFUSED
    return Problem(severity, name, code, why, _ACTIONS[code])


def same_file(name: str, other: str) -> Problem:
    """Returns the problem of a link to a file that is read under its own name."""
    return Problem(
        Severity.INFO,
        name,
        "same-file",
        f"This is a link to {other}.",
        "link ignored; the file is imported under its own name",
    )


def what_is(path: Path) -> tuple[str, str]:
    """Returns code and sentence of a path that is not a file; both empty for a readable file."""
    try:
        mode = stat.S_IFMT(path.stat().st_mode)
    except OSError as error:
        if _is_link(path):
            return "broken-link", f"This is a link to {_target(path)}, which cannot be opened."
        return "unreadable", f"The file cannot be opened: {error.strerror or error}."
    if mode == stat.S_IFREG:
        return "", ""
    return "not-a-file", f"This is {_KINDS.get(mode, 'something else')}, not a file."


def _is_link(path: Path) -> bool:
    try:
        return path.is_symlink() or _is_junction(path)
    except OSError:  # a path longer than the system accepts
        return False


def _is_junction(path: Path) -> bool:
    """True for a junction, a Windows folder that shows another one. Python 3.11 treats it as that folder."""
    return getattr(path.lstat(), "st_reparse_tag", 0) == _MOUNT_POINT


def _target(link: Path) -> str:
    try:
        return os.fsencode(link.readlink()).decode(errors="replace")
    except OSError:
        return "somewhere"


def _hidden(name: str) -> bool:
    return name.startswith((".", "~$"))
