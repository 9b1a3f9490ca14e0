"""The options that say what the view shows: for the live view, ``show`` and ``demo`` alike."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tuimon.commands.narrowing import FILTER
from tuimon.commands.outcome import Stop
from tuimon.ui.filters import FilterError
from tuimon.ui.keys import VIEWS as KEYS_OF_VIEWS
from tuimon.ui.plain import needs_ascii
from tuimon.ui.state import X_MODES, ViewState
from tuimon.ui.theme_names import THEMES

VIEWS = tuple(title.lower() for _, title in KEYS_OF_VIEWS)
"""The views, in the order of their keys."""


def add_view_options(target: argparse.ArgumentParser) -> None:
    """Add the options that say what the view shows, for the live view, ``show`` and ``demo`` alike.

    Those that were not given are None, so that they leave a view that is remembered as it is.
    """
    target.add_argument(
        "--view", metavar="VIEW", type=_view, help=f"what to show first: {', '.join(VIEWS)}; or a file of a saved view"
    )
    known = "or what is known of them, such as 'lr < 0.01 and state = finished'"
    target.add_argument("--runs", metavar="FILTER", help=f"only these runs: {FILTER}; {known}")
    target.add_argument("--tags", metavar="FILTER", help="only these tags, by name likewise")
    add_smoothing(target)
    target.add_argument(
        "--x", metavar="WHAT", help=f"what the x axis counts: {', '.join(X_MODES)}, or the values of a tag of that name"
    )
    target.add_argument("--xlim", type=_limits, metavar="A:B", help="part of the x axis; each end may be left open")
    target.add_argument("--ylim", type=_limits, metavar="A:B", help="part of the value axes, likewise")
    target.add_argument("--log", choices=("x", "y", "xy", "none"), help="which axes are logarithmic")
    target.add_argument("--xmin", type=float, metavar="N", help="where the x axis starts; the same as --xlim N:")
    target.add_argument("--xmax", type=float, metavar="N", help="where the x axis ends; the same as --xlim :N")
    target.add_argument("--log-y", action="store_const", const=True, help="the same as --log y")
    target.add_argument(
        "--theme",
        choices=("auto", *THEMES),
        help="colours (default: the last ones chosen, or what suits the background)",
    )
    add_ascii(target)


def add_plain(target: argparse.ArgumentParser, how: str) -> None:
    """Add ``--plain``.

    Args:
        target: The parser.
        how: What happens with the lines.
    """
    target.add_argument("--plain", action="store_true", help=f"as lines of text, for screen readers: {how}")


def add_ascii(target: argparse.ArgumentParser) -> None:
    """Add ``--ascii``."""
    target.add_argument(
        "--ascii", action="store_true", help="draw in plain ASCII (default: where the locale's encoding is not UTF-8)"
    )


def add_smoothing(target: argparse.ArgumentParser, default: float | None = None) -> None:
    """Add ``--smooth``.

    Args:
        target: The parser.
        default: What it is when it is not given; None to leave that to the view.
    """
    told = ViewState().smoothing if default is None else default
    help_text = f"smoothing of curves, from 0 (raw) to 0.999 (default: {told:g})"
    target.add_argument("--smooth", type=_factor, default=default, metavar="F", help=help_text)


def _factor(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 0.999")
    return value


def _view(text: str) -> str:
    if text not in VIEWS and not os.path.isfile(text):
        raise argparse.ArgumentTypeError(f"{text} is neither one of {', '.join(VIEWS)} nor the file of a saved view")
    return text


def _limits(text: str) -> tuple[float | None, float | None]:
    first, colon, last = text.partition(":")
    try:
        low, high = (float(part) if part.strip() else None for part in (first, last))
    except ValueError:
        colon = ""
    if not colon or (low is not None and high is not None and not low < high):
        raise argparse.ArgumentTypeError(f"{text!r} is not two numbers A:B, the lower one first, either may be missing")
    return low, high


def with_limits(words: Sequence[str]) -> list[str]:
    """A command line on which ``--ylim -1:1`` is understood, although the limits look like an option."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in ("--xlim", "--ylim"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def view_file(args: argparse.Namespace) -> Path | None:
    """The file that ``--view`` names, if it is one."""
    return Path(args.view) if args.view and args.view not in VIEWS else None


def view_state(args: argparse.Namespace, base: ViewState | None = None) -> ViewState:
    """The choices that the options stand for.

    Args:
        args: The command line.
        base: The choices to start with; by default those of a saved view if one was named, or none.

    Raises:
        Stop: A filter, or the file of a view, cannot be understood.
    """
    view = base or ViewState()
    file = view_file(args)
    if file is not None:
        from tuimon.ui.remembered import ViewFileError, read_view, take

        try:
            take(view, read_view(file))
        except ViewFileError as problem:
            raise Stop(str(problem)) from problem
    view.ascii = args.ascii or needs_ascii()
    for given, change in _changes(view):
        value = getattr(args, given)
        if value is None or (given == "view" and file is not None):
            continue
        try:
            change(value)
        except FilterError as problem:
            raise Stop(str(problem)) from problem
    return view


def _changes(view: ViewState) -> list[tuple[str, Callable[[Any], None]]]:
    """For each option what it does to a view."""

    def sets(*names: str) -> Callable[[Any], None]:
        def change(value: Any) -> None:
            for name, part in zip(names, value if len(names) > 1 else [value], strict=True):
                setattr(view, name, part)

        return change

    def set_x(mode: str) -> None:
        view.x_mode = mode if mode in X_MODES else "tag"
        if view.x_mode == "tag":
            view.scalars.x_tag = mode

    return [
        ("view", lambda name: setattr(view, "view", VIEWS.index(name) + 1)),
        ("runs", sets("run_filter")),
        ("tags", sets("tag_filter")),
        ("smooth", sets("smoothing")),
        ("x", set_x),
        ("xlim", sets("x_min", "x_max")),
        ("ylim", sets("y_min", "y_max")),
        ("log", lambda axes: sets("log_x", "log_y")(("x" in axes, "y" in axes))),
        ("xmin", sets("x_min")),
        ("xmax", sets("x_max")),
        ("log_y", sets("log_y")),
    ]
