"""Small real trainings in which something can go wrong: dense networks of any depth, trained on made-up data.

Nothing here logs: `training` yields what a training script would log, a row a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Activation = Literal["relu", "leaky", "sigmoid", "tanh"]


@dataclass(frozen=True)
class Row:
    """What one step logs.

    Attributes:
        step: The step.
        scalars: Values by tag.
        tensors: What histograms are made of, by tag.
        seconds: How long the step took.
    """

    step: int
    scalars: Mapping[str, float]
    tensors: Mapping[str, Array] = field(default_factory=dict)
    seconds: float = 0.1


@dataclass(frozen=True)
class Problem:
    """Data to learn from.

    Attributes:
        x, y: Training points of shape (n, d), and classes (n,) or values (n, k).
        held_out: The same for validation.
        classes: Number of classes; 0 for a regression.
    """

    x: Array
    y: Array
    held_out: tuple[Array, Array]
    classes: int


def clusters(
    rng: np.random.Generator, n: int = 600, held_out: int = 300, *, classes: int = 4, dims: int = 8,
    overlap: float = 1.0, wrong: float = 0.0, wrong_held_out: float = 0.0,
) -> Problem:  # fmt: skip
    """Classes of two clusters each, so that no line parts them; ``wrong`` is the share of labels that are random."""
    centres = rng.normal(0, 2.0, (classes, 2, dims))

    def draw(count: int, flips: float) -> tuple[Array, Array]:
        y = rng.integers(0, classes, count)
        x = centres[y, rng.integers(0, 2, count)] + rng.normal(0, overlap, (count, dims))
        flipped = rng.random(count) < flips
        y[flipped] = rng.integers(0, classes, int(flipped.sum()))
        return x, y

    return Problem(*draw(n, wrong), draw(held_out, wrong_held_out), classes)


def surface(
    rng: np.random.Generator, n: int = 600, held_out: int = 300, *, dims: int = 6, noise: float = 0.1
) -> Problem:
    """Values of a smooth function of several numbers, with noise."""
    a, b = rng.normal(0, 1.0, (dims, 3)), rng.normal(0, 1.0, 3)

    def draw(count: int) -> tuple[Array, Array]:
        x = rng.normal(0, 1.0, (count, dims))
        return x, (np.sin(x @ a) @ b + noise * rng.normal(0, 1, count))[:, None]

    return Problem(*draw(n), draw(held_out), 0)


class Network:
    """Dense layers with one activation; softmax with cross-entropy, or a linear output with squared error."""

    def __init__(
        self, sizes: list[int], rng: np.random.Generator, *, activation: Activation = "relu", gain: float = 1.0,
        softmax: bool = True,
    ) -> None:  # fmt: skip
        two = 2.0 if activation in ("relu", "leaky") else 1.0
        self.weights = [rng.normal(0, gain * np.sqrt(two / a), (a, b)) for a, b in pairwise(sizes)]
        self.biases = [np.zeros(b) for b in sizes[1:]]
        self.activation = activation
        self.softmax = softmax
        self.hidden: list[Array] = []

    @property
    def parameters(self) -> list[Array]:
        """Weights of all layers, then biases."""
        return [*self.weights, *self.biases]

    def forward(self, x: Array) -> Array:
        """The output; what the layers give stays in ``hidden``."""
        self.hidden = [x]
        for number, (w, b) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = x @ w + b
            if number < len(self.weights) - 1:
                x = self._act(x)
            self.hidden.append(x)
        return x

    def _act(self, x: Array) -> Array:
        if self.activation == "sigmoid":
            result: Array = 1 / (1 + np.exp(-np.clip(x, -60, 60)))
        elif self.activation == "tanh":
            result = np.tanh(x)
        else:
            result = np.maximum(x, 0.1 * x if self.activation == "leaky" else 0.0)
        return result

    def _slope(self, out: Array) -> Array:
        if self.activation == "sigmoid":
            result: Array = out * (1 - out)
        elif self.activation == "tanh":
            result = 1 - out**2
        else:
            result = np.where(out > 0, 1.0, 0.1 if self.activation == "leaky" else 0.0)
        return result

    def loss(self, x: Array, y: Array) -> tuple[float, float, Array]:
        """Loss, accuracy (or 0), and the gradient at the output."""
        out = self.forward(x)
        n = len(x)
        if not self.softmax:
            error = out - y
            return float((error**2).mean()), 0.0, 2 * error / error.size
        shifted = out - out.max(axis=1, keepdims=True)
        log_sum = np.log(np.exp(shifted).sum(axis=1))
        loss = float((log_sum - shifted[np.arange(n), y]).mean())
        gradient = np.exp(shifted - log_sum[:, None])
        gradient[np.arange(n), y] -= 1
        return loss, float((out.argmax(axis=1) == y).mean()), gradient / n

    def backward(self, gradient: Array) -> list[Array]:
        """Gradients in the order of ``parameters``."""
        by_weight: list[Array] = []
        by_bias: list[Array] = []
        for number in range(len(self.weights) - 1, -1, -1):
            by_weight.append(self.hidden[number].T @ gradient)
            by_bias.append(gradient.sum(axis=0))
            if number:
                gradient = (gradient @ self.weights[number].T) * self._slope(self.hidden[number])
        return [*by_weight[::-1], *by_bias[::-1]]


Rate = Callable[[int], float]


@dataclass(frozen=True)
class Plan:
    """How to train.

    Attributes:
        steps, batch: Number of steps, and of points a step; 0 for all points.
        rate: Learning rate by step.
        adam: Adam rather than SGD with momentum.
        momentum, decay, clip: As usual; ``decay`` is L2, ``clip`` the largest norm of gradients (0 for none).
        evaluate_every: Steps between evaluations.
        tensors_every: Steps between histograms; 0 for none.
        shuffled: Whether batches are drawn at random; otherwise the points come in their order, again and again.
        average: How many steps a logged training loss is the mean of; 1 for each by itself.
    """

    steps: int = 600
    batch: int = 32
    rate: Rate = lambda _: 0.1
    adam: bool = False
    momentum: float = 0.9
    decay: float = 0.0
    clip: float = 0.0
    evaluate_every: int = 20
    tensors_every: int = 0
    shuffled: bool = True
    average: int = 1


def training(
    network: Network, problem: Problem, plan: Plan, rng: np.random.Generator,
    *, meddle: Callable[[int, Network], None] | None = None, spoil: Callable[[int, Array, Array], Array] | None = None,
) -> Iterator[Row]:  # fmt: skip
    """Train, and yield what is logged.

    Args:
        network: What is trained.
        problem: On what.
        plan: How.
        rng: Source of randomness.
        meddle: Called before each step: what goes wrong with the network.
        spoil: Called with step, points and classes of each batch; gives the points that are trained on.
    """
    velocity = [np.zeros_like(p) for p in network.parameters]
    squares = [np.zeros_like(p) for p in network.parameters]
    losses: list[float] = []
    accuracies: list[float] = []
    for step in range(plan.steps):
        if meddle is not None:
            meddle(step, network)
        rate = plan.rate(step)
        rows = np.arange(len(problem.x))
        if plan.batch and plan.shuffled:
            rows = rng.integers(0, len(problem.x), plan.batch)
        elif plan.batch:
            rows = (step * plan.batch + np.arange(plan.batch)) % len(problem.x)
        x, y = problem.x[rows], problem.y[rows]
        if spoil is not None:
            x = spoil(step, x, y)
        with np.errstate(all="ignore"):
            loss, accuracy, gradient = network.loss(x, y)
            gradients = network.backward(gradient)
            norm = float(np.sqrt(sum(float((g**2).sum()) for g in gradients)))
            used = [g * (plan.clip / norm) for g in gradients] if plan.clip and norm > plan.clip else gradients
            for number, (p, g, v, s) in enumerate(zip(network.parameters, used, velocity, squares, strict=True)):
                if plan.decay and number < len(network.weights):
                    g = g + plan.decay * p
                if plan.adam:
                    v += 0.1 * (g - v)
                    s += 0.01 * (g**2 - s)
                    p -= rate * (v / (1 - 0.9 ** (step + 1))) / (np.sqrt(s / (1 - 0.99 ** (step + 1))) + 1e-8)
                else:
                    v *= plan.momentum
                    v += g
                    p -= rate * v
            losses.append(loss)
            accuracies.append(accuracy)
            scalars = {"lr": rate, "grad_norm": norm}
            if (step + 1) % plan.average == 0:
                scalars["train/loss"] = float(np.mean(losses))
                if network.softmax:
                    scalars["train/acc"] = float(np.mean(accuracies))
                losses, accuracies = [], []
            if step % plan.evaluate_every == 0 or step == plan.steps - 1:
                loss, accuracy, _ = network.loss(*problem.held_out)
                scalars["val/loss"] = loss
                if network.softmax:
                    scalars["val/acc"] = accuracy
            tensors: dict[str, Array] = {}
            if plan.tensors_every and step % plan.tensors_every == 0:
                for number, w in enumerate(network.weights):
                    tensors[f"weights/layer{number}"] = w.copy()
                    tensors[f"gradients/layer{number}"] = gradients[number]
                for number, hidden in enumerate(network.hidden[1:-1]):
                    tensors[f"activations/layer{number}"] = hidden
        yield Row(step, scalars, tensors)
