"""Event files: what they hold beside numbers, such as pictures, texts, settings, curves and graphs."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tuimon.formats._tfevents.graph import graph_table
from tuimon.formats.tfevents import FORMAT
from tuimon.records import Config, End, MediaRecord, RunInfo, TextRecord

if TYPE_CHECKING:
    from .conftest import Content, Events

Parse = Callable[..., Any]
FLOAT, INT32, STRING = 1, 3, 7
PNG = b"\x89PNG\r\n\x1a\n" + bytes(2000)
WAV = b"RIFF" + struct.pack("<I", 36 + 1600) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
WAV += b"data" + struct.pack("<I", 1600) + bytes(1600)


@pytest.fixture
def parse(read: Callable[..., Content]) -> Callable[..., Content]:
    """Read the bytes of an event file."""
    return lambda data: read(FORMAT.parser("run/events.out.tfevents.1700000000.host.12.0"), data)


def test_pictures_and_sounds_say_where_they_are(events: type[Events], parse: Parse) -> None:
    """Their bytes stay in the file; the place that is named holds them."""
    image = b"".join(events.field(at, size) for at, size in enumerate((48, 64, 3), 1)) + events.field(4, PNG)
    audio = b"\x0d" + struct.pack("<f", 8000.0) + events.field(2, 1) + events.field(3, 800) + events.field(4, WAV)
    strings = events.field(8, "64") + events.field(8, "48") + events.field(8, PNG) + events.field(8, PNG)
    sounds = events.field(8, WAV) + events.field(8, "a word")
    data = events.version() + events.summary(
        events.field(1, "old/image") + events.field(4, image),
        events.field(1, "old/audio") + events.field(6, audio),
        events.tensor("image", STRING, [4], strings, "images"),
        events.tensor("audio", STRING, [1, 2], sounds, "audio"),
        step=9,
    )
    found = [one for one in parse(data).others if isinstance(one, MediaRecord)]
    bodies = [dict(one.body) for one in found]
    for body in bodies:
        at = body.pop("at")
        assert isinstance(at, int)
        assert data[at : at + body.pop("bytes")] == (PNG if body["kind"] == "image" else WAV)
    size = {"kind": "image", "width": 64, "height": 48, "encoding": "png"}
    sound = {"kind": "audio", "rate": 8000, "channels": 1, "seconds": 0.1, "encoding": "wav"}
    assert bodies == [
        {"tag": "old/image", "channels": 3, **size},
        {"tag": "old/audio", **sound},
        {"tag": "image", "index": 0, "count": 2, **size},
        {"tag": "image", "index": 1, "count": 2, **size},
        {"tag": "audio", "caption": "a word", **sound},
    ]
    assert {(one.kind, one.step, one.time) for one in found} == {("media", 9.0, 1.7e9)}


def test_texts(events: type[Events], parse: Parse) -> None:
    """One, several, and a table of them; also of a plugin that nobody named."""
    one = events.tensor("note/text_summary", STRING, [1], events.field(8, "héllo"), "text")
    two = events.tensor("two", STRING, [2], events.field(8, "a") + events.field(8, "b"), "text")
    cells = b"".join(events.field(8, cell) for cell in "abcd")
    table = events.tensor("table", STRING, [2, 2], cells)
    found = parse(events.summary(one, two, table, step=4)).others
    assert found == [
        TextRecord("note/text_summary", 4.0, 1.7e9, "héllo"),
        TextRecord("two", 4.0, 1.7e9, "a\nb"),
        TextRecord("table", 4.0, 1.7e9, "a | b\nc | d"),
    ]


def test_hyper_parameters(events: type[Events], parse: Parse) -> None:
    """Settings of every type. An end without a time was logged at the start, and is not believed."""

    def entry(key: str, value: bytes) -> bytes:
        return events.field(1, events.field(1, key) + events.field(2, value))

    start = b"".join(
        (
            entry("lr", events.field(2, 0.1)),
            entry("layers", events.field(2, 3.0)),
            entry("opt", events.field(3, "adam")),
            entry("amp", events.field(4, 1)),
            entry(
                "sizes", events.field(6, events.field(1, events.field(2, 1.0)) + events.field(1, events.field(3, "x")))
            ),
            events.field(4, "group-1"),
        )
    )

    def value(tag: str, content: bytes) -> bytes:
        return events.field(1, tag) + events.field(
            9, events.field(1, events.field(1, "hparams") + events.field(2, content))
        )

    metric = events.field(5, events.field(1, events.field(2, "val/acc")))
    data = events.version()
    data += events.summary(value("_hparams_/experiment", events.field(2, metric)))
    data += events.summary(value("_hparams_/session_start_info", events.field(3, start)))
    data += events.summary(value("_hparams_/session_end_info", events.field(4, events.field(1, 1))))
    found = parse(data).others
    assert Config({"lr": 0.1, "layers": 3, "opt": "adam", "amp": True, "sizes": '[1, "x"]'}) in found
    assert MediaRecord("metric", "metric", None, None, {"name": "val/acc"}) in found
    assert RunInfo({"group": "group-1"}) in found
    assert not [one for one in found if isinstance(one, End)]
    ended = events.field(4, events.field(1, 2) + events.field(2, 1.7e9))
    assert parse(events.summary(value("_hparams_/session_end_info", ended))).others == [End("failed", 1.7e9)]


def test_curves_layouts_meshes_and_layers(events: type[Events], parse: Parse) -> None:
    """What the viewer shows of them has the form of the native log."""
    rows = [[3, 2, 0], [4, 1, 0], [0, 3, 4], [0, 1, 3], [0.5, 0.75, 1.0], [1.0, 0.5, 0.0]]
    body = events.field(4, struct.pack("<18f", *(x for row in rows for x in row)))
    chart = events.field(1, "loss") + events.field(2, events.field(1, "a") + events.field(1, "b"))
    margin = events.field(3, events.field(1, events.field(1, "v") + events.field(2, "l") + events.field(3, "u")))
    layout = events.field(2, events.field(1, "all") + events.field(2, chart) + events.field(2, margin))
    points = struct.pack("<6f", 0, 0, 0, 1, 2, 3)
    part = [events.field(2, "ball") + events.field(3, kind) for kind in (1, 2)]
    model = {"class_name": "Sequential", "config": {"name": "net", "layers": [
        {"class_name": "Dense", "config": {"name": "d1", "units": 8, "activation": "relu"}}]}}  # fmt: skip
    data = events.summary(
        events.tensor("pr", FLOAT, [6, 3], body, "pr_curves"),
        events.tensor("custom_scalars__config__", STRING, [], events.field(8, layout), "custom_scalars"),
        events.tensor("ball_VERTEX", FLOAT, [1, 2, 3], events.field(4, points), "mesh", part[0]),
        events.tensor("ball_FACE", INT32, [1, 4, 3], events.field(4, bytes(48)), "mesh", part[1]),
        events.tensor("keras", STRING, [], events.field(8, json.dumps(model)), "graph_keras_model"),
        step=2,
    )
    curve, charts, mesh, layers = parse(data).others
    assert curve.kind == "curve"
    assert curve.body["lines"] == [
        {"name": "", "area": 0.625, "x": [1.0, 0.5, 0.0], "y": [0.5, 0.75, 1.0],
         "tp": [3.0, 2.0, 0.0], "fp": [4.0, 1.0, 0.0], "tn": [0.0, 3.0, 4.0], "fn": [0.0, 1.0, 3.0]}
    ]  # fmt: skip
    assert charts.body["charts"] == [
        {"category": "all", "title": "loss", "kind": "multiline", "tags": ["a", "b"]},
        {"category": "all", "title": "", "kind": "margin", "tags": ["v", "l", "u"]},
    ]
    assert mesh.body == {
        "tag": "ball",
        "kind": "mesh",
        "colors": False,
        "vertices": 2,
        "faces": 4,
        "box": [0, 0, 0, 1, 2, 3],
        "at": data.index(points),
        "bytes": len(points),
        "encoding": "float32",
    }
    assert (layers.kind, layers.body["title"], layers.body["rows"]) == (
        "table",
        "net",
        [["d1", "Dense", "units=8, activation=relu"]],
    )


def test_a_graph_is_told_of_by_its_place(events: type[Events], parse: Parse) -> None:
    """With the first data, wherever it stands; its nodes have types, shapes and inputs."""
    sizes = b"".join(events.field(2, events.field(1, size)) for size in (8, 3))
    shapes = events.field(1, events.field(7, sizes))
    attribute = events.field(1, "_output_shapes") + events.field(2, shapes)
    nodes = (
        events.field(1, "net/fc/w") + events.field(2, "Const"),
        events.field(1, "net/fc/add")
        + events.field(2, "Add")
        + events.field(3, "net/fc/w")
        + events.field(5, attribute),
    )
    graph = b"".join(events.field(1, node) for node in nodes)
    data = events.version() + events.event(4, graph, 7) + events.scalar("v", 1.0)
    info, told = parse(data).others
    assert isinstance(info, RunInfo)
    assert (told.tag, told.kind, told.step, told.body["kind"]) == ("graph", "media", 7.0, "graph")
    at, size = told.body["at"], told.body["bytes"]
    table = graph_table(data[at : at + size])
    assert table["rows"] == [["net/fc/w", "Const", "", ""], ["net/fc/add", "Add", "8x3", "net/fc/w"]]
    assert table["total"] == 2
