"""Trainings that are well, of shapes that fool simple rules."""

from __future__ import annotations

import numpy as np

from benchmarks.diagnosis_runs.base import COMMON, Labelled, case, names
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, surface, training


@case
def small_batches(rng: np.random.Generator) -> Labelled:
    """Batches of two to four: the loss of each step is all noise."""
    plan = Plan(
        steps=int(rng.integers(1500, 3000)), batch=int(rng.integers(2, 5)), rate=lambda _: 0.003, evaluate_every=50
    )
    rows = list(training(Network([8, 32, 4], rng), clusters(rng, 4000, 1000, overlap=1.5), plan, rng))
    return Labelled(rows, allowed=COMMON)


@case
def few_to_validate_on(rng: np.random.Generator) -> Labelled:
    """Fifty to a hundred and fifty points for validation, so that its accuracy jumps by itself."""
    problem = clusters(rng, 4000, int(rng.integers(50, 150)), overlap=float(rng.uniform(1.5, 2.5)))
    plan = Plan(steps=int(rng.integers(800, 1600)), batch=64, rate=lambda _: 0.01, evaluate_every=20)
    return Labelled(
        list(training(Network([8, 16, 4], rng), problem, plan, rng)), allowed=COMMON | names("underfitting")
    )


@case
def slow_and_steady(rng: np.random.Generator) -> Labelled:
    """A small rate: the loss falls all the time, slowly."""
    network = Network([6, 48, 1], rng, softmax=False, activation="tanh")
    rate = rng.uniform(0.001, 0.003)
    plan = Plan(steps=int(rng.integers(800, 1600)), batch=128, rate=lambda _: rate, momentum=0.8)
    found = Labelled(list(training(network, surface(rng, 4000, 1000), plan, rng)))
    loss = found.values("val/loss")
    found.truth = bool(np.median(loss[-5:]) < 0.96 * np.median(loss[int(0.6 * len(loss)) :][:5]))
    return found


@case
def spikes_that_recover(rng: np.random.Generator) -> Labelled:
    """Now and then a batch of nonsense throws the loss up; it recovers, as in large language models."""
    steps = int(rng.integers(1200, 2500))
    bad = set((rng.uniform(0.2, 0.85, int(rng.integers(1, 4))) * steps).astype(int).tolist())

    def spoil(step: int, x: np.ndarray, _: np.ndarray) -> np.ndarray:
        return 6.0 * x[::-1] if step in bad else x

    plan = Plan(steps=steps, batch=64, rate=lambda _: 0.01, clip=1.0)
    found = Labelled(
        list(training(Network([8, 32, 4], rng), clusters(rng, 4000, 1000, overlap=1.5), plan, rng, spoil=spoil)),
        names("spike"),
        names("plateau", "overfitting"),
    )
    loss = found.values("train/loss")
    found.truth = bool(
        min(loss[step] for step in bad) > 4 * np.median(loss) and np.median(loss[-50:]) < 1.3 * np.median(loss[-400:])
    )
    return found


@case
def fine_tuning(rng: np.random.Generator) -> Labelled:
    """Begins with a network that is trained already, so the loss is low from the start and hardly falls."""
    problem = clusters(rng, 4000, 1000, overlap=1.5)
    network = Network([8, 32, 4], rng)
    list(training(network, problem, Plan(steps=800, rate=lambda _: 0.02), rng))
    plan = Plan(steps=int(rng.integers(300, 800)), batch=64, rate=lambda _: 0.002)
    return Labelled(list(training(network, problem, plan, rng)), allowed=COMMON)


