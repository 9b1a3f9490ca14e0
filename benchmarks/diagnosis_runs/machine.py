"""Trainings whose machine gives them trouble."""

from __future__ import annotations

import numpy as np

from benchmarks.diagnosis_runs.base import COMMON, Labelled, case, names
from tuimon_writer.demo.lab import Network, Plan, Row, clusters, training


def _rows(rng: np.random.Generator) -> list[Row]:
    plan = Plan(steps=int(rng.integers(400, 1000)), rate=lambda _: 0.02)
    return list(training(Network([8, 24, 4], rng), clusters(rng, 3000), plan, rng))


def _with(row: Row, seconds: float, **more: float) -> Row:
    return Row(
        row.step, {**row.scalars, **{tag.replace("__", "/"): v for tag, v in more.items()}}, row.tensors, seconds
    )


def _pace(rng: np.random.Generator, rows: list[Row]) -> np.ndarray:
    """Seconds of each step: a tenth, with spread, and a pause at each evaluation."""
    return np.array([0.1 * rng.lognormal(0, 0.15) + (1.5 if "val/loss" in row.scalars else 0) for row in rows])


@case
def slows_down(rng: np.random.Generator) -> Labelled:
    """Steps take twice as long from some moment on, or longer and longer."""
    rows = _rows(rng)
    pace, n = _pace(rng, rows), len(rows)
    at, factor = int(n * rng.uniform(0.4, 0.75)), rng.uniform(2.0, 5.0)
    if rng.random() < 0.5:
        pace[at:] *= factor
    else:
        pace *= 1 + 2 * factor * np.maximum(0, np.arange(n) / n - 0.3)
    return Labelled(
        [_with(r, s) for r, s in zip(rows, pace, strict=True)], names("throughput"), COMMON | names("overfitting")
    )


@case
def throughput_falls(rng: np.random.Generator) -> Labelled:
    """The same, as a number that the script logs."""
    rows = _rows(rng)
    n = len(rows)
    at, factor = int(n * rng.uniform(0.4, 0.75)), rng.uniform(2.0, 5.0)
    speed = 1000 * rng.lognormal(0, 0.1, n)
    speed[at:] /= factor
    pace = 100 / speed
    found = [_with(r, s, perf__tokens_per_sec=v) for r, s, v in zip(rows, pace, speed, strict=True)]
    return Labelled(found, names("throughput"), COMMON | names("overfitting"))


@case
def steady_pace(rng: np.random.Generator) -> Labelled:
    """An uneven but steady pace with pauses. Healthy."""
    rows = _rows(rng)
    pace = _pace(rng, rows)
    pace[rng.integers(0, len(rows), 5)] += 20.0
    return Labelled(
        [_with(r, s, time__step_time=s) for r, s in zip(rows, pace, strict=True)], allowed=COMMON | names("overfitting")
    )


@case
def slow_loader(rng: np.random.Generator) -> Labelled:
    """Most of a step is spent waiting for data."""
    rows = _rows(rng)
    share = rng.uniform(0.5, 0.9)
    step = 0.1 * rng.lognormal(0, 0.2, len(rows))
    found = [
        _with(r, s, data_time=share * s * rng.uniform(0.9, 1.1), step_time=s) for r, s in zip(rows, step, strict=True)
    ]
    return Labelled(found, names("starvation"), COMMON | names("overfitting"))


@case
def quick_loader(rng: np.random.Generator) -> Labelled:
    """Little of a step is spent waiting for data, but for the first one. Healthy."""
    rows = _rows(rng)
    step = 0.1 * rng.lognormal(0, 0.2, len(rows))
    data = step * rng.uniform(0.01, 0.2) * rng.lognormal(0, 0.3, len(rows))
    step[0] = data[0] = 5.0
    found = [_with(r, s, data_time=min(d, s), step_time=s) for r, s, d in zip(rows, step, data, strict=True)]
    return Labelled(found, allowed=COMMON | names("overfitting"))


@case
def memory_leak(rng: np.random.Generator) -> Labelled:
    """Memory that grows with each step, towards the limit."""
    rows = _rows(rng)
    n = len(rows)
    begin, end = rng.uniform(20, 40), rng.uniform(75, 95)
    used = begin + (end - begin) * (np.arange(n) / n) + rng.normal(0, 0.5, n)
    found = [_with(r, 5.0, system__memory_percent=v) for r, v in zip(rows, used, strict=True)]
    return Labelled(found, names("memory"), COMMON | names("overfitting"))


@case
def memory_in_use(rng: np.random.Generator) -> Labelled:
    """Memory that fills in the beginning and stays, with a saw-tooth; a GPU's nearly full. Healthy."""
    rows = _rows(rng)
    n = len(rows)
    level = rng.uniform(40, 85)
    used = level * (1 - np.exp(-np.arange(n) / 20)) + 3 * ((np.arange(n) % 50) / 50) + rng.normal(0, 0.5, n)
    found = [
        _with(r, 5.0, **{"system__memory_percent": v, "system/gpu.0.memory_percent": 96.0})
        for r, v in zip(rows, used, strict=True)
    ]
    return Labelled(found, allowed=COMMON | names("overfitting"))


@case
def idle_gpu(rng: np.random.Generator) -> Labelled:
    """The GPU is used, and hardly busy."""
    rows = _rows(rng)
    busy = np.clip(rng.normal(rng.uniform(2, 9), 3, len(rows)), 0, 100)
    found = [
        _with(r, 0.1, **{"system/gpu.0.percent": v, "system/gpu.0.memory_percent": 60.0})
        for r, v in zip(rows, busy, strict=True)
    ]
    return Labelled(found, names("starvation"), COMMON | names("overfitting"))
