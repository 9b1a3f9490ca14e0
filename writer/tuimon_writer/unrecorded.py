"""Calls of the original libraries that this version accepts without recording anything, so that scripts run on."""

from __future__ import annotations

from tuimon_writer.messages import warn_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

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

    def call(*args: Any, **kwargs: Any) -> None:  # noqa: ARG001 - whatever it is given
        say(name)

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
