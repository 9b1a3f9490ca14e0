"""``tuimon DIR …``: the live view."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tuimon import __version__
from tuimon.commands import COMMANDS
from tuimon.commands.outcome import OK, STATUSES, Stop, say
from tuimon.commands.places import add_places, chosen
from tuimon.commands.rule_options import add_watch_options, lookout_maker
from tuimon.commands.terminal import ended_by_signals, measuring
from tuimon.commands.view_options import add_plain, add_view_options, view_file, view_state, with_limits
from tuimon.ui.state import ViewState

SERVER_FLAGS = {
    "--port": 1, "-p": 1, "--host": 1, "-t": 1, "--bind_all": 0, "--path_prefix": 1, "--window_title": 1,
    "--reload_interval": 1, "--reload_multifile": 1, "--samples_per_plugin": 1, "--max_reload_threads": 1,
    "--load_fast": 1, "--cache-timeout": 1, "--language": 1, "-L": 1, "--public-path": 1, "--api-only": 0,
    "--model": 1, "--product": 1, "--disable-telemetry": 0, "--verbosity": 1, "-v": 1,
}  # fmt: skip
"""Flags of ``tensorboard`` and ``visualdl`` that are about their server, and how many values each takes."""

OPENED = """\
Opened as they are: logs of tuimon's writer, event files of TensorBoard, W&B,
MLflow, trackio, VisualDL, DVCLive, Sacred, the states that Hugging Face's
Trainer saves, tables (CSV), JSON lines and JSON histories of frameworks and
scripts, console output; and settings beside any of them (config.yaml,
hparams.yaml, params.json...)."""
"""What can be looked at, for the help."""


def without_server_flags(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split a command line into what is for tuimon and the server flags that it has, without their values."""
    kept: list[str] = []
    met: list[str] = []
    rest = iter(words)
    for word in rest:
        flag, equals, _ = word.partition("=")
        if flag not in SERVER_FLAGS:
            kept.append(word)
            continue
        met.append(flag)
        if SERVER_FLAGS[flag] and not equals:
            next(rest, None)
    return kept, met


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; flags about a server are met with one line instead of an error."""
    kept, met = without_server_flags(words)
    if met:
        say(f"{', '.join(met)}: not needed. There is no server; the view is in this terminal, also over SSH.")
    return parser().parse_args(with_limits(kept))


def parser() -> argparse.ArgumentParser:
    """The command line of the live view, which is also the help of the whole program."""
    commands = "\n".join(f"  tuimon {name:8} {what}" for name, what in COMMANDS.items())
    result = argparse.ArgumentParser(
        prog="tuimon",
        usage="tuimon [DIR ...] [options]\n       tuimon COMMAND [options]",
        description="The training monitor for people who live in a terminal: opens a live view of\nlog directories."
        f"\n\n{OPENED}",
        epilog=f"commands (tuimon COMMAND --help tells more):\n{commands}\n\n"
        "A directory that is named like a command is written ./NAME. Press ? in the view for its keys.\n\n"
        f"{STATUSES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_places(result)
    result.add_argument(
        "--logdir", nargs="+", action="extend", default=[], metavar="DIR", help="the same as DIR, as in other tools"
    )
    add_view_options(result)
    result.add_argument(
        "--fresh", action="store_true", help="start without what is remembered of the last view of these directories"
    )
    add_plain(result, "the view, then what changes as it comes")
    add_display_options(result)
    result.add_argument("--version", action="version", version=f"tuimon {__version__}")
    return result


def add_display_options(target: argparse.ArgumentParser) -> None:
    """Add the options that are about the terminal, the disk and findings, for the live view and ``demo``."""
    target.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal: for slow links")
    target.add_argument(
        "--poll", type=_seconds, default=0.1, metavar="SECONDS", help="look for new data this often (default: 0.1)"
    )
    add_watch_options(target)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a time in seconds")
    return value


def run(args: argparse.Namespace) -> int:
    """Open the live view and return when it is closed."""
    told: list[str] = []
    roots = chosen([*args.places, *args.logdir], may_come=True, tell=say if args.plain else told.append)
    if args.plain:
        from tuimon.commands.plain import follow

        return follow(roots, remembered_view(roots, args, told)[0], args.poll, rules=args.rules)
    return open_view(roots, args, told=told)


def open_view(roots: list[str], args: argparse.Namespace, *, demo: bool = False, told: Sequence[str] = ()) -> int:
    """Open the live view on some directories and return its exit status when it is closed.

    Args:
        roots: The directories.
        args: The command line.
        demo: Whether they are the demo's, of which nothing is remembered.
        told: What the person should know from the start.
    """
    notices = list(told)
    view, place = remembered_view(roots, args, notices) if not demo else (view_state(args), None)
    for stream, name in ((sys.stdin, "input"), (sys.__stderr__, "error")):  # Textual reads the one, draws on the other
        if stream is None or not stream.isatty():
            raise Stop(f"the live view needs a terminal as standard {name}; `tuimon show DIR` prints a screen anywhere")
    gc.disable()  # imports make many objects and no garbage; the app switches it on again when it has loaded
    from tuimon.ui.background import Question
    from tuimon.ui.keeper import Keeper, remembered_theme

    theme = args.theme or remembered_theme()
    question = Question() if theme in ("", "auto") else None
    try:
        from tuimon.ui.app import TuimonApp
    finally:
        light = question.light() if question is not None else None
    app = TuimonApp(
        roots,
        view=view,
        poll=args.poll,
        demo=demo,
        theme="" if theme == "auto" else theme,
        light=light,
        keeper=Keeper(view, place),
        notices=notices,
        post=lookout_maker(args, roots),
    )
    app.driver_class = measuring(app.driver_class)
    with ended_by_signals(app.exit):
        app.run(mouse=not args.no_mouse)
    return app.return_code or OK


def remembered_view(
    roots: Sequence[str], args: argparse.Namespace, notices: list[str]
) -> tuple[ViewState, Path | None]:
    """The view to open with, and the file to remember it in.

    What the command line says comes before what is remembered. Somebody's saved view is looked at without one's own
    being forgotten, so that one is not remembered.

    Args:
        roots: The directories.
        args: The command line.
        notices: Gets what the person should know.
    """
    if view_file(args) is not None:
        return view_state(args), None
    from tuimon.ui.remembered import ViewFileError, is_newer, place_of, read_view, take

    view = ViewState()
    place: Path | None = None
    try:
        place = place_of(roots)
        if is_newer(place):
            notices.append("a newer tuimon remembers this view: what changes now is not remembered")
            if not args.fresh:
                with suppress(ViewFileError):
                    take(view, read_view(place))
            place = None
        elif not args.fresh:
            take(view, read_view(place))
    except FileNotFoundError:
        pass  # the first time
    except (OSError, ViewFileError) as problem:
        notices.append(f"the last view is forgotten: {problem}")
        place = None if isinstance(problem, OSError) else place
    return view_state(args, view), place
