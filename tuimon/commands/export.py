"""``tuimon export DIR …``: every point, in the order of the files."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tuimon.commands.loading import load
from tuimon.commands.narrowing import add_narrowing, give_back_place, matcher
from tuimon.commands.outcome import NOTHING, OK, Stop, for_output, say
from tuimon.commands.places import add_places, chosen
from tuimon.records import Null, Record, ScalarRows

if TYPE_CHECKING:
    from tuimon.commands.points import Layout
    from tuimon.store import Source

FORMATS = ("jsonl", "csv")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="tuimon export",
        description="Print every point, run after run, in the order in which its files hold them, in full precision."
        " Points that a resumed training logged again are all there, with the number of their attempt. Steps and times"
        " that were not logged are null (empty in CSV); NaN, Infinity and -Infinity are written by name.",
        allow_abbrev=False,
    )
    add_places(parser)
    add_narrowing(parser)
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="JSON lines (the default) or CSV")
    args = parser.parse_args(words)
    give_back_place(args)
    return args


def run(args: argparse.Namespace) -> int:
    """Print the points; reads the logs twice, as what comes late in a log may decide which attempt a point is of."""
    roots = chosen(args.places)
    ingest = load(roots, empty_is_fine=True)
    from tuimon.commands.points import LAYOUTS

    if isinstance(sys.stdout, io.TextIOWrapper):  # the formats are UTF-8 whatever the terminal is
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    layout = LAYOUTS[args.format]()
    sys.stdout.write(layout.header)
    wants_run, wants_tag = matcher(args.runs), matcher(args.tags)
    current: SourceLines | None = None
    found = False
    for source, records in ingest.records(lambda source: wants_run(source.run.name)):
        if current is None or current.source is not source:
            current = SourceLines(source, layout, wants_tag)
        text = "".join(map(current.lines, records))
        found = found or bool(text)
        sys.stdout.write(for_output(text))
    if not found and (args.runs or args.tags):
        raise Stop(f"no points of such runs and tags in {', '.join(roots)}", NOTHING)
    if not found:
        say(f"there are logs in {', '.join(roots)}, but no points in them")
    return OK


class SourceLines:
    """The lines of the points of one file, as its records pass by."""

    def __init__(self, source: Source, layout: Layout, wants_tag: Callable[[str], bool]) -> None:
        self.source = source
        self._layout = layout
        self._wants_tag = wants_tag
        self._numbers = source.run.attempt_numbers(source)
        self._columns: dict[tuple[str, ...], tuple[list[int], list[str]]] = {}

    def lines(self, record: Record) -> str:
        """The lines of a record; empty when it holds no points that are wanted."""
        from tuimon.commands.points import null_line, row_lines

        if isinstance(record, ScalarRows):
            columns, heads = self._wanted(record.tags)
            attempts = [self._numbers.take(tag, record.count) for tag in record.tags]
            return row_lines(self._layout, record, columns, heads, attempts) if columns else ""
        if isinstance(record, Null):
            number = int(self._numbers.take(record.tag, 1)[0])
            columns, heads = self._wanted((record.tag,))
            return null_line(self._layout, heads[0], record.step, record.time, number) if columns else ""
        return ""

    def _wanted(self, tags: tuple[str, ...]) -> tuple[list[int], list[str]]:
        """Which columns are wanted, and what their lines begin with."""
        known = self._columns.get(tags)
        if known is None:
            names = [self.source.tag(tag) for tag in tags]
            hidden = self.source.hidden  # another file of the run tells them as well
            columns = [i for i, name in enumerate(names) if self._wants_tag(name) and name not in hidden]
            known = columns, [self._layout.head(self.source.run.name, names[i]) for i in columns]
            self._columns[tags] = known
        return known
