"""Keys that work whatever is on view, and in the filter line."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

EVERYWHERE = "Everywhere"
PROMPT = "While typing a filter"

KEYS = (
    Key("1", "view(1)", "", "overview: every run at a glance", EVERYWHERE),
    Key("2", "view(2)", "", "scalars: a chart a tag", EVERYWHERE),
    Key("3", "view(3)", "", "distributions: histograms over time", EVERYWHERE),
    Key("4", "view(4)", "", "compare: settings and results in one table", EVERYWHERE),
    Key("5", "view(5)", "", "media: pictures, texts, sounds, curves, tables", EVERYWHERE),
    Key("6", "view(6)", "", "system: processors, memory, disk, network", EVERYWHERE),
    Key("7", "view(7)", "", "log: what the run printed", EVERYWHERE),
    Key("8", "view(8)", "", "run: settings, command, files, notes", EVERYWHERE),
    Key(
        "slash",
        "filter_tags",
        "tags",
        "filter tags: part of the name, glob*, /regex/; a b: both, a | b: either, !a: not",
        EVERYWHERE,
        "/",
    ),
    Key(
        "f",
        "filter_runs",
        "runs",
        "filter runs, in the same ways, or by values: lr < 0.01 and val/acc > 0.8",
        EVERYWHERE,
    ),
    Key("r", "toggle_runs", "", "show or hide the list of runs", EVERYWHERE),
    Key("tab", "switch_focus", "", "go between the list of runs and the panel", EVERYWHERE),
    Key("escape", "back", "", "back; clear the filters", EVERYWHERE, "esc"),
    Key("colon,ctrl+p", "palette", "commands", "every command: type a few letters of it", EVERYWHERE, ":"),
    Key("exclamation_mark", "findings", "findings", "what is going wrong, in all runs", EVERYWHERE, "!"),
    Key("question_mark", "help", "help", "this help", EVERYWHERE, "?"),
    Key("q,ctrl+c", "quit", "quit", "quit", EVERYWHERE, "q"),
    Key("ctrl+z", "app.suspend_process", "", "suspend to the shell; fg comes back", EVERYWHERE),
    Key("up,down", "older", "", "filters that were typed before", PROMPT, "↑ ↓"),
    Key("tab", "take", "", "the first of the ways to go on that are listed", PROMPT),
    Key("ctrl+l", "clear", "", "begin anew", PROMPT, "ctrl+l"),
    Key("enter", "submit", "keep the filter", "keep the filter and go on", PROMPT),
    Key("escape", "cancel", "clear", "clear the filter and go on", PROMPT, "esc"),
)
