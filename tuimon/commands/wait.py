"""``tuimon wait DIR …``: ends when runs have come so far, for shell scripts."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tuimon.commands.narrowing import add_narrowing, give_back_place, matcher
from tuimon.commands.outcome import OK, Stop
from tuimon.commands.places import add_places, chosen
from tuimon.numbers import format_step

if TYPE_CHECKING:
    from tuimon.analysis.state import RunState, State
    from tuimon.store import Run

NEVER = 1
"""Exit status: what was waited for cannot come any more."""
TIMED_OUT = 124
"""Exit status: it took too long; the same as that of ``timeout``."""

STATUSES = f"""\
exit status:
  0    it is so
  {NEVER}    it cannot come any more: a run ended in another way
  2    the command line is wrong, or a file or directory cannot be read
  {TIMED_OUT}  it took longer than --timeout"""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="tuimon wait",
        description="Wait until the runs in a log directory have come so far, print a line for each,\n"
        "and end. A directory, or a run, that does not exist yet is waited for too.",
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_places(parser)
    parser.add_argument(
        "--for",
        dest="goal",
        type=goal,
        default="over",
        metavar="WHAT",
        help="over (in whichever way; the default), finished, failed (any run: failed, crashed or killed), or step=N",
    )
    add_narrowing(parser, tags=False)
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="wait no longer than this")
    args = parser.parse_args(words)
    give_back_place(args)
    return args


def _seconds(text: str) -> float:
    value = float(text)
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text} is not a time in seconds")
    return value


def goal(text: str) -> str:
    """Check what is to be waited for."""
    name, equals, number = text.partition("=")
    try:
        fine = text in ("over", "finished", "failed") or (name == "step" and bool(equals) and float(number) >= 0)
    except ValueError:
        fine = False
    if not fine:
        raise argparse.ArgumentTypeError(f"{text!r} is none of over, finished, failed and step=N")
    return text


def run(args: argparse.Namespace) -> int:
    """Wait."""
    from tuimon.analysis.state import run_state
    from tuimon.commands.following import follow
    from tuimon.processes import hostname, pid_alive, pid_space

    places = chosen(args.places, may_come=True)
    wanted = matcher(args.runs)
    host, space = hostname(), pid_space()
    for store in follow(places, timeout=args.timeout):
        with store.lock:
            runs = {found: found_run for found, found_run in store.runs.items() if wanted(found)}
            states = {
                name: run_state(each, time.time(), pid_alive=pid_alive, hostname=host, pid_space=space)
                for name, each in runs.items()
            }
            status = reached(args.goal, list(runs.values()), states)
            told = [sentence(each, states[name]) for name, each in runs.items()]
        if status is not None:
            print("\n".join(told))
            return status
    raise Stop(f"not so after {args.timeout:g} s: {args.goal}", TIMED_OUT)


def reached(goal: str, runs: Sequence[Run], states: dict[str, State]) -> int | None:
    """The exit status with which waiting ends; None while it goes on.

    Args:
        goal: What is waited for.
        runs: The runs it is about.
        states: Their states, by their names.
    """
    from tuimon.analysis.state import RunState

    bad = {RunState.FAILED, RunState.CRASHED, RunState.KILLED}
    over = {*bad, RunState.FINISHED, RunState.INTERRUPTED, RunState.ENDED}
    kinds: list[RunState] = [states[run.name].kind for run in runs]
    if not runs or RunState.LOADING in kinds:
        return None
    if goal == "failed":
        return _ended(any(kind in bad for kind in kinds), all(kind in over for kind in kinds))
    if goal == "over":
        return OK if all(kind in over for kind in kinds) else None
    if goal == "finished":
        met = [kind is RunState.FINISHED for kind in kinds]
    else:
        least = float(goal.partition("=")[2])
        met = [run.last_step is not None and run.last_step >= least for run in runs]
    lost = any(kind in over and not there for kind, there in zip(kinds, met, strict=True))
    return _ended(all(met), lost)


def _ended(met: bool, lost: bool) -> int | None:
    return OK if met else NEVER if lost else None


def sentence(run: Run, state: State) -> str:
    """How far a run is, in a line."""
    from tuimon.commands.outcome import for_output

    step = "" if run.last_step is None else f" at step {format_step(run.last_step)}"
    detail = f": {state.detail}" if state.detail else ""
    return for_output(f"{run.name}: {state.kind.value}{step}{detail}")
