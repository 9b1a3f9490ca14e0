"""Train a small network to read noisy digits, and log everything that can be logged.

    python examples/glyphs.py --lr 0.5
    tuimon runs

Besides numbers there are histograms of weights and gradients, pictures of what was read wrongly, a confusion matrix,
precision and recall, an embedding, tables, texts, a sound, messages, system metrics, and what is printed. The digits
are drawn from a font of 5x7 dots, shifted and blurred by noise, so nothing is downloaded. It needs numpy.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

import tuimon_writer as wandb
from tuimon_writer import SummaryWriter

FONT = (
    "01110 10001 10011 10101 11001 10001 01110", "00100 01100 00100 00100 00100 00100 01110",
    "01110 10001 00001 00010 00100 01000 11111", "11111 00010 00100 00010 00001 10001 01110",
    "00010 00110 01010 10010 11111 00010 00010", "11111 10000 11110 00001 00001 10001 01110",
    "00110 01000 10000 11110 10001 10001 01110", "11111 00001 00010 00100 01000 01000 01000",
    "01110 10001 10001 01110 10001 10001 01110", "01110 10001 10001 01111 00001 00010 01100",
)  # fmt: skip
SIDE = 12
NAMES = [str(digit) for digit in range(10)]
LAYERS = ("hidden1", "hidden2", "output")
Weights = dict[str, np.ndarray]


def digits(count: int, noise: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Pictures of shape (count, SIDE * SIDE) from 0 to 1, and the digits that they show."""
    shapes = np.array([[[int(dot) for dot in row] for row in shape.split()] for shape in FONT], float)
    labels = rng.integers(0, 10, count)
    pictures = np.zeros((count, SIDE, SIDE))
    for picture, label in zip(pictures, labels, strict=True):
        top, left = rng.integers(1, SIDE - 7), rng.integers(1, SIDE - 5)
        picture[top : top + 7, left : left + 5] = shapes[label] * rng.uniform(0.5, 1)
    return np.clip(pictures + rng.normal(0, noise, pictures.shape), 0, 1).reshape(count, -1), labels


