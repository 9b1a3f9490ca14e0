"""Eight layers of sigmoids: gradients vanish towards the input. With leaky ReLUs all layers learn alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Activation, Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, activation: Activation) -> Iterator[Row]:
    problem = clusters(rng)
    network = Network([8, *[16] * 7, 4], rng, activation=activation)
    return training(network, problem, Plan(steps=200, rate=lambda _: 0.02, tensors_every=10), rng)


CASE = Case("vanishing", lambda rng: _train(rng, "sigmoid"), lambda rng: _train(rng, "leaky"))
