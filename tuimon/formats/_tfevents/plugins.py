"""What TensorBoard's plugins put into event files: hyper-parameters, layouts, meshes, layers of Keras models.

Sources: ``plugin_data.proto`` of the plugins hparams and mesh, ``layout.proto`` of custom_scalar, in
https://github.com/tensorflow/tensorboard/tree/master/tensorboard/plugins.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from tuimon.formats import _wire as wire
from tuimon.formats._tfevents.tensor import Floats
from tuimon.formats._values import settings
from tuimon.formats._wire import BYTES, FIXED64, VARINT
from tuimon.records import Config, End, MediaRecord, Record, RunInfo, Setting

_STATUS = {1: "finished", 2: "failed"}
_MESH_PARTS = {1: "vertices", 2: "faces", 3: "colors"}
_MOST_LAYERS = 10_000
_DEPTH = 16


def hparams(data: bytes, at: int, end: int) -> Iterator[Record]:
    """The records in an ``HParamsPluginData``."""
    for number, kind, start, stop in wire.fields(data, at, end):
        if kind != BYTES:
            continue
        if number == 2:
            yield from _experiment(data, start, stop)
        elif number == 3:
            yield from _session_start(data, start, stop)
        elif number == 4:
            yield from _session_end(data, start, stop)


def _experiment(data: bytes, at: int, end: int) -> Iterator[Record]:
    info: dict[str, object] = {}
    for number, kind, start, stop in wire.fields(data, at, end):
        if kind != BYTES:
            continue
        if number == 6 and stop > start:
            info["project"] = wire.text(data, start, stop)
        elif number == 1 and stop > start:
            info["notes"] = wire.text(data, start, stop)
        elif number == 5:
            name = _metric_name(data, start, stop)
            if name:
                yield MediaRecord("metric", "metric", None, None, {"name": name})
    if info:
        yield RunInfo(info)


def _metric_name(data: bytes, at: int, end: int) -> str:
    for number, kind, start, stop in wire.fields(data, at, end):
        if number == 1 and kind == BYTES:
            parts = {n: wire.text(data, a, b) for n, k, a, b in wire.fields(data, start, stop) if k == BYTES}
            return parts.get(2, "")
    return ""


def _session_start(data: bytes, at: int, end: int) -> Iterator[Record]:
    values: dict[str, Setting] = {}
    group = ""
    for number, kind, start, stop in wire.fields(data, at, end):
        if number == 1 and kind == BYTES:
            key, value = "", None
            for n, k, a, b in wire.fields(data, start, stop):
                if n == 1 and k == BYTES:
                    key = wire.text(data, a, b)
                elif n == 2 and k == BYTES:
                    value = _value(data, a, b)
            values |= settings({key: value})
        elif number == 4 and kind == BYTES:
            group = wire.text(data, start, stop)
    if values:
        yield Config(values)
    if group:
        yield RunInfo({"group": group})


def _value(data: bytes, at: int, end: int, depth: int = 0) -> object:
    """A ``google.protobuf.Value``."""
    found: object = None
    if depth > _DEPTH:
        return found
    for number, kind, start, stop in wire.fields(data, at, end):
        if number == 2 and kind == FIXED64:
            x = wire.double(data, start)
            found = int(x) if math.isfinite(x) and x.is_integer() and abs(x) < 1 << 53 else x
        elif number == 3 and kind == BYTES:
            found = wire.text(data, start, stop)
        elif number == 4 and kind == VARINT:
            found = bool(start)
        elif number == 5 and kind == BYTES:
            entries = [f for f in wire.fields(data, start, stop) if f[0] == 1 and f[1] == BYTES]
            pairs = [{n: (a, b) for n, k, a, b in wire.fields(data, *e[2:]) if k == BYTES} for e in entries]
            found = {
                wire.text(data, *pair.get(1, (0, 0))): _value(data, *pair.get(2, (0, 0)), depth + 1) for pair in pairs
            }
        elif number == 6 and kind == BYTES:
            found = [_value(data, a, b, depth + 1) for n, k, a, b in wire.fields(data, start, stop) if k == BYTES]
    return found


def _session_end(data: bytes, at: int, end: int) -> Iterator[Record]:
    """How the session ended. Writers that log this at the start, as most do, give no time, and are not believed."""
    status, time = 0, 0.0
    for number, kind, start, _ in wire.fields(data, at, end):
        if number == 1 and kind == VARINT:
            status = start
        elif number == 2 and kind == FIXED64:
            time = wire.double(data, start)
    if status in _STATUS and time > 0:
        yield End(_STATUS[status], time)


def layout(data: bytes, at: int, end: int) -> MediaRecord:
    """Which tags belong on one chart: the ``Layout`` of the custom scalars."""
    charts: list[object] = []
    for number, kind, start, stop in wire.fields(data, at, end):
        if number != 2 or kind != BYTES:
            continue
        parts = [(n, a, b) for n, k, a, b in wire.fields(data, start, stop) if k == BYTES]
        category = next((wire.text(data, a, b) for n, a, b in parts if n == 1), "")
        charts += [{"category": category, **_chart(data, a, b)} for n, a, b in parts if n == 2]
    return MediaRecord("layout", "layout", None, None, {"charts": charts})


def _chart(data: bytes, at: int, end: int) -> dict[str, object]:
    chart: dict[str, object] = {"title": "", "kind": "multiline", "tags": []}
    for number, kind, start, stop in wire.fields(data, at, end):
        if kind != BYTES:
            continue
        inner = [(a, b) for n, k, a, b in wire.fields(data, start, stop) if n == 1 and k == BYTES] if number > 1 else []
        if number == 1:
            chart["title"] = wire.text(data, start, stop)
        elif number == 2:
            chart["tags"] = [wire.text(data, a, b) for a, b in inner]
        elif number == 3:
            chart["kind"] = "margin"
            chart["tags"] = [
                wire.text(data, a, b)
                for series in inner
                for n, k, a, b in sorted(wire.fields(data, *series))
                if 1 <= n <= 3 and k == BYTES
            ]
    return chart


def mesh_part(data: bytes, at: int, end: int) -> tuple[str, str] | None:
    """Name of a mesh, and which of its arrays a tensor holds, by a ``MeshPluginData``."""
    name, part = "", 0
    for number, kind, start, stop in wire.fields(data, at, end):
        if number == 2 and kind == BYTES:
            name = wire.text(data, start, stop)
        elif number == 3 and kind == VARINT:
            part = start
    return (name, _MESH_PARTS[part]) if part in _MESH_PARTS else None


def mesh_facts(part: str, shape: list[int], values: Floats | None) -> dict[str, object]:
    """What is kept of an array of a mesh, whose shape is (batch, rows, 3)."""
    rows = shape[-2] if len(shape) > 1 else 0
    if part == "colors":
        return {"colors": rows > 0}
    facts: dict[str, object] = {part: rows}
    if part == "vertices" and values is not None and rows > 0 and shape[-1] == 3:
        points = values.reshape(-1, 3)[:rows]
        box = [*points.min(axis=0).tolist(), *points.max(axis=0).tolist()]
        if all(map(math.isfinite, box)):
            facts["box"] = box
    return facts


def keras_layers(text: bytes) -> MediaRecord | None:
    """The layers of a Keras model, from the JSON of its graph."""
    try:
        model = json.loads(text)
    except (ValueError, RecursionError):
        return None
    config = model.get("config") if isinstance(model, dict) else None
    layers = config.get("layers") if isinstance(config, dict) else config
    if not isinstance(layers, list):
        return None
    rows: list[object] = []
    for layer in layers[:_MOST_LAYERS]:
        if isinstance(layer, dict):
            own = layer.get("config")
            inner = own if isinstance(own, dict) else {}
            plain = {key: value for key, value in inner.items() if isinstance(value, (int, str)) and key != "name"}
            name = str(inner.get("name") or layer.get("name") or "")
            said = ", ".join(f"{key}={value}" for key, value in plain.items())
            rows.append([name, str(layer.get("class_name", "")), said[:200]])
    title = str(config.get("name") or model.get("class_name") or "") if isinstance(config, dict) else ""
    body = {"tag": "model", "kind": "layers", "title": title, "columns": ["layer", "type", "settings"], "rows": rows}
    return MediaRecord("table", "model", None, None, body)
