"""The signs that stand for the state of a run, and what all signs mean."""

from __future__ import annotations

STATES: dict[str, tuple[str, str]] = {
    "running": ("►", "good"),
    "stalled": ("~", "warn"),
    "finished": ("✓", "accent"),
    "failed": ("✗", "bad"),
    "crashed": ("†", "bad"),
    "killed": ("⊘", "warn"),
    "interrupted": ("⊖", "warn"),
    "ended": ("-", "dim"),
    "unknown": ("?", "dim"),
    "loading": ("…", "dim"),
    "deleted": ("∅", "dim"),
}
"""Sign and role of each state, by its name. None of them is a sign of a run (see ``charts.palette``)."""

PINNED, SELECTED, OFF = "▴", "•", "·"
NOTED = "✎"

LEGEND: tuple[tuple[str, str, str], ...] = (
    ("►", "good", "running"),
    ("~", "warn", "stalled: silent for much longer than is usual for this run"),
    ("✓", "accent", "finished"),
    ("✗", "bad", "failed with an error"),
    ("†", "bad", "crashed: its process is gone and never said how it ended"),
    ("⊘ ⊖", "warn", "killed by a signal; interrupted from the keyboard"),
    ("- ?", "dim", "an old log that does not say how it ended; a log without times"),
    ("… ∅", "dim", "its files are still being loaded; have been deleted"),
    ("E W I", "warn", "errors, warnings, remarks: what the rules found (! lists them)"),
    ("!", "warn", "so many notices of lines or files that could not be read: see its details"),
    (NOTED, "accent", "you have written notes on it, or given it tags: see its details"),
    ("×", "bad", "a value that is NaN or infinite"),
    ("↓ ↑", "dim", "the best value of this tag is its least, its greatest"),
    (f"{PINNED} {SELECTED} {OFF}", "accent", "pinned; selected; not shown"),
)
"""Signs, their roles and their meanings, for the help."""
