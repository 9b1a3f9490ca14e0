"""Points that come class by class at a high rate: the accuracy falls and rises again and again. Shuffling helps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Problem, Row, clusters, training


def _train(rng: np.random.Generator, *, shuffled: bool) -> Iterator[Row]:
    problem = clusters(rng, 8000, 1000, overlap=1.5)
    order = np.argsort(problem.y, kind="stable")
    problem = Problem(problem.x[order], problem.y[order], problem.held_out, problem.classes)
    plan = Plan(steps=1000, rate=lambda _: 0.1, momentum=0.5, evaluate_every=10, shuffled=shuffled, clip=1.0)
    return training(Network([8, 32, 4], rng), problem, plan, rng)


CASE = Case("oscillation", lambda rng: _train(rng, shuffled=False), lambda rng: _train(rng, shuffled=True))
