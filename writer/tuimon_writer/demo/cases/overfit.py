"""Sixty points and a large network: the validation loss turns, the training loss does not. More data put it right."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, points: int) -> Iterator[Row]:
    problem = clusters(rng, points, 400, overlap=1.8, wrong=0.1)
    return training(Network([8, 48, 4], rng), problem, Plan(steps=500, batch=16, rate=lambda _: 0.02), rng)


CASE = Case("overfitting", lambda rng: _train(rng, 60), lambda rng: _train(rng, 6000))
