"""The first layer is cut off, as by a stray normalisation: its gradient is zero from the beginning."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, *, cut: bool) -> Iterator[Row]:
    network = Network([8, 24, 24, 4], rng)
    plan = Plan(steps=200, rate=lambda _: 0.02, tensors_every=10)
    for row in training(network, clusters(rng, 4000, 1000), plan, rng):
        first = "gradients/layer0"
        if cut and first in row.tensors:
            row = Row(row.step, row.scalars, {**row.tensors, first: np.zeros_like(row.tensors[first])})
        yield row


CASE = Case("dead-layer", lambda rng: _train(rng, cut=True), lambda rng: _train(rng, cut=False))
