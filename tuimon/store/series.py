"""A series: all the points of one tag of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tuimon.store.best import extreme_points, whole_table_extremes
from tuimon.store.decision import Decision, decision, is_indexed, is_plain
from tuimon.store.pyramid import BIN, FIRST_VALUE, IS_NAN, IS_NEGINF, IS_POSINF, STEP, TIME
from tuimon.store.query import Piece, pieces
from tuimon.store.source import Part
from tuimon.store.types import Attempt, Axis, Curve, Floats, Marks, Point, Points, floats

if TYPE_CHECKING:
    from tuimon.store.run import Run

_EMPTY = floats()


class Series:
    """All the points of one tag of a run, from all its files.

    Every query must be made while holding `tuimon.store.Store.lock`; what it returns may be used after that.

    Attributes:
        run: The run it belongs to.
        tag: Its tag.
    """

    __slots__ = ("_best", "_drawn", "_known", "_parts", "run", "tag")

    def __init__(self, run: Run, tag: str) -> None:
        self.run = run
        self.tag = tag
        self._parts: tuple[Part, ...] = ()
        self._known: tuple[int, Decision] | None = None
        self._best: tuple[int, Point | None, Point | None] | None = None
        self._drawn: tuple[tuple[object, ...], Curve] | None = None

    def set_parts(self, parts: tuple[Part, ...]) -> None:
        """The store says which files have points of it, in attempt order."""
        self._parts = parts
        self._known = self._best = self._drawn = None

    @property
    def parts(self) -> tuple[Part, ...]:
        """What each file has of it, in attempt order."""
        return self._parts

    @property
    def version(self) -> int:
        """A number that differs whenever its points, or the way they are put together, changed."""
        return (self.run.shape << 44) + sum(part.count for part in self._parts)

    @property
    def count(self) -> int:
        """Number of points, superseded ones included, nulls not."""
        return sum(table.count for part in self._parts for table, _ in part.tables if not table.null)

    @property
    def nulls(self) -> int:
        """How often the tag was logged without a value."""
        return sum(table.count for part in self._parts for table, _ in part.tables if table.null)

    @property
    def nan(self) -> int:
        """Number of NaN values, superseded ones included."""
        return self._bad(0)

    @property
    def posinf(self) -> int:
        """Number of values that are infinite, superseded ones included."""
        return self._bad(1)

    @property
    def neginf(self) -> int:
        """Number of values that are minus infinity, superseded ones included."""
        return self._bad(2)

    def _settle(self) -> None:
        """Fold in rows that wait."""
        for part in self._parts:
            for table, _ in part.tables:
                table.settle()

    def _bad(self, kind: int) -> int:
        self._settle()
        return sum(
            int(table.bad[column, kind])
            for part in self._parts
            for table, column in part.tables
            if table.bad is not None
        )

    @property
    def untimed(self) -> int:
        """Number of points without a wall time: they are left out on the time axis."""
        self._settle()
        return sum(table.untimed for part in self._parts for table, _ in part.tables)

    @property
    def first_nonfinite_step(self) -> float | None:
        """Lowest step with NaN or an infinity, superseded ones included; None when all values are finite."""
        steps = []
        indexed = self.indexed
        for part in self._parts:
            for index, (table, column) in enumerate(part.tables):
                if table.first_bad is not None and table.first_bad[0, column] == table.first_bad[0, column]:
                    step, row = table.first_bad[:, column]
                    steps.append(float(self._position(part, int(row), index) if indexed else step))
        return min(steps, default=None)

    @property
    def indexed(self) -> bool:
        """Whether the index of a record stands for its step, because it was logged more than once and only at 0."""
        self._settle()
        return is_indexed(self._parts)

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Its attempts, oldest first; at least one as soon as it has points."""
        return self.decision().attempts

    def decision(self) -> Decision:
        """Its attempts and what they supersede."""
        self._settle()
        version = self.version
        if self._known is None or self._known[0] != version:
            self._known = (version, decision(self.run.sources, self._parts))
        return self._known[1]

    @property
    def last(self) -> Point | None:
        """The last logged value of the newest attempt that has any, NaN included.

        Where a restart cut off what was logged last and nothing follows yet, it is the value at the newest step left.
        """
        for part in reversed(self._parts):
            tables = [(table, column) for table, column in part.tables if table.count and not table.null]
            if tables:
                table, column = max(tables, key=lambda item: item[0].order[-1])
                row = table.last
                index = part.tables.index((table, column))
                step = float(row[STEP])
                if step != step or self.indexed:
                    step = float(self._position(part, table.count - 1, index))
                if not is_plain(self.run.sources, self._parts) and step >= self._limit(part, index):
                    return self._newest_left()
                return Point(step, float(row[TIME]), float(row[FIRST_VALUE + column]))
        return None

    def _limit(self, part: Part, index: int) -> float:
        """The step from which on the last row of a table is superseded."""
        share = next(share for share in self.decision().shares if share.part is part)
        if not len(share.cuts):
            return float(share.limit[0])
        return float(share.limit_at(part.positions()[index][-1:])[0])

    def _newest_left(self, lo: float | None = None) -> Point | None:
        """The point of the highest step that is not superseded, NaN included; None when nothing is left."""
        left = [
            piece
            for piece in self._pieces("step", lo, None, superseded=False, attempt=None, budget_rows=20_000)
            if len(piece.step) and not piece.null
        ]
        if not left:
            return None
        newest = max(left, key=lambda piece: float(piece.step.max()))
        at = len(newest.step) - 1 - int(newest.step[::-1].argmax())  # of equal steps the one that was logged last
        if not newest.exact and lo is None:
            return self._newest_left(float(newest.step[at]))
        return Point(float(newest.step[at]), float(newest.time[at]), float(newest.high[at]))

    @property
    def minimum(self) -> Point | None:
        """The lowest finite value that no newer attempt supersedes; the first logged one where several are equal."""
        return self._extremes()[0]

    @property
    def maximum(self) -> Point | None:
        """The highest finite value that no newer attempt supersedes; the first logged one where several are equal."""
        return self._extremes()[1]

    def _extremes(self) -> tuple[Point | None, Point | None]:
        self._settle()
        parts = self._parts
        if len(parts) == 1 and len(parts[0].tables) == 1 and is_plain(self.run.sources, parts) and not self.indexed:
            quick = whole_table_extremes(*parts[0].tables[0])
            if quick is not None:
                return quick
        version = self.version
        if self._best is None or self._best[0] != version:
            self._best = (version, *extreme_points(self.run.store.rows, self.decision().shares))
        return self._best[1:]

    def _position(self, part: Part, row: int, index: int) -> int:
        """The step of a row without one: the index of the record within the tag."""
        base = next((share.base for share in self.decision().shares if share.part is part), 0)
        return base + (row if len(part.tables) == 1 else int(part.positions()[index][row]))

    def curve(
        self,
        axis: Axis = "step",
        lo: float | None = None,
        hi: float | None = None,
        *,
        superseded: bool = False,
        attempt: int | None = None,
        budget_rows: int | None = 20_000,
    ) -> Curve:
        """The series over an axis, for drawing.

        Args:
            axis: "step", or "time" for wall time in seconds; points without a time are left out of the latter.
            lo: Start of the window, inside it; None for no start.
            hi: End of the window, inside it; None for no end.
            superseded: Whether points that a newer attempt supersedes are there too.
            attempt: Only this attempt, by its number, superseded points included.
            budget_rows: Where the window holds more rows than this, rows that are not in memory are stood for by bins
                of 64 rows; otherwise they are read again. Beyond 262,144 rows bins always stand in. None for every
                row, whatever it takes.

        Returns:
            The curve; at most about 262,144 points, or bins.
        """
        key = (self.version, axis, lo, hi, superseded, attempt, budget_rows)
        if self._drawn is not None and self._drawn[0] == key:
            return self._drawn[1]
        taken = self._pieces(axis, lo, hi, superseded=superseded, attempt=attempt, budget_rows=budget_rows)
        curve, costly = _join(taken, axis, lo, hi)
        self._drawn = (key, curve) if costly else None
        return curve

    def marks(
        self,
        axis: Axis = "step",
        lo: float | None = None,
        hi: float | None = None,
        *,
        superseded: bool = False,
        budget_rows: int = 20_000,
    ) -> Marks:
        """Where values are that cannot be drawn. Arguments as for `curve`; bins give one x for up to 64 rows."""
        if not (self.nan or self.posinf or self.neginf or self.nulls):
            return Marks(_EMPTY, _EMPTY, _EMPTY, _EMPTY)
        found: dict[int, list[Floats]] = {IS_NAN: [], IS_POSINF: [], IS_NEGINF: [], 0: []}
        for piece in self._pieces(axis, lo, hi, superseded=superseded, attempt=None, budget_rows=budget_rows):
            x = piece.step if axis == "step" else piece.time
            if piece.null:
                found[0].append(x)
            elif piece.exact:
                found[IS_NAN].append(x[np.isnan(piece.low)])
                found[IS_POSINF].append(x[piece.low == np.inf])
                found[IS_NEGINF].append(x[piece.low == -np.inf])
            elif piece.flags is not None:
                for kind in (IS_NAN, IS_POSINF, IS_NEGINF):
                    found[kind].append(x[(piece.flags & kind) != 0])
        return Marks(
            *(_clip(np.unique(np.concatenate([_EMPTY, *found[k]])), lo, hi) for k in (IS_NAN, IS_POSINF, IS_NEGINF, 0))
        )

    def _pieces(
        self,
        axis: Axis,
        lo: float | None,
        hi: float | None,
        *,
        superseded: bool,
        attempt: int | None,
        budget_rows: int | None,
    ) -> list[Piece]:
        """The pieces of a window without what is not wanted."""
        shares = self.decision().shares
        apart = attempt is not None and len(self.decision().attempts) > 1
        result: list[Piece] = []
        for piece in pieces(
            self.run.store.rows, shares, axis, lo, hi,
            budget_rows=budget_rows, positions=apart, whole_attempts=superseded and not apart,
        ):  # fmt: skip
            keep = None
            if apart and piece.position is not None:
                keep = piece.share.attempt(piece.position) == (attempt or 0) - 1
            elif not superseded:
                keep = piece.kept()
            result.append(piece if keep is None else piece.select(keep))
        return result

    def extents(self, lo: float | None = None) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """What is current from a step on, by step, without reading rows again where bins can stand for them.

        Returns:
            Step, wall time, lowest and highest value, and number of points of each row (1) or bin (up to 64). Values
            are NaN where none is finite; nulls are left out.
        """
        columns = []
        for piece in self._pieces("step", lo, None, superseded=False, attempt=None, budget_rows=0):
            if not piece.null:
                low, high = piece.low, piece.high
                if piece.exact and not np.isfinite(low).all():
                    low = high = np.where(np.isfinite(low), low, np.nan)
                columns.append((piece.step, piece.time, low, high, np.full(len(low), 1.0 if piece.exact else BIN)))
        if not columns:
            return _EMPTY, _EMPTY, _EMPTY, _EMPTY, _EMPTY
        step, time, low, high, number = (np.concatenate(c) for c in zip(*columns, strict=True))
        order = np.argsort(step, kind="stable") if (step[1:] < step[:-1]).any() else slice(None)
        if lo is not None:
            order = np.arange(len(step))[order]
            order = order[step[order] >= lo]
        return step[order], time[order], low[order], high[order], number[order]

    def points(self, lo: float | None = None, hi: float | None = None, *, axis: Axis = "step") -> Points:
        """Every point with lo <= step (or time) <= hi, superseded ones included, nulls not, in file order.

        Rows that are not in memory are read again, so the arrays hold everything: 33 bytes a point. Points that cannot
        be read again are missing.
        """
        shares = self.decision().shares
        mixed = any(len(part.tables) > 1 for part in self._parts)
        columns: list[tuple[npt.NDArray[Any], ...]] = []
        for piece in pieces(self.run.store.rows, shares, axis, lo, hi, budget_rows=None, positions=mixed):
            if piece.null or not piece.exact:
                continue
            count, share, kept = len(piece.step), piece.share, piece.kept()
            number = np.full(count, share.first) if piece.position is None else share.attempt(piece.position)
            current = np.ones(count, dtype=np.bool_) if kept is None else kept
            place = (np.full(count, share.number), piece.position) if mixed and piece.position is not None else ()
            columns.append((piece.step, piece.time, piece.low, number + 1, current, *place))
        if not columns:
            none = np.empty(0, dtype=np.int64)
            return Points(_EMPTY, _EMPTY, _EMPTY, none, none.astype(np.bool_))
        step, time, value, attempt, current, *places = (np.concatenate(c) for c in zip(*columns, strict=True))
        if places:
            order = np.lexsort(places[::-1])
            step, time, value, attempt, current = (c[order] for c in (step, time, value, attempt, current))
        if lo is not None or hi is not None:
            x = step if axis == "step" else time
            inside = (x >= (-np.inf if lo is None else lo)) & (x <= (np.inf if hi is None else hi))
            step, time, value, attempt, current = (c[inside] for c in (step, time, value, attempt, current))
        return Points(step, time, value, attempt, current)


