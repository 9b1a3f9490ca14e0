"""Each view in sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from tuimon.analysis.comparison import comparison
from tuimon.analysis.keytags import key_tags
from tuimon.analysis.machine import is_machine
from tuimon.analysis.rates import paced_by, speed_curve
from tuimon.analysis.said import said
from tuimon.analysis.summary import RunSummary, summarise, summarise_tag
from tuimon.analysis.tensors import tensor_row
from tuimon.console.find import outputs
from tuimon.console.lines import FileLines, backward, end_of
from tuimon.console.texts import TAG
from tuimon.findings import Findings
from tuimon.numbers import NO_VALUE, counted, format_age, format_clock, format_duration, format_step, format_value
from tuimon.processes import hostname, pid_alive, pid_space
from tuimon.rules.config import RuleConfig
from tuimon.spoken.words import sentence
from tuimon.store import Run, Store
from tuimon.text import clean
from tuimon.ui.state import ViewState

LAST_LINES = 20
"""Lines of output that are said."""
KEY_TAGS = 3
"""Tags of a run that the overview says."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What there is to speak of.

    Attributes:
        store: The runs; hold its lock.
        view: Which runs and tags.
        now: Wall time in seconds.
        config: What is configured about rules.
    """

    store: Store
    view: ViewState
    now: float
    config: RuleConfig | None = None

    @property
    def runs(self) -> list[Run]:
        """The runs that are shown, in their order."""
        return [self.store.runs[name] for name in self.view.shown if name in self.store.runs]

    @property
    def run(self) -> Run | None:
        """The run of views about one run."""
        return self.store.runs.get(self.view.current) or next(iter(self.runs), None)

    def summary(self, run: Run, tags: Sequence[str] | None = None) -> RunSummary:
        """A run at a glance."""
        return summarise(run, self.now, tags=tags, pid_alive=pid_alive, hostname=hostname(), pid_space=pid_space())

    def tags(self, found: Iterable[str]) -> list[str]:
        """Tags that pass the filter, those first that are wanted most."""
        return [tag for tag in key_tags(found) if self.view.matches_tag(tag)]


def run_line(facts: Facts, run: Run) -> str:
    """A run in a sentence: state, step, speed, age."""
    summary = facts.summary(run, tags=())
    parts = [summary.state.kind.value + (f" ({summary.state.detail})" if summary.state.detail else "")]
    if summary.step is not None:
        of = f" of {format_step(summary.total)}" if summary.total else ""
        parts.append(f"step {format_step(summary.step)}{of}")
    if summary.rate is not None and summary.state.kind.value == "running":
        parts.append(f"{format_value(summary.rate, 3)} steps a second")
    if summary.eta is not None:
        parts.append(f"{format_duration(summary.eta)} to go")
    if summary.age is not None:
        age = format_age(summary.age)
        parts.append(f"last record {age}" + ("" if age == "now" else " ago"))
    noticed = sum(notice.count for notice in run.notices)
    if noticed:
        parts.append(counted(noticed, "notice"))
    return f"{run.name}: {', '.join(parts)}."


def value(run: Run, tag: str) -> str:
    """A tag of a run in a sentence."""
    return sentence(summarise_tag(run.series[tag]), run.series[tag])


def overview(facts: Facts) -> list[str]:
    """Every run, its most telling values, what is wrong, and its error."""
    runs = facts.runs
    states = [facts.summary(run, tags=()).state for run in runs]
    kinds = [state.kind.value for state in states]
    told = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    hidden = facts.view.total_runs - len(runs)
    left_out = f" {counted(hidden, 'run')} left out by filters or choice." if hidden else ""
    lines = [f"{counted(len(runs), 'run')}: {told}.{left_out}" if runs else f"No runs.{left_out}"]
    by_name = {run.name: state for run, state in zip(runs, states, strict=True)}
    findings = Findings(facts.store, config=facts.config, state_of=by_name.get)
    findings.look(facts.now)
    for run in runs:
        lines.append(run_line(facts, run))
        lines += [f"  {tag}: {value(run, tag)}." for tag in facts.tags(run.series)[:KEY_TAGS]]
        lines += [f"  {finding.severity.word}: {finding.message}" for finding in findings.findings_of(run.name)]
        if run.end is not None and run.end.error:
            lines.append(f"  error: {run.end.error.strip().splitlines()[-1]}")
    return lines


def scalars(facts: Facts) -> list[str]:
    """Every tag, and in it every run."""
    lines: list[str] = []
    for tag in facts.tags(tag for run in facts.runs for tag in run.series):
        lines.append(f"{tag}:")
        lines += [f"  {run.name}: {value(run, tag)}." for run in facts.runs if tag in run.series]
    return lines


def distributions(facts: Facts) -> list[str]:
    """Every tensor at its last step."""
    lines: list[str] = []
    for run in facts.runs:
        for tag in facts.tags(run.histograms):
            series = run.histograms[tag]
            last = series.last
            if last is None:
                continue
            row = tensor_row(tag, float(series.steps[-1]), last)
            parts = [
                f"{name} {format_value(value)}"
                for name, value in (("least", row.minimum), ("most", row.maximum), ("mean", row.mean), ("std", row.std))
                if value is not None
            ]
            if row.zeros is not None:
                parts.append(f"{row.zeros:.0%} zero")
            parts += [f"{count} {name}" for count, name in ((row.nan, "NaN"), (row.inf, "infinite")) if count]
            parts += row.flags
            lines.append(f"{run.name}, {tag} at step {format_step(row.step)}: {', '.join(parts)}.")
    return lines


def compare(facts: Facts) -> list[str]:
    """The settings in which runs differ, and their values."""
    tags = facts.tags(tag for run in facts.runs for tag in run.series)
    table = comparison(facts.runs, tags=tags).differing()
    lines = []
    for row in table.rows:
        cells = [
            f"{column.title} {row.cell(column).text}"
            for column in table.columns
            if column.kind != "name" and row.cell(column).text not in ("", NO_VALUE)
        ]
        lines.append(f"{row.run}: {', '.join(cells)}.")
    return lines


def media(facts: Facts) -> list[str]:
    """What was logged that is not a number."""
    lines = []
    for run in facts.runs:
        for tag in facts.tags(run.media):
            sorts = " and ".join(sort.strip("/").replace("/", " ") for sort in dict.fromkeys(run.media[tag].sorts))
            steps = run.media[tag].steps
            told = f", last at step {format_step(float(steps[-1]))}" if len(steps) else ""
            last = run.media[tag].last
            words = "" if last is None else said(last.kind, last.body)
            told += f": {words}" if words else ""
            lines.append(f"{run.name}, {tag}: {counted(run.media[tag].count, 'item')}, {sorts}{told}.")
        for tag in facts.tags(run.texts):
            text = (run.texts[tag].last or "").strip().splitlines()
            first = f": {text[0]}" if text else ""
            lines.append(f"{run.name}, {tag}: {counted(run.texts[tag].count, 'text')}, the last begins{first}")
    return lines


def system(facts: Facts) -> list[str]:
    """How fast runs go, and what the log says of the machine."""
    lines = []
    for run in facts.runs:
        paced = paced_by(run)
        known = [pace for pace in speed_curve(paced)[1] if math.isfinite(pace)] if paced is not None else []
        if known:
            lines.append(f"{run.name}, speed: {format_value(float(known[-1]))} steps a second.")
        for tag in facts.tags(run.series):
            if is_machine(tag):
                last = run.series[tag].last
                lines.append(f"{run.name}, {tag}: {'no value' if last is None else format_value(last.value)}.")
    return lines


def log(facts: Facts) -> list[str]:
    """The last lines that the run printed."""
    run = facts.run
    if run is None:
        return []
    owners = {source.path: name for name, other in facts.store.runs.items() for source in other.sources}
    for output in outputs(run, owners.get, TAG):
        if not output.path:
            continue
        lines = FileLines(output.path)
        lines.refresh()
        last = [text for _, text in islice(backward(lines, end_of(lines)), LAST_LINES)]
        return [f"{run.name}, the last lines of {output.name}:", *(f"  {text}" for text in reversed(last))]
    return [f"{run.name}: nothing that it printed was found."]


def one_run(facts: Facts) -> list[str]:
    """All that is known of the run, but its values."""
    run = facts.run
    if run is None:
        return []
    lines = [run_line(facts, run)]
    if run.started is not None:
        lines.append(f"started: {format_clock(run.started)}")
    lines += [f"{name}: {value}" for name, value in run.info.items() if name != "started"]
    lines += [f"setting {name}: {value}" for name, value in run.config.items()]
    lines += [f"file: {source.path}" for source in run.sources]
    lines += [f"notice: {notice.message}, {counted(notice.count, 'time')}" for notice in run.notices]
    if run.end is not None and run.end.error:
        lines += ["error:", *(f"  {line}" for line in run.end.error.strip().splitlines())]
    return lines


SPOKEN: dict[str, Callable[[Facts], list[str]]] = {
    "overview": overview,
    "scalars": scalars,
    "distributions": distributions,
    "compare": compare,
    "media": media,
    "system": system,
    "log": log,
    "run": one_run,
}
"""What each view says, by its name on the command line."""


def spoken(name: str, facts: Facts) -> list[str]:
    """A view as lines; where there is nothing to say it says that."""
    with facts.store.lock:
        lines = SPOKEN[name](facts)
    if not lines:
        filtered = facts.view.run_filter or facts.view.tag_filter
        lines = ["Nothing passes the filters." if filtered else f"There is nothing for the view {name}."]
    return [clean(line) if not line.startswith("  ") else "  " + clean(line[2:]) for line in lines]
