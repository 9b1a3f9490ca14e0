"""The log writer of tuimon: what training code imports. Standard library only.

Three faces write the same log; only the import line of a script changes:

- ``from tuimon_writer import SummaryWriter`` for ``torch.utils.tensorboard`` and ``tensorboardX``,
- ``from tuimon_writer import LogWriter`` for ``visualdl``,
- ``import tuimon_writer as wandb`` for ``wandb``: `init`, `log`, `config`, `summary`, `finish`, `run`, and what else
  scripts use of it. Names of wandb that are not here warn once when they are called, and do nothing.

Nothing here raises into the training, and nothing leaves the machine. Everything is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tuimon_writer.data_types import Artifact as Artifact
    from tuimon_writer.data_types import Audio as Audio
    from tuimon_writer.data_types import Histogram as Histogram
    from tuimon_writer.data_types import Html as Html
    from tuimon_writer.data_types import Image as Image
    from tuimon_writer.data_types import Molecule as Molecule
    from tuimon_writer.data_types import Object3D as Object3D
    from tuimon_writer.data_types import Plotly as Plotly
    from tuimon_writer.data_types import Table as Table
    from tuimon_writer.data_types import Video as Video
    from tuimon_writer.log_writer import LogWriter as LogWriter
    from tuimon_writer.settings import Current
    from tuimon_writer.summary_writer import SummaryWriter as SummaryWriter
    from tuimon_writer.tracked_run import Run as Run
    from tuimon_writer.tracking import AlertLevel as AlertLevel
    from tuimon_writer.tracking import Settings as Settings
    from tuimon_writer.tracking import finish as finish
    from tuimon_writer.tracking import init as init
    from tuimon_writer.tracking import log as log
    from tuimon_writer.tracking import login as login

    config: Current
    summary: Current
    run: Run | None

_NAMES = {
    "data_types": "Artifact Audio Histogram Html Image Molecule Object3D Plotly Table Video",
    "errors": "CommError Error UsageError",
    "log_writer": "LogWriter",
    "summary_writer": "SummaryWriter",
    "tracked_run": "Run",
    "tracking": "AlertLevel Settings finish init log login setup teardown",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
_OF_RUN = {
    "alert", "define_metric", "log_artifact", "log_model", "mark_preempting", "save", "unwatch", "use_artifact",
    "watch",
}  # fmt: skip

__all__ = [
    "AlertLevel", "Artifact", "Audio", "Histogram", "Html", "Image", "LogWriter", "Molecule", "Object3D", "Plotly",
    "Run", "Settings", "SummaryWriter", "Table", "Video", "alert", "config", "define_metric", "finish", "init", "log",
    "log_artifact", "log_model", "login", "mark_preempting", "run", "save", "summary", "unwatch", "use_artifact",
    "watch",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name.startswith("_"):
        raise AttributeError(f"module 'tuimon_writer' has no attribute {name!r}")
    if name == "run":
        return import_module("tuimon_writer.tracking").current()
    found: Any
    if name in _HOMES:
        found = getattr(import_module(f"tuimon_writer.{_HOMES[name]}"), name)
    elif name in _OF_RUN:
        found = import_module("tuimon_writer.tracking").of_run(name)
    elif name in ("config", "summary"):
        tracking = import_module("tuimon_writer.tracking")
        found = import_module("tuimon_writer.settings").Current(getattr(tracking, f"current_{name}"))
    else:
        found = _module_or_nothing(name)
    globals()[name] = found
    return found


def _version() -> str:
    """The version of tuimon, which this is a part of; "0" where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("tuimon")
    except PackageNotFoundError:
        return "0"


def _module_or_nothing(name: str) -> Any:
    """A module of this package, such as ``plot``; else something that does nothing."""
    try:
        return import_module(f"tuimon_writer.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"tuimon_writer.{name}":
            raise
    return import_module("tuimon_writer.unrecorded").Unrecorded(f"wandb.{name}")
