"""The training stalled, crashed, failed or was killed, as far as its state is known.

See `tuimon.analysis.state`: by its own word, by its process, or by its silence, measured by its own usual pauses.
"""

from __future__ import annotations

from collections.abc import Iterator

from tuimon.analysis.state import RunState
from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.views import RunView

WORDS = {
    RunState.STALLED: (
        Severity.WARN,
        "stalled",
        "Look whether a process waits for data, a lock, another rank or the disk (py-spy dump).",
    ),
    RunState.CRASHED: (
        Severity.ERROR,
        "crashed",
        "Look at the end of its output and at the system's log (dmesg) for the out-of-memory killer.",
    ),
    RunState.FAILED: (Severity.ERROR, "failed", "Look at the end of its output."),
    RunState.KILLED: (
        Severity.WARN,
        "was killed",
        "Resume from the last checkpoint; look whether its time or memory limit was reached.",
    ),
}
MEMORY = ("out of memory", "outofmemory", "oom", "cannot allocate memory", "memoryerror")
DISK = ("no space left", "disk quota", "enospc", "edquot")
SMALLER = "Use a smaller batch with gradient accumulation, mixed precision, or activation checkpointing."
ROOM = "Make room on the disk (old checkpoints), then resume from the last checkpoint."


def look(run: RunView, _: Limits) -> Iterator[Finding]:
    """What the state of a run tells."""
    if run.state is None or run.state.kind not in WORDS:
        return
    severity, word, advice = WORDS[run.state.kind]
    detail = run.state.detail
    text = " ".join((detail, (run.end.error if run.end is not None else "") or "")).lower()
    if any(sign in text for sign in DISK):
        advice, word = ROOM, f"{word}: the disk is full"
    elif any(sign in text for sign in MEMORY):
        advice, word = SMALLER, f"{word}: out of memory"
    message = f"the run {word}" + (f" ({detail})" if detail else "")
    silent = {} if run.state.silent is None else {"silent": run.state.silent}
    yield Finding(
        "state", run.name, "", run.last_step, severity, message, advice, silent, run.last_step, run.last_time, 1.0
    )


RULE = Rule("state", "stalled, crashed or failed", "run", look, urgent=True, patience=1)
