"""Keys of the scalars, and of one of their charts on the whole panel."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

SCALARS = "Scalars"
CHART = "Maximised chart"

KEYS = (
    Key("y", "toggle_log", "log y", "logarithmic y axis", SCALARS),
    Key("plus,equals_sign", "smooth(1)", "smooth", "smooth more", SCALARS, "+"),
    Key("minus", "smooth(-1)", "", "smooth less; 0 is the raw curve", SCALARS, "-"),
    Key("x", "next_axis", "x axis", "x axis: step, relative, wall, active, epoch", SCALARS),
    Key("v", "toggle_families", "train+val", "training and validation of a quantity on one chart", SCALARS),
    Key("u", "toggle_superseded", "", "also draw, dim, what a resumed run has superseded", SCALARS),
    Key("n,pagedown", "page(1)", "page", "next page of charts", SCALARS, "n"),
    Key("N,pageup", "page(-1)", "", "previous page of charts", SCALARS, "N"),
    Key("enter", "maximise", "maximise", "one chart on the whole panel; esc goes back", SCALARS),
    Key("up", "move(-1,0)", "", "the chart above", SCALARS, "↑"),
    Key("down", "move(1,0)", "", "the chart below", SCALARS, "↓"),
    Key("left", "move(0,-1)", "", "the chart to the left", SCALARS, "←"),
    Key("right", "move(0,1)", "", "the chart to the right", SCALARS, "→"),
    Key("left", "move(0,-1)", "cursor", "the cursor to the left", CHART, "←"),
    Key("right", "move(0,1)", "", "the cursor to the right", CHART, "→"),
    Key("shift+left", "move(0,-10)", "", "the cursor ten columns to the left", CHART, "⇧←"),
    Key("shift+right", "move(0,10)", "", "the cursor ten columns to the right", CHART, "⇧→"),
    Key("home", "jump(0)", "", "the cursor to the first point", CHART),
    Key("end", "jump(1)", "", "the cursor to the last point", CHART),
    Key("i", "zoom(1)", "zoom in", "zoom in around the cursor", CHART),
    Key("o", "zoom(-1)", "out", "zoom out", CHART),
    Key("0", "zoom(0)", "all", "the whole range again", CHART),
    Key("enter", "maximise", "page", "back to the page of charts; esc does the same", CHART),
)
