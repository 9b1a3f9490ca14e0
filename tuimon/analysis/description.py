"""All that is known of a run, in parts with a heading, as plain text: for the run panel and for reports."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tuimon.analysis.comparison import setting_text
from tuimon.analysis.keytags import natural
from tuimon.notes import Note
from tuimon.numbers import (
    NO_VALUE,
    counted,
    format_age,
    format_bytes,
    format_clock,
    format_count,
    format_duration,
    format_step,
    format_value,
)
from tuimon.store.events import EventSeries
from tuimon.store.run import Run
from tuimon.store.series import Series
from tuimon.store.types import Mirror, Notice

Role: TypeAlias = Literal["text", "dim", "strong", "good", "warn", "bad"]
"""How a fact is shown; names of styles by meaning."""

MACHINE = ("host", "pid", "rank", "local_rank", "world_size", "node", "job", "python", "gpus")
"""Facts that tell where a run ran."""
HIDDEN = ("started", "pid_space", "heartbeat", "packages", "git", "notes", "tags", "parent")
"""Facts that are told elsewhere, or that mean nothing to a person."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A line: a name and what is known, either of which may be empty.

    Attributes:
        label: The name.
        text: What is known; may have several lines.
        role: How it is shown.
        group: What it is folded with in its part: the beginning of its name, up to a slash; empty for none.
    """

    label: str
    text: str
    role: Role = "text"
    group: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """Facts under a heading.

    Attributes:
        title: The heading; also the name by which it is folded.
        facts: What is in it.
        remark: What stands beside the heading, such as how many there are.
    """

    title: str
    facts: Sequence[Fact] = field(default_factory=list)
    remark: str = ""


def describe(
    run: Run,
    now: float,
    *,
    note: Note = Note(),  # noqa: B008 - it cannot be changed
    findings: Sequence[Fact] = (),
    size_of: Callable[[str], int | None] = lambda _path: None,
) -> list[Part]:
    """The parts of a run that have something in them, its error first.

    Args:
        run: The run; hold the store's lock.
        now: Wall time in seconds.
        note: The person's own notes on it.
        findings: What is wrong with it, as facts without names.
        size_of: The size of a file in bytes, if it is there.
    """
    parts = [
        Part("Error", list(_error(run))),
        _counted("Findings", findings),
        Part("Notes", list(_notes(run, note))),
        Part("Run", list(_run(run, now))),
        Part("Machine", list(_machine(run))),
        Part("Git", list(_git(run.info.get("git")))),
        _counted("Settings", [Fact(key, setting_text(value), group=_group(key)) for key, value in _settings(run)]),
        Part("Attempts", list(_attempts(run))),
        _counted("Tags", [fact for series in _natural(run.series) for fact in _series(series)], len(run.series)),
        _counted("Histograms", [_events(found) for found in _natural(run.histograms)]),
        _counted("Texts", [_events(found) for found in _natural(run.texts)]),
        _counted("Media", [_media(run, tag) for tag in sorted(run.media, key=natural)]),
        Part("Notices", [Fact("", notice_text(notice, where=True), "warn") for notice in run.notices]),
        _counted("Packages", list(_packages(run.info.get("packages")))),
        _counted("Files", list(_files(run, size_of))),
    ]
    return [part for part in parts if part.facts]


def _counted(title: str, facts: Sequence[Fact], count: int | None = None) -> Part:
    return Part(title, facts, f"{len(facts) if count is None else count:,}")


def _natural(found: Mapping[str, object]) -> Iterator[object]:
    return (found[tag] for tag in sorted(found, key=natural))


def _group(name: str) -> str:
    first, slash, _ = name.partition("/")
    return first if slash else ""


def _error(run: Run) -> Iterator[Fact]:
    if run.end is not None and run.end.error:
        yield Fact("", run.end.error.rstrip("\n"), "bad")


def _notes(run: Run, note: Note) -> Iterator[Fact]:
    if note.tags:
        yield Fact("tags", ", ".join(note.tags), "strong")
    if note.text:
        yield Fact("", note.text)
    for key in ("tags", "notes"):
        said = run.info.get(key)
        if said:
            listed = isinstance(said, (list, tuple))
            yield Fact(f"{key} (log)", ", ".join(map(str, said)) if listed else str(said))  # type: ignore[call-overload]


def _run(run: Run, now: float) -> Iterator[Fact]:
    if run.started is not None:
        yield Fact("started", format_clock(run.started))
    if run.last_time is not None:
        yield Fact("last record", f"{format_clock(run.last_time)} ({format_age(now - run.last_time)})")
        if run.first_time is not None:
            yield Fact("logged for", format_duration(run.last_time - run.first_time))
    yield Fact("last step", format_step(run.last_step))
    yield Fact("points", format_count(run.points))
    if run.attempts > 1:
        yield Fact("attempts", f"{run.attempts}{attempt_starts(run)}")
    if run.end is not None:
        ending = [run.end.status]
        if run.end.exit is not None:
            ending.append(f"exit status {run.end.exit}")
        if run.end.signal:
            ending.append(run.end.signal)
        yield Fact("end", ", ".join(ending))
    told = {*HIDDEN, *MACHINE} | ({"name"} if str(run.info.get("name")) in run.name else set())
    yield from (Fact(key, info_text(value)) for key, value in run.info.items() if key not in told)


def _machine(run: Run) -> Iterator[Fact]:
    info = run.info
    return (Fact(key, info_text(info[key])) for key in MACHINE if info.get(key) not in (None, ""))


def _git(git: object) -> Iterator[Fact]:
    if not isinstance(git, Mapping):
        return
    for key, value in git.items():
        if key == "dirty":
            yield Fact("changes", "not committed" if value else "none", "warn" if value else "text")
        elif value not in (None, ""):
            yield Fact(str(key), info_text(value))


def _settings(run: Run) -> list[tuple[str, str | int | float | bool | None]]:
    return sorted(run.config.items(), key=lambda pair: (bool(_group(pair[0])), natural(pair[0])))


def _attempts(run: Run) -> Iterator[Fact]:
    longest = max(run.series.values(), key=lambda series: len(series.attempts), default=None)
    if longest is None or len(longest.attempts) < 2:
        return
    for attempt in longest.attempts:
        points = counted(attempt.count, "point")
        yield Fact(str(attempt.number), f"from step {format_step(attempt.start_step)}, {points} of {longest.tag}")


def _series(series: object) -> Iterator[Fact]:
    assert isinstance(series, Series)
    group = _group(series.tag)
    parts = [f"last {format_value(series.last.value) if series.last else NO_VALUE}"]
    if series.minimum is not None and series.maximum is not None:
        parts.append(f"min {format_value(series.minimum.value)} @{format_step(series.minimum.step)}")
        parts.append(f"max {format_value(series.maximum.value)} @{format_step(series.maximum.step)}")
    parts.append(f"{format_count(series.count)} points")
    yield Fact(series.tag, ", ".join(parts), group=group)
    bad = nonfinite_text(series.nan, series.posinf, series.neginf, series.nulls, series.first_nonfinite_step)
    if bad:
        yield Fact("", bad, "bad", group)


def _events(found: object, kind: str = "") -> Fact:
    assert isinstance(found, EventSeries)
    parts = [kind] if kind else []
    parts.append(f"{found.count:,}")
    if len(found):
        steps = found.steps
        first, last = format_step(float(steps[0])), format_step(float(steps[-1]))
        parts.append(f"step {last}" if first == last else f"steps {first}–{last}")
    return Fact(found.tag, ", ".join(parts), group=_group(found.tag))


def _media(run: Run, tag: str) -> Fact:
    series = run.media[tag]
    last = series.last if len(series) else None
    kind = "" if last is None else str(last.body.get("kind") or last.kind) if last.kind == "media" else last.kind
    return _events(series, kind)


def _packages(packages: object) -> Iterator[Fact]:
    if isinstance(packages, Mapping):
        for name in sorted(map(str, packages), key=str.lower):
            yield Fact(name, str(packages.get(name, "")))


def _files(run: Run, size_of: Callable[[str], int | None]) -> Iterator[Fact]:
    mirrors = {mirror.path: mirror_text(mirror) for mirror in run.mirrors}
    for source in run.sources:
        size = size_of(source.path)
        facts = [source.origin.family, "" if size is None else format_bytes(size)]
        if source.rank:
            facts.append(f"rank {source.rank}")
        told = ", ".join(filter(None, facts))
        text = source.path + (f"  {told}" if told else "") + mirrors.get(source.path, "")
        yield Fact("", text, "dim")


def attempt_starts(run: Run) -> str:
    """Where the later attempts of a run start, as ", the last from step 100"; empty when no series tells."""
    most = max((len(series.attempts) for series in run.series.values()), default=0)
    if most < 2:
        return ""
    starts = [series.attempts[-1].start_step for series in run.series.values() if len(series.attempts) == most]
    return f", the last from step {format_step(min(starts))}"


def mirror_text(mirror: Mirror) -> str:
    """What is not shown of a file, since another one tells the same: " tells the same as x.csv: not shown"."""
    other = os.path.basename(mirror.other)
    if mirror.hidden == mirror.tags:
        return f"  tells the same as {other}: not shown"
    return f"  {mirror.hidden} of {mirror.tags} tags are shown from {other}, which tells the same"


def notice_text(notice: Notice, *, where: bool = False) -> str:
    """What could not be taken in, and how often: "bad line ×12: not JSON"; on request also where the first one is."""
    text = f"{notice.kind} ×{format_count(notice.count)}" if notice.count > 1 else notice.kind
    text = f"{text}: {notice.message}" if notice.message else text
    return f"{text} ({notice.where})" if where and notice.where else text


def nonfinite_text(nan: int, posinf: int, neginf: int, nulls: int, first: float | None) -> str:
    """Counts of the values that cannot be drawn, and the first step that has one: "NaN ×40, first @1"."""
    counts = (("NaN", nan), ("Inf", posinf), ("-Inf", neginf), ("null", nulls))
    parts = [f"{name} ×{count}" for name, count in counts if count]
    if parts and first is not None:
        parts.append(f"first @{format_step(first)}")
    return ", ".join(parts)


def info_text(value: object) -> str:
    """A value of a run's description as one line: commands as a shell would take them, maps as ``key value``."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {info_text(item)}" for key, item in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return format_value(value, 10)
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    items = list(value)
    if any(isinstance(item, Mapping) for item in items):
        return "; ".join(map(info_text, items))
    return shlex.join(map(str, items))
