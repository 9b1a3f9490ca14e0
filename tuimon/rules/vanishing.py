"""Gradients fall towards zero from layer to layer, so that the layers near the input hardly learn.

Stacks of sigmoids or tanh multiply gradients by small slopes at each layer (Hochreiter 1991; Glorot and Bengio 2010).
Compared are the sizes of the gradients of layers that are numbered alike: the first third against the last third, and
whether they fall steadily. Without such layers it is told when the norm over all of them falls to nothing while the
loss is still near where it began.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tuimon.rules.base import Finding, Limits, Rule, Severity, lasting
from tuimon.rules.kinds import Kind
from tuimon.rules.layers import layer_gradients
from tuimon.rules.levels import median
from tuimon.rules.views import RunView
from tuimon.rules.wording import num, times

ADVICE = (
    "Use ReLU or GELU rather than sigmoid or tanh, He or Xavier initialisation, normalisation, or residual connections."
)


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """Gradients that vanish towards the input, or altogether."""
    tags, sizes = layer_gradients(run)
    values = np.array(sizes)
    if len(tags) >= limits["layers"] and float(values.max()) > 0 and float(values.min()) >= 0:
        third = max(1, len(tags) // 3)
        front, back = float(values[:third].min()), float(values[-third:].max())
        logs = np.log(np.maximum(values, 1e-300))
        falls = float(np.corrcoef(np.arange(len(logs)), logs)[0, 1]) if np.ptp(logs) > 0 else 0.0
        if 0 < front < limits["share"] * back and falls > limits["steady"]:
            step = run.last_step
            message = (
                f"gradients vanish towards the input: {tags[0]} has {num(front)}, {tags[-1]} has {num(back)}, "
                f"{times(back / front)} as much, over {len(tags)} layers"
            )
            severity = Severity.ERROR if front < limits["share"] ** 2 * back else Severity.WARN
            yield Finding(
                "vanishing",
                run.name,
                tags[0],
                step,
                severity,
                message,
                ADVICE,
                {"front": front, "back": back, "layers": float(len(tags))},
                None,
                None,
                0.85,
            )
            return
    yield from _whole(run, limits)


def _whole(run: RunView, limits: Limits) -> Iterator[Finding]:
    """The norm of all gradients falls to nothing although the loss is still high."""
    loss = run.main_loss
    if loss is None or len(loss) < 15 or loss.start <= 0 or loss.level < limits["unlearnt"] * loss.start:
        return
    for view in run.of(Kind.GRADIENT):
        if len(view) < 15 or any(sign.isdigit() for sign in view.tag.replace("l2", "").replace("L2", "")):
            continue
        usual, level = median(view.mid[: max(3, len(view) // 5)]), view.level
        if 0 < level < limits["nothing"] * usual:
            place = int(np.flatnonzero(view.mid > 10 * level)[-1]) if (view.mid > 10 * level).any() else 0
            message = f"{view.tag} fell from {num(usual)} to {num(level)} while {loss.tag} is still {num(loss.level)}"
            numbers = {"level": level, "usual": usual, "loss": loss.level}
            yield lasting("vanishing", run, view, place, Severity.WARN, message, ADVICE, numbers, 0.8)
            return


RULE = Rule(
    "vanishing",
    "vanishing gradients",
    "run",
    look,
    limits={"layers": 3.0, "share": 1e-3, "steady": 0.7, "unlearnt": 0.5, "nothing": 1e-4},
)
