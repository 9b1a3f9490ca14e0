"""The rate falls so early that the validation accuracy stands still; with a longer schedule it goes on rising."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, length: float) -> Iterator[Row]:
    problem = clusters(rng, 2000, 1000, classes=8, overlap=1.2)
    plan = Plan(steps=800, batch=32, rate=lambda s: 0.01 * np.exp(-s / length), momentum=0.5)
    return training(Network([8, 32, 8], rng), problem, plan, rng)


CASE = Case("plateau", lambda rng: _train(rng, 70.0), lambda rng: _train(rng, 4000.0))
