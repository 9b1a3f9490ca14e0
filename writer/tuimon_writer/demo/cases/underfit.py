"""A linear model where no line parts the classes: training and validation are flat and poor. A hidden layer helps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, hidden: list[int]) -> Iterator[Row]:
    problem = clusters(rng, 3000, 1000, classes=10, dims=3, overlap=0.4)
    plan = Plan(steps=900, batch=64, rate=lambda _: 0.02, average=5)
    return training(Network([3, *hidden, 10], rng), problem, plan, rng)


CASE = Case("underfitting", lambda rng: _train(rng, []), lambda rng: _train(rng, [48]))
