"""Groups of runs, their curves, and what settings have to do with a metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.analysis.grouping import SEEDS, Group, group_runs, grouped_curve, is_seed, spread
from tuimon.analysis.importance import ENOUGH, Importance, importances


def seeds(count: int = 5) -> dict[str, dict[str, Any]]:
    """Seeds of two learning rates, with settings that only name the run."""
    return {
        f"lr{lr}/{seed}": {"lr": lr, "seed": seed, "run_name": f"lr{lr}-{seed}", "out_dir": f"o/{lr}/{seed}", "b": 32}
        for lr in (0.1, 0.01)
        for seed in range(count)
    }


def shapes(groups: Sequence[Group]) -> dict[str, int]:
    return {group.title: len(group.runs) for group in groups}


def test_seeds_of_two_settings_are_two_groups() -> None:
    """Five seeds of two settings are two groups of five, called by what differs (case F1)."""
    groups = group_runs(seeds(), SEEDS)
    assert shapes(groups) == {"lr=0.1": 5, "lr=0.01": 5}
    assert groups[0].runs == tuple(f"lr0.1/{seed}" for seed in range(5))


def test_a_setting_makes_groups() -> None:
    """A group for each value, in their order; runs without the setting come last."""
    configs: dict[str, dict[str, Any]] = {"a": {"opt/name": "sgd"}, "b": {}, "c": {"opt/name": "adam"}}
    assert shapes(group_runs({**configs, "d": {"opt/name": "sgd"}}, "setting:opt/name")) == {
        "opt=adam": 1, "opt=sgd": 2, "no opt": 1,
    }  # fmt: skip


def test_models_are_told_apart_although_names_of_runs_are_not() -> None:
    """A model's name is a setting like any other, an experiment's name is none."""
    configs = {f"{m}{s}": {"model_name": m, "exp_name": f"{m}{s}", "seed": s} for m in ("vit", "res") for s in (1, 2)}
    assert shapes(group_runs(configs, SEEDS)) == {"model_name=vit": 2, "model_name=res": 2}


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["lr0.1/seed1", "lr0.1/seed2", "lr0.3/seed1"], {"lr0.1/*": 2, "lr0.3/*": 1}),
        (["ppo_seed=1", "ppo_seed=22", "sac_seed=1"], {"ppo_*": 2, "sac_*": 1}),
        (["a/s1", "a/s2", "resnets18"], {"a/*": 2, "resnets18": 1}),
    ],
)
def test_runs_without_settings_are_told_apart_by_name(names: list[str], groups: dict[str, int]) -> None:
    """What looks like a seed in a name is left out."""
    assert shapes(group_runs({name: {} for name in names}, SEEDS)) == groups


@pytest.mark.parametrize(
    ("names", "title"),
    [
        ([f"A2C_{i}" for i in range(1, 51)], "A2C"),
        (["a/lr0.1/seed3", "a/lr0.1/seed_4", "a/lr0.1/5"], "a/lr0.1"),
        (["ppo_s1", "ppo_trial_004", "ppo (2)", "ppo#3", "ppo_v2", "ppo"], "ppo"),
        (["exp_2024-01-02_10-11-12", "exp_20240102", "exp-20240102-101112"], "exp"),
        (["1", "2", "seed3", "run4"], "*"),
    ],
)
def test_names_without_their_numbers(names: list[str], title: str) -> None:
    """What only a counter or a date at the end tells apart is one group, whatever its settings (case B14)."""
    assert shapes(group_runs({name: {"lr": at} for at, name in enumerate(names)}, "name")) == {title: len(names)}


def test_numbers_that_say_something_stay() -> None:
    """Sizes of models and values of settings are no counters."""
    names = ["resnet18", "resnet50", "lr0.1", "lr_0.1", "lr=1e-3", "lr_1e-4"]
    assert shapes(group_runs({name: {} for name in names}, "name")) == dict.fromkeys(names, 1)


def test_what_is_a_seed() -> None:
    """Words and humps count, not letters inside of a word."""
    assert all(
        map(is_seed, ("seed", "train/manual_seed", "randomSeed", "RNG", "random_state", "np-seed", "seed_everything"))
    )
    assert not any(map(is_seed, ("seeded", "lr", "seed/lr", "n_proceed", "range")))


def test_groups_of_runs_of_other_lengths() -> None:
    """A 1000..5000 and its prefix B: steps as logged, n drops from 2 to 1 after 3000 (case F3)."""
    a = (np.arange(1000.0, 5001, 1000), np.array([1.0, 2, 3, 4, 5]))
    b = (np.arange(1000.0, 3001, 1000), np.array([3.0, 4, 5]))
    group = grouped_curve([a, b])
    assert group.x.tolist() == [1000, 2000, 3000, 4000, 5000]
    assert group.n.tolist() == [2, 2, 2, 1, 1]
    assert group.mean.tolist() == [2, 3, 4, 4, 5]
    assert group.low.tolist() == [1, 2, 3, 4, 5]
    assert group.high.tolist() == [3, 4, 5, 4, 5]
    assert group.std[:3].tolist() == pytest.approx([math.sqrt(2)] * 3)
    assert np.isnan(group.std[3:]).all()
    assert group.stderr[0] == pytest.approx(1)
    assert group.drops == [(1000, 2), (4000, 1)]


def test_other_cadences_share_only_common_steps() -> None:
    """Where only one run logged, n is 1: nothing is interpolated; at common steps the mean is exact."""
    a = (np.arange(0.0, 10), np.arange(0.0, 10))
    b = (np.arange(0.0, 10, 3), np.full(4, 100.0))
    group = grouped_curve([a, b])
    assert group.n.tolist() == [2, 1, 1, 2, 1, 1, 2, 1, 1, 2]
    assert group.mean.tolist() == [50, 1, 2, 51.5, 4, 5, 53, 7, 8, 54.5]


def test_gaps_repeated_steps_and_nothing() -> None:
    """NaN and infinities count for nothing, a step that a run has twice counts once, no curve gives no step."""
    nan = float("nan")
    a = (np.array([0.0, 1, 1, 2]), np.array([1.0, 2, 4, nan]))
    b = (np.array([0.0, 1, 2]), np.array([nan, 5, math.inf]))
    group = grouped_curve([a, b])
    assert group.n.tolist() == [1, 2, 0]
    assert group.mean[:2].tolist() == [1, 4]
    assert np.isnan(group.mean[2])
    assert len(grouped_curve([]).x) == len(grouped_curve([(np.array([]), np.array([]))]).x) == 0


CURVES = st.lists(
    st.dictionaries(st.integers(0, 12), st.floats(-1e6, 1e6), max_size=8).map(
        lambda points: (np.array(sorted(points), float), np.array([points[x] for x in sorted(points)], float))
    ),
    max_size=5,
)


@settings(max_examples=40, deadline=None)
@given(CURVES)
def test_groups_are_what_counting_by_hand_gives(curves: list[tuple[Any, Any]]) -> None:
    """Mean, extremes, deviation and number of plain lists of values at each step, also for huge values."""
    group = grouped_curve(curves)
    at: dict[float, list[float]] = {}
    for x, y in curves:
        for step, value in zip(x.tolist(), y.tolist(), strict=True):
            at.setdefault(step, []).append(value)
    assert group.x.tolist() == sorted(at)
    for index, step in enumerate(sorted(at)):
        values = at[step]
        assert (group.low[index], group.high[index], group.n[index]) == (min(values), max(values), len(values))
        assert group.mean[index] == pytest.approx(sum(values) / len(values), abs=1e-6)
        assert spread(values).std == pytest.approx(group.std[index], abs=1e-6, nan_ok=True)


def test_the_greatest_of_a_group_is_the_greatest() -> None:
    """Maxima 94.51 and 93.98: 94.51 (case F4)."""
    found = spread([94.51, 93.98, math.nan])
    assert (found.high, found.low, found.n) == (94.51, 93.98, 2)
    assert found.mean == pytest.approx(94.245)
    assert spread([]).n == 0


def by_name(found: list[Importance]) -> dict[str, tuple[float, int, int]]:
    return {one.setting: (round(one.size, 3), one.sign, one.n) for one in found}


def test_importance_of_settings() -> None:
    """Rank correlation is 1 for what orders the metric, whatever the curve; its sign, n, and ties are right."""
    random = np.random.default_rng(0)
    configs: list[dict[str, Any]] = [
        {
            "lr": 10.0**-i,
            "noise": float(random.normal()),
            "same": 3,
            "amp": i % 2 == 0,
            "opt": "ab"[i >= 6],
            "id": f"r{i}",
        }
        for i in range(12)
    ]
    metric = [float(i**3) for i in range(12)]
    found = importances(configs, [*metric[:-1], None])
    names = by_name(found)
    assert names["lr"] == (1.0, -1, 11)
    assert names["opt"][0] == pytest.approx(0.866, abs=0.01)
    assert names["opt"][1] == 0
    assert found[0].setting == "lr"
    assert found[0].likely
    assert not next(one for one in found if one.setting == "noise").likely
    assert "same" not in names
    assert "id" not in names
    assert abs(names["amp"][0]) < 0.3


def test_importance_of_few_runs() -> None:
    """With too few runs nothing is likely; ties have the mean of their ranks; without a metric there is nothing."""
    few = importances([{"lr": i} for i in range(ENOUGH - 1)], [float(i) for i in range(ENOUGH - 1)])
    assert few[0].size == 1
    assert not few[0].likely
    tied = importances([{"a": value} for value in (1, 1, 2, 2)], [1.0, 2, 3, 4])
    assert tied[0].size == pytest.approx(0.894, abs=0.001)  # scipy.stats.spearmanr says the same
    assert importances([{"a": 1}, {"a": 2}], [None, 1.0]) == []
    assert importances([], []) == []
