"""The log writer of tuimon: what training code imports. Standard library only.

Three faces write the same log; only the import line of a script changes:

- ``from tuimon_writer import SummaryWriter`` for ``torch.utils.tensorboard`` and ``tensorboardX``,
- ``from tuimon_writer import LogWriter`` for ``visualdl``,
- ``import tuimon_writer as wandb`` for ``wandb``: `init`, `log`, `config`, `summary`, `finish`, `run`.

Nothing here raises into the training, and nothing leaves the machine. Everything is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tuimon_writer.log_writer import LogWriter as LogWriter
    from tuimon_writer.settings import Current
    from tuimon_writer.summary_writer import SummaryWriter as SummaryWriter
    from tuimon_writer.tracking import Histogram as Histogram
    from tuimon_writer.tracking import Run as Run
    from tuimon_writer.tracking import finish as finish
    from tuimon_writer.tracking import init as init
    from tuimon_writer.tracking import log as log

    config: Current
    summary: Current
    run: Run | None

_HOMES = {
    "Histogram": "tracking",
    "LogWriter": "log_writer",
    "Run": "tracking",
    "SummaryWriter": "summary_writer",
    "finish": "tracking",
    "init": "tracking",
    "log": "tracking",
}

__all__ = ["Histogram", "LogWriter", "Run", "SummaryWriter", "config", "finish", "init", "log", "run", "summary"]


def __getattr__(name: str) -> Any:
    if name == "run":
        return import_module("tuimon_writer.tracking").current()
    found: Any
    if name in _HOMES:
        found = getattr(import_module(f"tuimon_writer.{_HOMES[name]}"), name)
    elif name in ("config", "summary"):
        tracking = import_module("tuimon_writer.tracking")
        found = import_module("tuimon_writer.settings").Current(getattr(tracking, f"current_{name}"))
    else:
        found = import_module("tuimon_writer.unrecorded").module_attribute(name)
    globals()[name] = found
    return found
