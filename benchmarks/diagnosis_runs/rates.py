"""Trainings whose learning rate goes wrong."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.diagnosis_runs.base import COMMON, Labelled, case, names
from tuimon_writer.demo.lab import Network, Plan, Problem, Rate, clusters, surface, training

HURT = names("spike", "divergence", "oscillation", "exploding", "nan", "lr-high", "lr-warmup")


@case
def schedule_never_stepped(rng: np.random.Generator) -> Labelled:
    """The settings name a cosine, and the rate stays where it is."""
    steps = int(rng.integers(300, 900))
    kind = ("cosine", "linear", "polynomial", "cosine_with_restarts")[int(rng.integers(0, 4))]
    plan = Plan(steps=steps, rate=lambda _: 0.05)
    rows = list(training(Network([8, 32, 4], rng), clusters(rng), plan, rng))
    return Labelled(
        rows, names("lr-constant"), COMMON | names("overfitting"), {"lr_scheduler_type": kind, "max_steps": steps}
    )


@case
def no_schedule(rng: np.random.Generator) -> Labelled:
    """A constant rate that is meant so."""
    steps = int(rng.integers(300, 900))
    kind = ("constant", "none", None)[int(rng.integers(0, 3))]
    plan = Plan(steps=steps, rate=lambda _: 0.02)
    rows = list(training(Network([8, 32, 4], rng), clusters(rng), plan, rng))
    return Labelled(rows, allowed=COMMON | names("overfitting"), config={"lr_scheduler_type": kind, "max_steps": steps})


@case
def rate_cut(rng: np.random.Generator) -> Labelled:
    """The rate falls to a tiny part at one stroke, and the training stands still."""
    steps = int(rng.integers(600, 1500))
    at = int(steps * rng.uniform(0.1, 0.4))
    cut = 10 ** -rng.uniform(2.0, 4.0)
    plan = Plan(steps=steps, rate=lambda s: 0.01 if s < at else 0.01 * cut, momentum=0.5)
    network = Network([6, 48, 1], rng, softmax=False, activation="tanh")
    rows = list(training(network, surface(rng, 2000), plan, rng))
    return Labelled(rows, names("lr-drop"), COMMON, onset=float(at))


@case
def step_decay(rng: np.random.Generator) -> Labelled:
    """A rate that is divided at milestones, once to three times: healthy."""
    steps = int(rng.integers(600, 1500))
    by = float(rng.choice([0.1, 0.2, 0.5]))
    milestones = sorted(rng.uniform(0.4, 0.9, int(rng.integers(1, 4))) * steps)
    plan = Plan(steps=steps, rate=lambda s: 0.05 * by ** sum(s >= m for m in milestones))
    rows = list(training(Network([8, 32, 4], rng), clusters(rng, overlap=2.0), plan, rng))
    return Labelled(rows, allowed=COMMON | names("overfitting"))


def warm_restarts(steps: int, cycles: int, high: float) -> Rate:
    """A cosine that starts again so many times."""
    length = steps / cycles
    return lambda s: 0.5 * high * (1 + math.cos(math.pi * (s % length) / length))


@case
def restarts(rng: np.random.Generator) -> Labelled:
    """Warm restarts: the loss rises a little at each, and falls again. Healthy."""
    steps, cycles = int(rng.integers(800, 1600)), int(rng.integers(2, 5))
    steps = steps + int(rng.integers(0, steps // cycles))
    plan = Plan(steps=steps, rate=warm_restarts(steps, cycles, rng.uniform(0.05, 0.2)))
    rows = list(training(Network([8, 32, 4], rng), clusters(rng, 2000, overlap=2.0), plan, rng))
    return Labelled(rows, allowed=COMMON | names("overfitting", "lr-warmup"))


@case
def cycles(rng: np.random.Generator) -> Labelled:
    """A triangular cyclic rate. Healthy."""
    steps, length = int(rng.integers(800, 1600)), int(rng.integers(150, 400))
    low, high = 0.005, rng.uniform(0.05, 0.2)
    plan = Plan(steps=steps, rate=lambda s: low + (high - low) * (1 - abs(2 * (s % length) / length - 1)))
    rows = list(training(Network([8, 32, 4], rng), clusters(rng, 2000, overlap=2.0), plan, rng))
    return Labelled(rows, allowed=COMMON | names("overfitting", "lr-warmup"))


@case
def warm_up_and_cosine(rng: np.random.Generator) -> Labelled:
    """The usual schedule. Healthy."""
    steps = int(rng.integers(500, 1500))
    warm = int(0.05 * steps)
    high = rng.uniform(0.02, 0.1)
    plan = Plan(
        steps=steps, rate=lambda s: high * min(1, (s + 1) / warm) * 0.5 * (1 + math.cos(math.pi * s / steps)), clip=1.0
    )
    rows = list(training(Network([8, 32, 4], rng), clusters(rng, 3000, overlap=2.0), plan, rng))
    config = {"lr_scheduler_type": "cosine", "warmup_steps": warm, "max_steps": steps}
    return Labelled(rows, allowed=COMMON, config=config)


@case
def missing_warm_up(rng: np.random.Generator) -> Labelled:
    """A warm-up is configured, and the rate begins at its most."""
    steps = int(rng.integers(400, 1000))
    plan = Plan(steps=steps, rate=lambda s: 0.05 * (1 - s / steps))
    rows = list(training(Network([8, 32, 4], rng), clusters(rng), plan, rng))
    config = {"warmup_steps": int(0.1 * steps), "lr_scheduler_type": "linear"}
    return Labelled(rows, names("lr-warmup"), COMMON | names("overfitting"), config)


@case
def bounces(rng: np.random.Generator) -> Labelled:
    """All data at once, at a rate beyond the edge of stability: the loss goes up and down and gets nowhere."""
    problem = surface(rng, 300, dims=4, noise=0.05)
    steps = int(rng.integers(200, 500))
    network = Network([4, 16, 1], rng, softmax=False, activation="tanh")
    rate = rng.uniform(0.5, 2.0)
    rows = list(
        training(network, problem, Plan(steps=steps, batch=0, rate=lambda _: rate, momentum=0.0, clip=1.0), rng)
    )
    found = Labelled(rows, names("oscillation"), COMMON | HURT | names("throughput"))
    loss = found.values("train/loss")
    half = loss[len(loss) // 2 :]
    way = np.sign(np.diff(half))
    turning = float((way[1:] != way[:-1]).mean()) if np.isfinite(half).all() else 0.0
    found.truth = bool(turning > 0.95 and np.median(np.abs(np.diff(half))) > 0.2 * np.median(half))
    return found


@case
def roller_coaster(rng: np.random.Generator) -> Labelled:
    """Points that come class by class, at a high rate: the accuracy falls and rises again and again."""
    problem = clusters(rng, int(rng.integers(6000, 12000)), overlap=1.5)
    order = np.argsort(problem.y, kind="stable")
    problem = Problem(problem.x[order], problem.y[order], problem.held_out, problem.classes)
    steps = int(rng.integers(800, 1500))
    network = Network([8, 32, 32, 4], rng)
    rate = rng.uniform(0.05, 0.2)
    plan = Plan(steps=steps, rate=lambda _: rate, evaluate_every=10, shuffled=False, momentum=0.5)
    rows = list(training(network, problem, plan, rng))
    found = Labelled(
        rows, names("oscillation"), COMMON | HURT | names("underfitting", "chance", "dead-layer", "overfitting")
    )
    accuracy = found.values("val/acc")
    half = accuracy[len(accuracy) // 2 :]
    swings = half - np.convolve(np.pad(half, 7, "edge"), np.ones(15) / 15, "valid")
    found.truth = bool(np.percentile(swings, 90) - np.percentile(swings, 10) > 0.15)
    return found


@case
def warm_up_goes_too_far(rng: np.random.Generator) -> Labelled:
    """The loss turns upwards while the rate still rises."""
    steps = int(rng.integers(600, 1200))
    high = rng.uniform(0.5, 2.0)
    network = Network([6, 32, 1], rng, softmax=False, activation="tanh")
    rows = list(training(network, surface(rng), Plan(steps=steps, rate=lambda s: high * s / steps, clip=1.0), rng))
    found = Labelled(rows, names("lr-high"), COMMON | HURT | names("overfitting"))
    loss = found.values("train/loss")
    smooth = np.convolve(loss, np.ones(21) / 21, "valid")
    best = int(smooth.argmin())
    found.truth = bool(
        best < 0.8 * steps
        and smooth[-1] > smooth[best] + 0.5 * (smooth[0] - smooth[best])
        and smooth[0] > 2 * smooth[best]
    )
    return found
