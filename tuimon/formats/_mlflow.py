"""What MLflow's file store and its database have in common: how runs, their settings and their ends are told.

Source: ``mlflow/store/tracking/file_store.py`` and ``mlflow/entities/run_status.py`` (MLflow 3.17).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from tuimon.formats._axes import time_unit
from tuimon.formats._values import text_number
from tuimon.records import Config, End, Record, RunInfo, Setting

_RUN_ID = re.compile(r"[0-9a-f]{32}")
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
_WORDS: Mapping[str, Setting] = {"True": True, "False": False, "None": None}
_LONGEST = 8000
_INFO_OF_TAG = {
    "mlflow.runName": "name",
    "mlflow.user": "user",
    "mlflow.note.content": "notes",
    "mlflow.parentRunId": "group",
}
_INFO_OF_META = (("run_name", "name"), ("name", "name"), ("run_id", "id"), ("run_uuid", "id"), ("user_id", "user"))
_STATUS = {3: "finished", 4: "failed", 5: "killed", "FINISHED": "finished", "FAILED": "failed", "KILLED": "killed"}


def place(path: str, area: str) -> tuple[str, str] | None:
    """The directory of a run and the name of something in it, which may have slashes.

    Args:
        path: Path of a file, joined with "/".
        area: Which of the run's directories it is to be in: "metrics", "params" or "tags".

    Returns:
        Directory and name; None when the file is in no such directory.
    """
    if f"{area}/" not in path:
        return None
    parts = path.split("/")
    areas = [at for at, part in enumerate(parts[:-1]) if part == area]
    if not areas:
        return None
    at = next((at for at in areas if at and is_run_id(parts[at - 1])), areas[-1])
    return "/".join(parts[:at]), "/".join(parts[at + 1 :])


def is_run_id(name: str) -> bool:
    """Whether a directory is named as MLflow names those of runs unless it is told to name one otherwise."""
    return _RUN_ID.fullmatch(name) is not None


def seconds(stamp: float) -> float:
    """A wall time, mostly in milliseconds, as seconds; NaN for what cannot be one."""
    unit = time_unit(stamp)
    return stamp / unit if unit else math.nan


def setting(text: str) -> Setting:
    """The value of a parameter, which MLflow keeps as a text, as what it was."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    number = None if "%" in text else text_number(text)
    return text[:_LONGEST] if number is None else number


def param(name: str, text: str) -> Sequence[Record]:
    """What a parameter says."""
    return [Config({name: setting(text)})]


def tag(name: str, text: str) -> Sequence[Record]:
    """What a tag says: of MLflow's own ones only what a person wants to know, and all that were set by hand."""
    if name in _INFO_OF_TAG:
        return [RunInfo({_INFO_OF_TAG[name]: text})]
    if name == "mlflow.source.name":
        return [RunInfo({"command": [text]})]
    if name == "mlflow.source.git.commit":
        return [RunInfo({"git": {"commit": text}})]
    return [] if name.startswith("mlflow.") else [Config({f"tags/{name}": setting(text)})]


def run(about: Mapping[str, object]) -> list[Record]:
    """What MLflow says of a run: its name, its start, and how it ended.

    Args:
        about: Values by the names that they have in ``meta.yaml``.
    """
    info: dict[str, object] = {}
    for key, name in (
        ("run_name", "name"),
        ("name", "name"),
        ("run_id", "id"),
        ("run_uuid", "id"),
        ("user_id", "user"),
    ):
        value = about.get(key)
        if isinstance(value, str) and value and name not in info:
            info[name] = value
    started, ended = (_time(about.get(key)) for key in ("start_time", "end_time"))
    if started is not None:
        info["started"] = started
    status = about.get("status")
    known = _STATUS.get(status) if isinstance(status, (int, str)) else None
    return [RunInfo(info)] if known is None else [RunInfo(info), End(known, ended)]


def _time(value: object) -> float | None:
    if not isinstance(value, (int, float)):
        return None
    time = seconds(value)
    return None if math.isnan(time) else time
