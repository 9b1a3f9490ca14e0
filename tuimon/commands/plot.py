"""``tuimon plot DIR TAG``: the chart of a tag, printed."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tuimon.commands.loading import load
from tuimon.commands.narrowing import add_narrowing, matcher
from tuimon.commands.outcome import NOTHING, OK, Stop, say
from tuimon.commands.places import LOGS, chosen
from tuimon.commands.show import add_size, colored, size
from tuimon.commands.view_options import add_ascii, add_smoothing
from tuimon.numbers import format_step

if TYPE_CHECKING:
    from tuimon.store import Curve, Series

HEIGHT = 20
"""Lines unless --height says otherwise: a chart, not a screen."""
MOST_RUNS = 12
"""Lines that are drawn; more cannot be told apart."""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="tuimon plot",
        description="Print the chart of a tag over steps, one line a run. NaN and infinities are counted below it.",
        allow_abbrev=False,
    )
    parser.add_argument("places", nargs="+", metavar="DIR", help=LOGS)
    parser.add_argument("tag", metavar="TAG", help="the tag, or a part of it that only one tag has")
    add_narrowing(parser, tags=False)
    add_smoothing(parser, default=0.0)
    parser.add_argument("--log", action="store_true", help="logarithmic value axis")
    add_size(parser)
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: on terminals")
    add_ascii(parser)
    return parser.parse_args(words)


def run(args: argparse.Namespace) -> int:
    """Print the chart."""
    store = load(chosen(args.places)).store
    wanted = matcher(args.runs)
    runs = sorted((run for run in store.runs.values() if wanted(run.name)), key=lambda run: run.started or 0.0)
    tag = find_tag(args.tag, (tag for run in runs for tag in run.series))
    having = [run for run in runs if tag in run.series]
    if len(having) > MOST_RUNS:
        say(f"the {MOST_RUNS} newest of {len(having)} runs; choose others with --runs")
    drawn = having[-MOST_RUNS:]
    from tuimon.charts.figures import line_figure
    from tuimon.charts.model import ChartLine
    from tuimon.charts.palette import series_color
    from tuimon.text import clean
    from tuimon.ui.plain import needs_ascii, to_ascii

    lines = []
    for index, run in enumerate(drawn):
        curve = smoothed(run.series[tag], args.smooth)
        lines.append(ChartLine(run.name, series_color(index), curve.x, curve.low, curve.high))
    width, _ = size(args)
    title = tag if not args.smooth else f"{tag}, smoothed {args.smooth:g}"
    color = colored(args.color)
    plain = args.ascii or needs_ascii()
    figure = line_figure(lines, width, args.height or HEIGHT, title=title, log_y=args.log, color=color, ascii=plain)
    printed = [line.rstrip() for line in figure.rstrip("\n").split("\n")]
    remarks = ((run.name, left_out(run.series[tag], log=args.log)) for run in drawn)
    printed += [f"{clean(name)}: {remark}" for name, remark in remarks if remark]
    text = "\n".join(printed)
    print(to_ascii(text) if plain else text)
    return OK


def find_tag(wanted: str, tags: Iterable[str]) -> str:
    """The tag that is meant: the one of that name, or else the only one that contains the text.

    Raises:
        Stop: None does, or several do.
    """
    known = list(dict.fromkeys(tags))
    if wanted in known:
        return wanted
    from tuimon.text import clean

    found = [tag for tag in known if wanted.casefold() in tag.casefold()]
    if len(found) == 1:
        return found[0]
    if found:
        raise Stop(f"{wanted} may be {', '.join(map(clean, found))}: which one?")
    raise Stop(f"no tag {wanted}; there are: {', '.join(map(clean, known))}", NOTHING)


def smoothed(series: Series, factor: float) -> Curve:
    """The curve over steps; raw for a factor of 0."""
    if not factor:
        return series.curve()
    from tuimon.analysis.smoothing import SmoothedSeries

    return SmoothedSeries(series, factor).curve()


def left_out(series: Series, *, log: bool) -> str:
    """What has no place on the value axis, in words; empty when everything has."""
    counts = {"NaN": series.nan, "+Inf": series.posinf, "-Inf": series.neginf, "null": series.nulls}
    parts = [f"{name} ×{count}" for name, count in counts.items() if count]
    if series.first_nonfinite_step is not None:
        parts.append(f"first @{format_step(series.first_nonfinite_step)}")
    lowest = series.minimum
    if log and lowest is not None and lowest.value <= 0:
        parts.append("values of 0 and below have no place on a logarithmic axis")
    return ", ".join(parts)
