"""Runs that belong together, such as the seeds of one setting, and their mean, spread and number at each step.

A group has a value at a step only where one of its runs logged one, and says of how many runs it is: nothing is
interpolated, and no value is invented for a run that ended early. A group depends on its own runs alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tuimon.analysis.comparison import setting_text
from tuimon.analysis.keytags import natural
from tuimon.records import Setting
from tuimon.store.series import Series
from tuimon.store.types import Axis, Curve, Floats, Ints, floats

SEEDS = "seeds"
"""Grouping of runs that differ in nothing but their seed."""
NAMES = "name"
"""Grouping of runs whose names differ in nothing but a counter, or a date, at their end."""
_SEED_NAMES = frozenset({"rng", "randomstate", "rngkey", "prngkey", "prng", "replicate", "repetition", "trialseed"})
_OF_ONE_RUN = re.compile(
    r"(?:run|exp|experiment|job|trial|task|sweep)?_?(?:name|id|uuid)|timestamp|date|datetime|time|started|start_time"
    r"|host|hostname|pid|port|command|cmd|argv|wandb_.*"
    r"|(?:out|output|log|logs|logging|save|run|work|working|result|results|checkpoint|ckpt|tensorboard|tb|exp"
    r"|experiment|default_root)_?(?:dir|directory|path|folder|file|root)"
)
"""Settings that say which run it is, not how it was trained; "model_name" is none of them."""
_OF_RUNS = frozenset({"", "run", "wandb", "logger", "logging", "experiment", "trainer", "hydra", "args", "config"})
"""Groups of settings in which such a name means the run: "optimizer/name" is none of them."""
_SEED_IN_NAME = re.compile(r"(?i)(?:(?<![a-z])(?:random[_-]?)?seed[_=\-.]?\d+|(?<![a-z0-9])s\d+(?![a-z0-9.]))")

_WORD = r"(?:random[_-]?)?(?:seed|run|trial|replicate|repeat|rep|version|attempt|try|s|v)"
_COUNTER = re.compile(rf"(?i)(?:(?:[/_\- ]+(?:{_WORD})?[_=\-.]?|^{_WORD}[_=\-.]?|^)(?<!\de-)\d+|\s*\(\d+\)|\s*#\d+)$")
_DATE = re.compile(r"[/_\- ]*(?:19|20)\d\d([-_]?)\d\d\1\d\d(?:[T_\- ]\d\d[-:_]?\d\d(?:[-:_]?\d\d)?)?$")


@dataclass(frozen=True, slots=True)
class Group:
    """Some runs that are looked at as one.

    Attributes:
        key: What tells it from the others; the same as long as its runs have these settings.
        title: How it is called.
        runs: Names of its runs, in the order in which they were given.
    """

    key: str
    title: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GroupedCurve:
    """What the runs of a group have at each step.

    Attributes:
        x: Every step that at least one run logged, ascending, each once.
        mean: Mean of the finite values there; NaN where there is none.
        low, high: The least and the greatest of them.
        std: Their standard deviation (of a sample: divided by n - 1); NaN where there are fewer than two.
        n: How many runs have a finite value there.
    """

    x: Floats
    mean: Floats
    low: Floats
    high: Floats
    std: Floats
    n: Ints

    @property
    def stderr(self) -> Floats:
        """Standard error of the mean; NaN where there are fewer than two values."""
        result: Floats = self.std / np.sqrt(np.maximum(self.n, 1))
        return result

    @property
    def drops(self) -> list[tuple[float, int]]:
        """(step, n) of the first step and of each at which fewer runs than before go on to the end."""
        most = np.maximum.accumulate(self.n[::-1])[::-1]
        changes = np.flatnonzero(np.diff(most)) + 1
        return [(float(self.x[at]), int(most[at])) for at in (0, *changes)] if len(self.x) else []


@dataclass(frozen=True, slots=True)
class Spread:
    """Some numbers of a group in short.

    Attributes:
        mean, std, low, high: Of the finite ones; NaN where there are none, and std where there are fewer than two.
        n: How many are finite.
    """

    mean: float
    std: float
    low: float
    high: float
    n: int

    @property
    def stderr(self) -> float:
        """Standard error of the mean."""
        return self.std / math.sqrt(self.n) if self.n else math.nan


def spread(values: Iterable[float]) -> Spread:
    """Mean, sample standard deviation, least and greatest of the finite values."""
    finite = floats([value for value in values if math.isfinite(value)])
    if not len(finite):
        return Spread(math.nan, math.nan, math.nan, math.nan, 0)
    std = float(finite.std(ddof=1)) if len(finite) > 1 else math.nan
    return Spread(float(finite.mean()), std, float(finite.min()), float(finite.max()), len(finite))


def is_seed(setting: str) -> bool:
    """Whether a setting is a seed, by its name: "seed", "train/manual_seed", "randomSeed", "rng"."""
    last = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", setting.rpartition("/")[2])
    words = re.split(r"[^0-9a-z]+", last.lower())
    return "seed" in words or "seeds" in words or "".join(words) in _SEED_NAMES or "".join(words).endswith("seed")


def names_the_run(setting: str) -> bool:
    """Whether a setting, by its name, only says which run it is."""
    above, _, last = setting.lower().rpartition("/")
    return above.rpartition("/")[2] in _OF_RUNS and _OF_ONE_RUN.fullmatch(last.replace("-", "_")) is not None


def group_runs(configs: Mapping[str, Mapping[str, Setting]], by: str) -> list[Group]:
    """Put runs into groups.

    Args:
        configs: Settings by run, in the order that groups and their runs shall have.
        by: `SEEDS` for runs that differ in nothing but their seed, `NAMES` for the `stem` of their names, or the name
            of a setting after ``setting:``. Seeds are told apart by the names of runs without what looks like one
            (``lr0.1/seed3``) where no settings hold a seed.

    Returns:
        The groups; each run is in one of them.
    """
    if by.startswith("setting:"):
        return _by_setting(configs, by.removeprefix("setting:"))
    if by == NAMES:
        return _by_name(configs)
    seeded = any(is_seed(key) for config in configs.values() for key in config)
    members: dict[tuple[object, ...], list[str]] = {}
    for run, config in configs.items():
        rest = {k: v for k, v in config.items() if not is_seed(k) and not names_the_run(k)}
        name = "" if seeded else _SEED_IN_NAME.sub("*", run)
        key: tuple[object, ...] = (name, *sorted((k, type(v) is bool, _same(v)) for k, v in rest.items()))
        members.setdefault(key, []).append(run)
    differing = _differing([configs[runs[0]] for runs in members.values()])
    groups = []
    for key, runs in members.items():
        title = str(key[0]) or _title(configs[runs[0]], differing)
        groups.append(Group(repr(key), title or _shared_name(runs), tuple(runs)))
    return _unique(groups)


def stem(name: str) -> str:
    """The name of a run without the counter, or the date, at its end: "A2C" of "A2C_12", "a/lr0.1" of "a/lr0.1/seed3".

    A number that belongs to what is before it stays ("resnet50", "lr0.1"); it is "*" where nothing is left.
    """
    return _COUNTER.sub("", _DATE.sub("", name)).rstrip("/_- ") or "*"


def _by_name(runs: Iterable[str]) -> list[Group]:
    members: dict[str, list[str]] = {}
    for run in runs:
        members.setdefault(stem(run), []).append(run)
    return [Group(f"name {name}", name, tuple(found)) for name, found in members.items()]


def _by_setting(configs: Mapping[str, Mapping[str, Setting]], setting: str) -> list[Group]:
    members: dict[str, list[str]] = {}
    short = short_name(setting)
    for run, config in configs.items():
        text = f"{short}={setting_text(config[setting])}" if setting in config else f"no {short}"
        members.setdefault(text, []).append(run)
    ordered = sorted(members.items(), key=lambda item: (item[0].startswith("no "), natural(item[0])))
    return [Group(f"{setting} {text}", text, tuple(runs)) for text, runs in ordered]


def _same(value: Setting) -> str:
    """What a value is compared by: 1 and 1.0 are the same."""
    return repr(float(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else repr(value)


def _differing(configs: Sequence[Mapping[str, Setting]]) -> list[str]:
    """The settings in which groups differ, without seeds and what only names a run."""
    keys = sorted({key for config in configs for key in config}, key=natural)
    found = []
    for key in keys:
        values = {(type(config[key]) is bool, _same(config[key])) if key in config else None for config in configs}
        if len(values) > 1 and not is_seed(key) and not names_the_run(key):
            found.append(key)
    return found


def _title(config: Mapping[str, Setting], differing: Sequence[str]) -> str:
    return " ".join(f"{short_name(key)}={setting_text(config[key])}" for key in differing if key in config)


def short_name(setting: str) -> str:
    """The last part of a nested setting; of "optimizer/name" the part before it, which says more."""
    above, _, last = setting.rpartition("/")
    return above.rpartition("/")[2] if above and last.lower() in ("name", "type", "kind", "class") else last


def _shared_name(runs: Sequence[str]) -> str:
    """What the names of some runs share, with stars for the rest."""
    first, last = min(runs), max(runs)
    if first == last:
        return first
    start = next((at for at in range(len(first)) if first[at] != last[at : at + 1]), len(first))
    return f"{first[:start]}*"


def _unique(groups: Sequence[Group]) -> list[Group]:
    """The groups with titles that are all different."""
    seen: dict[str, int] = {}
    result = []
    for group in groups:
        seen[group.title] = number = seen.get(group.title, 0) + 1
        title = group.title if number == 1 else f"{group.title} ({number})"
        result.append(Group(group.key, title, group.runs))
    return result


def grouped_curve(curves: Sequence[tuple[Floats, Floats]]) -> GroupedCurve:
    """Mean, spread and number of some curves at each step that any of them has.

    Args:
        curves: Steps, ascending, and values of each run; values that are not finite are gaps. Several values of one run
            at one step count once, as their mean.
    """
    clean = [_once(np.asarray(x, np.float64), np.asarray(y, np.float64)) for x, y in curves]
    clean = [(x, y) for x, y in clean if len(x)]
    if not clean:
        none = floats()
        return GroupedCurve(none, none, none, none, none, np.empty(0, np.int64))
    first = clean[0][0]
    if all(len(x) == len(first) and (x is first or np.array_equal(x, first)) for x, _ in clean[1:]):
        x, rows = first, np.stack([y for _, y in clean])
    else:
        x, rows = _aligned(clean)
    finite = np.isfinite(rows)
    n = finite.sum(0)
    low, high = np.fmin.reduce(np.where(finite, rows, np.nan)), np.fmax.reduce(np.where(finite, rows, np.nan))
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.where(n > 0, np.where(finite, rows, 0.0).sum(0) / np.maximum(n, 1), np.nan)
        mean = np.where(low == high, low, mean)  # a constant stays one
        apart = np.where(finite, rows - mean, 0.0)
        std = np.sqrt((apart * apart).sum(0) / np.maximum(n - 1, 1))
    return GroupedCurve(x, mean, low, high, np.where(n > 1, std, np.nan), n.astype(np.int64))


def _aligned(curves: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """All steps, and a row of values at them for each curve; NaN where it has none."""
    steps = np.concatenate([x for x, _ in curves])
    steps.sort(kind="stable")  # it merges what is sorted in parts
    keep = np.ones(len(steps), np.bool_)
    keep[1:] = steps[1:] != steps[:-1]
    x = steps[keep]
    rows = np.full((len(curves), len(x)), np.nan)
    for row, (own, values) in zip(rows, curves, strict=True):
        row[np.searchsorted(x, own)] = values
    return x, rows


def _once(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """A curve with each step once."""
    if len(x) < 2 or not (x[1:] == x[:-1]).any():
        return x, y
    starts = np.flatnonzero(np.concatenate(([True], x[1:] != x[:-1])))
    finite = np.isfinite(y)
    count = np.add.reduceat(finite.astype(np.float64), starts)
    total = np.add.reduceat(np.where(finite, y, 0.0), starts)
    single = np.diff(np.append(starts, len(x))) == 1
    mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return x[starts], np.where(single, y[starts], mean)


def of_curves(curves: Iterable[Curve]) -> GroupedCurve:
    """As `grouped_curve`, of curves from the store; a bin stands for the middle of its range."""
    return grouped_curve([(c.x, c.low if c.low is c.high else c.low / 2 + c.high / 2) for c in curves])


def of_series(members: Iterable[Series], axis: Axis = "step") -> GroupedCurve:
    """What the runs of a group have of a tag at each step, exact up to 262,144 points a run. Hold the store's lock."""
    return of_curves([series.curve(axis, budget_rows=None) for series in members])
