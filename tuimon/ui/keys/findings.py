"""Keys of the list of findings."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

FINDINGS = "Findings"

KEYS = (
    Key("enter", "go", "go to the chart", "show the chart of a finding, with the cursor where it shows", FINDINGS),
    Key("escape,q,exclamation_mark", "close", "close", "close the list", FINDINGS, "esc"),
    Key("space", "seen", "seen", "seen to: no longer counted; again: it is", FINDINGS),
    Key("t", "order", "order", "the worst or the newest first", FINDINGS),
)
