"""Keys of the comparison."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

COMPARE = "Compare"

KEYS = (
    Key("left", "column(-1)", "", "the column to the left, to sort by it", COMPARE, "←"),
    Key("right", "column(1)", "", "the column to the right, to sort by it", COMPARE, "→"),
    Key("shift+left,ctrl+left", "column(-5)", "", "five columns to the left", COMPARE, "⇧←"),
    Key("shift+right,ctrl+right", "column(5)", "", "five columns to the right", COMPARE, "⇧→"),
    Key("s", "sort", "sort", "sort by the column under the cursor; again: the other way", COMPARE),
    Key("d", "differing", "settings", "all settings; again: only those that differ between runs", COMPARE),
    Key("b", "toggle_best", "best", "whether the best of this tag is its least or its greatest", COMPARE),
)
