"""A rate that goes on rising until the loss climbs far above where it began."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, surface, training


def _train(rng: np.random.Generator, high: float) -> Iterator[Row]:
    network = Network([6, 32, 1], rng, softmax=False, activation="tanh")
    plan = Plan(steps=500, rate=lambda s: 0.01 if s < 200 else 0.01 + (high - 0.01) * (s - 200) / 150, clip=1.0)
    return training(network, surface(rng, 3000, 600), plan, rng)


CASE = Case("divergence", lambda rng: _train(rng, 1.0), lambda rng: _train(rng, 0.01))
