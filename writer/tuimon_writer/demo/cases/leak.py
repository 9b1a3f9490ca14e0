"""The validation is logged from the training batch, so the two are the same to the last digit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training


def _train(rng: np.random.Generator, *, twice: bool) -> Iterator[Row]:
    for row in training(Network([8, 32, 4], rng), clusters(rng, 4000, 1000), Plan(steps=300, rate=lambda _: 0.02), rng):
        scalars = dict(row.scalars)
        if twice and "val/loss" in scalars:
            scalars |= {"val/loss": scalars["train/loss"], "val/acc": scalars["train/acc"]}
        yield Row(row.step, scalars)


CASE = Case("leak", lambda rng: _train(rng, twice=True), lambda rng: _train(rng, twice=False))
