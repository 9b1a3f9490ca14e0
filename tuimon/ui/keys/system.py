"""Keys of the system metrics, and of one gauge on the whole panel."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

SYSTEM = "System"
GAUGE = "Maximised gauge"

KEYS = (
    Key("up", "move(-1)", "", "the gauge above", SYSTEM, "↑"),
    Key("down", "move(1)", "", "the gauge below", SYSTEM, "↓"),
    Key("pagedown,n", "move(10)", "", "ten gauges down", SYSTEM, "n"),
    Key("pageup,N", "move(-10)", "", "ten gauges up", SYSTEM, "N"),
    Key("home", "move(-9999)", "", "the first gauge", SYSTEM),
    Key("end", "move(9999)", "", "the last gauge", SYSTEM),
    Key("c", "toggle_compact", "compact", "of each GPU only use and memory; again: all", SYSTEM),
    Key("enter", "maximise", "maximise", "one gauge over time on the whole panel; esc goes back", SYSTEM),
    Key("left", "read(-1)", "cursor", "the cursor to an earlier value", GAUGE, "←"),
    Key("right", "read(1)", "", "the cursor to a later value", GAUGE, "→"),
    Key("shift+left,ctrl+left", "read(-10)", "", "ten values back", GAUGE, "⇧←"),
    Key("shift+right,ctrl+right", "read(10)", "", "ten values on", GAUGE, "⇧→"),
    Key("home", "read(-999999)", "", "the first value", GAUGE),
    Key("end", "read(999999)", "", "the newest value, also when another one comes", GAUGE),
)
