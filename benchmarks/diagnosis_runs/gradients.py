"""Trainings whose gradients or weights go wrong: NaN, exploding, vanishing, dead, collapsed."""

from __future__ import annotations

import numpy as np

from benchmarks.diagnosis_runs.base import COMMON, Labelled, case, names
from tuimon_writer.demo.lab import Network, Plan, clusters, surface, training

HURT = names(
    "spike", "divergence", "exploding", "lr-high", "oscillation", "nan", "overfitting", "lr-warmup", "stuck", "chance",
    "dead-layer", "vanishing",
)  # fmt: skip


@case
def rate_far_too_high(rng: np.random.Generator) -> Labelled:
    """A training that goes well until its rate, rising slowly, is far too high; float32 ends in NaN or far above."""
    problem = surface(rng, dims=int(rng.integers(4, 9)))
    steps = int(rng.integers(500, 1500))
    begin = int(steps * rng.uniform(0.3, 0.7))
    low, high = 0.01, rng.uniform(0.5, 2.0)
    network = Network([problem.x.shape[1], 32, 1], rng, softmax=False, activation="tanh")
    plan = Plan(
        steps=steps, rate=lambda s: low if s < begin else low + (high - low) * (s - begin) / (0.3 * steps), clip=1.0
    )
    found = Labelled(list(training(network, problem, plan, rng)), allowed=COMMON | HURT)
    loss = found.values("train/loss")
    best = np.median(loss[max(0, begin - 50) : begin])
    above = np.flatnonzero(loss[begin:] > 4 * loss[:10].mean())
    found.truth = len(above) > 0 and np.median(loss[-20:]) > 3 * loss[:10].mean()
    found.expected = names("divergence")
    found.onset = float(begin + np.flatnonzero(loss[begin:] < 2 * best)[-1]) if found.truth else None
    return found


@case
def diverges_from_the_start(rng: np.random.Generator) -> Labelled:
    """A linear regression with a rate a little above what is stable: the loss grows from the first step."""
    dims = int(rng.integers(3, 10))
    problem = surface(rng, dims=dims, noise=0.2)
    steps = int(rng.integers(200, 600))
    network = Network([dims, 1], rng, softmax=False)
    largest = float(np.linalg.eigvalsh(2 * problem.x.T @ problem.x / len(problem.x))[-1])
    plan = Plan(steps=steps, batch=0, rate=lambda _: (2 + rng_factor) / largest, momentum=0.0)
    rng_factor = rng.uniform(0.01, 0.04)
    found = Labelled(list(training(network, problem, plan, rng)), names("divergence"), COMMON | HURT)
    loss = found.values("train/loss")
    found.truth = bool(np.isfinite(loss).all() and loss[-1] > 5 * loss[0])
    return found


@case
def ends_in_nan(rng: np.random.Generator) -> Labelled:
    """A batch with an infinite value gets into the weights, so that all is NaN from then on."""
    problem = clusters(rng)
    steps = int(rng.integers(200, 800))
    bad = int(steps * rng.uniform(0.1, 0.9))
    network = Network([8, 32, 4], rng)

    def spoil(step: int, x: np.ndarray, _: np.ndarray) -> np.ndarray:
        return np.where(np.arange(x.size).reshape(x.shape) == 3, np.inf, x) if step == bad else x

    found = Labelled(list(training(network, problem, Plan(steps=steps), rng, spoil=spoil)), names("nan"), COMMON | HURT)
    found.onset = float(np.flatnonzero(~np.isfinite(found.values("train/loss")))[0])
    return found


