"""Trainings that learn too much, too little, or nothing."""

from __future__ import annotations

import numpy as np

from benchmarks.diagnosis_runs.base import COMMON, Labelled, case, names
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, surface, training


@case
def tiny_data(rng: np.random.Generator) -> Labelled:
    """Few points, wrong labels among them, a large network: the validation loss turns."""
    problem = clusters(rng, 60, 400, overlap=1.8, wrong=0.15)
    steps = int(rng.integers(600, 1500))
    plan = Plan(steps=steps, batch=16, rate=lambda _: 0.05, evaluate_every=20)
    found = Labelled(list(training(Network([8, 64, 64, 4], rng), problem, plan, rng)), names("overfitting"), COMMON)
    val = found.values("val/loss")
    found.truth = bool(val[-1] > 1.2 * val.min() and val.argmin() < 0.6 * len(val))
    return found


@case
def overfit_by_epoch(rng: np.random.Generator) -> Labelled:
    """Few evaluations, a point an epoch, as most scripts log."""
    problem = clusters(rng, 80, 400, overlap=1.8, wrong=0.15)
    epochs, each = int(rng.integers(20, 50)), 12
    plan = Plan(steps=epochs * each, batch=16, rate=lambda _: 0.01, evaluate_every=each, average=each)
    rows: list[Row] = []
    waiting: dict[str, float] = {}
    for row in training(Network([8, 64, 4], rng), problem, plan, rng):
        kept = {tag: v for tag, v in row.scalars.items() if tag.startswith(("train", "val"))}
        if "train/loss" in kept:
            rows.append(Row(row.step // each, {**waiting, **kept}, {}, 3.0))
        elif kept:
            waiting = kept
    found = Labelled(rows, names("overfitting"), COMMON)
    val = found.values("val/loss")
    middle = np.convolve(val, np.ones(3) / 3, "valid")
    found.truth = bool(np.median(val[-5:]) > 1.25 * middle.min() and 1 <= middle.argmin() < 0.6 * len(middle))
    return found


@case
def regression_overfit(rng: np.random.Generator) -> Labelled:
    """The same with squared errors, and no accuracy."""
    problem = surface(rng, 40, 300, noise=0.5)
    steps = int(rng.integers(800, 2000))
    network = Network([6, 64, 1], rng, softmax=False, activation="tanh")
    found = Labelled(
        list(training(network, problem, Plan(steps=steps, batch=16, rate=lambda _: 0.02), rng)),
        names("overfitting"),
        COMMON,
    )
    val = found.values("val/loss")
    found.truth = bool(val[-1] > 1.15 * val.min() and val.argmin() < 0.5 * len(val))
    return found


@case
def enough_data(rng: np.random.Generator) -> Labelled:
    """Plenty of points: training and validation go together."""
    problem = clusters(rng, 4000, 1000, overlap=float(rng.uniform(1, 2)))
    plan = Plan(steps=int(rng.integers(400, 1200)), rate=lambda _: 0.02)
    return Labelled(list(training(Network([8, 32, 4], rng), problem, plan, rng)), allowed=COMMON)


@case
def wrong_labels(rng: np.random.Generator) -> Labelled:
    """A third of all labels is random: the loss stays high, and that is all there is to learn. Healthy but for that."""
    problem = clusters(rng, 4000, 1000, wrong=0.35, wrong_held_out=0.35)
    plan = Plan(steps=int(rng.integers(600, 1200)), rate=lambda _: 0.02)
    return Labelled(
        list(training(Network([8, 32, 4], rng), problem, plan, rng)), allowed=COMMON | names("underfitting")
    )


@case
def too_simple(rng: np.random.Generator) -> Labelled:
    """A linear model where no line parts the classes: training and validation stay poor, and alike."""
    problem = clusters(rng, 3000, 1000, classes=6, dims=3, overlap=0.7)
    plan = Plan(steps=int(rng.integers(500, 1200)), batch=64, rate=lambda _: 0.02, average=5)
    found = Labelled(list(training(Network([3, 6], rng), problem, plan, rng)), names("underfitting"), COMMON)
    accuracy = found.values("train/acc")
    found.truth = bool(np.median(accuracy[-40:]) < 0.72)
    return found


@case
def same_data(rng: np.random.Generator) -> Labelled:
    """A leak of the plainest kind: the validation is the training batch, logged twice."""
    plan = Plan(steps=int(rng.integers(200, 800)), rate=lambda _: 0.02, evaluate_every=10)
    rows = []
    for row in training(Network([8, 32, 4], rng), clusters(rng), plan, rng):
        twice = (
            {"val/loss": row.scalars["train/loss"], "val/acc": row.scalars["train/acc"]}
            if "val/loss" in row.scalars
            else {}
        )
        rows.append(Row(row.step, {**row.scalars, **twice}))
    return Labelled(rows, names("leak"), COMMON)


@case
def swapped_names(rng: np.random.Generator) -> Labelled:
    """An overfitting training whose two losses are logged under each other's name."""
    found = tiny_data(rng)
    rows = []
    for row in found.rows:
        if "val/loss" in row.scalars:
            mine = {"train/loss": row.scalars["val/loss"], "val/loss": row.scalars["train/loss"]}
            rows.append(Row(row.step, {**mine, "lr": row.scalars["lr"]}))
    return Labelled(rows, names("leak"), COMMON | names("divergence", "lr-high"), truth=found.truth)


@case
def random_labels(rng: np.random.Generator) -> Labelled:
    """Labels without any relation to the data, each seen once: no better than guessing."""
    classes = int(rng.choice([2, 4, 10]))
    problem = clusters(rng, 60_000, 500, classes=classes, wrong=1.0, wrong_held_out=1.0)
    plan = Plan(steps=int(rng.integers(300, 800)), batch=64, rate=lambda _: 0.003)
    return Labelled(
        list(training(Network([8, 16, classes], rng, gain=0.1), problem, plan, rng)),
        names("chance"),
        COMMON | names("underfitting"),
        {"num_classes": classes},
    )


@case
def one_class_only(rng: np.random.Generator) -> Labelled:
    """All units are dead from the beginning, and the output's bias is frozen: the loss repeats the same number."""
    problem = clusters(rng)

    def meddle(_: int, net: Network) -> None:
        net.biases[0][:] = -1e3
        net.biases[1][:] = 0.0

    plan = Plan(steps=int(rng.integers(200, 500)), batch=0, rate=lambda _: 0.05, evaluate_every=10)
    rows = list(training(Network([8, 16, 4], rng), problem, plan, rng, meddle=meddle))
    rows = [Row(row.step, {t: v for t, v in row.scalars.items() if t != "grad_norm"}) for row in rows]
    return Labelled(rows, names("stuck"), COMMON | names("chance", "underfitting", "leak", "dead-layer"))


@case
def stands_still(rng: np.random.Generator) -> Labelled:
    """A validation loss that is as good as it gets after a quarter of the time, well above zero."""
    problem = clusters(rng, 5000, 2000, overlap=2.5)
    steps = int(rng.integers(1500, 2500))
    plan = Plan(steps=steps, batch=64, rate=lambda s: max(0.002, 0.05 * np.exp(-12 * s / steps)), evaluate_every=20)
    found = Labelled(
        list(training(Network([8, 12, 4], rng), problem, plan, rng)), names("plateau"), COMMON | names("underfitting")
    )
    val = found.values("val/loss")
    fifth = len(val) // 5
    found.truth = bool(val[-2 * fifth : -fifth].mean() - val[-fifth:].mean() < 0.004 * val[-1])
    return found
