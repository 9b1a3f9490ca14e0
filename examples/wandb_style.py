"""A script written for Weights & Biases: only its import line has changed. Nothing leaves the machine.

    python examples/wandb_style.py
    tuimon runs

It finds the root of an equation by Newton's method with a step size, and needs nothing but the writer.
"""

from __future__ import annotations

import math
import sys

import tuimon_writer as wandb  # was: import wandb


def main(directory: str | None) -> None:
    wandb.init(project="roots", dir=directory, config={"step_size": 0.1, "start": 3.0})
    x = wandb.config.start
    for _ in range(200):
        error = math.cos(x) - x
        x -= wandb.config.step_size * error / (-math.sin(x) - 1)
        wandb.log({"x": x, "loss": abs(error)})
    wandb.finish()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