@case
def no_clipping(rng: np.random.Generator) -> Labelled:
    """A deep network with a large initialisation and no clipping: gradients leap, then everything grows."""
    problem = surface(rng)
    steps = int(rng.integers(400, 900))
    network = Network([6, *[24] * 6, 1], rng, activation="leaky", gain=1.0, softmax=False)
    begin = int(steps * rng.uniform(0.3, 0.6))
    grow = rng.uniform(1.004, 1.01)

    def meddle(step: int, net: Network) -> None:
        if step >= begin:
            for w in net.weights:
                w *= grow ** (1 if float(np.abs(w).max()) < 1e3 else 0)

    plan = Plan(steps=steps, rate=lambda _: 1e-3, clip=0.1)
    found = Labelled(list(training(network, problem, plan, rng, meddle=meddle)), names("exploding"), COMMON | HURT)
    norm = found.values("grad_norm")
    found.truth = bool(np.isfinite(norm).all() and np.median(norm[-10:]) > 200 * np.median(norm[:begin]))
    return found


@case
def huge_weights(rng: np.random.Generator) -> Labelled:
    """Weights beyond a million, as histograms show."""
    problem = clusters(rng)
    network = Network([8, 16, 4], rng)
    steps = 300

    def meddle(step: int, net: Network) -> None:
        if step >= 100:
            net.weights[0] *= 1.08

    plan = Plan(steps=steps, rate=lambda _: 0.01, tensors_every=10)
    found = Labelled(list(training(network, problem, plan, rng, meddle=meddle)), names("exploding"), COMMON | HURT)
    found.truth = bool(np.abs(network.weights[0]).max() > 1e6)
    return found


@case
def sigmoid_stack(rng: np.random.Generator) -> Labelled:
    """Eight layers of sigmoids: gradients vanish towards the input, and the loss stays at guessing."""
    problem = clusters(rng)
    depth = int(rng.integers(6, 10))
    network = Network([8, *[16] * depth, 4], rng, activation="sigmoid")
    plan = Plan(steps=int(rng.integers(200, 500)), rate=lambda _: 0.05, tensors_every=20)
    found = Labelled(
        list(training(network, problem, plan, rng)),
        names("vanishing"),
        COMMON | names("chance", "underfitting", "stuck"),
    )
    rows = [row for row in found.rows if row.tensors][-3:]
    first, last = (float(np.median([row.tensors[f"gradients/layer{n}"].std() for row in rows])) for n in (0, depth))
    found.truth = first < 1e-3 * last
    return found


@case
def healthy_deep(rng: np.random.Generator) -> Labelled:
    """Five layers of leaky ReLUs with He's initialisation: gradients of all layers are alike."""
    problem = clusters(rng)
    network = Network([8, *[24] * 4, 4], rng, activation="leaky")
    plan = Plan(steps=int(rng.integers(300, 700)), rate=lambda _: 0.02, tensors_every=20)
    return Labelled(list(training(network, problem, plan, rng)), allowed=COMMON | names("overfitting"))


@case
def dead_relu(rng: np.random.Generator) -> Labelled:
    """One wild update pushes all units of a layer below zero for good."""
    problem = clusters(rng)
    steps = int(rng.integers(300, 600))
    bad = int(steps * rng.uniform(0.0, 0.6))
    network = Network([8, 24, 24, 4], rng)

    def meddle(step: int, net: Network) -> None:
        if step == bad:
            net.biases[1] -= 200.0

    plan = Plan(steps=steps, rate=lambda _: 0.02, tensors_every=15)
    return Labelled(
        list(training(network, problem, plan, rng, meddle=meddle)),
        names("dead-layer"),
        COMMON | HURT | names("underfitting"),
    )


@case
def too_much_decay(rng: np.random.Generator) -> Labelled:
    """L2 that is far too strong: all weights go to zero."""
    problem = clusters(rng)
    network = Network([8, 32, 4], rng)
    decay = rng.uniform(2.5, 5.0)
    plan = Plan(steps=int(rng.integers(300, 800)), rate=lambda _: 0.02, decay=decay, tensors_every=15)
    found = Labelled(
        list(training(network, problem, plan, rng)), names("collapsed"), COMMON | HURT | names("chance", "underfitting")
    )
    found.truth = float(network.weights[0].std()) < 0.005
    return found
