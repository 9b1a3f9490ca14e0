"""Every call of the original libraries, where they are installed, is taken here: names, order and defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import tuimon_writer
from tuimon_writer import LogWriter, SummaryWriter

REPLACED = {
    # tensorboardX has other arguments in these places; they are told apart by their types
    ("add_hparams", 2): "name",
    ("add_hparams", 3): "global_step",
    ("add_image_with_boxes", 5): "dataformats",
    ("add_image_with_boxes", 6): "labels",
    ("add_scalar", 4): "display_name",
    ("add_scalar", 5): "summary_description",
    ("add_onnx_graph", 0): "onnx_model_file",
    ("__init__", 0): "logdir",
    ("__init__", 7): "log_dir",
}
OTHER_DEFAULTS = {"comet_config", "rescale"}


def parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return [one for one in inspect.signature(function).parameters.values() if one.name != "self"]


def compare(name: str, theirs: Callable[..., Any], ours: Callable[..., Any]) -> None:
    """Their call, by position or by keyword, is understood by ours, and what is left out means the same."""
    expected, found = parameters(theirs), parameters(ours)
    names = {one.name: one for one in found}
    positional = [one for one in found if one.kind is one.POSITIONAL_OR_KEYWORD]
    takes_any = any(one.kind is one.VAR_KEYWORD for one in found)
    for place, one in enumerate(expected):
        if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
            continue
        assert one.name in names or takes_any, f"{name}: no keyword {one.name}"
        if one.kind is one.POSITIONAL_OR_KEYWORD:
            assert place < len(positional), f"{name}: {one.name} cannot be given by position"
            if REPLACED.get((name, place)) != one.name:
                assert positional[place].name == one.name, f"{name}: {positional[place].name} instead of {one.name}"
        if one.default is not one.empty and one.name in names and one.name not in OTHER_DEFAULTS:
            assert names[one.name].default == one.default, f"{name}: other default of {one.name}"
        elif one.name in names and names[one.name].default is not one.empty:
            assert one.default is one.empty or one.name in OTHER_DEFAULTS
    required = [one.name for one in found if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    assert set(required) <= {one.name for one in expected}, f"{name}: more is required"


def methods(kind: type) -> dict[str, Callable[..., Any]]:
    own = {name: one for name, one in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}
    return {**own, "__init__": kind.__init__}  # type: ignore[misc]


def test_tensorboardx() -> None:
    """Every method of tensorboardX's `SummaryWriter`."""
    library = pytest.importorskip("tensorboardX")
    for name, theirs in methods(library.SummaryWriter).items():
        compare(name, theirs, getattr(SummaryWriter, name))


def test_torch() -> None:
    """Every method of torch's `SummaryWriter`."""
    pytest.importorskip("tensorboard")
    library = pytest.importorskip("torch.utils.tensorboard")
    for name, theirs in methods(library.SummaryWriter).items():
        compare(name, theirs, getattr(SummaryWriter, name))


def test_visualdl() -> None:
    """Every method of VisualDL's `LogWriter`."""
    library = pytest.importorskip("visualdl")
    for name, theirs in methods(library.LogWriter).items():
        compare(name, theirs, getattr(LogWriter, name))


WANDB = """
    init log finish define_metric watch unwatch alert save log_artifact log_model use_artifact mark_preempting
    Histogram Image Audio Video Table Html Artifact Plotly Object3D Molecule Settings
"""
PLOTS = "confusion_matrix line line_series scatter bar histogram pr_curve roc_curve"
INIT = """
    entity project dir id name notes tags config config_exclude_keys config_include_keys allow_val_change group
    job_type mode force reinit resume resume_from fork_from save_code tensorboard sync_tensorboard monitor_gym
    settings anonymous total_steps
"""


def test_wandb() -> None:
    """The functions and classes of wandb that scripts use, and every attribute of its runs."""
    library = pytest.importorskip("wandb")
    pairs = [(name, getattr(library, name), getattr(tuimon_writer, name)) for name in WANDB.split()]
    pairs += [(f"plot.{name}", getattr(library.plot, name), getattr(_plot(), name)) for name in PLOTS.split()]
    for name, theirs, ours in pairs:
        takes = {one.name for one in parameters(ours)}
        others = any(one.kind is one.VAR_KEYWORD for one in parameters(ours))
        order = [one.name for one in parameters(theirs) if one.kind is one.POSITIONAL_OR_KEYWORD]
        assert others or set(order) <= takes, f"{name}: {set(order) - takes} missing"
        found = [one.name for one in parameters(ours) if one.kind is one.POSITIONAL_OR_KEYWORD]
        common = min(len(order), len(found))
        assert found[:common] == order[:common], name
    run = tuimon_writer.init(mode="disabled")
    for name in dir(library.Run):
        if not name.startswith("_"):
            assert hasattr(run, name), name
    run.finish()
    for name in dir(library.Table):
        if name in ("add_column", "add_data", "add_row", "get_column", "iterrows"):
            compare(name, getattr(library.Table, name), getattr(tuimon_writer.Table, name))


def _plot() -> Any:
    return tuimon_writer.plot  # type: ignore[attr-defined]


def test_defaults() -> None:
    """What the checklist says of orders and defaults, also where no library is installed."""
    order = [one.name for one in parameters(SummaryWriter.__init__)]
    assert order[:9] == [
        "log_dir", "comment", "purge_step", "max_queue", "flush_secs", "filename_suffix", "write_to_disk", "logdir",
        "comet_config",
    ]  # fmt: skip
    assert str(inspect.signature(LogWriter.add_roc_curve)).count("num_thresholds: 'int' = 10") == 1
    assert [one.name for one in parameters(tuimon_writer.init)][:26] == INIT.split()
