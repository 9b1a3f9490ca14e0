"""The options that say what the view shows: for the live view, ``show`` and ``demo`` alike."""

from __future__ import annotations

import argparse

from tuimon.commands.outcome import Stop
from tuimon.ui.filters import FilterError
from tuimon.ui.keys import VIEWS as KEYS_OF_VIEWS
from tuimon.ui.plain import needs_ascii
from tuimon.ui.state import X_MODES, ViewState

VIEWS = tuple(title.lower() for _, title in KEYS_OF_VIEWS)
"""The views, in the order of their keys."""

SMOOTHING = ViewState().smoothing


def add_view_options(target: argparse.ArgumentParser) -> None:
    """Add the options that say what the view shows, for the live view, ``show`` and ``demo`` alike."""
    what = "a part of the name, a glob such as 'lr*', or re: and a regular expression"
    target.add_argument("--view", choices=VIEWS, default=VIEWS[0], help="what to show first (default: overview)")
    target.add_argument("--runs", default="", metavar="FILTER", help=f"only these runs: {what}")
    target.add_argument("--tags", default="", metavar="FILTER", help="only these tags, likewise")
    add_smoothing(target, SMOOTHING)
    target.add_argument("--x", choices=X_MODES, default=X_MODES[0], help="what the x axis counts (default: step)")
    target.add_argument("--xmin", type=float, metavar="N", help="where the x axis starts")
    target.add_argument("--xmax", type=float, metavar="N", help="where the x axis ends")
    target.add_argument("--log-y", action="store_true", help="logarithmic value axes")
    add_ascii(target)


def add_ascii(target: argparse.ArgumentParser) -> None:
    """Add ``--ascii``."""
    target.add_argument(
        "--ascii", action="store_true", help="draw in plain ASCII (default: where the locale's encoding is not UTF-8)"
    )


def add_smoothing(target: argparse.ArgumentParser, default: float) -> None:
    """Add ``--smooth``."""
    help_text = f"smoothing of curves, from 0 (raw) to 0.999 (default: {default:g})"
    target.add_argument("--smooth", type=_factor, default=default, metavar="F", help=help_text)


def _factor(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 0.999")
    return value


def view_state(args: argparse.Namespace) -> ViewState:
    """The choices that the options stand for.

    Raises:
        Stop: A filter cannot be understood.
    """
    view = ViewState(
        view=VIEWS.index(args.view) + 1,
        smoothing=args.smooth,
        x_mode=args.x,
        log_y=args.log_y,
        x_min=args.xmin,
        x_max=args.xmax,
        ascii=args.ascii or needs_ascii(),
    )
    try:
        view.run_filter = args.runs
        view.tag_filter = args.tags
    except FilterError as problem:
        raise Stop(str(problem)) from problem
    return view
