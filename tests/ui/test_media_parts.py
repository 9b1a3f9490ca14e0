"""Parts of the media panel without a screen: where pictures go, what of them is seen, and the reading of files."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tuimon.analysis.images import Picture
from tuimon.ui.media.base import Content, File, Item, Loaded, MediaKind, UnshowableError
from tuimon.ui.media.kinds import find_kinds
from tuimon.ui.media.kinds.pictures import Pictures, sheet
from tuimon.ui.media.library import Steps, file_of
from tuimon.ui.media.loader import Loader
from tuimon.ui.media.picture_view import PictureState, value_at, window_for


@pytest.mark.parametrize(
    ("size", "room", "expected"),
    [
        ((64, 64), (80, 40), (40, 40)),  # the shape is kept
        ((640, 100), (80, 40), (80, 12)),
        ((10, 10), (80, 45), (40, 40)),  # larger by a whole number
        ((4, 4), (200, 100), (32, 32)),  # but not by any
        ((1, 5000), (80, 40), (1, 40)),  # at least a pixel
    ],
)
def test_a_picture_fits(size, room, expected):
    """It fills its room in its own shape."""
    window = window_for(size, room)
    assert (window.width, window.height) == expected
    assert (window.left, window.top, window.right, window.bottom) == (0, 0, *size)


def test_zooming_shows_the_part_around_the_cursor():
    """1:1 comes after what fits, then twice that; the part stays within the picture."""
    window = window_for((1000, 500), (100, 50), 1, 0.5, 0.5)
    assert (window.scale, window.left, window.right, window.top, window.bottom) == (1, 450, 550, 225, 275)
    corner = window_for((1000, 500), (100, 50), 2, 1.0, 0.0)
    assert (corner.scale, corner.left, corner.right, corner.top, corner.bottom) == (2, 950, 1000, 0, 25)
    assert window_for((1000, 500), (100, 50), 99).scale == 16


def test_a_sheet_shows_all_pictures_as_large_as_can_be():
    """Wide pictures go below each other, high ones beside each other; too many are cut off."""
    assert sheet(1, 1.0, 60, 20) == (1, 1)
    assert sheet(4, 1.0, 80, 40) == (2, 2)
    assert sheet(3, 8.0, 80, 40) == (1, 3)
    assert sheet(3, 0.2, 80, 12) == (3, 1)
    assert sheet(500, 1.0, 40, 13) == (3, 2)


def test_frames_of_an_animation_go_round():
    """The keys go through the frames, from the last one to the first."""
    frame = np.zeros((2, 2, 1), np.uint8)
    picture = Picture((frame, frame + 100, frame + 200), 3, frame, b"", "GIF")
    kind, state = Pictures(), PictureState()
    content = Content("run", "tag", 1.0, [Item("media/image", 1.0, 1.0, {})], 0, 0, 1, lambda _back: None)
    look = SimpleNamespace(load=lambda _item: Loaded(picture))
    seen = []
    for value in (1, 1, 1, -1):
        kind.act("frame", value, state, content, look)
        seen.append(value_at(picture, content.item, state))
    assert seen == [f"x 1 y 1: {value}" for value in (100, 200, 0, 200)]


def test_the_nearest_step():
    """The lower one of two; the last one where none is asked for."""
    steps = Steps(0, [0.0, 10.0, 20.0], [[0], [1], [2]])
    assert [steps.nearest(at) for at in (None, -5, 4, 5, 6, 15, 99)] == [2, 0, 0, 0, 1, 1, 2]


def test_paths_stay_in_the_run(tmp_path: Path):
    """A relative path must not lead out of the directory of the log; an absolute one was meant."""
    log = str(tmp_path / "run" / "log.jsonl")
    assert file_of({"path": "media/a.png", "bytes": 5}, log) == File(str(tmp_path / "run/media/a.png"), logged=5)
    assert "leads out" in file_of({"path": "media/../../b.png"}, log).problem
    assert file_of({"path": "/data/c.png"}, log) == File("/data/c.png")
    assert file_of({"at": 7, "bytes": 5}, log) == File(log, 7, 5, 5)
    assert file_of({"path": 3}, log) is None


class Letters(MediaKind):
    """Decodes bytes as text; "!" cannot be shown, "?" is damaged."""

    name = ""
    one = "letter"
    limit = 1000

    def __init__(self):
        self.decoded = []

    def decode(self, item, data):
        self.decoded.append(data)
        if data == b"!":
            raise UnshowableError("an exclamation mark")
        if data == b"?":
            raise KeyError("huh")
        return data.decode()


class Reader:
    """A loader whose answers are awaited."""

    def __init__(self, budget=1 << 20):
        self.served = threading.Semaphore(0)
        self.loader = Loader(self.served.release, budget=budget)
        self.kind = Letters()

    def ask(self, path, **file) -> Loaded:
        item = Item("media/letter", 1.0, 1.0, {}, File(str(path), **file))
        loaded = self.loader.get(self.kind, item)
        if loaded.waiting:
            assert self.served.acquire(timeout=10)
            loaded = self.loader.get(self.kind, item)
        return loaded


def test_files_are_read_once_and_forgotten_within_the_budget(tmp_path: Path):
    """What is in use is kept, the longest unused goes first."""
    for number in range(4):
        (tmp_path / str(number)).write_bytes(b"x" * 400)
    reader = Reader(budget=1000)
    assert reader.ask(tmp_path / "0").value == "x" * 400
    for number in (0, 1, 0, 2, 0, 3):
        reader.ask(tmp_path / str(number))
    assert len(reader.kind.decoded) == 4
    assert reader.loader.used <= 1000
    reader.ask(tmp_path / "1")
    assert len(reader.kind.decoded) == 5
    reader.loader.stop()


def test_what_is_wrong_with_a_file_is_a_sentence(tmp_path: Path):
    """Missing, too large, no file, cut off, not to be shown, damaged, and another one than was logged."""
    for name, content in (("large", "x" * 1001), ("mark", "!"), ("huh", "?"), ("other", "abc")):
        (tmp_path / name).write_text(content)
    os.mkfifo(tmp_path / "pipe")
    reader = Reader()
    for name, file, said in (
        ("none", {}, "the file is not there"),
        ("large", {}, "too large to be shown here: 1 kB"),
        ("pipe", {}, "not a file"),
        ("other", {"offset": 1, "length": 5}, "the log has only 2 B of 5 B"),
        ("mark", {}, "an exclamation mark"),
        ("huh", {}, "the letter is damaged: 'huh'"),
        ("", {"problem": "no way"}, "no way"),
    ):
        loaded = reader.ask(tmp_path / name, **file)
        assert loaded.value is None
        assert said in loaded.problem
    loaded = reader.ask(tmp_path / "other", logged=7)
    assert (loaded.value, loaded.note) == ("abc", "the file has 3 B now, 7 B were logged")
    assert reader.ask(tmp_path / "other", offset=1, length=2).value == "bc"
    reader.loader.stop()


def test_every_kind_is_found_and_no_sort_is_of_two():
    """One file a kind, each with a name and a place; an item is shown by one kind only."""
    kinds = find_kinds()
    assert {kind.name for kind in kinds} >= {"messages", "pictures", "videos", "texts", "sounds", "files"}
    assert [kind.order for kind in kinds] == sorted(kind.order for kind in kinds)
    named = (
        "image",
        "video",
        "audio",
        "html",
        "plotly",
        "molecule",
        "file",
        "artifact",
        "array",
        "onnx",
        "new",
        "graph",
    )
    sorts = ["text", "alert/", "curve/pr", "matrix/confusion", "table/table", "table/layers"]
    for sort in (*sorts, *(f"media/{kind}" for kind in (*named, "embedding", "labels", "mesh"))):
        assert sum(kind.handles(sort) for kind in kinds) == 1, sort
    assert not any(kind.handles(sort) for kind in kinds for sort in ("layout/", "metric/"))
