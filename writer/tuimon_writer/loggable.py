"""What everything that scripts hand to ``wandb.log`` besides numbers has in common."""

from __future__ import annotations

import os
from functools import wraps

from tuimon_writer.messages import warn_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from tuimon_writer.recorder import MediaWriter
    from tuimon_writer.values import Json


class Loggable:
    """Something that can be logged under a tag. Making one never fails.

    Attributes:
        caption: What it shows.
        broken: Whether it could not be made; it is warned of then, and not logged.
    """

    caption: str | None = None
    broken = False

    def __init_subclass__(cls) -> None:
        if "__init__" in vars(cls):
            cls.__init__ = _lenient(cls.__init__)  # type: ignore[method-assign]

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


def _lenient(make: Callable[..., None]) -> Callable[..., None]:
    @wraps(make)
    def wrapped(self: Loggable, *args: Any, **kwargs: Any) -> None:
        try:
            make(self, *args, **kwargs)
        except Exception as error:
            self.broken = True
            kind = type(self).__name__
            warn_once(("thing", kind, type(error)), f"{kind}: not logged: {error!r}")

    return wrapped


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file."""
    with open(os.fspath(path), "rb") as file:  # a number would be a descriptor
        return file.read()


def content_of(file: Any) -> bytes:
    """The bytes of an open file, from its beginning."""
    if hasattr(file, "seek"):
        file.seek(0)
    content = file.read()
    return content.encode("utf-8", "replace") if isinstance(content, str) else bytes(content)
