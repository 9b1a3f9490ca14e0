"""Keys of the comparison: of all ways to compare, of its table, of its charts, and of the choice of columns."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

COMPARE = "Compare"
COMPARE_TABLE = "Table of the comparison"
COMPARE_CHART = "Charts of the comparison"
CHOICE = "Choosing from a list"

KEYS = (
    Key("left", "column(-1)", "", "the column to the left, to sort by it", COMPARE_TABLE, "←"),
    Key("right", "column(1)", "", "the column to the right, to sort by it", COMPARE_TABLE, "→"),
    Key("shift+left,ctrl+left", "column(-5)", "", "five columns to the left", COMPARE_TABLE, "⇧←"),
    Key("shift+right,ctrl+right", "column(5)", "", "five columns to the right", COMPARE_TABLE, "⇧→"),
    Key("s", "sort", "sort", "sort by the column under the cursor; again: the other way, then not", COMPARE_TABLE),
    Key("d", "differing", "settings", "all settings; again: only those that differ between runs", COMPARE_TABLE),
    Key("m", "measure(0)", "", "of this tag something else: last, best, mean of the last, min, max", COMPARE_TABLE),
    Key("M", "measure(1)", "", "the same for all tags", COMPARE_TABLE),
    Key("n", "mean_of", "", "how many last values a mean is of: 5, 10, 20, 50, 100", COMPARE_TABLE),
    Key("b", "toggle_best", "", "whether the best of this tag is its least or its greatest", COMPARE_TABLE),
    Key("o", "choose_columns", "columns", "choose which columns to show, and their order", COMPARE_TABLE),
    Key("x", "hide_column", "", "hide this column", COMPARE_TABLE),
    Key("less_than_sign", "move_column(-1)", "", "move this column to the left", COMPARE_TABLE, "<"),
    Key("greater_than_sign", "move_column(1)", "", "move this column to the right", COMPARE_TABLE, ">"),
    Key("T", "top", "", "only the first 5, 10, 20, 50 rows; then all again", COMPARE_TABLE),
    Key("e", "export", "", "copy the table as Markdown; again: as CSV, LaTeX, JSON", COMPARE_TABLE),
    Key("up,k", "point(0,-1)", "", "the run above: with more of the metric", COMPARE_CHART, "↑"),
    Key("down,j", "point(0,1)", "", "the run below: with less of the metric", COMPARE_CHART, "↓"),
    Key("left", "point(-1,0)", "run", "the run to the left", COMPARE_CHART, "←"),
    Key("right", "point(1,0)", "", "the run to the right", COMPARE_CHART, "→"),
    Key("m", "metric(1)", "metric", "the next metric", COMPARE_CHART),
    Key("M", "metric(-1)", "", "the metric before", COMPARE_CHART),
    Key("n", "setting(1)", "setting", "scatter: the next setting", COMPARE_CHART),
    Key("N", "setting(-1)", "", "scatter: the setting before", COMPARE_CHART),
    Key("x", "log_x", "", "scatter: logarithmic axis of the setting, or linear", COMPARE_CHART),
    Key("y", "log_y", "", "scatter: logarithmic axis of the metric, or linear", COMPARE_CHART),
    Key("v", "part(1)", "view", "go on to: table, scatter, importance, parallel coordinates, bars", COMPARE),
    Key("V", "part(-1)", "", "back to the one before", COMPARE),
    Key("asterisk", "baseline", "baseline", "compare all with this run; again: with none", COMPARE, "*"),
    Key("g", "group", "group", "group runs: by all but the seed, or by a setting", COMPARE),
    Key("G", "group_show", "", "of a group: mean ± std, mean ± stderr, min – max, its best run", COMPARE),
    Key("c", "copy_run", "", "copy the name of this run", COMPARE),
)
CHOICE_KEYS = (
    Key("space", "switch", "on / off", "take it in, or leave it out", CHOICE),
    Key("a", "switch_all", "all", "take all in, or leave all out", CHOICE),
    Key("K,shift+up", "move(-1)", "up", "move it up", CHOICE, "K"),
    Key("J,shift+down", "move(1)", "down", "move it down", CHOICE, "J"),
    Key("0", "reset", "as usual", "as it is without a choice", CHOICE),
    Key("enter", "choose", "done", "choose it; go back", CHOICE),
    Key("escape,q", "close", "back", "go back", CHOICE, "esc"),
)
"""Of a list that lies over everything and says itself what its keys do."""
