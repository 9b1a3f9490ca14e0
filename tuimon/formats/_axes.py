"""Which keys of a row are its step and its wall time, in logs that do not say so themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

STEP_KEYS = (
    "step",
    "_step",
    "global_step",
    "trainer/global_step",
    "train/global_step",
    "train_step",
    "training_step",
    "global_step/max_steps",
    "current_steps",
    "current_step",
    "num_updates",
    "train_num_updates",
    "valid_num_updates",
    "test_num_updates",
    "iteration",
    "iter",
    "iterations",
    "n_iter",
    "training_iteration",
    "timestep",
    "timesteps",
    "total_timesteps",
    "time/total_timesteps",
    "timesteps_total",
    "num_timesteps",
    "env_steps",
    "total_env_steps",
    "time/iterations",
    "update",
    "progress/kimg",
    "epoch",
    "episode",
    "steps",
)
"""Names of a step counter, the finest and most explicit first. Lower case, with ``_`` for spaces."""

TAG_AS_WELL = frozenset(
    {
        "timestep",
        "timesteps",
        "current_step",
        "num_timesteps",
        "env_steps",
        "total_env_steps",
        "update",
        "progress/kimg",
        "episode",
        "steps",
    }
)
"""Step counters that may be worth a curve of their own: they stay a tag, too."""

TIME_KEYS = ("_timestamp", "timestamp", "wall_time", "walltime", "@timestamp", "ts", "time", "datetime", "date")
"""Names of a wall time, the most explicit first. The value must look like one as well: ``time`` is often a duration."""

_STEP_RANK = {name: rank for rank, name in enumerate(STEP_KEYS)}
_TIME_RANK = {name: rank for rank, name in enumerate(TIME_KEYS)}
_UNITS = (1.0, 1e3, 1e6, 1e9)
_EARLIEST = 946_684_800.0  # 2000-01-01: earlier "wall times" are durations or counters
_LATEST = 4_102_444_800.0  # 2100-01-01
_FRACTION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*/\s*\d+(?:\.\d+)?\s*", re.ASCII)
_RAY_DATE = re.compile(r"(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)-(\d\d)", re.ASCII)


@lru_cache(maxsize=4096)
def _plain_name(key: str) -> str:
    return key.strip().lower().replace(" ", "_")


def _ranked(keys: Sequence[str], ranks: dict[str, int]) -> list[int]:
    found = [
        (ranks[name], at) for at, key in enumerate(keys) if (name := key.strip().lower().replace(" ", "_")) in ranks
    ]
    return [at for _, at in sorted(found)]


def step_column(keys: Sequence[str]) -> int | None:
    """Position of the key that counts the steps, or None when the row has no known counter."""
    found = _ranked(keys, _STEP_RANK)
    return found[0] if found else None


def time_column(keys: Sequence[str], values: Sequence[float]) -> tuple[int, float] | None:
    """Position of the key that holds the wall time, and how many of its units make a second; None without one."""
    for at in _ranked(keys, _TIME_RANK):
        unit = time_unit(values[at])
        if unit is not None:
            return at, unit
    return None


def stays_tag(key: str) -> bool:
    """Whether a key that is used as the step is a tag as well."""
    return _plain_name(key) in TAG_AS_WELL


def is_step(key: str) -> bool:
    """Whether a key names a step counter."""
    return _plain_name(key) in _STEP_RANK


def is_axis(key: str) -> bool:
    """Whether a key names a step counter or a wall time."""
    name = _plain_name(key)
    return name in _STEP_RANK or name in _TIME_RANK


def time_unit(value: float) -> float | None:
    """Units a second of a wall time (1, 1e3, 1e6 or 1e9, judged by its size), or None when it cannot be one."""
    for unit in _UNITS:
        if _EARLIEST <= value / unit <= _LATEST:
            return unit
    return None


def axis_number(key: str, text: str) -> float | None:
    """The number in the text of an axis: 10 of the step ``"10/438"``, the seconds since the epoch of an ISO date.

    A date without a zone is in local time, as the programs that write such dates mean it.
    """
    name = _plain_name(key)
    if name in _STEP_RANK:
        fraction = _FRACTION.fullmatch(text)
        return float(fraction[1]) if fraction else None
    if name not in _TIME_RANK or len(text) < 10:
        return None
    text = _RAY_DATE.sub(r"\1 \2:\3:\4", text.strip()).replace("Z", "+00:00").replace(",", ".")
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
