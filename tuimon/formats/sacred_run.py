"""What Sacred's FileStorageObserver says of a run beside its metrics: `run.json`."""

from __future__ import annotations

from collections.abc import Sequence

from tuimon.formats._json import JsonDocument, as_dict, as_list
from tuimon.formats.base import Format, Parser
from tuimon.formats.sacred import utc_time
from tuimon.records import End, Record, RunInfo

_ENDS = {
    "COMPLETED": "finished",
    "FAILED": "failed",
    "INTERRUPTED": "interrupted",
    "TIMED_OUT": "killed",
    "DIED": "killed",
}
_LONGEST_ERROR = 4000


class SacredRun(Format):
    """The format: an object with the experiment, the machine and the state of the run."""

    name = "Sacred run"
    rank = 80
    whole = True
    companion = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        return path.rpartition("/")[2] == "run.json" and b'"experiment"' in head and b'"command"' in head

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return _Run()


class _Run(JsonDocument):
    def records(self, value: object) -> Sequence[Record]:
        run = as_dict(value)
        experiment, host = as_dict(run.get("experiment")), as_dict(run.get("host"))
        told = {
            "experiment": experiment.get("name"),
            "started": utc_time(run.get("start_time")),
            "host": host.get("hostname"),
            "python": host.get("python_version"),
            "command": run.get("command"),
            "script": experiment.get("mainfile"),
            "git": next(map(_git, as_list(experiment.get("repositories"))), None),
            "result": run.get("result"),
        }
        found: list[Record] = [RunInfo({key: fact for key, fact in told.items() if fact is not None})]
        status = _ENDS.get(str(run.get("status")))
        if status:
            error = "".join(map(str, as_list(run.get("fail_trace"))))[-_LONGEST_ERROR:]
            found.append(End(status, utc_time(run.get("stop_time")), error=error or None))
        return found


def _git(repository: object) -> dict[str, object]:
    told = as_dict(repository)
    return {key: told[key] for key in ("commit", "dirty") if key in told}


FORMAT = SacredRun()
