"""Tensors side by side: names, pairs of gradients and weights, what is said of layers that died or exploded."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from tuimon.analysis.tensornames import tensor_name
from tuimon.analysis.tensors import TensorRow, compared, moments, norm_rows, ordered, tensor_row, zero_share
from tuimon.store import Histogram


def histogram(values: Sequence[float], *, told: bool = True, edges: Sequence[float] | None = None) -> Histogram:
    array = np.asarray(values, float)
    finite = array[np.isfinite(array)]
    nan, inf = int(np.isnan(array).sum()), int(np.isinf(array).sum())
    if not len(finite):
        return Histogram(np.empty(0), np.empty(0), nan, inf, None, None, None, None, None)
    counts, ends = np.histogram(finite, 64 if edges is None else edges)
    facts = (finite.min(), finite.max(), finite.mean(), finite.std(), int((finite == 0).sum())) if told else (None,) * 5
    return Histogram(ends, counts.astype(float), nan, inf, *facts)


def row(tag: str, scale: float, *, seed: int = 0) -> TensorRow:
    return tensor_row(tag, 100.0, histogram(np.random.default_rng(seed).normal(0, scale, 500).tolist()))


@pytest.mark.parametrize(
    ("gradient", "weights"),
    [
        ("gradients/fc.1.weight", "parameters/fc.1.weight"),  # wandb.watch
        ("gradients/fc.1.weight", "fc.1.weight"),
        ("gradients/fc1", "weights/fc1"),  # VisualDL's and PaddlePaddle's tutorials
        ("Gradients/fc1.weight", "Weights/fc1.weight"),
        ("linear_0.w_0@GRAD", "linear_0.w_0"),
        ("layer1.0.conv1.weight.grad", "layer1.0.conv1.weight"),  # named_parameters of torch
        ("layer1.0.conv1.weight/grad", "layer1.0.conv1.weight"),
        ("grad/layer1.0.conv1.weight", "layer1.0.conv1.weight"),
        ("grads/conv1.bias", "params/conv1.bias"),
        ("conv1.weight_grad", "conv1.weight"),
        ("grad_conv1.weight", "weight_conv1.weight"),
        ("grad_hist/conv1", "weight_hist/conv1"),
        ("conv1/gradients", "conv1/weights"),
        ("dense/kernel_0_grad", "dense/kernel_0"),  # the TensorBoard callback of Keras
        ("dense_1/gradients/dense_1/kernel", "dense_1/dense_1/kernel"),
        ("gradients/dense.gradient", "parameters/dense.weights"),  # wandb's callback for Keras
        ("encoder/layerNorm.weight.grad", "encoder/layerNorm.weight"),
    ],
)
def test_gradients_and_weights_of_a_layer_find_each_other(gradient: str, weights: str) -> None:
    """Whatever the program that named them."""
    one, other = tensor_name(gradient), tensor_name(weights)
    assert one.gradient
    assert not other.gradient
    assert one.layer == other.layer
    assert one.layer
    assert not one.norm


@pytest.mark.parametrize(
    ("gradient", "other"),
    [("gradients/fc1", "weights/fc2"), ("fc.bias.grad", "fc.weight"), ("grads/fc", "activations/fc"),
     ("gradients/fc.1.weight", "fc.10.weight")],
)  # fmt: skip
def test_others_do_not(gradient: str, other: str) -> None:
    """Another layer, another parameter, another quantity."""
    assert tensor_name(gradient).layer != tensor_name(other).layer


def test_norms_of_layers_are_told_from_layers_called_norm() -> None:
    """A norm of all layers is none of a layer."""
    for tag in ("grad_norm/fc1", "grad_2.0_norm/fc1", "gradients/fc1_norm", "fc1.grad_norm", "grad/fc1/l2_norm"):
        assert tensor_name(tag) == (("fc1",), True, True, ""), tag
    assert tensor_name("weight_norm/fc1").norm
    for tag in ("grad_norm", "grad_2.0_norm_total", "optim/total_grad_norm", "loss"):
        assert not tensor_name(tag).norm, tag
    assert not tensor_name("grads/layer_norm.weight").norm


def test_a_gradient_has_its_size_beside_that_of_its_weights() -> None:
    """The ratio of the root mean squares; None where there are no such weights."""
    rows = compared([row("weights/a", 2.0), row("gradients/a", 0.01), row("gradients/b", 0.01)])
    assert rows[0].ratio is None
    assert rows[1].ratio == pytest.approx(0.005)
    assert rows[2].ratio is None


def test_a_layer_that_died_and_one_that_exploded_stand_out() -> None:
    """Three orders of magnitude from the others of its kind; weights are not compared with gradients."""
    scales = {"a": 0.1, "b": 0.05, "c": 1e-7, "d": 0.2, "e": 0.02, "f": 900.0}
    rows = [row(f"gradients/{name}", scale) for name, scale in scales.items()]
    rows += [row(f"weights/{name}", 50.0) for name in scales]
    flags = {r.tag: r.flags for r in compared(rows) if r.flags}
    assert flags == {"gradients/c": ("vanished",), "gradients/f": ("far above others",)}


def test_three_tensors_are_too_few_to_say_which_is_out_of_line() -> None:
    """Nobody knows what is usual then."""
    assert not any(r.flags for r in compared([row(f"gradients/{i}", 10.0 ** (-4 * i)) for i in range(3)]))


def test_what_is_wrong_is_said_in_words() -> None:
    """All zero, NaN and values beyond a million (diagnosis: dead embedding, explosion)."""

    def flags(values: Sequence[float]) -> tuple[str, ...]:
        return compared([tensor_row("t", 0.0, histogram(values))])[0].flags

    assert flags([0.0] * 9) == ("all zero",)
    assert flags([math.nan] * 9) == ("all NaN",)
    assert flags([math.inf, math.nan]) == ("no finite value",)
    assert flags([1.0, -2e6, math.nan]) == ("NaN", "|max| > 1e6")
    assert flags([0.0] * 999 + [1.0]) == ("≥99% zero",)
    assert flags([]) == ("empty",)
    assert flags([1.0, 2.0]) == ()


def test_mean_and_deviation_are_read_from_bins_that_come_without() -> None:
    """Logs of W&B, VisualDL and Keras have bins alone; the row says that it is an estimate."""
    values = np.random.default_rng(1).normal(3.0, 0.5, 5000).tolist()
    mean, std, estimated = moments(histogram(values, told=False))
    assert estimated
    assert mean == pytest.approx(3.0, abs=0.05)
    assert std == pytest.approx(0.5, abs=0.05)
    assert not moments(histogram(values))[2]
    assert tensor_row("t", 0.0, histogram(values, told=False)).estimated


def test_zeros_are_read_from_bins_next_to_zero() -> None:
    """TensorBoard's writers have such bins; a wide bin around zero tells nothing."""
    values = [0.0] * 30 + [1.0] * 70
    assert zero_share(histogram(values, told=False, edges=[-1.0, -1e-12, 1e-12, 2.0])) == (0.3, True)
    assert zero_share(histogram(values, told=False, edges=[-1.0, 2.0])) == (None, False)
    assert zero_share(histogram(values)) == (0.3, False)


