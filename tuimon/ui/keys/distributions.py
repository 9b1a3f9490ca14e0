"""Keys of the distributions."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

DISTRIBUTIONS = "Distributions"

KEYS = (
    Key("n,pagedown", "page(1)", "page", "next page", DISTRIBUTIONS, "n"),
    Key("N,pageup", "page(-1)", "", "previous page", DISTRIBUTIONS, "N"),
    Key("enter", "maximise", "maximise", "one distribution on the whole panel; esc goes back", DISTRIBUTIONS),
    Key("up", "move(-1,0)", "", "the one above", DISTRIBUTIONS, "↑"),
    Key("down", "move(1,0)", "", "the one below", DISTRIBUTIONS, "↓"),
    Key("left", "move(0,-1)", "", "to the left; when maximised an earlier step", DISTRIBUTIONS, "←"),
    Key("right", "move(0,1)", "", "to the right; when maximised a later step", DISTRIBUTIONS, "→"),
    Key("home", "jump(0)", "", "when maximised the first step", DISTRIBUTIONS),
    Key("end", "jump(1)", "", "when maximised the last step", DISTRIBUTIONS),
)
