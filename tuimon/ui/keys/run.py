"""Keys of all that is known of a run."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

RUN = "Run"

KEYS = (
    Key("slash", "find", "find", "only lines with this text, such as a setting", RUN, "/"),
    Key("n", "note", "note", "write notes on this run; they are kept in your state directory", RUN),
    Key("t", "labels", "tags", "give this run tags; a filter finds them: tag = best", RUN),
    Key("enter,space", "fold", "fold", "fold this part, or unfold it; on a finding: its chart", RUN),
    Key("y", "copy", "copy", "copy what the line says, such as the command", RUN),
    Key("z", "fold_all", "", "fold all parts, or unfold them", RUN),
    Key("up,k", "line(-1)", "", "a line up", RUN, "↑"),
    Key("down,j", "line(1)", "", "a line down", RUN, "↓"),
)
