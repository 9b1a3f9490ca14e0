"""What is known of a run's state: how it ended, or that it runs, or that it fell silent."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from tuimon.analysis.rates import usual_gap
from tuimon.store.run import Run

SILENT_GAPS = 10.0
"""A run is stalled when it is silent for longer than so many of its own usual gaps…"""

LEAST_SILENCE = 60.0
"""…and for longer than so many seconds."""

LONG_SILENCE = 3600.0
"""After so many seconds (or ten times what makes it stalled) a silent run of unknown process has ended somehow."""

LOST_BEATS = 4.0
"""A process that says now and then that it is alive is not heard of after so many times that…"""

LEAST_UNHEARD = 120.0
"""…and after so many seconds: a network filesystem may show what was written a minute late."""

_WORDS = {"finished": "finished", "failed": "failed", "killed": "killed", "interrupted": "interrupted"}


class RunState(enum.Enum):
    """The state of a run."""

    RUNNING = "running"
    STALLED = "stalled"
    FINISHED = "finished"
    FAILED = "failed"
    KILLED = "killed"
    INTERRUPTED = "interrupted"
    CRASHED = "crashed"
    ENDED = "ended"
    UNKNOWN = "unknown"
    LOADING = "loading"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class State:
    """The state of a run, and what it is known from.

    Attributes:
        kind: The state.
        detail: A few words: the last line of the error, "pid 1234 is gone", how long it is silent; may be empty.
        silent: Seconds since the last record, for a state that goes on (running, stalled); None otherwise.
    """

    kind: RunState
    detail: str = ""
    silent: float | None = None


def run_state(
    run: Run,
    now: float,
    *,
    pid_alive: Callable[[int], bool] | None = None,
    hostname: str = "",
    pid_space: str = "",
) -> State:
    """The state of a run.

    Nothing is said while one of its files is still being loaded: how it ended stands at the end. Then its own word
    counts first. Otherwise, on this machine, the process tells: gone is crashed. Elsewhere its log may tell, which says
    now and then that the process is alive. One that is alive, or of which nothing is known, is judged by its own usual
    gap between records; signs of life are no records, for a training that hangs gives them too. While there is no such
    gap, as in a first epoch of half an hour, a process that is alive is left in peace. A silent log of another
    program is never called crashed: that it ended is all that can be said.

    Args:
        run: The run; hold the store's lock.
        now: Wall time in seconds.
        pid_alive: Whether a process of this machine lives; None when that cannot be asked.
        hostname: Name of this machine.
        pid_space: What tells its processes from those of containers and machines of the same name; a log that names
            another one is of a process that cannot be asked.
    """
    if any(source.loading for source in run.sources):
        return State(RunState.LOADING)
    if run.end is not None:
        return _ended(run)
    info = run.info
    pid, host = info.get("pid"), info.get("host")
    here = bool(host) and host == hostname and info.get("pid_space", pid_space) == pid_space
    alive: bool | None = None
    if pid_alive is not None and here and isinstance(pid, int) and not isinstance(pid, bool):
        alive = pid_alive(pid)
    if alive is False:
        return State(RunState.CRASHED, f"process {pid} is gone")
    newest, heard, every = run.last_time, run.alive_time, info.get("heartbeat")
    if alive is None and heard is not None and isinstance(every, (int, float)) and every > 0:
        unheard = max(0.0, now - heard)
        if unheard > max(LEAST_UNHEARD, LOST_BEATS * every):
            return _unheard_of(f"no sign of life for {_duration(unheard)}", unheard, LONG_SILENCE)
        alive = True
    if newest is None:
        started = run.started
        if alive and started is not None:
            newest = started
        else:
            return State(RunState.RUNNING if alive else RunState.UNKNOWN)
    silent = max(0.0, now - newest)
    gap = usual_gap(run.step_times())
    patience = max(LEAST_SILENCE, SILENT_GAPS * gap) if gap else LONG_SILENCE if alive else LEAST_SILENCE
    if silent <= patience:
        return State(RunState.RUNNING, "", silent)
    if alive:
        return State(RunState.STALLED, f"silent for {_duration(silent)}, process alive", silent)
    return _unheard_of(f"silent for {_duration(silent)}", silent, max(LONG_SILENCE, 10 * patience))


def _unheard_of(detail: str, silent: float, limit: float) -> State:
    """The state of a silent run of which nobody knows whether its process is alive."""
    if silent > limit:
        return State(RunState.ENDED, "without an end record")
    return State(RunState.STALLED, detail, silent)


def _ended(run: Run) -> State:
    """What the end record says."""
    end = run.end
    if end is None:
        return State(RunState.UNKNOWN)
    kind = RunState(_WORDS[end.status]) if end.status in _WORDS else RunState.ENDED
    detail = ""
    if end.error:
        lines = [line.strip() for line in end.error.splitlines() if line.strip()]
        detail = lines[-1] if lines else ""
    elif end.signal:
        detail = end.signal
    elif end.exit:
        detail = f"exit status {end.exit}"
    return State(kind, detail or ("" if kind is not RunState.ENDED else end.status))


def _duration(seconds: float) -> str:
    """In the largest unit that fits: "12 min"."""
    for size, unit in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} s"
