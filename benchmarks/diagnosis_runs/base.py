"""What a labelled training is, and how it gets into a store."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from tuimon.records import Config, HistogramRecord, Record, ScalarRows
from tuimon.store import Store
from tuimon_writer.demo.lab import Row

Array = np.ndarray

STYLES: tuple[Mapping[str, str], ...] = (
    {},
    {"train/loss": "loss", "val/loss": "val_loss", "train/acc": "accuracy", "val/acc": "val_accuracy"},
    {"train/loss": "Loss/train", "val/loss": "Loss/valid", "train/acc": "Acc/train", "val/acc": "Acc/valid"},
    {
        "train/loss": "train_loss",
        "val/loss": "eval_loss",
        "train/acc": "train_accuracy",
        "val/acc": "eval_accuracy",
        "lr": "learning_rate",
    },
)
"""Names that programs give to the same things."""


@dataclass
class Labelled:
    """A training and what is to be found in it.

    Attributes:
        rows: What it logged.
        config: Its settings.
        expected: Rules that must find something.
        allowed: Rules that may; all others must not.
        onset: The step from which on the first expected one is true; None where that is not asked.
        truth: Whether what was meant to go wrong really did; such a run counts, others are drawn again.
    """

    rows: list[Row]
    expected: frozenset[str] = frozenset()
    allowed: frozenset[str] = frozenset()
    config: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    onset: float | None = None
    truth: bool = True

    def values(self, tag: str) -> Array:
        """The logged values of a tag."""
        return np.array([row.scalars[tag] for row in self.rows if tag in row.scalars])


Case = Callable[[np.random.Generator], Labelled]
CASES: dict[str, Case] = {}
"""All cases by name."""


def case(function: Case) -> Case:
    """Register a case under the name of its function."""
    CASES[function.__name__.replace("_", "-")] = function
    return function


def names(*rules: str) -> frozenset[str]:
    """Names of rules."""
    return frozenset(rules)


COMMON = names("plateau")
"""What nearly every training may show at its end, and which is only worth knowing."""


def draw(name: str, seed: int) -> Labelled:
    """The training of a case with a seed; drawn again until what was meant to go wrong really did."""
    for attempt in range(40):
        rng = np.random.default_rng([seed, attempt, sum(map(ord, name))])
        found = CASES[name](rng)
        if found.truth:
            style = STYLES[seed % len(STYLES)]
            rows = [
                Row(row.step, {style.get(t, t): v for t, v in row.scalars.items()}, row.tensors, row.seconds)
                for row in found.rows
            ]
            found.rows = rows
            return found
    raise RuntimeError(f"{name}: what was meant to happen did not, in 40 attempts of seed {seed}")


def records(rows: Iterable[Row], start: float = 1.7e9) -> list[Record]:
    """The records of some rows; those that follow each other with the same tags share one."""
    found: list[Record] = []
    batch: list[tuple[float, float, tuple[float, ...]]] = []
    tags: tuple[str, ...] = ()
    now = start

    def flush() -> None:
        if batch:
            steps, times, values = zip(*batch, strict=True)
            found.append(ScalarRows(tags, *(np.array(c, dtype=np.float64).tobytes() for c in (steps, times, values))))
            batch.clear()

    for row in rows:
        now += row.seconds
        if tuple(row.scalars) != tags:
            flush()
            tags = tuple(row.scalars)
        batch.append((float(row.step), now, tuple(row.scalars.values())))
        for tag, tensor in row.tensors.items():
            found.append(histogram(tag, tensor, row.step, now))
    flush()
    return found


def histogram(tag: str, tensor: Array, step: float, now: float) -> HistogramRecord:
    """The histogram of a tensor, as a writer logs it."""
    values = tensor.ravel()
    finite = values[np.isfinite(values)]
    nan, inf = int(np.isnan(values).sum()), int(np.isinf(values).sum())
    if not len(finite):
        return HistogramRecord(tag, step, now, [], [], nan, inf)
    low, high = float(finite.min()), float(finite.max())
    top = high if high > low else low + max(abs(low), 1.0) * 1e-6
    if not math.isfinite(top - low):
        return HistogramRecord(tag, step, now, [low, high], [float(len(finite))], nan, inf, low, high)
    counts, edges = np.histogram(finite, 30, (low, top))
    return HistogramRecord(
        tag,
        step,
        now,
        edges.tolist(),
        counts.tolist(),
        nan,
        inf,
        low,
        high,
        float(finite.mean()),
        float(finite.std()),
        int((finite == 0).sum()),
    )


def fill(store: Store, name: str, found: Labelled) -> None:
    """Put a training into a store."""
    source = store.source(name, f"{name}.jsonl")
    store.append(source, [Config(dict(found.config)), *records(found.rows)])
