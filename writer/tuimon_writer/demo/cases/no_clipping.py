"""The norm of the gradients runs away where nothing clips them; clipped, the same training is calm."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, surface, training


def _train(rng: np.random.Generator, clip: float) -> Iterator[Row]:
    problem = surface(rng)
    network = Network([6, 32, 32, 1], rng, activation="leaky", softmax=False)
    rate = 0.1 if clip else 0.5
    return training(network, problem, Plan(steps=400, rate=lambda s: rate * min(1, s / 200), clip=clip), rng)


CASE = Case("exploding", lambda rng: _train(rng, 0.0), lambda rng: _train(rng, 5.0))
