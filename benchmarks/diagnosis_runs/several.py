"""Runs of one setting that differ in their seed."""

from __future__ import annotations

import numpy as np

from benchmarks.diagnosis_runs.base import COMMON, Labelled, names
from tuimon_writer.demo.lab import Network, Plan, clusters, training


def seeds(seed: int, *, apart: bool) -> list[Labelled]:
    """Five runs of a setting; with ``apart`` the last one begins so badly that it hardly learns."""
    steps = int(np.random.default_rng(seed).integers(400, 800))
    problem = clusters(np.random.default_rng([seed, 1]), 3000, 1000, overlap=1.5)
    runs = []
    for number in range(5):
        rng = np.random.default_rng([seed, number, 2])
        network = Network([8, 32, 4], rng)
        bad = apart and number == 4
        if bad:
            network.biases[0] -= 12.0
        rows = list(training(network, problem, Plan(steps=steps, rate=lambda _: 0.01), rng))
        runs.append(
            Labelled(
                rows,
                names("seeds") if bad else frozenset(),
                COMMON | names("chance", "underfitting") if bad else COMMON,
                {"lr": 0.01, "steps": steps, "group": seed, "seed": number},
            )
        )
    return runs
