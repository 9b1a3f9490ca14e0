"""What the rules cost on large logs."""

from __future__ import annotations

import time

import numpy as np

from tuimon.findings import Findings
from tuimon.records import ScalarRows
from tuimon.store import Store

RUNS, POINTS, BATCH = 20, 100_000, 5_000
TAGS = (
    "train/loss", "val/loss", "train/accuracy", "val/accuracy", "lr", "grad_norm", "loss/aux", "reward",
    *(f"grad_norm/layer{i}" for i in range(12)), *(f"weight_norm/layer{i}" for i in range(12)),
    *(f"metrics/m{i}" for i in range(18)),
)  # fmt: skip


def _batch(rng: np.random.Generator, first: int, rows: int) -> ScalarRows:
    steps = np.arange(first, first + rows, dtype=np.float64)
    values = (np.exp(-steps / 2e4)[:, None] + 0.3) * (1 + 0.05 * rng.normal(size=(rows, len(TAGS))))
    return ScalarRows(TAGS, steps.tobytes(), (0.1 * steps + 1.7e9).tobytes(), values.tobytes())


def _nothing(*_: object) -> list[ScalarRows]:
    raise OSError("rows are not read again")


def cost() -> None:
    """All rules once over all runs, then over updates of five rows, of one run and of all."""
    rng = np.random.default_rng(0)
    best = np.inf
    store = Store(fetch=_nothing)
    sources = [store.source(f"run{number}", f"log{number}") for number in range(RUNS)]
    for source in sources:
        for first in range(0, POINTS, BATCH):
            store.append(source, [_batch(rng, first, BATCH)], offset=100 * first, length=100 * BATCH)
    store.dirty()
    for _ in range(5):
        findings = Findings(store)
        began = time.thread_time()
        findings.look(1.8e9)
        best = min(best, time.thread_time() - began)
    print(f"all rules once, {RUNS} runs x {len(TAGS)} tags x {POINTS:,} points: {1e3 * best:.0f} ms")
    step = POINTS
    for runs in (1, RUNS):
        spent = []
        for _ in range(300):
            for source in sources[:runs]:
                store.append(source, [_batch(rng, step, 5)], offset=100 * step, length=500)
            step += 5
            changes = store.dirty()
            began = time.thread_time()
            findings.update(changes, 1.8e9 + step)
            spent.append(1e3 * (time.thread_time() - began))
        median, most = float(np.median(spent)), float(np.percentile(spent, 99))
        print(f"an update of {runs} of them: median {median:.2f} ms, 99 % within {most:.2f} ms")
