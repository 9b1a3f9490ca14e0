"""What rules look at: a run and its series as arrays of a few hundred bins, with the statistics that rules share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tuimon.analysis.families import families, side
from tuimon.analysis.state import State
from tuimon.records import End, Setting
from tuimon.rules.kinds import Kind, kind_of
from tuimon.rules.levels import median, noise_of, running_median
from tuimon.store.types import Floats

_OF_THE_RUN = frozenset(("name", "dir", "directory", "path", "output", "id", "time", "date", "log", "logdir", "exp"))
"""Words of settings that differ from run to run and mean nothing."""

_PLAY = ("rollout", "policy", "episode", "discriminator", "gan/", "_gan", "gan ", "adversarial", "env_", "_env")
"""What tags of agents and of adversarial trainings have in them."""

MOST_RECENT = 256
"""So many of the newest points are known one by one."""

_NONE: Floats = np.empty(0)


@dataclass(eq=False)
class SeriesView:
    """The current points of a series, in at most a few hundred bins of about equal numbers of points.

    Attributes:
        tag: Its tag.
        x: The step at which each bin begins, ascending.
        time: The wall time there in seconds; NaN where unknown.
        mid: A middle of each bin that single outliers do not move.
        low, high: The lowest and the highest value of each bin.
        n: Number of finite values in each bin; none is empty.
        count: Number of points of the series, those that are not finite included.
        nan, inf: Number of NaN and of infinite values.
        first_bad: The lowest step with one of them.
        last_step, last: The newest point; its value may be NaN.
        recent: Steps and values of the newest points, one by one, as far as they are known; they need not be finite.
    """

    tag: str
    x: Floats
    time: Floats
    mid: Floats
    low: Floats
    high: Floats
    n: Floats
    count: int
    nan: int = 0
    inf: int = 0
    first_bad: float | None = None
    last_step: float = math.nan
    last: float = math.nan
    recent: tuple[Floats, Floats] = (_NONE, _NONE)

    @classmethod
    def of(cls, tag: str, steps: Sequence[float] | Floats, values: Sequence[float] | Floats) -> SeriesView:
        """The view of plain points, each a bin of its own: for tests and examples."""
        step, value = np.asarray(steps, dtype=np.float64), np.asarray(values, dtype=np.float64)
        fine = np.isfinite(value)
        kept = value[fine]
        bad = step[~fine]
        return cls(
            tag,
            step[fine],
            np.full(len(kept), math.nan),
            kept,
            kept,
            kept,
            np.ones(len(kept)),
            len(value),
            int(np.isnan(value).sum()),
            int(np.isinf(value).sum()),
            float(bad.min()) if len(bad) else None,
            float(step[-1]) if len(step) else math.nan,
            float(value[-1]) if len(value) else math.nan,
            (step[-MOST_RECENT:], value[-MOST_RECENT:]),
        )

    def __len__(self) -> int:
        return len(self.mid)

    @cached_property
    def kind(self) -> Kind:
        """What it measures, by its name."""
        return kind_of(self.tag)

    @cached_property
    def on(self) -> int | None:
        """On which data it was measured: 0 training, 1 validation, 2 test, None where the name does not say."""
        return side(self.tag)[1]

    @cached_property
    def finite(self) -> float:
        """Number of finite points."""
        return float(self.n.sum())

    @cached_property
    def noise(self) -> float:
        """Standard deviation of a bin's middle around the way of the series, from neighbouring bins."""
        return noise_of(self.mid)

    @cached_property
    def smooth(self) -> Floats:
        """The running median over about a fortieth of the series, at least three bins."""
        return running_median(self.mid, max(3, len(self.mid) // 40 | 1))

    @cached_property
    def start(self) -> float:
        """The level at which it starts: the median of the first bins."""
        return median(self.mid[: max(1, min(3, len(self.mid) // 8))])

    @cached_property
    def least(self) -> tuple[int, float]:
        """Bin and level of the lowest place of the smoothed series; the first of equal ones."""
        at = int(self.smooth.argmin())
        return at, float(self.smooth[at])

    @cached_property
    def most(self) -> tuple[int, float]:
        """Bin and level of the highest place of the smoothed series; the first of equal ones."""
        at = int(self.smooth.argmax())
        return at, float(self.smooth[at])

    @cached_property
    def level(self) -> float:
        """Where it is now: the median of the newest bins, about a fortieth of all, at least three."""
        return median(self.mid[-max(3, len(self.mid) // 40) :]) if len(self.mid) else math.nan

    def reach(self, first: int, end: int | None = None) -> float:
        """How far the middles of some bins are apart."""
        part = self.mid[first:end]
        return float(part.max() - part.min()) if len(part) else 0.0

    def step_at(self, number: int) -> float:
        """The step of a bin."""
        return float(self.x[number])

    def time_at(self, number: int) -> float | None:
        """The wall time of a bin in seconds; None when unknown."""
        time = float(self.time[number])
        return None if math.isnan(time) else time

    def place(self, step: float) -> int:
        """The bin that a step falls into."""
        return max(0, int(np.searchsorted(self.x, step, "right")) - 1)


@dataclass(eq=False)
class HistogramView:
    """What is known of the histograms of one tensor, one value a look, newest last.

    Attributes:
        tag: The tag.
        step: Steps.
        largest: The largest absolute value.
        std, mean: Of the finite values, estimated from the bins where the log does not say.
        zero: Share of values that are exactly zero; 1 where all are, NaN where that is not known.
        total: Number of finite values.
        bad: Number of values that are not finite.
    """

    tag: str
    step: Floats = field(default_factory=lambda: _NONE)
    largest: Floats = field(default_factory=lambda: _NONE)
    std: Floats = field(default_factory=lambda: _NONE)
    mean: Floats = field(default_factory=lambda: _NONE)
    zero: Floats = field(default_factory=lambda: _NONE)
    total: Floats = field(default_factory=lambda: _NONE)
    bad: Floats = field(default_factory=lambda: _NONE)

    def __len__(self) -> int:
        return len(self.step)


@dataclass(frozen=True, slots=True)
class Alert:
    """What a training script raised itself.

    Attributes:
        step, time: None where unknown.
        title, text: What it says.
        level: "info", "warn" or "error".
    """

    step: float | None
    time: float | None
    title: str
    text: str
    level: str


@dataclass(eq=False)
class RunView:
    """A run.

    Attributes:
        name: Its name.
        series: Its series by tag.
        histograms: Its histograms by tag.
        config: Its settings.
        state: What is known of its state; None when that was not asked.
        end: How it ended, in its own words.
        notices: What could not be taken in: kind and count, with a message.
        restarts: The steps from which its later attempts went on.
        total: How many steps it is to take, where its settings say so.
        now: Wall time in seconds.
        last_step, last_time: Of its newest record.
        alerts: What its script raised itself, oldest first.
    """

    name: str
    series: Mapping[str, SeriesView]
    histograms: Mapping[str, HistogramView] = field(default_factory=dict)
    config: Mapping[str, Setting] = field(default_factory=dict)
    state: State | None = None
    end: End | None = None
    notices: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    restarts: Sequence[float] = ()
    total: float | None = None
    now: float = math.nan
    last_step: float | None = None
    last_time: float | None = None
    alerts: Sequence[Alert] = ()

    @cached_property
    def by_kind(self) -> Mapping[Kind, list[SeriesView]]:
        """Its series by what they measure."""
        found: dict[Kind, list[SeriesView]] = {}
        for view in self.series.values():
            found.setdefault(view.kind, []).append(view)
        return found

    def of(self, *kinds: Kind) -> list[SeriesView]:
        """Its series of some kinds."""
        return [view for kind in kinds for view in self.by_kind.get(kind, ())]

    @cached_property
    def pairs(self) -> list[tuple[SeriesView, SeriesView]]:
        """What was measured on training and on validation data (or test data where there is no other)."""
        found = []
        for members in families(self.series):
            views = [self.series[tag] for tag in members]
            held_out = [view for view in views if view.on]
            train = [view for view in views if not view.on]
            if held_out and train:
                found.append((train[0], min(held_out, key=lambda view: view.on or 0)))
        return found

    @cached_property
    def main_loss(self) -> SeriesView | None:
        """The loss that the training brings down: the richest of those that stand for a whole loss."""
        losses = [view for view in self.of(Kind.LOSS) if not view.on and len(view)]
        return max(losses, key=lambda view: view.finite, default=None)

    @cached_property
    def plays(self) -> bool:
        """Whether it is reinforcement learning, or an adversarial training: its losses need not fall."""
        if self.by_kind.get(Kind.RETURN) or {"r", "l"} <= self.series.keys():  # as a monitor of episodes logs them
            return True
        words = " ".join(self.series).lower()
        return any(
            sign in words
            for sign in (
                "rollout",
                "policy",
                "episode",
                "discriminator",
                "gan/",
                "_gan",
                "gan ",
                "adversarial",
                "env_",
                "_env",
            )
        )

    @cached_property
    def setting_but_seed(self) -> frozenset[tuple[str, str]] | None:
        """Its settings without the seed and what names a run; None where no seed is among them."""
        names = {key: key.lower().replace(".", "/").rsplit("/", 1)[-1] for key in self.config}
        if not any("seed" in name for name in names.values()):
            return None
        kept = [key for key, name in names.items() if "seed" not in name and not _OF_THE_RUN & set(name.split("_"))]
        return frozenset((key, str(self.config[key])) for key in kept)

    def setting(self, *names: str) -> Setting:
        """The first of some settings that it has, by the last part of their names."""
        return next((self._settings[name] for name in names if self._settings.get(name) is not None), None)

    @cached_property
    def _settings(self) -> dict[str, Setting]:
        return {key.lower().replace(".", "/").rsplit("/", 1)[-1]: value for key, value in self.config.items()}
