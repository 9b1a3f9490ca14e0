"""Keys of the distributions, of one of them on the whole panel, and of the table of tensors."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

DISTRIBUTIONS = "Distributions"
DISTRIBUTION = "Maximised distribution"
TENSORS = "Table of tensors"

KEYS = (
    Key("v", "next_form(1)", "form", "form: heat map, ridgeline, percentile bands, bars", DISTRIBUTIONS),
    Key("V", "next_form(-1)", "", "the form before", DISTRIBUTIONS),
    Key("t", "toggle_table", "table", "table of tensors: which layer died or exploded", DISTRIBUTIONS),
    Key("n,pagedown", "page(1)", "page", "next page", DISTRIBUTIONS, "n"),
    Key("N,pageup", "page(-1)", "", "previous page", DISTRIBUTIONS, "N"),
    Key("enter", "maximise", "maximise", "one distribution on the whole panel; esc goes back", DISTRIBUTIONS),
    Key("up", "move(-1,0)", "", "the one above", DISTRIBUTIONS, "↑"),
    Key("down", "move(1,0)", "", "the one below", DISTRIBUTIONS, "↓"),
    Key("left", "move(0,-1)", "", "to the left", DISTRIBUTIONS, "←"),
    Key("right", "move(0,1)", "", "to the right", DISTRIBUTIONS, "→"),
    Key("left", "move(0,-1)", "step", "an earlier step", DISTRIBUTION, "←"),
    Key("right", "move(0,1)", "", "a later step", DISTRIBUTION, "→"),
    Key("shift+left,ctrl+left", "move(0,-10)", "", "ten steps back", DISTRIBUTION, "⇧←"),
    Key("shift+right,ctrl+right", "move(0,10)", "", "ten steps on", DISTRIBUTION, "⇧→"),
    Key("home", "jump(0)", "", "the first step", DISTRIBUTION),
    Key("end", "jump(1)", "", "the last step, also when another one comes", DISTRIBUTION),
    Key("m", "mark", "mark", "mark this step, to compare others and other runs with it; again: no mark", DISTRIBUTION),
    Key("up", "move(-1,0)", "", "the distribution before", DISTRIBUTION, "↑"),
    Key("down", "move(1,0)", "", "the next distribution", DISTRIBUTION, "↓"),
    Key("enter", "maximise", "page", "back to where it was opened; esc does the same", DISTRIBUTION),
    Key("s", "sort", "sort", "sort by the column under the cursor; again: the other way", TENSORS),
    Key("left", "column(-1)", "", "the column to the left", TENSORS, "←"),
    Key("right", "column(1)", "", "the column to the right", TENSORS, "→"),
    Key("comma", "earlier(1)", "step", "the tensors at an earlier step", TENSORS, ","),
    Key("full_stop", "earlier(-1)", "", "the tensors at a later step; after the last one: as they come", TENSORS, "."),
    Key("enter", "maximise", "maximise", "this tensor's distribution on the whole panel", TENSORS),
    Key("t", "toggle_table", "pictures", "back to the pictures", TENSORS),
)
