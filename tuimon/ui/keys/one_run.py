"""Keys of the panels that are about one run at a time."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

ONE_RUN = "One run"

KEYS = (
    Key("right_square_bracket", "run(1)", "run", "the next run", ONE_RUN, "]"),
    Key("left_square_bracket", "run(-1)", "", "the run before", ONE_RUN, "["),
)