def _join(taken: list[Piece], axis: Axis, lo: float | None, hi: float | None) -> tuple[Curve, bool]:
    """One curve of all pieces, and whether it took sorting."""
    xs, lows, highs, exact, same = [], [], [], True, True
    for piece in taken:
        x, low, high = (piece.step if axis == "step" else piece.time), piece.low, piece.high
        if piece.exact and not np.isfinite(low).all():
            low = high = np.where(np.isfinite(low), low, np.nan)
        if axis == "time" and np.isnan(x).any():
            timed = ~np.isnan(x)
            x, low, high = x[timed], low[timed], high[timed]
        exact = exact and (piece.exact or not len(x))
        same = same and piece.exact
        xs.append(x)
        lows.append(low)
        highs.append(high)
    if not xs:
        return Curve(_EMPTY, _EMPTY, _EMPTY, exact=True), False
    x = xs[0] if len(xs) == 1 else np.concatenate(xs)
    low = lows[0] if len(lows) == 1 else np.concatenate(lows)
    high = low if same else highs[0] if len(highs) == 1 else np.concatenate(highs)
    costly = bool((x[1:] < x[:-1]).any())
    if costly:
        order = np.argsort(x, kind="stable")
        x, low = x[order], low[order]
        high = low if same else high[order]
    first = 0 if lo is None else int(np.searchsorted(x, lo, "left"))
    end = len(x) if hi is None else int(np.searchsorted(x, hi, "right"))
    low_part = low[first:end]
    return Curve(x[first:end], low_part, low_part if same else high[first:end], exact), costly


def _clip(x: Floats, lo: float | None, hi: float | None) -> Floats:
    """The part of ascending x within lo..hi, without NaN."""
    first = 0 if lo is None else int(np.searchsorted(x, lo, "left"))
    end = int(np.searchsorted(x, np.inf if hi is None else hi, "right"))
    return x[first:end]
