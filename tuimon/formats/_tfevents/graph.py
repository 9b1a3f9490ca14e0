"""The nodes of a graph in an event file.

Sources: ``graph.proto``, ``node_def.proto`` and ``attr_value.proto`` in https://github.com/tensorflow/tensorflow. An
event file tells where its graph is; it is only taken apart when somebody looks at it.
"""

from __future__ import annotations

from tuimon.formats import _wire as wire
from tuimon.formats._tfevents.event import Event
from tuimon.formats._wire import BYTES, VARINT
from tuimon.records import MediaRecord

TAG = "graph"
ENCODING = "graphdef"
MOST_NODES = 100_000
_MOST_INPUTS = 20
_SHAPES = b"_output_shapes"


def graph(event: Event, base: int) -> MediaRecord:
    """Where the graph of an event is.

    Args:
        event: The event.
        base: Where in the file the piece begins that it was found in.
    """
    body = {"tag": TAG, "kind": "graph", "at": base + event.start, "bytes": event.end - event.start}
    return MediaRecord("media", TAG, float(event.step), event.time, {**body, "encoding": ENCODING})


def graph_table(data: bytes) -> dict[str, object]:
    """The nodes of a ``GraphDef`` as a table: name, operation, shapes of what comes out, and inputs.

    Raises:
        WireError: It is none.
    """
    rows: list[object] = []
    total = 0
    for number, kind, start, stop in wire.fields(data, 0, len(data)):
        if number == 1 and kind == BYTES:
            total += 1
            if total <= MOST_NODES:
                rows.append(_node(data, start, stop))
    return {"kind": "graph", "columns": ["node", "type", "shapes", "inputs"], "rows": rows, "total": total}


def _node(data: bytes, at: int, end: int) -> list[str]:
    name = operation = shapes = ""
    inputs: list[str] = []
    for number, kind, start, stop in wire.fields(data, at, end):
        if kind != BYTES:
            continue
        if number == 1:
            name = wire.text(data, start, stop)
        elif number == 2:
            operation = wire.text(data, start, stop)
        elif number == 3 and len(inputs) < _MOST_INPUTS:
            inputs.append(wire.text(data, start, stop))
        elif number == 5 and _SHAPES in data[start : start + 20]:
            shapes = " ".join(_shapes(data, start, stop))
    return [name, operation, shapes, " ".join(inputs)]


def _shapes(data: bytes, at: int, end: int) -> list[str]:
    """The shapes in the attribute that lists them."""
    path = (2, 1, 7)  # value of the attribute, its list, the shapes in it
    found = [(at, end)]
    for wanted in path:
        found = [
            (start, stop)
            for place in found
            for number, kind, start, stop in wire.fields(data, *place)
            if number == wanted and kind == BYTES
        ]
    return ["x".join(_lengths(data, *place)) for place in found]


def _lengths(data: bytes, at: int, end: int) -> list[str]:
    lengths: list[str] = []
    for number, kind, start, stop in wire.fields(data, at, end):
        if number == 2 and kind == BYTES:
            sizes = [wire.signed(value) for n, k, value, _ in wire.fields(data, start, stop) if n == 1 and k == VARINT]
            lengths.append("?" if sizes and sizes[0] < 0 else str(sizes[0] if sizes else 0))
    return lengths