def test_norms_make_a_table_where_there_are_no_histograms() -> None:
    """Only norms of layers, with the ratio to the norm of the weights."""
    points = [("loss", 9.0, 1.0), ("grad_norm/a", 9.0, 0.5), ("weight_norm/a", 9.0, 10.0), ("grad_norm/b", 9.0, 0.0),
              ("grad_norm/total", 9.0, 3.0)]  # fmt: skip
    rows = {r.tag: r for r in compared(norm_rows(points))}
    assert set(rows) == {"grad_norm/a", "weight_norm/a", "grad_norm/b"}
    assert rows["grad_norm/a"].ratio == 0.05
    assert rows["grad_norm/b"].flags == ("all zero",)


def test_rows_are_sorted_by_any_column() -> None:
    """Numbers by value with the unknown last, whichever way; the worst flags first; tags in natural order."""
    rows = [
        TensorRow("l10", 0, std=1.0),
        TensorRow("l2", 0, std=3.0, flags=("NaN",)),
        TensorRow("l1", 0, std=None, flags=("vanished",)),
    ]
    assert [r.tag for r in ordered(rows, "tag", False)] == ["l1", "l2", "l10"]
    assert [r.tag for r in ordered(rows, "std", False)] == ["l10", "l2", "l1"]
    assert [r.tag for r in ordered(rows, "std", True)] == ["l2", "l10", "l1"]
    assert [r.tag for r in ordered(rows, "flags", False)] == ["l2", "l1", "l10"]
