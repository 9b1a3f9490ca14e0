"""One training of the demo: learns, logs through `tuimon_writer`, keeps checkpoints, and can be resumed."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tuimon_writer import SummaryWriter
from tuimon_writer.demo.model import Network, spirals

STEPS = 1500
CHECKPOINT_EVERY = 150
EVALUATE_EVERY = 15
HISTOGRAMS_EVERY = 30
PATIENCE = 60  # steps that a training goes on after its loss is no longer a number


@dataclass(frozen=True)
class Settings:
    """What a training is made of."""

    lr: float
    momentum: float = 0.9
    batch_size: int = 64
    hidden: int = 48
    warmup: float = 0.1
    wrong_labels: float = 0.08
    seed: int = 0


def train(directory: Path, settings: Settings, *, seconds: float, resume: bool = False) -> None:
    """Train for `STEPS` steps and log into a directory.

    Args:
        directory: The run's own directory, for log and checkpoint.
        settings: Hyper-parameters.
        seconds: How long all the steps take, by waiting between them.
        resume: Go on from the last checkpoint in the directory.

    Raises:
        FloatingPointError: The loss has been NaN or infinite for a while.
    """
    network = Network(np.random.default_rng(settings.seed), settings.hidden)
    saved = checkpoint(directory)
    first = _restore(network, saved) if resume and saved.exists() else 0
    with SummaryWriter(directory, purge_step=first or None) as writer:
        writer.add_hparams(asdict(settings), {})
        with np.errstate(all="ignore"):
            _steps(network, settings, writer, saved, first, seconds / STEPS)


def checkpoint(directory: Path) -> Path:
    """Where a training in a directory keeps its checkpoint."""
    return directory / "checkpoint.npz"


def _steps(network: Network, settings: Settings, writer: SummaryWriter, saved: Path, first: int, pause: float) -> None:
    points, labels = spirals(np.random.default_rng(7), 400, settings.wrong_labels)
    held_out = spirals(np.random.default_rng(8), 200)
    rng = np.random.default_rng([settings.seed, first])
    began, diverged = time.monotonic(), 0
    for step in range(first, STEPS):
        lr = learning_rate(settings, step)
        batch = rng.integers(0, len(points), settings.batch_size)
        loss, accuracy, norm = network.step(points[batch], labels[batch], lr, settings.momentum)
        writer.add_scalar("train/loss", loss, step)
        writer.add_scalar("train/accuracy", accuracy, step)
        writer.add_scalar("train/grad_norm", norm, step)
        writer.add_scalar("train/lr", lr, step)
        if step % EVALUATE_EVERY == 0 or step == STEPS - 1:
            loss_held_out, accuracy_held_out = network.evaluate(*held_out)
            writer.add_scalar("val/loss", loss_held_out, step)
            writer.add_scalar("val/accuracy", accuracy_held_out, step)
        if step % HISTOGRAMS_EVERY == 0:
            for i in range(network.layers):
                writer.add_histogram(f"weights/layer{i + 1}", network.parameters[i], step)
                writer.add_histogram(f"gradients/layer{i + 1}", network.gradients[i], step)
        if step % CHECKPOINT_EVERY == 0 and step > first:
            writer.flush()  # the log must not be behind the checkpoint that a resume starts from
            _save(network, saved, step)
        diverged = 0 if math.isfinite(loss) else diverged + 1
        if diverged > PATIENCE:
            raise FloatingPointError(f"the loss is {loss} since step {step - PATIENCE}: the learning rate is too high")
        time.sleep(max(0.0, began + (step + 1 - first) * pause - time.monotonic()))


def learning_rate(settings: Settings, step: int) -> float:
    """Linear warm-up over the first part of the training, times a cosine that ends at zero."""
    warm = min(1.0, (step + 1) / (settings.warmup * STEPS))
    return settings.lr * warm * 0.5 * (1 + math.cos(math.pi * step / STEPS))


def _save(network: Network, path: Path, step: int) -> None:
    arrays: dict[str, Any] = {f"a{i}": a for i, a in enumerate([*network.parameters, *network.velocity])}
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, step=step + 1, **arrays)
    partial.replace(path)


def _restore(network: Network, path: Path) -> int:
    """Take over a checkpoint and return the step to go on from."""
    with np.load(path) as saved:
        for i, array in enumerate([*network.parameters, *network.velocity]):
            array[...] = saved[f"a{i}"]
        return int(saved["step"])
