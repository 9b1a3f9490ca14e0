"""How much a setting has to do with a metric over the runs of a search: rank correlation, with the number of runs.

Numbers: Spearman's rho, the correlation of ranks with ties at their mean rank (Spearman, "The proof and measurement of
association between two things", 1904). Everything else: the correlation ratio eta (Pearson, 1905) of the metric's ranks
over the categories, which is the root of H / (n - 1) with the H of Kruskal and Wallis ("Use of ranks in one-criterion
variance analysis", 1952); it has no sign. Both are 0 to 1 in size and see nothing of settings that matter together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tuimon.records import Setting
from tuimon.store.types import Floats, floats

ENOUGH = 6
"""With fewer runs a correlation says nothing."""
SURE = 1.96
"""Standard errors beyond which chance is unlikely (one in twenty)."""


@dataclass(frozen=True, slots=True)
class Importance:
    """What one setting has to do with a metric.

    Attributes:
        setting: The setting.
        size: From 0 (nothing) to 1.
        sign: 1 where the metric grows with the setting, -1 where it falls, 0 for a setting without an order.
        n: How many runs have both.
        values: How many different values the setting has in them.
        likely: Whether it is more than chance gives in one of twenty cases; False with fewer than `ENOUGH` runs.
    """

    setting: str
    size: float
    sign: int
    n: int
    values: int
    likely: bool


def importances(configs: Sequence[Mapping[str, Setting]], metric: Sequence[float | None]) -> list[Importance]:
    """What each setting has to do with a metric, the most important one first.

    Args:
        configs: Settings of each run.
        metric: The metric of each run; None and values that are not finite are left out.

    Returns:
        The settings that have at least two values among the runs with a metric. A setting without an order that is
        different in more than half of the runs (a name, a path) is left out.
    """
    known = [(config, value) for config, value in zip(configs, metric, strict=True) if _is_finite(value)]
    found = []
    for setting in dict.fromkeys(key for config, _ in known for key in config):
        pairs = [(config[setting], value) for config, value in known if setting in config]
        one = _importance(setting, [a for a, _ in pairs], floats([float(b or 0.0) for _, b in pairs]))
        if one is not None:
            found.append(one)
    return sorted(found, key=lambda one: (-one.size, one.setting))


def _importance(setting: str, values: Sequence[Setting], metric: Floats) -> Importance | None:
    n = len(values)
    if n < 2:
        return None
    ranks = rank(metric)
    numbers = as_numbers(values)
    if numbers is not None:
        different = len(np.unique(numbers))
        if different < 2:
            return None
        rho = correlation(rank(numbers), ranks)
        likely = n >= ENOUGH and abs(rho) * math.sqrt(n - 1) > SURE
        return Importance(setting, abs(rho), (rho > 0) - (rho < 0), n, different, likely)
    names = [repr(value) for value in values]
    categories = dict.fromkeys(names)
    if len(categories) < 2 or len(categories) > n / 2:
        return None
    spread = float(((ranks - ranks.mean()) ** 2).sum())
    if not spread:
        return Importance(setting, 0.0, 0, n, len(categories), False)
    between = 0.0
    for category in categories:
        own = ranks[[name == category for name in names]]
        between += len(own) * float(own.mean() - ranks.mean()) ** 2
    explained = min(between / spread, 1.0)
    degrees = len(categories) - 1
    likely = n >= ENOUGH and explained * (n - 1) > degrees + SURE * math.sqrt(2 * degrees)  # mean and spread of chi²
    return Importance(setting, math.sqrt(explained), 0, n, len(categories), likely)


def as_numbers(values: Sequence[Setting]) -> Floats | None:
    """Settings as finite numbers, true and false as 1 and 0; None where one of them is something else."""
    found = []
    for value in values:
        if not isinstance(value, (bool, int, float)):
            return None
        try:
            found.append(float(value))
        except OverflowError:
            return None
        if not math.isfinite(found[-1]):
            return None
    return floats(found)


def rank(values: Floats) -> Floats:
    """Ranks from 1, equal values at the mean of their ranks."""
    _, at, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    result: Floats = (ends - (counts - 1) / 2)[at]
    return result


def correlation(a: Floats, b: Floats) -> float:
    """Pearson's correlation; 0 where one of them is constant."""
    a, b = a - a.mean(), b - b.mean()
    size = math.sqrt(float((a * a).sum()) * float((b * b).sum()))
    return max(-1.0, min(1.0, float((a * b).sum()) / size)) if size else 0.0


def _is_finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)
