"""W&B's ``wandb-metadata.json``: where a run ran, and what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone

from tuimon.formats._json import JsonDocument, as_dict, as_list
from tuimon.formats._wandb import files as wandb_files
from tuimon.formats.base import Format, Parser
from tuimon.records import Record, RunInfo


class WandbMetadata(Format):
    """The format."""

    name = "W&B metadata"
    rank = 80
    whole = True
    companion = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        return path.rpartition("/")[2] == "wandb-metadata.json" and head.lstrip().startswith(b"{")

    def home(self, folder: str, file_name: str) -> str:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.home`."""
        return wandb_files.home(folder)

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return _Metadata()


class _Metadata(JsonDocument):
    def records(self, value: object) -> Sequence[Record]:
        said = as_dict(value)
        git = as_dict(said.get("git"))
        program = said.get("program")
        words = [said.get("executable"), program, *as_list(said.get("args"))]
        cards = [card.get("name") for card in map(as_dict, as_list(said.get("gpu_nvidia")))] or [said.get("gpu")]
        info: dict[str, object] = {
            "started": _utc_time(said.get("startedAt")),
            "host": said.get("host"),
            "python": str(said.get("python") or "").removeprefix("CPython "),
            "command": [word for word in words if isinstance(word, str)] if program else None,
            "git": {
                key: git[theirs] for key, theirs in (("commit", "commit"), ("remote", "remote")) if git.get(theirs)
            },
            "gpus": [{"index": at, "name": name} for at, name in enumerate(cards) if isinstance(name, str)],
        }
        found = {key: fact for key, fact in info.items() if fact}
        return [RunInfo(found)] if found else []


def _utc_time(text: object) -> float | None:
    """The time in an ISO date, which is in UTC where it does not say otherwise."""
    try:
        found = datetime.fromisoformat(str(text)[:26].rstrip("Z"))
        return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, OverflowError):
        return None


FORMAT = WandbMetadata()
