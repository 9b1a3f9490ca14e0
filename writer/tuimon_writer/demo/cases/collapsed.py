"""L2 that is far too strong pulls all weights to zero, and the accuracy stays at guessing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, decay: float) -> Iterator[Row]:
    plan = Plan(steps=300, rate=lambda _: 0.02, decay=decay, tensors_every=10)
    return training(Network([8, 32, 4], rng), clusters(rng, 4000, 1000), plan, rng)


CASE = Case("collapsed", lambda rng: _train(rng, 4.0), lambda rng: _train(rng, 1e-4))
