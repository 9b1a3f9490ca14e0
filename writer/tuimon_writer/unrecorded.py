"""Calls of the original libraries that this version accepts without recording anything, so that scripts run on."""

from __future__ import annotations

import sys

from tuimon_writer.messages import warn_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SUMMARY_WRITER = (
    "add_audio",
    "add_custom_scalars",
    "add_custom_scalars_marginchart",
    "add_custom_scalars_multilinechart",
    "add_embedding",
    "add_figure",
    "add_graph",
    "add_image",
    "add_image_with_boxes",
    "add_images",
    "add_mesh",
    "add_onnx_graph",
    "add_openvino_graph",
    "add_pr_curve",
    "add_pr_curve_raw",
    "add_tensor",
    "add_video",
    "export_scalars_to_json",
)
LOG_WRITER = (
    "add_audio",
    "add_embeddings",
    "add_figure",
    "add_graph",
    "add_image",
    "add_image_matrix",
    "add_meta",
    "add_pr_curve",
    "add_roc_curve",
)
WANDB_CALLS = (
    "alert",
    "define_metric",
    "link_artifact",
    "log_artifact",
    "log_code",
    "login",
    "mark_preempting",
    "restore",
    "save",
    "setup",
    "teardown",
    "unwatch",
    "upsert_artifact",
    "use_artifact",
    "watch",
)
WANDB_OBJECTS = (
    "Api",
    "Artifact",
    "Audio",
    "Graph",
    "Html",
    "Image",
    "Molecule",
    "Object3D",
    "Plotly",
    "Settings",
    "Table",
    "Video",
)
WANDB_SPACES = ("AlertLevel", "plot", "util")


class Unrecorded:
    """Stands in for an object that is not recorded yet: any method of it can be called and does nothing."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name.startswith("__"):
            raise AttributeError(name)
        return ignored(f"{self._kind}.{name}")

    def __repr__(self) -> str:
        return f"<{self._kind}, not recorded>"


def say(name: str) -> None:
    """Warn, once for a name, that calls of it are not recorded."""
    warn_once(("unrecorded", name), f"{name} is accepted, but not recorded yet")


def ignored(name: str) -> Callable[..., None]:
    """A function that takes anything, warns once that it is not recorded, and returns None."""

    def call(*args: Any, **kwargs: Any) -> None:
        say(name)
        if name.endswith("add_figure"):
            _close_figures(args, kwargs)

    call.__name__ = call.__qualname__ = name.rpartition(".")[2]
    call.__doc__ = "Accepted, but not recorded yet: warns once and returns None."
    return call


def placeholder(name: str) -> Callable[..., Unrecorded]:
    """A function that stands in for a class: takes anything, warns once, and gives an `Unrecorded`."""

    def make(*args: Any, **kwargs: Any) -> Unrecorded:  # noqa: ARG001 - whatever it is given
        say(name)
        return Unrecorded(name)

    make.__name__ = make.__qualname__ = name.rpartition(".")[2]
    make.__doc__ = "Accepted, but not recorded yet: warns once and gives an object without effect."
    return make


def _close_figures(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Close figures as the original does: matplotlib keeps every figure that nobody closes."""
    figures = kwargs.get("figure", args[1] if len(args) > 1 else None)
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None and figures is not None and kwargs.get("close", args[3] if len(args) > 3 else True):
        for figure in figures if isinstance(figures, (list, tuple)) else [figures]:
            pyplot.close(figure)


def module_attribute(name: str) -> Any:
    """What the package gives for a name of wandb that it does not record.

    Raises:
        AttributeError: It is no such name.
    """
    if name in WANDB_CALLS:
        return ignored(f"wandb.{name}")
    if name in WANDB_OBJECTS:
        return placeholder(f"wandb.{name}")
    if name in WANDB_SPACES:
        return Unrecorded(f"wandb.{name}")
    raise AttributeError(f"module 'tuimon_writer' has no attribute {name!r}")
