"""The table of actions: every command of the window once, with its menu, text and keys."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.answers.registry import PAGES


@dataclass(frozen=True, slots=True)
class Action:
    """`key` names the method of the window that runs the action, or of a part of the window (`runs.include_all`), with
    `argument` if there is one. `checkable`: its menu entry has a tick while it is on. `other_shortcut` also works on
    every system."""

    menu: str
    key: str
    words: str
    shortcut: str = ""
    argument: str = ""
    separated: bool = False
    checkable: bool = False
    other_shortcut: str = ""


def page_keys(place: int) -> str:
    """The keys of a page by its position in the rail, from 1: those of a digit, 0 for the tenth page; none for later
    pages."""
    return f"Ctrl+{place % 10}" if place <= 10 else ""


def keys_of_pages() -> dict[str, str]:
    """The shortcut of each page by its key: its own, otherwise the digit of its position among pages without one."""
    numbered = [spec.key for spec in PAGES if not spec.keys]
    return {spec.key: spec.keys or page_keys(numbered.index(spec.key) + 1) for spec in PAGES}


ACTIONS: tuple[Action, ...] = (
    Action("&File", "choose_folder", "&Open folder…", "Ctrl+O"),
    Action("&File", "choose_files", "Open &files…", "Ctrl+Shift+O"),
    Action("&File", "folders.ask", "&Add folder…", "Ctrl+Alt+O"),
    Action("&File", "folders.refresh", "Refres&h", "Ctrl+F5"),
    Action("&File", "follow.toggle", "Follow ru&nning test", checkable=True),
    Action("&File", "folders.close_study", "&Close study", "Ctrl+W"),
    Action("&File", "try_sample", "&Try sample study"),
    Action("&File", "try_damaged", "Try &damaged study"),
    Action("&File", "prepare.show", "&Prepare a test", separated=True),
    Action("&File", "prepare.ask", "Write the test &kit…"),
    Action("&File", "sessions.save", "&Save workspace file", "Ctrl+S", separated=True),
    Action("&File", "sessions.save_as", "Save &workspace file as…", "Ctrl+Shift+S"),
    Action("&File", "sessions.save_bundle_as", "Save &bundle…"),
    Action("&File", "past_runs.ask", "Keep in histor&y…"),
    Action("&File", "export_dialog", "&Export…", "Ctrl+E", separated=True),
    Action("&File", "close", "&Quit", "Ctrl+Q", separated=True),
    Action("&Edit", "history.undo", "&Undo", "Ctrl+Z"),
    Action("&Edit", "history.redo", "&Redo", "Ctrl+Shift+Z", other_shortcut="Ctrl+Y"),
    Action("&Edit", "changes.show", "What chan&ged…"),
    Action("&Edit", "notes.here", "Write a &note…", "Ctrl+Shift+N", separated=True),
    Action("&Edit", "limits.edit", "Acceptance &limits…"),
    Action("&Edit", "tables.find", "&Find on this page", "Ctrl+F"),
    Action("&Edit", "counters.find", "Find a coun&ter…", "Ctrl+Shift+F"),
    Action("&Edit", "copies.page", "&Copy chart and table", "Ctrl+Shift+C", separated=True),
    Action("&Edit", "copies.picture", "Copy page as i&mage"),
    Action("&Edit", "copies.table", "Copy ta&ble"),
    Action("&Edit", "preferences.show", "&Preferences…", "Ctrl+,", separated=True),
    *(
        Action("&View", "show_page", spec.name, keys, spec.key)
        for keys, spec in zip(keys_of_pages().values(), PAGES, strict=True)
    ),
    Action("&View", "history.back", "Bac&k", "Alt+Left", separated=True),
    Action("&View", "presenter.toggle", "&Present", "F5"),
    Action("&View", "saved_views.ask_name", "Save this &view…", "Ctrl+B"),
    Action("&View", "toggle_runs", "Phase table by &run", "Ctrl+R", separated=True),
    Action("&View", "rail.toggle", "Toggle side&bar", "Ctrl+\\"),
    Action("&View", "toggle_theme", "Toggle &dark theme", "Ctrl+D"),
    Action("&Run", "runs.edit", "&Edit run…", "Alt+Return"),
    Action("&Run", "runs.rename", "&Rename configuration"),
    Action("&Run", "runs.use_as_baseline", "Use as &baseline"),
    Action("&Run", "runs.compare_with", "Reset base&line"),
    Action("&Run", "found.show", "&Check what was found…"),
    Action("&Run", "runs.exclude", "E&xclude or include", "Ctrl+L"),
    Action("&Run", "runs.time_zone", "&Time zone…", separated=True),
    Action("&Run", "runs.map_columns", "&Map columns…"),
    Action("&Run", "phases.reset", "Reset pha&ses"),
    Action("&Run", "runs.include_all", "&Include everything"),
    Action("F&indings", "findings.show_evidence", "&Go to evidence"),
    Action("F&indings", "findings.explain", "Show sour&ce"),
    Action("F&indings", "findings.edit_text", "&Edit text…", separated=True),
    Action("F&indings", "findings.as_generated", "&Text as generated"),
    Action("F&indings", "findings.move_up", "Move &up"),
    Action("F&indings", "findings.move_down", "Move dow&n"),
    Action("F&indings", "findings.drop", "Re&move"),
    Action("F&indings", "findings.write_own", "&Write your own…", separated=True),
    Action("F&indings", "findings.keep_unmatched", "&Keep as own"),
    Action("F&indings", "findings.restore", "&Restore removed findings"),
    Action("&Storyboard", "storyboard.add", "&Add view or finding…"),
    Action("&Storyboard", "storyboard.export", "E&xport slides…"),
    Action("&Storyboard", "storyboard.restore", "Restore &default"),
    Action("&Storyboard", "storyboard.edit_sentence", "&Edit sentence", separated=True),
    Action("&Storyboard", "storyboard.original_words", "&Restore original text"),
    Action("&Storyboard", "storyboard.move_up", "Move to the &front"),
    Action("&Storyboard", "storyboard.move_down", "Move to the &back"),
    Action("&Storyboard", "storyboard.change_part", "Move to append&ix or back"),
    Action("&Storyboard", "storyboard.show_evidence", "S&how evidence"),
    Action("&Storyboard", "storyboard.remove", "Re&move slide"),
    Action("&Help", "show_palette", "&Find a command…", "Ctrl+K"),
    Action("&Help", "header.reading.turn", "&How to read this page", "F1"),
    Action("&Help", "show_shortcuts", "&Keys and gestures", "Shift+F1"),
    Action("&Help", "about", "&About VDI Workbench"),
)
