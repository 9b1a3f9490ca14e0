"""The lines of a native log that hold no scalars, as records."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from tuimon.formats._axes import time_unit
from tuimon.formats._values import number, settings
from tuimon.records import (
    Alive,
    Config,
    End,
    HistogramRecord,
    MediaRecord,
    Record,
    Restart,
    RunInfo,
    Skipped,
    TextRecord,
)

Values = Mapping[str, object]


def finite(value: object) -> float | None:
    """The number, or None when there is none or it is not finite."""
    x = number(value)
    return x if x is not None and math.isfinite(x) else None


def seconds(value: object) -> float | None:
    """The wall time in seconds, which some programs write in smaller units; None when there is none."""
    x = finite(value)
    return x if x is None else x / (time_unit(x) or 1.0)


def _count(value: object) -> int:
    x = finite(value)
    return int(x) if x is not None else 0


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _numbers(value: object) -> Sequence[float] | None:
    if not isinstance(value, list):
        return None
    numbers = [x for item in value if (x := finite(item)) is not None]
    return numbers if len(numbers) == len(value) else None


def _is_histogram(edges: Sequence[float], counts: Sequence[float]) -> bool:
    fits = len(edges) == len(counts) + 1 or not (edges or counts)
    return fits and all(a <= b for a, b in pairwise(edges)) and min(counts, default=0) >= 0


def _run(body: Values, _: Values) -> Record:
    started = body.get("started")
    return RunInfo({**body, "started": seconds(started)} if isinstance(started, (int, float)) else body)


def _histogram(body: Values, line: Values) -> Record:
    edges, counts = _numbers(body.get("edges")), _numbers(body.get("counts"))
    if edges is None or counts is None or not _is_histogram(edges, counts):
        return Skipped("bad histogram", detail=str(body.get("tag"))[:200])
    zeros = finite(body.get("zeros"))
    return HistogramRecord(
        tag=str(body.get("tag", "histogram")),
        step=finite(line.get("step")),
        time=seconds(line.get("time")),
        edges=edges,
        counts=counts,
        nan=_count(body.get("nan")),
        inf=_count(body.get("inf")),
        minimum=finite(body.get("min")),
        maximum=finite(body.get("max")),
        mean=finite(body.get("mean")),
        std=finite(body.get("std")),
        zeros=None if zeros is None else int(zeros),
    )


def _text_record(body: Values, line: Values) -> Record:
    return TextRecord(
        str(body.get("tag", "text")), finite(line.get("step")), seconds(line.get("time")), str(body.get("text", ""))
    )


def _media(kind: str) -> Callable[[Values, Values], Record]:
    def read(body: Values, line: Values) -> Record:
        return MediaRecord(kind, str(body.get("tag", kind)), finite(line.get("step")), finite(line.get("time")), body)

    return read


def _end(body: Values, _: Values) -> Record:
    exit_status = finite(body.get("exit"))
    return End(
        status=str(body.get("status", "finished")),
        time=seconds(body.get("time")),
        exit=None if exit_status is None else int(exit_status),
        signal=_text(body.get("signal")),
        error=_text(body.get("error")),
    )


def _gap(body: Values, _: Values) -> Record:
    return Skipped("gap", detail="the writer could not write these", count=_count(body.get("count")))


def _alive(body: Values, _: Values) -> Record:
    time = seconds(body.get("time"))
    return Alive(time) if time is not None else Skipped("bad line", detail="a sign of life without a time")


def _restart(body: Values, _: Values) -> Record:
    step = finite(body.get("step"))
    return Restart(step) if step is not None else Skipped("bad line", detail="a restart without a step")


KINDS: dict[str, Callable[[Values, Values], Record]] = {
    "run": _run,
    "config": lambda body, _: Config(settings(body)),
    "histogram": _histogram,
    "text": _text_record,
    **{kind: _media(kind) for kind in ("media", "curve", "matrix", "table", "alert", "layout", "metric")},
    "gap": _gap,
    "alive": _alive,
    "restart": _restart,
    "end": _end,
}
"""What a line is, by the key of the object in it: (that object, the line) to a record."""
