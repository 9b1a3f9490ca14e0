"""``tuimon compare DIR …``: runs side by side, their settings and their last and best values."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tuimon.commands.loading import load
from tuimon.commands.narrowing import add_narrowing, give_back_place, matcher
from tuimon.commands.outcome import NOTHING, OK, USAGE, Stop, for_output, say
from tuimon.commands.places import add_places, chosen
from tuimon.numbers import counted

if TYPE_CHECKING:
    from tuimon.analysis.comparison import Table

FORMATS = ("table", "md", "csv", "json")
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
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="default: table")
    parser.add_argument("--all-settings", action="store_true", help="also the settings that are the same in all runs")
    parser.add_argument("--sort", metavar="COLUMN", help="order rows by a setting, or by the best (or last) of a tag")
    parser.add_argument("--reverse", action="store_true", help="order rows the other way round")
    args = parser.parse_args(words)
    give_back_place(args)
    return args


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    roots = chosen(args.places)
    store = load(roots).store
    from tuimon.analysis.comparison import comparison
    from tuimon.analysis.keytags import key_tags, natural

    wants_run, wants_tag = matcher(args.runs), matcher(args.tags)
    runs = sorted((run for run in store.runs.values() if wants_run(run.name)), key=lambda run: natural(run.name))
    if not runs:
        raise Stop(f"no such runs in {', '.join(roots)}", NOTHING)
    short = args.format == "table" and not args.tags
    known = list(dict.fromkeys(tag for run in runs for tag in run.series))
    tags = key_tags((tag for tag in known if wants_tag(tag)), MOST_TAGS if short else None)
    extra = [tag for tag in known if tag == args.sort and tag not in tags]
    table = comparison(runs, tags=[*tags, *extra])
    if not args.all_settings:
        table = table.differing()
    if args.sort:
        table = sorted_by(table, args.sort, known, reverse=args.reverse)
    if not short:  # the table of few tags shows what it is ordered by, too
        table = table.only(lambda column: column.kind not in ("last", "best") or column.name not in extra)
    print(for_output(WRITERS[args.format](table)))
    if short and (more := len(known) - len(tags) - len(extra)):
        say(f"{counted(more, 'more tag')}: choose with --tags; --format md, csv and json have all")
    return OK


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
    for kind in ("setting", "best", "last", "name"):
        key = kind if kind == "name" else f"{kind}:{name}"
        if any(column.key == key for column in table.columns) and (kind != "name" or name == "run"):
            better = next(column.direction for column in table.columns if column.key == key)
            return table.sorted(key, reverse=reverse != (better == "max"))
    names = dict.fromkeys((*(column.name for column in table.columns), *tags))
    raise Stop(f"no column {name}; there are: {', '.join(names)}", USAGE)


def as_plain(table: Table) -> str:
    """The table for people."""
    from tuimon.tables import plain

    return plain(*_texts(table))


def as_markdown(table: Table) -> str:
    """The table for a README or an issue."""
    from tuimon.tables import markdown

    return markdown(*_texts(table))


def as_csv(table: Table) -> str:
    """The table for a spreadsheet: values in full precision, the step of the best in a column of its own."""
    from tuimon.strict_json import finite, step_number
    from tuimon.tables import comma_separated

    head: list[str] = []
    for column in table.columns:
        head.append({"last": f"last {column.name}", "best": f"best {column.name}"}.get(column.kind, column.title))
        if column.kind == "best":
            head.append(f"step of best {column.name}")
    rows = []
    for row in table.rows:
        cells: list[Any] = []
        for column in table.columns:
            cell = row.cell(column)
            cells.append(finite(cell.value))
            if column.kind == "best":
                cells.append(step_number(cell.step))
        rows.append(cells)
    return comma_separated(head, rows)


def as_json(table: Table) -> str:
    """The table for programs: an array of runs."""
    from tuimon.strict_json import dump, step_number

    result = []
    for row in table.rows:
        config: dict[str, Any] = {}
        tags: dict[str, dict[str, Any]] = {}
        for column in table.columns:
            cell = row.cells.get(column.key)
            if cell is None:
                continue
            if column.kind == "setting":
                config[column.name] = cell.value
            elif column.kind != "name":
                point = {"value": cell.value, "step": step_number(cell.step)}
                better = {"better": column.direction} if column.kind == "best" else {}
                tags.setdefault(column.name, {})[column.kind] = point | better
        result.append({"run": row.run, "config": config, "tags": tags})
    return dump(result)


WRITERS = {"table": as_plain, "md": as_markdown, "csv": as_csv, "json": as_json}


def _texts(table: Table) -> tuple[list[str], list[list[str]], list[bool]]:
    """Headings, cells and alignments."""
    head = [column.title for column in table.columns]
    rows = [[row.cell(column).text for column in table.columns] for row in table.rows]
    numeric = [
        column.kind in ("last", "best")
        or (column.kind == "setting" and all(_is_number(row.cell(column).value) for row in table.rows))
        for column in table.columns
    ]
    return head, rows, numeric


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
