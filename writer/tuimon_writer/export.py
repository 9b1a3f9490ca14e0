"""Scalars of a log as one JSON file, as `SummaryWriter.export_scalars_to_json` writes them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any


def export_scalars(log: str, path: str | os.PathLike[str], name: str) -> None:
    """Write the scalars of a log.

    Args:
        log: Path of the log.
        path: Path of the file to write: ``{"name/tag": [[time, step, value], …]}``.
        name: First part of the keys.

    Raises:
        OSError: One cannot be read or the other not be written.
    """
    import json

    found: dict[str, list[list[Any]]] = {}
    with open(log, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            for tag, value in record.get("scalars", {}).items():
                number = float(value) if isinstance(value, str) else value
                found.setdefault(f"{name}/{tag}", []).append([record["time"], record["step"], number])
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file)
