"""``tuimon ls DIR …``: the runs, one a line."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tuimon.commands.loading import load
from tuimon.commands.narrowing import add_narrowing, give_back_place, matcher
from tuimon.commands.outcome import NOTHING, OK, Stop, say
from tuimon.commands.places import add_places, chosen
from tuimon.commands.where import add_where, where

if TYPE_CHECKING:
    from tuimon.analysis.state import State
    from tuimon.analysis.summary import RunSummary, TagSummary
    from tuimon.findings import Findings
    from tuimon.store import Point, Run, Store

MOST_TAGS = 3
"""Tags that the table tells of; JSON tells of all."""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="tuimon ls",
        description="List the runs, newest first: state, step, speed, age, and their most telling tags with the last"
        " value and the best one at its step.",
        allow_abbrev=False,
    )
    add_places(parser)
    add_narrowing(parser)
    add_where(parser)
    parser.add_argument("--json", action="store_true", help="print everything that is known, as a JSON array")
    args = parser.parse_args(words)
    give_back_place(args)
    return args


def run(args: argparse.Namespace) -> int:
    """Print the list."""
    from tuimon.analysis.keytags import key_tags, natural
    from tuimon.analysis.summary import summarise
    from tuimon.processes import hostname, pid_alive, pid_space

    wants_run, wants_tag = matcher(args.runs), matcher(args.tags)
    roots = chosen(args.places)
    store = load(roots).store
    known = where(store, (run for run in store.runs.values() if wants_run(run.name)), args.where)
    if not known and (args.runs or args.where):
        raise Stop(f"no such runs in {', '.join(roots)}", NOTHING)
    runs = sorted(known, key=lambda run: (-(run.started or 0.0), natural(run.name)))
    found = [tag for run in runs for tag in run.series if wants_tag(tag)]
    tags = None if args.json else key_tags(found, None if args.tags else MOST_TAGS)
    now, host, space = time.time(), hostname(), pid_space()
    summaries = [
        summarise(
            run,
            now,
            tags=list(dict.fromkeys(found)) if args.tags else tags,
            most_tags=None,
            pid_alive=pid_alive,
            hostname=host,
            pid_space=space,
        )
        for run in runs
    ]
    if tags is None:
        from tuimon.strict_json import dump

        told = _findings(store, roots, now, {summary.name: summary.state for summary in summaries})
        print(dump([as_json(run, summary, told) for run, summary in zip(runs, summaries, strict=True)]))
    else:
        print(as_table(summaries, tags))
    return OK


def _findings(store: Store, roots: Sequence[str], now: float, states: Mapping[str, State]) -> Findings:
    """What the rules find in all runs."""
    from tuimon.commands.rule_options import rule_config
    from tuimon.findings import Findings
    from tuimon.rules.config import RuleConfig

    try:
        config = rule_config(None, roots)
    except Stop as stop:  # the list is there all the same
        say(str(stop))
        config = RuleConfig()
    findings = Findings(store, config=config, state_of=states.get)
    findings.look(now)
    return findings


def as_table(summaries: Sequence[RunSummary], tags: Sequence[str]) -> str:
    """The list for people."""
    from tuimon.numbers import format_age, format_step, format_value
    from tuimon.tables import plain

    def value(found: TagSummary | None) -> str:
        if found is None or found.last is None:
            return ""
        best = "" if found.best is None else f" ({format_value(found.best.value)} @{format_step(found.best.step)})"
        return format_value(found.last.value) + best

    rows = []
    for summary in summaries:
        known = {found.tag: found for found in summary.tags}
        state = summary.state.kind.value
        step = "" if summary.step is None else format_step(summary.step)
        rate = "" if summary.rate is None else f"{format_value(summary.rate, 3)}/s"
        age = format_age(summary.age)
        rows.append([summary.name, state, step, rate, age, *(value(known.get(tag)) for tag in tags)])
    head = ["run", "state", "step", "speed", "age", *(f"{tag} (best)" for tag in tags)]
    return plain(head, rows, [False, False, True, True, True, *(True for _ in tags)])


def as_json(run: Run, summary: RunSummary, findings: Findings) -> dict[str, Any]:
    """Everything that is known of a run."""
    from tuimon.alerts.base import Alert
    from tuimon.strict_json import step_number

    def point(found: Point | None) -> dict[str, Any] | None:
        if found is None:
            return None
        when = None if found.time != found.time else found.time
        return {"step": step_number(found.step), "time": when, "value": found.value}

    tags = {
        found.tag: {
            "last": point(found.last),
            "best": point(found.best),
            "better": found.direction,
            "count": found.count,
            "nan": found.nan,
            "inf": found.inf,
            "null": found.nulls,
            "first_nonfinite_step": step_number(found.first_nonfinite_step),
        }
        for found in summary.tags
    }
    return {
        "run": summary.name,
        "state": summary.state.kind.value,
        "detail": summary.state.detail,
        "step": step_number(summary.step),
        "total_steps": step_number(summary.total),
        "steps_per_second": summary.rate,
        "seconds_left": summary.eta,
        "started": summary.started,
        "last_time": summary.last_time,
        "age": summary.age,
        "points": summary.points,
        "attempts": summary.attempts,
        "config": dict(run.config),
        "tags": tags,
        "histograms": list(run.histograms),
        "texts": list(run.texts),
        "error": None if run.end is None else run.end.error,
        "notices": [
            {"kind": notice.kind, "count": notice.count, "where": notice.where, "message": notice.message}
            for notice in run.notices
        ],
        "findings": [Alert.of(finding).as_json() for finding in findings.findings_of(run.name)],
        "files": [source.path for source in run.sources],
        "told_twice": [
            {"file": mirror.path, "shown_from": mirror.other, "tags": mirror.hidden} for mirror in run.mirrors
        ],
    }
