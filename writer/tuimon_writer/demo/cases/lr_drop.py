"""The rate falls to a thousandth at one stroke, and the loss stands still."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, surface, training


def _train(rng: np.random.Generator, after: float) -> Iterator[Row]:
    network = Network([6, 48, 1], rng, softmax=False, activation="tanh")
    plan = Plan(steps=600, rate=lambda s: 0.01 if s < 150 else after, momentum=0.5)
    return training(network, surface(rng, 2000), plan, rng)


CASE = Case("lr-drop", lambda rng: _train(rng, 1e-5), lambda rng: _train(rng, 0.005))
