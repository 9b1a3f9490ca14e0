"""No data, however odd, stops a rule or makes it say what is not so."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tuimon.findings import Findings
from tuimon.records import HistogramRecord, Null
from tuimon.store import Store

TAGS = ("train/loss", "val/loss", "train/acc", "val/acc", "lr", "grad_norm", "grads/layer0/norm", "grads/layer1/norm",
        "weight_norm", "step_time", "data_time", "tokens_per_second", "system/memory_percent", "system/gpu.0.percent",
        "rollout/ep_rew_mean", "dead_units_fraction", "other")  # fmt: skip
N = 120
ODD = {
    "one point": [1.0],
    "two points": [1.0, 2.0],
    "all the same": [0.3] * N,
    "all zero": [0.0] * N,
    "all NaN": [np.nan] * N,
    "all infinite": [np.inf] * N,
    "minus infinite": [-np.inf] * N,
    "huge": 1e308 * np.linspace(-1, 1, N),
    "tiny": np.linspace(0, 1e-320, N),
    "negative": -np.exp(np.linspace(0, 5, N)),
    "alternating": [(-1.0) ** i * 1e300 for i in range(N)],
    "every other NaN": [np.nan if i % 2 else 1.0 for i in range(N)],
    "a step": [0.0] * 60 + [1e9] * 60,
    "grows without end": np.exp(np.linspace(0, 700, N)),
    "falls to nothing": np.exp(-np.linspace(0, 740, N)),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("many", [1, 8])
def test_odd_values_stop_no_rule(name: str, many: int, fill: Callable[..., None]) -> None:
    """Every kind of series with odd values, short and long, alone and beside histograms: no rule fails or warns."""
    store = Store()
    values = np.tile(np.asarray(ODD[name], dtype=np.float64), many)
    fill(store, "run", dict.fromkeys(TAGS, values))
    fill(store, "run", {"train/loss": values[:1]}, first=len(values))
    source = store.source("run", "log")
    store.append(source, [Null("train/loss", 3.0, None)])
    for step in range(6):
        edges, counts = ([], []) if step % 2 else ([0.0, 1.0], [5])
        store.append(source, [HistogramRecord(f"{tag}/layer{step}", step, None, edges, counts, 1, 1)
                              for tag in ("weights", "gradients", "activations")])  # fmt: skip
    findings = Findings(store)
    findings.look(1.8e9)
    assert findings.errors == {}


@pytest.mark.parametrize("seed", range(5))
def test_noise_alone_is_no_finding(seed: int, fill: Callable[..., None]) -> None:
    """White noise of any kind, with no trend, gives no warning."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(10, 3000))
    noise = {
        "train/loss": 1 + 0.1 * rng.normal(size=size),
        "val/loss": 1.1 + 0.05 * rng.normal(size=size),
        "train/acc": np.clip(0.6 + 0.05 * rng.normal(size=size), 0, 1),
        "grad_norm": rng.lognormal(0, 0.7, size),
        "rollout/ep_rew_mean": rng.normal(size=size),
        "step_time": rng.lognormal(-2, 0.3, size),
        "system/memory_percent": 50 + rng.normal(size=size),
        "other": rng.standard_cauchy(size),
    }
    store = Store()
    fill(store, "run", noise)
    told = Findings(store).look(1.8e9)
    assert [(finding.rule, finding.message) for finding in told if finding.severity > 1] == []