def start(width: int, scale: float, rng: np.random.Generator) -> Weights:
    """Weights as He et al. (2015) choose them, times ``scale``."""
    sizes = (SIDE * SIDE, width, width // 2, 10)
    pairs = zip(LAYERS, sizes[:-1], sizes[1:], strict=True)
    return {name: rng.normal(0, scale * math.sqrt(2 / rows), (rows, columns)) for name, rows, columns in pairs}


def forward(weights: Weights, pictures: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """What each layer is given, and the probabilities of the digits."""
    given = [pictures]
    for name in LAYERS[:-1]:
        given.append(np.maximum(given[-1] @ weights[name], 0))
    logits = given[-1] @ weights[LAYERS[-1]]
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return given, odds / odds.sum(axis=1, keepdims=True)


def cross_entropy(chances: np.ndarray, labels: np.ndarray) -> float:
    """Mean cross-entropy in nats."""
    return float(-np.log(chances[np.arange(len(labels)), labels] + 1e-300).mean())


def gradients(weights: Weights, pictures: np.ndarray, labels: np.ndarray) -> tuple[float, Weights]:
    """The loss, and its gradient for each weight."""
    given, chances = forward(weights, pictures)
    loss = cross_entropy(chances, labels)
    delta = chances.copy()
    delta[np.arange(len(labels)), labels] -= 1
    delta /= len(labels)
    found: Weights = {}
    for place in reversed(range(len(LAYERS))):
        found[LAYERS[place]] = given[place].T @ delta
        delta = (delta @ weights[LAYERS[place]].T) * (given[place] > 0)
    return loss, found


def log_rarely(
    weights: Weights, slopes: Weights, pictures: np.ndarray, labels: np.ndarray, losses: list[float]
) -> dict:
    """What is logged a few times in a training."""
    _, chances = forward(weights, pictures)
    guesses = chances.argmax(axis=1)
    wrong = np.flatnonzero(guesses != labels)[:6]
    filters = weights["hidden1"][:, :16].T.reshape(4, 4, SIDE, SIDE).swapaxes(1, 2).reshape(4 * SIDE, 4 * SIDE)
    tone = np.interp(np.arange(16_000) / 16_000, np.linspace(0, 1, len(losses)), np.log2(np.clip(losses, 1e-3, 1e3)))
    rows = [[NAMES[labels[at]], NAMES[guesses[at]], round(float(chances[at].max()), 3)] for at in wrong]
    return {
        **{f"weights/{name}": wandb.Histogram(weights[name]) for name in LAYERS},
        **{f"gradients/{name}": wandb.Histogram(slopes[name]) for name in LAYERS},
        "read wrongly": [
            wandb.Image(pictures[at].reshape(SIDE, SIDE), caption=f"{labels[at]} read as {guesses[at]}") for at in wrong
        ],
        "filters": wandb.Image(filters),
        "wrong": wandb.Table(columns=["digit", "read as", "sure"], data=rows),
        "confusion": wandb.plot.confusion_matrix(y_true=labels, preds=guesses, class_names=NAMES),
        "pr": wandb.plot.pr_curve(labels, chances, labels=NAMES),
        "roc": wandb.plot.roc_curve(labels, chances, labels=NAMES),
        "the loss as a tone": wandb.Audio(np.sin(2 * np.pi * np.cumsum(440 * 2 ** (tone / 4)) / 16_000), 16_000),
    }


def log_of_tensorboard(
    writer: SummaryWriter, weights: Weights, pictures: np.ndarray, labels: np.ndarray, step: int
) -> None:
    """What TensorBoard has and W&B has not: texts and embeddings."""
    given, chances = forward(weights, pictures)
    right = chances.argmax(axis=1) == labels
    rows = [f"| {name} | {np.mean(right[labels == digit]):.2f} |" for digit, name in enumerate(NAMES)]
    writer.add_text("report", "\n".join(["## Read rightly", "", "| digit | share |", "|---|---|", *rows]), step)
    writer.add_embedding(given[-1][:500], [NAMES[label] for label in labels[:500]], tag="hidden2", global_step=step)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", default="runs", help="where to log (default: runs)")
    parser.add_argument("--name", help="name of the run (default: made from the settings)")
    parser.add_argument("--lr", type=float, default=0.5)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the weights at the start")
    parser.add_argument("--noise", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--fail-at", type=int, metavar="STEP", help="break at this step, to see what is shown of it")
    parser.add_argument("--pause", type=float, default=0.01, help="seconds to wait after each step, to watch it")
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    train, test = digits(6000, args.noise, rng), digits(1000, args.noise, rng)
    name = args.name or f"glyphs-lr{args.lr:g}-w{args.width}-s{args.seed}"
    settings = {key: getattr(args, key) for key in ("lr", "width", "scale", "noise", "seed")}
    run = wandb.init(
        dir=args.dir, name=name, project="glyphs", config=settings, total_steps=args.steps, system=2, console=True
    )
    more = SummaryWriter(run.dir)
    weights = start(args.width, args.scale, rng)
    losses: list[float] = []
    best = math.inf
    with np.errstate(all="ignore"):
        for step in range(args.steps):
            batch = rng.integers(0, len(train[0]), 64)
            loss, slopes = gradients(weights, train[0][batch], train[1][batch])
            lr = args.lr * 0.5 * (1 + math.cos(math.pi * step / args.steps)) * min(1, (step + 1) / 50)
            weights = {layer: weights[layer] - lr * slopes[layer] for layer in LAYERS}
            norm = math.sqrt(sum(float((slope**2).sum()) for slope in slopes.values()))
            losses.append(loss)
            if step == args.fail_at:
                raise RuntimeError(f"asked to break at step {step}, where the loss is {loss:.4f}")
            now: dict = {"train/loss": loss, "train/lr": lr, "train/grad_norm": norm}
            if step % 50 == 49:
                chances = forward(weights, test[0])[1]
                validation = cross_entropy(chances, test[1])
                accuracy = float(np.mean(chances.argmax(axis=1) == test[1]))
                now |= {"val/loss": validation, "val/accuracy": accuracy, "epoch": step * 64 / len(train[0])}
                print(f"step {step + 1:5}: loss {loss:.4f}, validation {validation:.4f}, accuracy {accuracy:.3f}")
                if not validation < 10 * best:
                    wandb.alert("the loss is rising", f"{validation:.3g} at step {step}", wandb.AlertLevel.WARN)
                best = min(best, validation)
            if step % 250 == 249:
                now |= log_rarely(weights, slopes, *test, losses)
                log_of_tensorboard(more, weights, *test, step)
            wandb.log(now, step=step)
            time.sleep(args.pause)
    more.close()
    wandb.finish()


if __name__ == "__main__":
    main()
