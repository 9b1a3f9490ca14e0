"""The values that the store hands out: points, curves, marks, attempts, notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tuimon.records import Record

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Axis: TypeAlias = Literal["step", "time"]

Fetch: TypeAlias = Callable[[int, int, int], Sequence[Record]]
"""``fetch(source id, offset, length)`` parses a byte range of a file again and gives its records in file order.

It is called with the store's lock held, so it must not wait for the reader thread. It may raise OSError.
"""

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Origin:
    """What is known of a file of a run before it is read.

    Attributes:
        family: Files of the same family go on from each other; those of different ones tell of the same training side
            by side (its log in two formats).
        rank: Of two families that tell the same, the one of the lower rank is believed, other things being equal.
        rounded: Whether its numbers are printed for people, and so rounded.
        cumulative: Whether it is written from time to time only, as checkpoints are, with all that there is by then.
        suffix: What is added to its tags after a slash.
        companion: Whether it only says something of a run that has other files.
        expected: Whether its run is listed before the file has given anything.
    """

    family: str = ""
    rank: int = 0
    rounded: bool = False
    cumulative: bool = False
    suffix: str = ""
    companion: bool = False
    expected: bool = True


UNKNOWN = Origin()
"""A file of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Point:
    """One logged value. ``time`` is a wall time in seconds, or NaN when unknown."""

    step: float
    time: float
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A series over one axis, ready to draw.

    Attributes:
        x: Ascending; equal values are kept, in the order in which they were logged.
        low, high: The range at each x. Both are the logged value where the point is exact (then they may be the same
            array). NaN in both is a gap: a value that is not finite, or a null, sits there.
        exact: Whether every x is one logged point. Otherwise some x stand for up to 64 logged points: x is the first
            of them, low and high are their exact extremes.
    """

    x: Floats
    low: Floats
    high: Floats
    exact: bool

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """Where values are that cannot be drawn: x positions by kind, each ascending and without repeats."""

    nan: Floats
    posinf: Floats
    neginf: Floats
    null: Floats

    def __bool__(self) -> bool:
        return any(len(x) for x in (self.nan, self.posinf, self.neginf, self.null))


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Every point of a series, in the order in which its files hold them (files in attempt order).

    Attributes:
        step: Step; the index of the record where none was logged.
        time: Wall time in seconds, NaN where unknown.
        value: The value, exactly as logged, NaN and infinities included.
        attempt: Number of the attempt, from 1.
        current: False where a newer attempt supersedes the point.
    """

    step: Floats
    time: Floats
    value: Floats
    attempt: Ints
    current: Bools

    def __len__(self) -> int:
        return len(self.step)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One go of a run at a series.

    Attributes:
        number: From 1, in the order of the files.
        start_step: The step it starts from: points of earlier attempts from here on are superseded.
        count: Number of points, superseded ones included.
        source: Path of the file that it starts in.
    """

    number: int
    start_step: float
    count: int
    source: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something in a run's files that could not be taken in, counted by kind.

    Attributes:
        kind: Short stable name: "bad line", "gap"…
        message: What the first one looked like; may be empty.
        count: How many there were.
        where: Where the first one is: path, or ``path@byte``.
    """

    kind: str
    message: str
    count: int
    where: str


@dataclass(frozen=True, slots=True)
class Mirror:
    """A file that tells what another one of its run tells as well.

    Attributes:
        path: The file.
        other: The file that is believed instead.
        hidden: Number of its tags that are shown from there.
        tags: Number of its tags.
    """

    path: str
    other: str
    hidden: int
    tags: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed since `Store.dirty` was called last.

    Attributes:
        runs: Names of runs with any change; may name runs that are gone.
        series: (run, tag) of series with new data.
        structure: Whether runs or tags came or went, or runs were put together in another way.
    """

    runs: set[str] = field(default_factory=set)
    series: set[tuple[str, str]] = field(default_factory=set)
    structure: bool = False

    def __bool__(self) -> bool:
        return bool(self.runs) or self.structure


def floats(values: Sequence[float] = ()) -> Floats:
    """A float64 array of these values."""
    return np.array(values, dtype=np.float64)
