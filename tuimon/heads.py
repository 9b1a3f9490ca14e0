"""The beginnings of log files: what can be known of a log before it is read."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tuimon.formats.base import ROUNDED_FROM, Format, Kind
from tuimon.formats.registry import HEAD_SIZE
from tuimon.records import Config, HistogramRecord, MediaRecord, Null, RunInfo, ScalarRows, TextRecord

START = 2048
"""Bytes by which a copy of a log is known."""

FEW = 16
"""Values by which it is known that two programs print the same."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What the beginning of a log tells.

    Attributes:
        first: Its tags, each with its first value; NaN for what is no number.
        plain: Whether it is a text that does not say itself which run it is of.
        settings: Whether it holds settings of the run.
        whole: Whether this is all that was in the file.
        start: The first bytes of a plain log.
        printed: The first few values of each tag of a text for people.
        names: What its run is called ("name"), and what that is a part of ("project"), where it says so.
    """

    first: Mapping[str, float] = field(default_factory=dict)
    plain: bool = False
    settings: bool = False
    whole: bool = False
    start: bytes = b""
    printed: Mapping[str, Sequence[float]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there was nothing in it yet that could tell which run it is of."""
        return self.whole and not self.first and not self.settings


def read_head(path: str, size: int = HEAD_SIZE) -> tuple[bytes, os.stat_result]:
    """The first bytes of a file and what is known of it, without waiting for anything.

    Args:
        path: Where it is.
        size: How many bytes.

    Raises:
        OSError: It cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.read(handle, size), os.fstat(handle)
    finally:
        os.close(handle)


def glimpse(path: str, kind: Kind, head: bytes, *, whole: bool) -> Glimpse:
    """What the beginning of a log tells.

    Args:
        path: Where it is, beginning as the log root was given.
        kind: Its format; of a database nothing is known before it is read.
        head: Its first bytes.
        whole: Whether there are no more for now.
    """
    if not isinstance(kind, Format):
        return Glimpse()
    first: dict[str, float] = {}
    printed: dict[str, list[float]] = {}
    names: dict[str, str] = {}
    settings = told = False
    for record in kind.parser(path).parse(head, at_end=whole).records:
        if isinstance(record, ScalarRows):
            if kind.rank >= ROUNDED_FROM:
                for row in struct.iter_unpack(f"{len(record.tags)}d", record.values):
                    for tag, value in zip(record.tags, row, strict=True):
                        printed.setdefault(tag, []).append(value)
            if record.count and not first.keys() >= set(record.tags):
                row = struct.unpack_from(f"{len(record.tags)}d", record.values)
                for tag, value in zip(record.tags, row, strict=True):
                    first.setdefault(tag, value)
        elif isinstance(record, Null | HistogramRecord | TextRecord | MediaRecord):
            first.setdefault(record.tag, math.nan)
        elif isinstance(record, Config):
            settings = True
        elif isinstance(record, RunInfo):
            told = True
            names |= {key: value for key in ("name", "project") if isinstance(value := record.info.get(key), str)}
    plain = not told and b"\0" not in head
    few = {tag: values[:FEW] for tag, values in printed.items()}
    return Glimpse(first, plain, settings, whole, head[:START] if plain else b"", few, names)
