"""Weights grow beyond 1e6 in a deep linear-like network whose rate is too high; a small rate keeps them in bounds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, rate: float) -> Iterator[Row]:
    problem = clusters(rng)
    network = Network([8, 24, 24, 24, 4], rng, activation="leaky")
    return training(network, problem, Plan(steps=300, rate=lambda s: rate * s / 300, tensors_every=10), rng)


CASE = Case("exploding", lambda rng: _train(rng, 30.0), lambda rng: _train(rng, 0.03))
