"""Records as lines of strict JSON; `docs/log-format.md` is the reference of the format."""

from __future__ import annotations

from math import isfinite

from tuimon_writer.histogram import histogram
from tuimon_writer.values import EXACT, non_finite, number, step_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from tuimon_writer.histogram import Histogram
    from tuimon_writer.values import Json, Number

VERSION = 1
_LAYOUTS = 1_024
_PLAIN = {float, int, type(None)}
_TAGS = {str}
_ESCAPES = {
    **{code: f"\\u{code:04x}" for code in range(0x20)},
    0x7F: "\\u007f",
    ord("\n"): "\\n",
    ord("\t"): "\\t",
    ord('"'): '\\"',
    ord("\\"): "\\\\",
}
_templates: dict[tuple[str, ...], str] = {}


def quoted(text: str) -> str:
    """A string in JSON, readable as it is. Half surrogates are left for `to_bytes`."""
    return f'"{text.translate(_ESCAPES)}"'


def to_bytes(lines: str) -> bytes:
    """Lines in UTF-8; half surrogates, which it cannot hold, as the JSON escapes that Python's happen to be."""
    return lines.encode("utf-8", "backslashreplace")


def literal(value: Number) -> str:
    """A number in JSON, exactly; NaN and the infinities as strings, None as null."""
    if value is None:
        return "null"
    return repr(value) if isfinite(value) else f'"{non_finite(value)}"'


def step_literal(step: Any) -> str:
    """A step in JSON; null for one beyond all floats.

    Raises:
        TypeError, ValueError: It is not a finite number.
    """
    if step.__class__ is int and -EXACT <= step < EXACT:
        return str(step)
    try:
        return literal(step_number(step))
    except OverflowError:
        return "null"


def row(step: str, time: float, values: Mapping[str, Number]) -> str:
    """The line of the scalars of one step.

    Args:
        step: What `step_literal` gives.
        time: Wall time in seconds; the millisecond is kept.
        values: The values by tag.
    """
    template = row_template(tuple(values))
    numbers = values.values()
    try:
        simple = isfinite(sum(numbers))  # type: ignore[arg-type]
    except (TypeError, OverflowError):  # a None is among them
        simple = False
    return template % (step, time, *(numbers if simple else map(literal, numbers)))


def row_template(layout: tuple[str, ...]) -> str:
    """What ``%`` makes the line of a row of: for its step, its wall time and the value of each tag of the layout."""
    template = _templates.get(layout)
    if template is None:
        if len(_templates) >= _LAYOUTS:
            _templates.clear()
        pairs = ",".join(quoted(tag).replace("%", "%%") + ":%s" for tag in layout)
        template = _templates[layout] = '{"step":%s,"time":%.3f,"scalars":{' + pairs + "}}\n"
    return template


def checked(values: dict[str, Number]) -> dict[str, Number]:
    """The values of a row with what JSON has instead of booleans and of tags that are no strings.

    Raises:
        Exception: A tag has no string.
    """
    if _PLAIN.issuperset(map(type, values.values())) and _TAGS.issuperset(map(type, values)):
        return values
    return {str(tag): number(value) for tag, value in values.items()}


def header(run: dict[str, Json], config: dict[str, Json]) -> str:
    """The first line of a file."""
    return _line({"tuimon": VERSION, "run": run, "config": config})


