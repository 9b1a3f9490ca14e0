"""``tuimon report DIR …``: one page about the runs, for somebody who has no access to the logs."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tuimon.commands.loading import load
from tuimon.commands.narrowing import add_narrowing, give_back_place, matcher
from tuimon.commands.outcome import NOTHING, OK, Stop, say, visible
from tuimon.commands.places import add_places, chosen
from tuimon.commands.view_options import add_smoothing
from tuimon.commands.where import add_where, where
from tuimon.numbers import format_bytes

if TYPE_CHECKING:
    from tuimon.report.content import Report
    from tuimon.rules.base import Finding
    from tuimon.store import Run, Store
    from tuimon.ui.book import RunBook

FORMATS = ("html", "md")
NAME = "tuimon-report"
"""Name of the file where none is given."""
STATE = "state"
"""The rule that tells of the state of a run, which the report tells anyway."""
SUFFIXES = {".md": "md", ".markdown": "md", ".html": "html", ".htm": "html"}


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="tuimon report",
        description="Write one page about the runs that stands alone: their states and best values, a comparison,"
        " charts, pictures, your notes, and what the rules found. HTML needs no network and no script; Markdown has"
        " its charts as text.",
        allow_abbrev=False,
    )
    add_places(parser)
    add_narrowing(parser)
    add_where(parser)
    file_help = f"the file to write (default: {NAME}.html or .md here); - is standard output"
    parser.add_argument("-o", "--output", metavar="FILE", default="", help=file_help)
    parser.add_argument("--format", choices=FORMATS, help="default: by the name of the file, else html")
    parser.add_argument("--title", default="", help="the heading (default: the names of the directories)")
    add_smoothing(parser, default=0.0)
    parser.add_argument("--log", action="store_true", help="logarithmic value axes")
    args = parser.parse_args(words)
    give_back_place(args)
    return args


def run(args: argparse.Namespace) -> int:
    """Write the report."""
    kind = args.format or SUFFIXES.get(os.path.splitext(args.output)[1].lower(), FORMATS[0])
    report = _report(args)
    if kind == "md":
        from tuimon.report.markdown import as_markdown

        text = as_markdown(report)
    else:
        from tuimon.report.html import as_html

        text = as_html(report)
    if args.output == "-":
        sys.stdout.write(visible(text) if sys.stdout.isatty() else text)
        return OK
    path = Path(args.output or f"{NAME}.{kind}")
    data = text.encode("utf-8", "backslashreplace")
    path.write_bytes(data)
    say(f"{path} ({format_bytes(len(data))})")
    return OK


def _report(args: argparse.Namespace) -> Report:
    roots = chosen(args.places)
    store = load(roots).store
    from tuimon.analysis.keytags import natural
    from tuimon.notes import Notes
    from tuimon.report.content import Wanted, gather
    from tuimon.report.pictures import pictures
    from tuimon.ui.book import RunBook

    wants_run, wants_tag = matcher(args.runs), matcher(args.tags)
    named = [run for run in store.runs.values() if wants_run(run.name)]
    runs = sorted(where(store, named, args.where), key=lambda run: (-(run.started or 0.0), natural(run.name)))
    if not runs:
        raise Stop(f"no such runs in {', '.join(roots)}", NOTHING)
    now = time.time()
    book, notes = RunBook(store, time.time), Notes()
    names = [os.path.basename(os.path.abspath(root)) for root in roots]
    with store.lock:
        found = pictures(runs, wants_tag)
    report = gather(
        store,
        runs,
        Wanted(bool(args.runs or args.where), bool(args.tags), wants_tag, args.smooth, args.log),
        title=args.title or ", ".join(names),
        places=names,
        now=now,
        state_of=book.state,
        note_of=notes.of,
        findings=_findings(store, runs, roots, book, now),
        pictures=found,
    )
    for problem in notes.problems:
        say(problem)
    return report


def _findings(
    store: Store, runs: Sequence[Run], roots: Sequence[str], book: RunBook, now: float
) -> dict[str, list[Finding]]:
    """What the rules find in some runs, as they are configured; as they are where that cannot be read."""
    from tuimon.commands.rule_options import rule_config
    from tuimon.findings import Findings

    try:
        config = rule_config(None, roots)
    except Stop as problem:
        say(str(problem))
        config = None
    found: dict[str, list[Finding]] = {run.name: [] for run in runs}
    for finding in Findings(store, config=config, state_of=book.state).look(now):
        if finding.run in found and finding.rule != STATE:
            found[finding.run].append(finding)
    return found
