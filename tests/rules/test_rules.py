"""Each rule finds what it is for, where it begins, and leaves in peace what only looks like it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tuimon.analysis.state import RunState, State
from tuimon.records import End
from tuimon.rules.base import Finding, Severity
from tuimon.rules.registry import rules
from tuimon.rules.views import Alert, HistogramView, RunView, SeriesView

Look = Callable[..., list[Finding]]
RNG = np.random.default_rng(0)


def decay(n: int = 400, end: float = 0.2, noise: float = 0.02, seed: int = 0) -> np.ndarray:
    """A loss that falls from one towards ``end``."""
    rng = np.random.default_rng(seed)
    return (1 - end) * np.exp(-np.arange(n) / (n / 6)) + end + noise * rng.normal(size=n)


def test_each_rule_says_what_it_means() -> None:
    """Each rule has a name of its own, a title and a text with its reasoning."""
    names = [rule.name for rule in rules()]
    assert len(set(names)) == len(names) >= 25
    assert all(rule.title and len(rule.doc) > 80 for rule in rules())


def test_nan_now_and_nan_before(look: Look) -> None:
    """NaN at the end of a loss is an error; one that passed is a warning; a metric's is less (case A1)."""
    lost = decay()
    lost[300:] = np.nan
    passed = decay()
    passed[100] = np.inf
    mostly = np.where(np.arange(50) % 5 == 0, 1.0, np.nan)
    found = look("nan", {"loss": lost})[0]
    assert (found.severity, found.step, found.numbers["nan"]) == (Severity.ERROR, 300.0, 100.0)
    assert "last loss before was 0.2" in found.message
    assert look("nan", {"loss": passed})[0].severity is Severity.WARN
    assert look("nan", {"val/f1": passed})[0].severity is Severity.INFO
    assert look("nan", {"loss": mostly})[0].numbers["nan"] == 40
    assert look("nan", {"loss": decay()}) == []


def test_an_infinite_norm_at_the_start_is_only_worth_knowing(look: Look) -> None:
    """Mixed precision begins with infinite norms; that is no fault (case A16)."""
    norm = np.array([np.inf, 1000, 100, *[5.0] * 50])
    found = look("nan", {"grad_norm": norm})
    assert [(f.severity, f.step) for f in found] == [(Severity.INFO, 0.0)]
    assert "scale" in found[0].advice
    assert look("exploding", {"grad_norm": norm}) == []


def test_an_all_nan_metric_is_told_apart(look: Look) -> None:
    """A metric that never was a number says so, and is no alarm; a loss is."""
    assert look("nan", {"val/corr": [np.nan] * 10})[0].severity is Severity.INFO
    assert look("nan", {"loss": [np.nan] * 10})[0].severity is Severity.ERROR
    assert "never a number" in look("nan", {"loss": [np.nan] * 10})[0].message


def test_a_loss_that_slowly_trebles_diverges(look: Look) -> None:
    """A slow rise to three times the best is told, with the step at which it begins (case I1)."""
    loss = np.concatenate([decay(500), np.linspace(0.2, 0.6, 500) + 0.02 * RNG.normal(size=500)])
    found = look("divergence", {"train/loss": loss})
    assert len(found) == 1
    assert found[0].since_step == pytest.approx(520, abs=60)
    assert found[0].numbers["best"] == pytest.approx(0.2, abs=0.03)


@pytest.mark.parametrize("name", ["val/loss", "policy_loss", "train/lr"])
def test_only_training_losses_diverge(look: Look, name: str) -> None:
    """A validation loss overfits, a part of a loss may rise, and other series are none of its business."""
    assert look("divergence", {name: np.concatenate([decay(200), np.linspace(0.2, 3, 200)])}) == []


def test_a_warm_restart_is_no_divergence(look: Look) -> None:
    """The loss rises when the rate is raised to where it was, and that is meant."""
    rate = np.array([0.1 * (1 + np.cos(np.pi * (i % 200) / 200)) for i in range(430)])
    loss = decay(430) + np.where(np.arange(430) > 400, 0.5, 0.0)
    assert look("divergence", {"loss": loss, "lr": rate}) == []
    assert len(look("divergence", {"loss": loss, "lr": np.full(430, 0.1)})) == 1


