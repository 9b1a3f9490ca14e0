"""One batch with an infinite value: the loss is NaN from then on. Leaving out what is not finite puts it right."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Array, Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, *, checked: bool) -> Iterator[Row]:
    def spoil(step: int, x: Array, _: Array) -> Array:
        if step != 120:
            return x
        x = x.copy()
        x[3, 3] = np.inf
        return np.where(np.isfinite(x), x, 0.0) if checked else x

    plan = Plan(steps=300, rate=lambda _: 0.02)
    return training(Network([8, 32, 4], rng), clusters(rng, 4000, 1000), plan, rng, spoil=spoil)


CASE = Case("nan", lambda rng: _train(rng, checked=False), lambda rng: _train(rng, checked=True))
