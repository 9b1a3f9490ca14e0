"""W&B's records about the run: what it is, its settings, its metrics, its messages and files, and how it ended.

The numbers of the fields are those of ``wandb_internal.proto`` of the W&B client.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tuimon.formats._values import settings
from tuimon.formats._wandb.values import decoded
from tuimon.formats._wire import BYTES, fields, signed, text
from tuimon.records import Config, MediaRecord, Record, RunInfo

Span: TypeAlias = "tuple[bytes, int, int]"
"""A message: bytes, where it begins in them and where it ends."""

_INTERNAL_ARTIFACTS = frozenset({"job", "run_table", "wandb-history", "wandb-run-history", "code"})
_INTERNAL_FILES = ("wandb-", "output.log", "config.yaml", "requirements.txt", "conda-environment.yaml", "diff.patch")
_INTERNAL_FOLDERS = ("media/", "code/", "artifact/")
_MOST_FILES = 1000
_GOALS = {1: "minimize", 2: "maximize"}
_SUMMARIES = {1: "min", 2: "max", 3: "mean", 4: "best", 5: "last", 6: "none", 7: "copy", 8: "first"}


class Message:
    """The fields of a message, by number; of what stands there twice the last one, as protocol buffers have it.

    Args:
        span: Where it is.
    """

    def __init__(self, span: Span) -> None:
        self._data = span[0]
        self._fields: dict[int, list[tuple[int, int, int]]] = {}
        for number, kind, a, b in fields(*span):
            self._fields.setdefault(number, []).append((kind, a, b))

    def texts(self, number: int) -> list[str]:
        """The values of a field of strings."""
        return [text(self._data, a, b) for kind, a, b in self._fields.get(number, ()) if kind == BYTES]

    def text(self, number: int) -> str:
        """The value of a string; "" when it is not set."""
        found = self.texts(number)
        return found[-1] if found else ""

    def number(self, number: int) -> int:
        """The value of a whole number or boolean; 0 when it is not set."""
        found = [signed(a) for kind, a, _ in self._fields.get(number, ()) if kind == 0]
        return found[-1] if found else 0

    def messages(self, number: int) -> Iterator[Message]:
        """The values of a field of messages."""
        for kind, a, b in self._fields.get(number, ()):
            if kind == BYTES:
                yield Message((self._data, a, b))

    def message(self, number: int) -> Message | None:
        """The value of a message; None when it is not set."""
        found = [*self.messages(number)]
        return found[-1] if found else None

    def raw(self, number: int) -> bytes:
        """The bytes of a string; empty when it is not set."""
        found = [self._data[a:b] for kind, a, b in self._fields.get(number, ()) if kind == BYTES]
        return found[-1] if found else b""

    def numbers(self) -> list[int]:
        """The fields that are set to a number other than 0."""
        return [number for number, found in self._fields.items() if any(kind == 0 and a for kind, a, _ in found)]

    def time(self, number: int) -> float | None:
        """The value of a time stamp in seconds; None when it is not set."""
        stamp = self.message(number)
        if stamp is None:
            return None
        seconds = stamp.number(1) + stamp.number(2) / 1e9
        return seconds if seconds > 0 else None


def items(record: Message, number: int) -> Iterator[tuple[tuple[str, ...], object]]:
    """The updates of settings or of a summary: keys and value."""
    for item in record.messages(number):
        keys = tuple(item.texts(2)) or (item.text(1),)
        yield keys, decoded(item.raw(16))


def is_automatic(summary: Message) -> bool:
    """Whether a summary is the one that the client makes of each row: a key alone is written there as a nested one."""
    return any(len(item.texts(2)) == 1 for item in summary.messages(1))


def config_records(config: Message) -> Iterator[Record]:
    """Changes of settings. W&B's own, under ``_wandb``, are none of the run's."""
    found: dict[str, object] = {}
    for keys, value in items(config, 1):
        if keys[0] != "_wandb":
            found["/".join(keys)] = value
    if found:
        yield Config(settings(found))
    gone = {"/".join(keys): None for keys, _ in items(config, 2)}
    if gone:
        yield Config(gone)


def run_records(run: Message) -> Iterator[Record]:
    """What the run is."""
    info: dict[str, object] = {
        "id": run.text(1),
        "entity": run.text(2),
        "project": run.text(3),
        "group": run.text(6),
        "job_type": run.text(7),
        "name": run.text(8),
        "notes": run.text(9),
        "tags": run.texts(10),
        "sweep": run.text(12),
        "host": run.text(13),
        "started": run.time(17),
        "resumed": bool(run.number(18)) or None,
        "git": _git(run.message(21)),
    }
    branch = run.message(23)
    if branch is not None and branch.text(1):
        info["fork_from"] = branch.text(1)
    yield RunInfo({key: value for key, value in info.items() if value})
    config = run.message(4)
    if config is not None:
        yield from config_records(config)


def environment_records(environment: Message) -> Iterator[Record]:
    """Where the run runs, and what."""
    program, executable = environment.text(6), environment.text(14)
    cards = [card.text(1) for card in environment.messages(24)] or [environment.text(18)] * max(
        1, min(environment.number(19), 64)
    )
    info: dict[str, object] = {
        "python": environment.text(2).removeprefix("CPython "),
        "command": [word for word in (executable, program) if word] + environment.texts(5) if program else None,
        "git": _git(environment.message(9)),
        "host": environment.text(12),
        "gpus": [{"index": at, "name": name} for at, name in enumerate(cards) if name],
    }
    found = {key: value for key, value in info.items() if value}
    if found:
        yield RunInfo(found)


def _git(git: Message | None) -> dict[str, str] | None:
    if git is None:
        return None
    return {key: value for key, value in (("commit", git.text(2)), ("remote", git.text(1))) if value}


def metric_records(metric: Message) -> Iterator[Record]:
    """How tags are to be shown."""
    options, summary = metric.message(6), metric.message(7)
    found = [] if summary is None else [_SUMMARIES[at] for at in summary.numbers() if at in _SUMMARIES]
    body: dict[str, object] = {
        "name": metric.text(1) or metric.text(2),
        "step_metric": metric.text(4),
        "summary": ",".join(found),
        "goal": _GOALS.get(metric.number(8)),
        "hidden": options is not None and bool(options.number(2)),
    }
    if body["name"] and not str(body["name"]).startswith("_"):
        yield MediaRecord("metric", "metric", None, None, {key: value for key, value in body.items() if value})


def alert_records(alert: Message, step: float | None, time: float | None) -> Iterator[Record]:
    """A message for the person who watches."""
    body = {"title": alert.text(1), "text": alert.text(2), "level": alert.text(3).lower() or "info"}
    yield MediaRecord("alert", "alert", step, time, body)


def file_records(files: Message, step: float | None) -> Iterator[Record]:
    """Files that the script had saved; those that belong to a value of a row are told of there."""
    for item in files.messages(1):
        path = item.text(1)
        if item.number(3) not in (1, 2) and path and not path.startswith((*_INTERNAL_FILES, *_INTERNAL_FOLDERS)):
            yield MediaRecord("media", path, step, None, {"tag": path, "kind": "file", "path": f"files/{path}"})


def artifact_records(artifact: Message, step: float | None) -> Iterator[Record]:
    """Files that were kept under a name; not those that W&B makes for itself."""
    kind, tag = artifact.text(4), artifact.text(5)
    if kind in _INTERNAL_ARTIFACTS or not tag:
        return
    manifest = artifact.message(12)
    entries = [] if manifest is None else [*manifest.messages(4)]
    about: dict[str, object] = {"tag": tag, "kind": "artifact", "type": kind, "aliases": artifact.texts(11)}
    metadata = decoded(artifact.raw(8))
    if metadata:
        about["metadata"] = metadata
    for index, entry in enumerate(entries[:_MOST_FILES]):
        body = {**about, "path": entry.text(6) or entry.text(3) or entry.text(1), "bytes": entry.number(4)}
        if len(entries) > 1:
            body |= {"index": index, "count": len(entries)}
        yield MediaRecord("media", tag, step, None, body)
