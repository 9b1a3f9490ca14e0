"""The model that the demo trains: a three-layer network on points of three intertwined spirals."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

CLASSES = 3
LARGEST = 65504.0  # of float16
LEAK = 0.1  # slope of the activation below zero: no unit can die, so too high a learning rate really diverges


def spirals(rng: np.random.Generator, n: int, wrong: float = 0.0) -> tuple[Array, Array]:
    """Points on three noisy spiral arms.

    Args:
        rng: Source of randomness.
        n: Points for each arm.
        wrong: Share of the labels that is replaced by a random one.

    Returns:
        Points of shape (3n, 2), float32, and their classes 0, 1, 2 of shape (3n,).
    """
    radius = np.sqrt(rng.random((CLASSES, n)))
    angle = 4.2 * radius + np.arange(CLASSES)[:, None] * 2 * np.pi / CLASSES + rng.normal(0, 0.18, (CLASSES, n))
    points = 2 * np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1).reshape(-1, 2)
    labels = np.repeat(np.arange(CLASSES), n)
    flipped = rng.random(len(labels)) < wrong
    labels[flipped] = rng.integers(0, CLASSES, int(flipped.sum()))
    return points.astype(np.float32), labels


class Network:
    """Three dense layers with leaky ReLUs and a softmax, trained by SGD with momentum in float32.

    What the layers make of their input has the range of float16, as in mixed-precision training on a GPU: beyond it
    lies infinity, so that a training that diverges soon is at NaN.
    """

    def __init__(self, rng: np.random.Generator, hidden: int = 48) -> None:
        sizes = [2, hidden, hidden, CLASSES]
        pairs = list(pairwise(sizes))
        weights = [rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in pairs]
        self.parameters: list[Array] = weights + [np.zeros(b, np.float32) for _, b in pairs]
        self.velocity: list[Array] = [np.zeros_like(p) for p in self.parameters]
        self.gradients: list[Array] = self.velocity

    @property
    def layers(self) -> int:
        """Number of dense layers."""
        return len(self.parameters) // 2

    def activations(self, points: Array) -> list[Array]:
        """The input, what each hidden layer makes of it, and the logits of shape (n, 3)."""
        result = [points]
        for i in range(self.layers):
            z = result[-1] @ self.parameters[i] + self.parameters[self.layers + i]
            z = np.where(np.abs(z) > LARGEST, np.copysign(np.inf, z), z)
            result.append(z if i == self.layers - 1 else np.where(z > 0, z, LEAK * z))
        return result

    def evaluate(self, points: Array, labels: Array) -> tuple[float, float]:
        """Mean cross-entropy (in nats) and accuracy (0 to 1) on some points."""
        logits = self.activations(points)[-1]
        loss, _ = _cross_entropy(logits, labels)
        return loss, float((logits.argmax(axis=1) == labels).mean())

    def step(self, points: Array, labels: Array, lr: float, momentum: float) -> tuple[float, float, float]:
        """One step of SGD on a batch.

        Returns:
            Loss and accuracy of the batch before the step, and the norm of the gradient.
        """
        activations = self.activations(points)
        loss, delta = _cross_entropy(activations[-1], labels)
        accuracy = float((activations[-1].argmax(axis=1) == labels).mean())
        gradients = [np.zeros_like(p) for p in self.parameters]
        for i in reversed(range(self.layers)):
            gradients[i] = activations[i].T @ delta
            gradients[self.layers + i] = delta.sum(axis=0)
            delta = (delta @ self.parameters[i].T) * np.where(activations[i] > 0, 1, LEAK)
        for parameter, velocity, gradient in zip(self.parameters, self.velocity, gradients, strict=True):
            velocity *= momentum
            velocity += gradient
            parameter -= np.float32(lr) * velocity
        self.gradients = gradients
        return loss, accuracy, float(np.sqrt(sum(float((g * g).sum()) for g in gradients)))


def _cross_entropy(logits: Array, labels: Array) -> tuple[float, Array]:
    """Mean cross-entropy and its gradient with respect to the logits."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    exponentials = np.exp(shifted)
    sums = exponentials.sum(axis=1)
    rows = np.arange(len(labels))
    delta = exponentials / sums[:, None]
    delta[rows, labels] -= 1
    return float((np.log(sums) - shifted[rows, labels]).mean()), (delta / len(labels)).astype(np.float32)
