"""The settings name a cosine, but the scheduler is never stepped: the rate stays what it was."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tuimon_writer.demo.cases.base import Case
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training

STEPS = 400


def _train(rng: np.random.Generator, *, stepped: bool) -> Iterator[Row]:
    def rate(step: int) -> float:
        return 0.02 * (0.5 * (1 + math.cos(math.pi * step / STEPS)) if stepped else 1.0)

    return training(Network([8, 32, 4], rng), clusters(rng, 4000, 1000), Plan(steps=STEPS, rate=rate), rng)


SETTINGS = {"lr_scheduler": "cosine", "max_steps": STEPS}
CASE = Case("lr-constant", lambda rng: _train(rng, stepped=False), lambda rng: _train(rng, stepped=True), SETTINGS)
