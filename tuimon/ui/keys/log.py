"""Keys of the console output."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

LOG = "Log"

KEYS = (
    Key("slash", "search", "search", "find lines: a text, or re:regex; n and N go through them", LOG, "/"),
    Key("n", "hit(1)", "", "the next line found; at the end the first one", LOG),
    Key("N", "hit(-1)", "", "the line found before", LOG),
    Key("w", "toggle_wrap", "wrap", "wrap long lines, or cut them and move sideways", LOG),
    Key("e", "error", "traceback", "the last traceback; again: the one before", LOG),
    Key("o", "output(1)", "next file", "the next output: other processes and attempts, standard error", LOG),
    Key("O", "output(-1)", "", "the output before", LOG),
    Key("up,k", "rows(-1)", "", "a row up", LOG, "↑"),
    Key("down,j", "rows(1)", "", "a row down", LOG, "↓"),
    Key("pageup,ctrl+b", "page(-1)", "", "a page up", LOG),
    Key("pagedown,ctrl+f,space", "page(1)", "", "a page down", LOG),
    Key("left", "sideways(-1)", "", "to the left, where long lines are cut", LOG, "←"),
    Key("right", "sideways(1)", "", "to the right", LOG, "→"),
    Key("home,g", "edge(-1)", "", "the first line", LOG),
    Key("end,G", "edge(1)", "follow", "the last line; from there new lines are followed", LOG, "G"),
)
