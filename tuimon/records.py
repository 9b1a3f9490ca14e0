"""The vocabulary of a log: the records that every format yields and the store takes in.

Formats turn bytes into these records, the store turns these records into series. Nothing here does I/O, and only the
standard library is imported, so that any part may depend on it. Scalars travel in batches of rows, because a Python
object for each point would cost more than parsing it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Buffer: TypeAlias = bytes | bytearray | memoryview
"""Float64 numbers in native byte order, one after the other (what ``struct.pack("3d", …)`` gives)."""

Setting: TypeAlias = str | int | float | bool | None
"""A value of a run's configuration."""


@dataclass(frozen=True, slots=True)
class ScalarRows:
    """Rows of scalars that share one set of tags, in file order.

    Attributes:
        tags: The tag of each column, each once.
        steps: One step a row as float64; NaN where the row has no step.
        times: One wall time a row in seconds since the epoch as float64; NaN where it is unknown.
        values: ``len(steps) * len(tags)`` values, row after row. NaN and infinities are values like any other.
    """

    tags: tuple[str, ...]
    steps: Buffer
    times: Buffer
    values: Buffer

    @property
    def count(self) -> int:
        """Number of rows."""
        return memoryview(self.steps).nbytes // 8


@dataclass(frozen=True, slots=True)
class Null:
    """A tag that was logged without a value (``null``): a gap to be marked, which is not the same as NaN."""

    tag: str
    step: float | None
    time: float | None


@dataclass(frozen=True, slots=True)
class HistogramRecord:
    """The distribution of one tensor at one step.

    Attributes:
        tag: What the values are.
        step: Training step, or None.
        time: Wall time in seconds, or None.
        edges: ``len(counts) + 1`` ascending finite bin edges; empty when there was no finite value.
        counts: Number of finite values in each bin.
        nan: Number of NaN values.
        inf: Number of infinite values.
        minimum, maximum, mean, std: Of the finite values; None when unknown.
        zeros: Number of values that are exactly zero; None when unknown.
    """

    tag: str
    step: float | None
    time: float | None
    edges: Sequence[float]
    counts: Sequence[float]
    nan: int = 0
    inf: int = 0
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None
    std: float | None = None
    zeros: int | None = None


@dataclass(frozen=True, slots=True)
class TextRecord:
    """A text that was logged under a tag."""

    tag: str
    step: float | None
    time: float | None
    text: str


@dataclass(frozen=True, slots=True)
class MediaRecord:
    """Something that was logged besides numbers and texts: a picture or another file, a curve, a table and so on.

    Attributes:
        kind: "media" (a file beside the log), "curve", "matrix", "table", "alert", "layout" or "metric".
        tag: What it was logged as; the kind where it has no tag.
        step: Training step, or None.
        time: Wall time in seconds, or None.
        body: What the log says of it; see ``docs/log-format.md``.
    """

    kind: str
    tag: str
    step: float | None
    time: float | None
    body: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What a file says of its run: name, started, host, pid, rank, command, git, python, resumed and so on.

    A key that the writer did not know is absent. ``started`` is a wall time in seconds.
    """

    info: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of a run (hyper-parameters), flat, nested keys joined with ``/``. Later ones add to earlier ones."""

    values: Mapping[str, Setting]


@dataclass(frozen=True, slots=True)
class Restart:
    """The training goes on from ``step``: what earlier files hold from that step on is superseded, for every tag."""

    step: float


@dataclass(frozen=True, slots=True)
class End:
    """How a run ended, in its own words.

    Attributes:
        status: "finished", "failed", "killed" or "interrupted".
        time: Wall time in seconds, or None.
        exit: Exit status of the process, if known.
        signal: Name of the signal that ended it, such as "SIGTERM", if any.
        error: The last lines of the traceback, if any.
    """

    status: str
    time: float | None = None
    exit: int | None = None
    signal: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Alive:
    """The process was alive at this wall time (in seconds), although it had nothing to log."""

    time: float


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in the file that could not be taken in, so that it is counted and shown instead of lost in silence.

    Attributes:
        kind: A short stable name for what is wrong, for counting: "bad line", "not a number", "gap"…
        where: Byte offset in the file, or -1 when unknown.
        detail: What it looked like, shortened by the format to at most 200 characters.
        count: How many such items this record stands for.
    """

    kind: str
    where: int = -1
    detail: str = ""
    count: int = field(default=1)


Record: TypeAlias = (
    ScalarRows | Null | HistogramRecord | TextRecord | MediaRecord | RunInfo | Config | Restart | Alive | End | Skipped
)
"""Anything a format can yield."""
