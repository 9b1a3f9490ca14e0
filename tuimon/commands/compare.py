"""``tuimon compare DIR …``: runs side by side, their settings and values of their tags."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tuimon.commands.loading import load
from tuimon.commands.narrowing import add_narrowing, give_back_place, matcher
from tuimon.commands.outcome import NOTHING, OK, USAGE, Stop, for_output, say
from tuimon.commands.places import add_places, chosen
from tuimon.commands.where import add_where, where
from tuimon.numbers import counted

if TYPE_CHECKING:
    from tuimon.analysis.comparison import Table
    from tuimon.store import Run

FORMATS = ("table", "md", "csv", "latex", "json")
VALUES = ("last", "best", "mean", "min", "max")
GROUP_VIEWS = ("std", "stderr", "range", "best")
MOST_TAGS = 6
"""Tags that the table for people has unless --tags says which; the other formats have all."""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="tuimon compare",
        description="Print runs side by side: the settings in which they differ, and for each tag the last value and"
        " the best one at its step. Whether less or more is better is guessed from the tag's name.",
        allow_abbrev=False,
    )
    add_places(parser)
    add_narrowing(parser)
    add_where(parser)
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="default: table")
    parser.add_argument("--all-settings", action="store_true", help="also the settings that are the same in all runs")
    what = "what to tell of a tag (default: as the log says, else last best)"
    parser.add_argument("--values", nargs="+", choices=VALUES, default=[], help=what)
    parser.add_argument("--mean-of", type=_count, default=10, metavar="N", help="how many last values a mean is of")
    parser.add_argument("--sort", metavar="COLUMN", help="order rows by a setting, or by the best (or last) of a tag")
    parser.add_argument("--reverse", action="store_true", help="order rows the other way round")
    parser.add_argument("--top", type=_count, metavar="N", help="only the first N rows")
    parser.add_argument(
        "--group",
        metavar="BY",
        help="a row for each group: 'seeds', 'name' (names without their numbers), or a setting",
    )
    parser.add_argument(
        "--group-show",
        choices=GROUP_VIEWS,
        default=GROUP_VIEWS[0],
        help="of a group: mean ± std (default), mean ± stderr, min – max, or its best run by --sort",
    )
    parser.add_argument("--baseline", metavar="RUN", help="the run, or group, that others are compared with")
    args = parser.parse_args(words)
    give_back_place(args)
    return args


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    roots = chosen(args.places)
    store = load(roots).store
    from tuimon.analysis.keytags import common_tags, natural
    from tuimon.analysis.table_text import WRITERS

    wants_run, wants_tag = matcher(args.runs), matcher(args.tags)
    named = sorted((run for run in store.runs.values() if wants_run(run.name)), key=lambda run: natural(run.name))
    runs = where(store, named, args.where)
    if not runs:
        raise Stop(f"no such runs in {', '.join(roots)}", NOTHING)
    short = args.format == "table" and not args.tags
    known = Counter(tag for run in runs for tag in run.series)
    wanted = {tag: having for tag, having in known.items() if wants_tag(tag)}
    tags = common_tags(wanted, len(runs), MOST_TAGS if short else None)
    extra = [tag for tag in known if tag == args.sort and tag not in tags]
    table = _table(args, runs, [*tags, *extra])
    if args.sort:
        table = sorted_by(table, args.sort, list(known), reverse=args.reverse)
    if args.group:
        table = _grouped(args, table, runs, list(known))
    if not args.all_settings:
        table = table.differing()
    if not short:  # the table of few tags shows what it is ordered by, too
        table = table.only(lambda column: column.kind in ("name", "setting") or column.name not in extra)
    if args.baseline:
        table = _compared(table, args.baseline, args.group)
    if args.top:
        table = type(table)(table.columns, table.rows[: args.top])
    print(for_output(WRITERS[args.format](table)))
    if short and (more := len(known) - len(tags) - len(extra)):
        say(f"{counted(more, 'more tag')}: choose with --tags; --format md, csv, latex and json have all")
    return OK


def _table(args: argparse.Namespace, runs: Sequence[Run], tags: Sequence[str]) -> Table:
    """The table of single runs."""
    from tuimon.analysis.comparison import comparison
    from tuimon.analysis.metric_rules import MetricRules

    rules = MetricRules(runs)
    return comparison(
        runs,
        tags=[tag for tag in tags if not rules.of(tag).hidden or args.tags],
        directions=rules.directions(tags),
        measures=lambda tag: args.values or rules.measures(tag),
        mean_of=args.mean_of,
    )


def _grouped(args: argparse.Namespace, table: Table, runs: Sequence[Run], known: Sequence[str]) -> Table:
    """The table of groups, in the order that was asked for."""
    from tuimon.analysis.grouping import NAMES, SEEDS, group_runs
    from tuimon.analysis.table_groups import grouped

    configs = {run.name: run.config for run in runs}
    by = args.group
    if by not in (SEEDS, NAMES):
        by = by.removeprefix("setting:")
        settings = {key for config in configs.values() for key in config}
        if by not in settings:
            raise Stop(f"no setting {by}; there are: {', '.join(sorted(settings))}, and {SEEDS} and {NAMES}", USAGE)
        by = f"setting:{by}"
    key = _column(table, args.sort) if args.sort else ""
    key = key or next((column.key for column in table.columns if column.kind not in ("name", "setting")), "")
    made = grouped(table, group_runs(configs, by), args.group_show, key)
    return sorted_by(made, args.sort, known, reverse=args.reverse) if args.sort else made


def _compared(table: Table, baseline: str, group: str) -> Table:
    """The table with differences from a row."""
    from tuimon.analysis.table_groups import with_deltas

    try:
        return with_deltas(table, baseline)
    except KeyError:
        names = ", ".join(row.run for row in table.rows[:20])
        raise Stop(f"no {'group' if group else 'run'} {baseline} to compare with; there are: {names}", USAGE) from None


def _column(table: Table, name: str) -> str:
    """The key of the column that a name means: a setting, or a tag, whose best goes before its last."""
    for kind in ("setting", "best", "last", "mean", "min", "max"):
        if any(column.key == f"{kind}:{name}" for column in table.columns):
            return f"{kind}:{name}"
    return "name" if name == "run" else ""


def sorted_by(table: Table, name: str, tags: Sequence[str], *, reverse: bool) -> Table:
    """Rows ordered by a column, named by its setting or tag; the best of a tag goes before its last.

    Args:
        table: The table, with a column for the name if there is such a tag.
        name: The setting or tag.
        tags: All tags, for the message.
        reverse: The other way round.

    Raises:
        Stop: There is no such column.
    """
    key = _column(table, name)
    if not key:
        names = dict.fromkeys((*(column.name for column in table.columns), *tags))
        raise Stop(f"no column {name}; there are: {', '.join(names)}", USAGE)
    column = table.column(key)
    return table.sorted(key, reverse=reverse != (column.kind == "best" and column.direction == "max"))
