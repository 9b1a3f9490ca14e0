"""A layer whose units are all pushed below zero: its output and its gradients are zero from then on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, push: float) -> Iterator[Row]:
    network = Network([8, 24, 24, 4], rng)

    def meddle(step: int, net: Network) -> None:
        if step == 60:
            net.biases[1] -= push

    plan = Plan(steps=200, rate=lambda _: 0.02, tensors_every=10)
    return training(network, clusters(rng, 4000, 1000), plan, rng, meddle=meddle)


CASE = Case("dead-layer", lambda rng: _train(rng, 100.0), lambda rng: _train(rng, 0.0))