def test_a_spike_that_recovered_and_one_that_did_not(look: Look) -> None:
    """The peak is told with its step, and whether the loss came back."""
    loss = decay()
    loss[250:253] = [2.0, 1.2, 0.6]
    found = look("spike", {"loss": loss})
    assert [(f.step, f.severity) for f in found] == [(250.0, Severity.INFO)]
    assert "came back" in found[0].message
    loss[250:] += np.linspace(2.0, 1.0, 150)
    assert [f.severity for f in look("spike", {"loss": loss})] in ([], [Severity.WARN])
    heavy = decay() * RNG.lognormal(0, 0.6, 400)
    assert look("spike", {"loss": heavy}) == []


def test_swings_of_a_validation_score(look: Look) -> None:
    """An accuracy that falls and rises by a third again and again goes nowhere; noise and returns do not count."""
    swing = 0.6 + 0.2 * np.sin(np.arange(80) / 2) + 0.01 * RNG.normal(size=80)
    assert [f.rule for f in look("oscillation", {"val/acc": swing})] == ["oscillation"]
    assert look("oscillation", {"val/acc": 0.6 + 0.02 * RNG.normal(size=80)}) == []
    assert look("oscillation", {"eval/return": swing}) == []


def test_a_loss_that_alternates(look: Look) -> None:
    """Up and down at each step is the edge of stability; noise around a level is not."""
    steps = np.arange(200)
    assert len(look("oscillation", {"loss": 0.5 + 0.2 * (-1.0) ** steps})) == 1
    assert look("oscillation", {"loss": 0.5 + 0.2 * RNG.normal(size=200)}) == []


def test_gradients_that_explode(look: Look) -> None:
    """A norm at a thousand times its usual is told; one that rises slowly, with a loss that falls, is not."""
    norm = np.concatenate([1 + 0.1 * RNG.normal(size=300), np.geomspace(1, 1000, 60), np.full(40, 1000.0)])
    found = look("exploding", {"train/grad_norm": norm})
    assert len(found) == 1
    assert found[0].since_step == pytest.approx(310, abs=15)
    assert look("exploding", {"train/grad_norm": np.linspace(1, 8, 400), "loss": decay()}) == []


def test_weights_beyond_a_million() -> None:
    """Histograms whose range leaves 1e6 are an error (diagnosis case 63)."""
    rule = next(rule for rule in rules() if rule.name == "exploding")
    view = histogram("weights/fc1", largest=[1, 10, 1e3, 1e5, 3e6])
    found = list(rule.look(RunView("run", {}, {view.tag: view}), rule.limits))  # type: ignore[call-arg,arg-type]
    assert [(f.tag, f.severity, f.numbers["largest"]) for f in found] == [("weights/fc1", Severity.ERROR, 3e6)]


def test_gradients_that_vanish_towards_the_input() -> None:
    """Layers whose gradients fall by ten each are told; layers that are alike are not (diagnosis case 62)."""
    rule = next(rule for rule in rules() if rule.name == "vanishing")

    def ask(factor: float) -> list[Finding]:
        views = [histogram(f"grads/layer{n}/weight", std=[factor ** (6 - n)] * 5) for n in range(7)]
        return list(rule.look(RunView("run", {}, {v.tag: v for v in views}), rule.limits))  # type: ignore[call-arg,arg-type]

    assert [(f.tag, f.severity) for f in ask(0.1)] == [("grads/layer0/weight", Severity.WARN)]
    assert ask(0.7) == []


def test_a_layer_that_is_all_zero() -> None:
    """A gradient that is zero at each look is told; a bias, or a zero once, is not (diagnosis case 61)."""
    rule = next(rule for rule in rules() if rule.name == "dead-layer")

    def ask(tag: str, zero: list[float]) -> list[Finding]:
        view = histogram(tag, zero=zero)
        return list(rule.look(RunView("run", {}, {tag: view}), rule.limits))  # type: ignore[call-arg,arg-type]

    assert [f.since_step for f in ask("gradients/embedding.weight", [1] * 5)] == [0.0]
    assert [f.since_step for f in ask("gradients/embedding.weight", [0, 0, 1, 1, 1])] == [2.0]
    assert ask("gradients/embedding.weight", [1, 1, 1, 0.3, 0.1]) == []
    assert ask("weights/fc.bias", [1] * 5) == []


