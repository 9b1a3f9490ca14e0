"""Logs of VisualDL (``vdlrecords.<time>.log``): numbers, texts, pictures, sounds, distributions, curves, settings."""

from __future__ import annotations

from tuimon.formats.base import Format, Parser

_NAME = "vdlrecords"
_FIRST = b"\x12\x0dmeta_data_tag"
"""Every log begins with a record of this tag."""

_SHORTEST = 10
"""A record is never shorter than this, with the length in front of it."""


class VisualDL(Format):
    """The format of VisualDL's record files."""

    name = "VisualDL"
    rank = 25

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`.

        VisualDL itself goes by the name; besides, there has to be a record. A log under another name is told by its
        first record.
        """
        first = _FIRST in head[: _SHORTEST + len(_FIRST) + 2]
        named = _NAME in path.rpartition("/")[2]
        if not (first or named) or len(head) < _SHORTEST:
            return False
        from tuimon.formats._visualdl.frames import find, is_record

        return is_record(head, 0) or (named and find(head, 0) >= 0)

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        from tuimon.formats._visualdl.parser import VisualDLParser

        return VisualDLParser()


FORMAT = VisualDL()