def json(value: Json) -> str:
    """A value in JSON, without the import of ``json``, which takes longer than all the rest."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(key)}:{json(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(json, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return literal(value)


def _line(content: dict[str, Json]) -> str:
    return json(content) + "\n"


class Payload:
    """What can be logged besides scalars.

    Attributes:
        count: How many values it stands for when it has to be dropped.
        keep: Whether it must never be dropped.
        weight: About how many bytes it holds while it waits.
    """

    __slots__ = ()
    count = 1
    keep = False
    weight = 0

    def line(self, step: Any, time: float) -> str:
        """The line for the log, with its end; empty when there is nothing to write."""
        raise NotImplementedError


class HistogramPayload(Payload):
    """A histogram, or values that are still to be counted into one."""

    __slots__ = ("make", "tag", "weight")

    def __init__(self, tag: str, make: Callable[[], Histogram], weight: int = 0) -> None:
        self.tag = tag
        self.make = make
        self.weight = weight

    @classmethod
    def of(cls, tag: str, values: Any, bins: Any, max_bins: int | None, *, owned: bool) -> HistogramPayload:
        """Values that the flush thread counts into bins; ``owned`` when nobody else needs them."""
        weight = getattr(values, "nbytes", 0)
        return cls(tag, lambda: histogram(values, bins, max_bins, owned=owned), weight)

    def counted(self) -> HistogramPayload:
        """The same, counted now."""
        found = self.make()
        return HistogramPayload(self.tag, lambda: found)

    def line(self, step: Any, time: float) -> str:
        """See `Payload.line`."""
        found = self.make()
        edges, counts = ",".join(map(literal, found.edges)), ",".join(map(literal, found.counts))
        statistics = "".join(
            f',"{name}":{literal(value)}'
            for name, value in (
                ("min", found.low),
                ("max", found.high),
                ("mean", found.mean),
                ("std", found.std),
                ("zeros", found.zeros),
            )
        )
        return (
            f'{{"step":{step_literal(step)},"time":{time:.3f},"histogram":{{"tag":{quoted(self.tag)},'
            f'"edges":[{edges}],"counts":[{counts}],"nan":{found.nan},"inf":{found.inf}{statistics}}}}}\n'
        )


class TextPayload(Payload):
    """A text under a tag."""

    __slots__ = ("tag", "text", "weight")

    def __init__(self, tag: str, text: str) -> None:
        self.tag = tag
        self.text = text
        self.weight = len(text)

    def line(self, step: Any, time: float) -> str:
        """See `Payload.line`."""
        return (
            f'{{"step":{step_literal(step)},"time":{time:.3f},'
            f'"text":{{"tag":{quoted(self.tag)},"text":{quoted(self.text)}}}}}\n'
        )


class RecordPayload(Payload):
    """An object under the key that tells its kind, made by the flush thread."""

    __slots__ = ("kind", "make", "weight")

    def __init__(self, kind: str, make: Callable[[], dict[str, Json]], weight: int = 0) -> None:
        self.kind = kind
        self.make = make
        self.weight = weight

    def line(self, step: Any, time: float) -> str:
        """See `Payload.line`."""
        return f'{{"step":{step_literal(step)},"time":{time:.3f},"{self.kind}":{json(self.make())}}}\n'


class ConfigPayload(Payload):
    """Settings of the run that became known after its start."""

    __slots__ = ("config",)

    def __init__(self, config: dict[str, Json]) -> None:
        self.config = config

    def line(self, step: Any, time: float) -> str:  # noqa: ARG002 - settings have neither
        """See `Payload.line`."""
        return _line({"config": self.config})


class RestartPayload(Payload):
    """The training goes on from a step; what was logged from there on is superseded."""

    __slots__ = ()
    count = 0
    keep = True

    def line(self, step: Any, time: float) -> str:  # noqa: ARG002 - the step says it all
        """See `Payload.line`."""
        return f'{{"restart":{{"step":{step_literal(step)}}}}}\n'


class GapPayload(Payload):
    """Values that had to be dropped."""

    __slots__ = ("dropped",)
    count = 0
    keep = True

    def __init__(self, dropped: int) -> None:
        self.dropped = dropped

    def line(self, step: Any, time: float) -> str:  # noqa: ARG002 - the dropped values had steps of their own
        """See `Payload.line`."""
        return f'{{"gap":{{"count":{self.dropped},"time":{time:.3f}}}}}\n'


class AlivePayload(Payload):
    """A sign of life of a process that logs nothing just now."""

    __slots__ = ()
    count = 0

    def line(self, step: Any, time: float) -> str:  # noqa: ARG002 - it has no step
        """See `Payload.line`."""
        return f'{{"alive":{{"time":{time:.3f}}}}}\n'


class OpenPayload(Payload):
    """Nothing but the wish that the file be there."""

    __slots__ = ()
    count = 0
    keep = True

    def line(self, step: Any, time: float) -> str:  # noqa: ARG002 - there is no line
        """See `Payload.line`."""
        return ""


class EndPayload(Payload):
    """How the run ended. The file is closed after it.

    Attributes:
        status: "finished", "failed", "killed" or "interrupted".
        details: Any of "exit", "signal" and "error".
    """

    __slots__ = ("details", "status")
    count = 0
    keep = True

    def __init__(self, status: str, **details: int | str | None) -> None:
        self.status = status
        self.details: dict[str, Json] = {key: value for key, value in details.items() if value is not None}

    def line(self, step: Any, time: float) -> str:  # noqa: ARG002 - the end has no step
        """See `Payload.line`."""
        return _line({"end": {"status": self.status, "time": round(time, 3), **self.details}})
