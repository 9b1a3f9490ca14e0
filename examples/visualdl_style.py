"""A script written for VisualDL: only its import line has changed.

    python examples/visualdl_style.py
    tuimon logs

It fits a line to noisy points by gradient descent and needs NumPy.
"""

from __future__ import annotations

import sys

import numpy as np

from tuimon_writer import LogWriter  # was: from visualdl import LogWriter


def main(logdir: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 256)
    y = 3 * x - 1 + rng.normal(0, 0.1, 256)
    slope, offset = 0.0, 0.0
    with LogWriter(logdir=logdir) as writer:
        writer.add_hparams({"lr": 0.1, "batch_size": 32}, ["train/loss"])
        for step in range(300):
            batch = rng.integers(0, 256, 32)
            error = slope * x[batch] + offset - y[batch]
            slope -= 0.1 * float((error * x[batch]).mean())
            offset -= 0.1 * float(error.mean())
            writer.add_scalar("train/loss", step=step, value=float((error**2).mean()))
            writer.add_scalar(tag="weights/slope", step=step, value=slope)
            if step % 10 == 0:
                writer.add_histogram("errors", values=error, step=step)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "logs/visualdl-style")
