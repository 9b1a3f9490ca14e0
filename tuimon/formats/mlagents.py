"""What Unity ML-Agents leaves in `run_logs`: the gauges at the end of a training, the rewards of its checkpoints."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tuimon.formats._json import JsonDocument, as_dict, as_list, row_records
from tuimon.formats._values import number
from tuimon.formats.base import Format, Parser
from tuimon.records import Record, RunInfo

_REWARD = re.compile(rb'"reward"\s*:\s*-?\d')
_ABOUT = {
    "start_time_seconds": "started",
    "command_line_arguments": "command",
    "python_version": "python",
    "mlagents_version": "mlagents",
    "mlagents_envs_version": "mlagents_envs",
    "torch_version": "torch",
    "pytorch_version": "torch",
    "numpy_version": "numpy",
    "communication_protocol_version": "protocol",
}


class RunLogs(Format):
    """The format of `timers.json` and `training_status.json`."""

    name = "ML-Agents run logs"
    rank = 37
    whole = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        if not head.lstrip().startswith(b"{"):
            return False
        name = path.rpartition("/")[2]
        if name == "timers.json":
            return b'"gauges"' in head
        return name == "training_status.json" and _REWARD.search(head) is not None

    def home(self, folder: str, file_name: str) -> str:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.home`: the run is the directory above `run_logs`."""
        return "" if folder == "run_logs" else folder.removesuffix("/run_logs")

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return _RunLogs()


class _RunLogs(JsonDocument):
    def records(self, value: object) -> Sequence[Record]:
        values = as_dict(value)
        about = as_dict(values.get("metadata"))
        info: dict[str, object] = {ours: about[theirs] for theirs, ours in _ABOUT.items() if theirs in about}
        if "started" in info:
            info["started"] = number(info["started"])
        gauges = as_dict(values.get("gauges"))
        rows = _gauge_rows(gauges, about.get("end_time_seconds")) if gauges else _checkpoint_rows(values)
        return [*([RunInfo(info)] if info else []), *row_records(rows)]


def _gauge_rows(gauges: Mapping[str, object], time: object) -> list[dict[str, object]]:
    """A row for each behaviour: where its gauges stood at its last step."""
    behaviours: dict[str, dict[str, object]] = {}
    for name, gauge in gauges.items():
        behaviours.setdefault(name.partition(".")[0], {})[f"gauges/{name}"] = gauge
    for behaviour, row in behaviours.items():
        step = as_dict(row.get(f"gauges/{behaviour}.Step.mean")).get("value")
        row.update({} if step is None else {"step": step}, **({} if time is None else {"timestamp": time}))
    return list(behaviours.values())


def _checkpoint_rows(values: Mapping[str, object]) -> list[dict[str, object]]:
    return [
        {"step": one.get("steps"), "timestamp": one.get("creation_time"), f"{behaviour}/reward": one.get("reward")}
        for behaviour, state in values.items()
        for one in map(as_dict, as_list(as_dict(state).get("checkpoints")))
    ]


FORMAT = RunLogs()