def test_weights_that_collapse() -> None:
    """A spread that falls to a hundredth is a spike at zero (diagnosis case 57)."""
    rule = next(rule for rule in rules() if rule.name == "collapsed")

    def ask(std: list[float]) -> list[Finding]:
        view = histogram("weights/last", std=std)
        return list(rule.look(RunView("run", {}, {view.tag: view}), rule.limits))  # type: ignore[call-arg,arg-type]

    assert [f.rule for f in ask([0.5, 0.2, 0.05, 0.004, 0.003])] == ["collapsed"]
    assert ask([0.5, 0.4, 0.3, 0.25, 0.24]) == []


def test_overfitting_names_the_best_step(look: Look) -> None:
    """The validation turns at step 20 while the training goes on (diagnosis cases 55 and 58)."""
    train = decay(60, end=0.02, noise=0.005)
    valid = np.concatenate([np.linspace(1, 0.5, 21), np.linspace(0.51, 0.8, 39)]) + 0.005 * RNG.normal(size=60)
    found = look("overfitting", {"train/loss": train, "val/loss": valid})
    assert [f.tag for f in found] == ["val/loss"]
    assert found[0].step == pytest.approx(20, abs=3)
    assert look("overfitting", {"train/loss": train, "val/loss": train + 0.1}) == []
    assert look("leak", {"val/loss": train, "train/loss": valid})[0].rule == "leak"


def test_underfitting_needs_both_flat_and_poor(look: Look) -> None:
    """Accuracies that stop at 0.6, alike, are told; at 0.9, or apart, they are not."""

    def rise(end: float, seed: int) -> np.ndarray:
        return (
            0.25
            + (end - 0.25) * (1 - np.exp(-np.arange(100) / 8))
            + 0.01 * np.random.default_rng(seed).normal(size=100)
        )

    assert len(look("underfitting", {"train/acc": rise(0.6, 1), "val/acc": rise(0.59, 2)})) == 1
    assert look("underfitting", {"train/acc": rise(0.9, 1), "val/acc": rise(0.89, 2)}) == []
    assert look("underfitting", {"train/acc": rise(0.6, 1), "val/acc": rise(0.4, 2)}) == []


def test_a_plateau_is_judged_against_noise(look: Look) -> None:
    """No improvement for half of the run is told (diagnosis case 56); slow improvement in noise is not."""
    flat = np.concatenate([np.linspace(0.3, 0.8, 60), np.full(140, 0.8)]) + 0.004 * RNG.normal(size=200)
    assert look("plateau", {"val/acc": flat})[0].since_step == pytest.approx(58, abs=10)
    slow = np.linspace(2.0, 1.0, 200) + 0.004 * RNG.normal(size=200)
    assert look("plateau", {"val/loss": slow}) == []
    done = np.concatenate([np.linspace(1, 0.001, 50), np.full(150, 0.001)])
    assert look("plateau", {"val/loss": done}) == []


def test_a_schedule_that_is_never_stepped(look: Look) -> None:
    """A constant rate where the settings name a cosine is told; a constant schedule is not (diagnosis case 59)."""
    rate = {"lr": np.full(200, 1e-3)}
    cosine = {"lr_scheduler_type": "cosine"}
    assert look("lr-constant", rate, config=cosine, total=300.0)[0].severity is Severity.WARN
    assert look("lr-constant", rate, config=cosine, total=10_000.0) == []
    assert look("lr-constant", rate, config={"lr_scheduler_type": "constant"}, total=300.0) == []
    assert look("lr-constant", {"lr": np.linspace(1e-3, 0, 200)}, config=cosine, total=300.0) == []


