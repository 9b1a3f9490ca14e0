"""All data at once at a rate beyond the edge of stability: the loss jumps up and down at each step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, surface, training


def _train(rng: np.random.Generator, rate: float, clip: float) -> Iterator[Row]:
    network = Network([4, 16, 1], rng, softmax=False, activation="tanh")
    plan = Plan(steps=300, batch=0, rate=lambda _: rate, momentum=0.0, clip=clip)
    return training(network, surface(rng, 300, dims=4, noise=0.05), plan, rng)


CASE = Case("oscillation", lambda rng: _train(rng, 1.0, 1.0), lambda rng: _train(rng, 0.1, 5.0))