@case
def adversarial(rng: np.random.Generator) -> Labelled:
    """Two networks against each other on points of one dimension: their losses go up and down, and are to."""

    def real(n: int) -> np.ndarray:
        return np.concatenate([rng.normal(-2, 0.4, n // 2), rng.normal(2, 0.4, n - n // 2)])[:, None]

    generator = Network([2, 24, 1], rng, activation="leaky", softmax=False)
    judge = Network([1, 24, 2], rng, activation="leaky")
    rate, rows = rng.uniform(0.01, 0.03), []
    for step in range(int(rng.integers(800, 1500))):
        z = rng.normal(0, 1, (64, 2))
        fake = generator.forward(z)
        x, y = np.concatenate([real(64), fake]), np.repeat([1, 0], 64)
        d_loss, d_acc, gradient = judge.loss(x, y)
        for p, g in zip(judge.parameters, judge.backward(gradient), strict=True):
            p -= rate * g
        fake = generator.forward(z)
        g_loss, _, gradient = judge.loss(fake, np.ones(64, int))
        for number in range(len(judge.weights) - 1, -1, -1):  # down to the input of the judge
            gradient = gradient @ judge.weights[number].T
            if number:
                gradient = gradient * judge._slope(judge.hidden[number])
        for p, g in zip(generator.parameters, generator.backward(gradient), strict=True):
            p -= rate * g
        rows.append(
            Row(
                step,
                {
                    "loss/generator": g_loss,
                    "loss/discriminator": d_loss,
                    "loss/total": g_loss + d_loss,
                    "discriminator/acc": d_acc,
                },
            )
        )
    return Labelled(rows, allowed=COMMON)


@case
def agent(rng: np.random.Generator) -> Labelled:
    """A policy gradient on a walk of ten places: returns are noisy, and the losses do not fall."""
    size, rows = 10, []
    policy = np.zeros((size, 2))
    value = np.zeros(size)
    rate = rng.uniform(0.02, 0.08)
    for episode in range(int(rng.integers(500, 1200))):
        place, path, reward = 0, [], 0.0
        for _ in range(40):
            odds = np.exp(policy[place] - policy[place].max())
            odds /= odds.sum()
            action = int(rng.random() < odds[1])
            if rng.random() < 0.2:
                action = 1 - action
            path.append((place, action, odds))
            place = max(0, place + (1 if action else -1))
            if place == size - 1:
                reward = 1.0
                break
        policy_loss = value_loss = 0.0
        for number, (where, action, odds) in enumerate(path):
            gain = reward * 0.97 ** (len(path) - number) - value[where]
            value[where] += 0.1 * gain
            value_loss += gain**2
            policy_loss -= gain * float(np.log(odds[action] + 1e-9))
            gradient = -odds
            gradient[action] += 1
            policy[where] += rate * gain * gradient
        rows.append(
            Row(
                episode,
                {
                    "rollout/ep_rew_mean": reward * 0.97 ** len(path),
                    "rollout/ep_len_mean": float(len(path)),
                    "train/loss": policy_loss + value_loss,
                    "train/value_loss": value_loss,
                    "train/policy_gradient_loss": policy_loss,
                },
            )
        )
    return Labelled(rows, allowed=COMMON | names("throughput"))


@case
def next_letters(rng: np.random.Generator) -> Labelled:
    """A model of the letters of a made-up language (a Markov chain), with clipping and a warm-up."""
    letters, window = 12, 3
    chain = rng.dirichlet(np.full(letters, 0.2), (letters, letters))
    text = [0, 1]
    for _ in range(6_000):
        text.append(int(rng.choice(letters, p=chain[text[-2], text[-1]])))
    codes = np.eye(letters)[np.array(text)]
    x = np.concatenate([codes[i : len(codes) - window + i] for i in range(window)], axis=1)
    y = np.array(text[window:])
    problem = clusters(rng, 4, 4)
    cut = len(x) * 9 // 10
    problem = type(problem)(x[:cut], y[:cut], (x[cut:], y[cut:]), letters)
    steps = int(rng.integers(800, 1500))
    plan = Plan(
        steps=steps, batch=64, adam=True, rate=lambda s: 3e-3 * min(1, (s + 1) / 50), clip=1.0, evaluate_every=50
    )
    network = Network([letters * window, 64, letters], rng)
    return Labelled(list(training(network, problem, plan, rng)), allowed=COMMON | names("overfitting", "underfitting"))


@case
def short_run(rng: np.random.Generator) -> Labelled:
    """Only a few points: too little for any judgement."""
    plan = Plan(steps=int(rng.integers(5, 15)), rate=lambda _: 0.05, evaluate_every=3)
    return Labelled(list(training(Network([8, 16, 4], rng), clusters(rng), plan, rng)))


@case
def half_precision(rng: np.random.Generator) -> Labelled:
    """The norm of the gradients is infinite in the first steps, while the loss scale is found."""
    first = int(rng.integers(1, 6))
    plan = Plan(steps=int(rng.integers(300, 800)), rate=lambda _: 0.02)
    rows = [
        Row(r.step, {**r.scalars, "grad_norm": float("inf")} if r.step < first else r.scalars)
        for r in training(Network([8, 32, 4], rng), clusters(rng, 4000), plan, rng)
    ]
    return Labelled(rows, allowed=COMMON | names("nan"))
