"""Train a small network on scikit-learn's handwritten digits and log it.

    python examples/digits.py --lr 0.1
    tuimon logs

Needs ``pip install scikit-learn``; no download. Kill it in the middle (``kill -9``) and run it again with ``--resume``:
tuimon shows one curve. Try ``--lr 30`` to see a training that diverges.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from tuimon_writer import SummaryWriter

BATCH = 32
HIDDEN = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logdir", type=Path, default=Path("logs"))
    parser.add_argument("--name", help="name of the run (default: made from the learning rate)")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint of the run")
    parser.add_argument("--pause", type=float, default=0.01, help="seconds to wait after each step, to watch it")
    args = parser.parse_args()

    directory = args.logdir / (args.name or f"digits-lr{args.lr:g}")
    checkpoint = directory / "checkpoint.npz"
    data = load_digits()
    split = train_test_split(data.data / 16, data.target, test_size=0.25, random_state=0)
    x_train, x_test, y_train, y_test = split
    steps_per_epoch = len(x_train) // BATCH

    rng = np.random.default_rng(0)
    weights = {
        "hidden": rng.normal(0, math.sqrt(2 / 64), (64, HIDDEN)),
        "output": rng.normal(0, math.sqrt(2 / HIDDEN), (HIDDEN, 10)),
    }
    first_epoch = 0
    if args.resume and checkpoint.exists():
        with np.load(checkpoint) as saved:
            weights = {name: saved[name] for name in weights}
            first_epoch = int(saved["epoch"])

    first_step = first_epoch * steps_per_epoch
    with SummaryWriter(directory, purge_step=first_step or None) as writer, np.errstate(all="ignore"):
        writer.add_hparams({"lr": args.lr, "batch_size": BATCH, "hidden": HIDDEN, "epochs": args.epochs}, {})
        step = first_step
        for epoch in range(first_epoch, args.epochs):
            order = rng.permutation(len(x_train))[: steps_per_epoch * BATCH]
            for batch in order.reshape(-1, BATCH):
                loss, gradients = loss_and_gradients(weights, x_train[batch], y_train[batch])
                for name, gradient in gradients.items():
                    weights[name] = weights[name] - args.lr * gradient
                writer.add_scalar("train/loss", loss, step)
                writer.add_scalar("train/lr", args.lr, step)
                step += 1
                time.sleep(args.pause)
            loss, _ = loss_and_gradients(weights, x_test, y_test)
            accuracy = np.mean(predict(weights, x_test).argmax(axis=1) == y_test)
            last = step - 1  # not the step that a resume would begin with, which supersedes what is logged at it
            writer.add_scalar("val/loss", loss, last)
            writer.add_scalar("val/accuracy", accuracy, last)
            writer.add_scalar("epoch", epoch, last)
            for name in weights:
                writer.add_histogram(f"weights/{name}", weights[name], last)
                writer.add_histogram(f"gradients/{name}", gradients[name], last)
            writer.flush()  # the log must not be behind the checkpoint that a resume starts from
            save(checkpoint, epoch + 1, weights)
            print(f"epoch {epoch}: loss {loss:.4g}, accuracy {accuracy:.3f}")


def predict(weights: dict[str, np.ndarray], images: np.ndarray) -> np.ndarray:
    """Logits of shape (n, 10)."""
    return leaky_relu(images @ weights["hidden"]) @ weights["output"]


def leaky_relu(z: np.ndarray) -> np.ndarray:
    return np.where(z > 0, z, 0.1 * z)


def loss_and_gradients(
    weights: dict[str, np.ndarray], images: np.ndarray, digits: np.ndarray
) -> tuple[float, dict[str, np.ndarray]]:
    """Mean cross-entropy in nats, and its gradient for each weight."""
    hidden = leaky_relu(images @ weights["hidden"])
    logits = hidden @ weights["output"]
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_sum = np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    rows = np.arange(len(digits))
    delta = np.exp(shifted - log_sum)
    delta[rows, digits] -= 1
    delta /= len(digits)
    back = (delta @ weights["output"].T) * np.where(hidden > 0, 1, 0.1)
    loss = float((log_sum[:, 0] - shifted[rows, digits]).mean())
    return loss, {"hidden": images.T @ back, "output": hidden.T @ delta}


def save(path: Path, epoch: int, weights: dict[str, np.ndarray]) -> None:
    """Write a checkpoint so that a kill in the middle leaves the one before."""
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, epoch=epoch, **weights)
    partial.replace(path)


if __name__ == "__main__":
    main()