def test_a_rate_that_is_cut(look: Look) -> None:
    """A fall to a thousandth is told with its step (diagnosis case 60); steps by ten, and a cosine, are not."""
    steps = np.arange(300)
    cut = np.where(steps < 100, 1e-3, 1e-6)
    assert look("lr-drop", {"lr": cut})[0].step == pytest.approx(100, abs=2)
    assert look("lr-drop", {"lr": 1e-1 * 0.1 ** (steps // 100)}) == []
    assert look("lr-drop", {"lr": 0.05 * (1 + np.cos(np.pi * steps / 300))}) == []


def test_a_warm_up_that_is_missing(look: Look) -> None:
    """The settings want a warm-up and the rate begins at its most."""
    falling = np.linspace(1e-3, 0, 100)
    assert len(look("lr-warmup", {"lr": falling}, config={"warmup_steps": 20})) == 1
    risen = np.concatenate([np.linspace(1e-5, 1e-3, 20), falling])
    assert look("lr-warmup", {"lr": risen}, config={"warmup_steps": 20}) == []


def test_a_rate_that_goes_too_high(look: Look) -> None:
    """The loss turns upwards while the rate is still rising."""
    loss = np.concatenate([np.linspace(1, 0.3, 100), np.linspace(0.3, 0.9, 100)]) + 0.01 * RNG.normal(size=200)
    assert look("lr-high", {"loss": loss, "lr": np.linspace(0.001, 0.2, 200)})[0].step is not None
    assert look("lr-high", {"loss": loss, "lr": np.full(200, 0.1)}) == []


def test_validation_that_equals_training(look: Look) -> None:
    """The very same values under both names are a leak, or one thing logged twice."""
    loss = decay(100)
    assert look("leak", {"train/loss": loss, "val/loss": loss})[0].severity is Severity.WARN
    assert look("leak", {"train/loss": loss, "val/loss": loss + 1e-3 * RNG.normal(size=100)}) == []


def test_a_metric_that_is_stuck(look: Look) -> None:
    """The same number over and over is told; a perfect score, and a record, are not."""
    stuck = np.concatenate([decay(20), np.full(80, 0.6931)])
    assert look("stuck", {"loss": stuck})[0].since_step == 20
    assert look("stuck", {"val/acc": np.concatenate([np.linspace(0, 1, 20), np.ones(80)])}) == []
    assert look("stuck", {"best_acc": np.concatenate([np.linspace(0, 0.7, 20), np.full(80, 0.7)])}) == []


def test_no_better_than_guessing(look: Look) -> None:
    """A loss at ln 10 with an accuracy of a tenth is guessing among ten classes."""
    loss = np.log(10) + 0.01 * RNG.normal(size=200)
    accuracy = 0.1 + 0.01 * RNG.normal(size=200)
    assert look("chance", {"loss": loss, "acc": accuracy})[0].numbers["classes"] == 10
    assert look("chance", {"loss": loss}, config={"num_classes": 10})[0].numbers["classes"] == 10
    assert look("chance", {"loss": loss}) == []
    assert look("chance", {"loss": loss, "acc": accuracy + 0.5}) == []


def test_steps_that_take_twice_as_long() -> None:
    """The pace from wall times; pauses do not count (case I1)."""
    rule = next(rule for rule in rules() if rule.name == "throughput")

    def ask(seconds: np.ndarray) -> list[Finding]:
        view = SeriesView.of("loss", np.arange(len(seconds)), np.ones(len(seconds)))
        view.time = np.cumsum(seconds)
        return list(rule.look(RunView("run", {"loss": view}), rule.limits))  # type: ignore[call-arg,arg-type]

    pace = 0.1 * RNG.lognormal(0, 0.1, 200)
    slower = np.where(np.arange(200) < 120, pace, 2.2 * pace)
    found = ask(slower)
    assert found[0].numbers["slower"] == pytest.approx(2.2, abs=0.3)
    assert found[0].since_step == pytest.approx(120, abs=3)
    paused = pace.copy()
    paused[::20] += 5.0
    assert ask(paused) == []


def test_a_loader_that_is_slow_and_a_gpu_that_is_idle(look: Look) -> None:
    """Most of a step is spent waiting, or the GPU is hardly busy."""
    step = 0.2 + 0.01 * RNG.random(50)
    assert look("starvation", {"data_time": 0.8 * step, "step_time": step})[0].numbers["share"] == pytest.approx(
        0.8, abs=0.05
    )
    assert look("starvation", {"data_time": 0.1 * step, "step_time": step}) == []
    busy = {"system/gpu.0.percent": 5 + RNG.random(50)}
    assert len(look("starvation", busy, last_step=100.0)) == 1
    assert look("starvation", {"system/gpu.0.percent": 90 + RNG.random(50)}, last_step=100.0) == []


def test_memory_that_creeps_up(look: Look) -> None:
    """Steady growth towards the limit is told; memory that is full from the start is not."""
    noise = 0.3 * RNG.normal(size=100)
    assert len(look("memory", {"system/memory_percent": np.linspace(30, 88, 100) + noise})) == 1
    assert look("memory", {"system/memory_percent": 90 + noise}) == []
    assert look("memory", {"system/gpu.0.memory_percent": np.full(100, 97.0)}) == []


@pytest.mark.parametrize(
    ("kind", "severity"),
    [(RunState.STALLED, Severity.WARN), (RunState.CRASHED, Severity.ERROR), (RunState.FAILED, Severity.ERROR)],
)
def test_states_are_told(look: Look, kind: RunState, severity: Severity) -> None:
    """What stalled, crashed or failed is told; what runs or has ended well is not (case I1)."""
    found = look("state", {}, state=State(kind, "silent for 12 min", 720.0))
    assert [(f.severity, f.numbers) for f in found] == [(severity, {"silent": 720.0})]
    assert look("state", {}, state=State(RunState.FINISHED)) == []


def test_memory_and_disk_are_named_as_the_cause(look: Look) -> None:
    """The error of a run that failed says what to do."""
    failed = State(RunState.FAILED, "RuntimeError: CUDA out of memory")
    assert "out of memory" in look("state", {}, state=failed)[0].message
    end = End("failed", error="OSError: [Errno 28] No space left on device")
    assert "disk" in look("state", {}, state=State(RunState.FAILED, "OSError"), end=end)[0].message


def test_faults_of_steps_and_clocks(look: Look) -> None:
    """Restarts, jumps and lost values are told from what the files say, and times from the future."""
    assert look("steps", {}, restarts=[100.0, 50.0])[0].step == 50
    assert "far too high" in look("steps", {}, notices={"step jump": (1, "loss: from 2 to 9999 and back")})[0].message
    assert look("steps", {}, notices={"gap": (2, "")})[0].severity is Severity.WARN
    assert "future" in look("steps", {}, now=1e9, last_time=1e9 + 7200)[0].message


def test_seeds_that_disagree() -> None:
    """Of five runs that differ in their seed only, the one that is apart is told."""
    rule = next(rule for rule in rules() if rule.name == "seeds")

    def run(number: int, end: float) -> RunView:
        view = SeriesView.of("val/loss", np.arange(100), decay(100, end, 0.005, number))
        return RunView(f"s{number}", {"val/loss": view}, config={"lr": 0.1, "seed": number})

    alike = [run(n, 0.2 + 0.01 * n) for n in range(4)]
    found = list(rule.look([*alike, run(4, 0.7)], rule.limits))  # type: ignore[call-arg,arg-type]
    assert [f.run for f in found] == ["s4"]
    assert list(rule.look([*alike, run(4, 0.25)], rule.limits)) == []  # type: ignore[call-arg,arg-type]


def test_alerts_of_the_script_are_shown_as_said(look: Look) -> None:
    """One finding a title, with the level that the script gave."""
    alerts = [Alert(3.0, None, "Loss is high", "12.5", "warn"), Alert(5.0, None, "Loss is high", "13", "error")]
    found = look("alert", {}, alerts=alerts)
    assert [(f.step, f.severity, f.message) for f in found] == [(5.0, Severity.ERROR, "Loss is high: 13")]


def histogram(tag: str, **columns: list[float]) -> HistogramView:
    """A view of as many looks as the columns have, with usual values elsewhere."""
    size = len(next(iter(columns.values())))
    usual = {"largest": 1.0, "std": 0.3, "mean": 0.0, "zero": 0.0, "total": 100.0, "bad": 0.0}
    filled = {name: np.array(columns.get(name, [value] * size), dtype=float) for name, value in usual.items()}
    return HistogramView(tag, np.arange(size, dtype=float), **filled)
