"""What everything that scripts hand to ``wandb.log`` besides numbers has in common."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from typing import Any

    from tuimon_writer.recorder import MediaWriter
    from tuimon_writer.values import Json


class Loggable:
    """Something that can be logged under a tag."""

    caption: str | None = None

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """Log it.

        Args:
            log: Where to.
            tag: Its name.
            step: Its step.
            when: Wall time in seconds.
            facts: What to say of it besides, such as its place in a list.
        """
        raise NotImplementedError

    def _said(self, facts: Mapping[str, Json]) -> dict[str, Json]:
        return {**facts, "caption": str(self.caption)} if self.caption is not None else {**facts}

    def __str__(self) -> str:
        return f"<{type(self).__name__}>" if self.caption is None else f"<{type(self).__name__}: {self.caption}>"


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def content_of(file: Any) -> bytes:
    """The bytes of an open file, from its beginning."""
    if hasattr(file, "seek"):
        file.seek(0)
    content = file.read()
    return content.encode("utf-8", "replace") if isinstance(content, str) else bytes(content)
