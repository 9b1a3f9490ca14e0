"""Pictures in terminals with kitty's protocol: the sequences, parsed as a terminal would, and the cells."""

from __future__ import annotations

import base64
import re
import zlib

import numpy as np
import pytest

from tuimon.ui.media.kitty import KEPT, MARKS, PLACEHOLDER, Graphics, has_kitty


class FakeTerminal:
    """Keeps pictures as kitty does.

    Attributes:
        pictures: (columns, rows, pixels) by number.
    """

    def __init__(self):
        self.pictures = {}
        self._head, self._data = {}, ""

    def write(self, text):
        commands = re.findall(r"\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\", text)
        assert (
            "".join(f"\x1b_G{head};{body}\x1b\\" if body else f"\x1b_G{head}\x1b\\" for head, body in commands) == text
        )
        for head, body in commands:
            keys = dict(pair.split("=") for pair in head.split(","))
            assert len(body) <= 4096
            if keys.get("a") == "d":
                assert keys["d"] == "I"
                del self.pictures[int(keys["i"])]
                continue
            if keys.get("a") == "T":
                assert (keys["U"], keys["f"], keys["o"], keys["q"]) == ("1", "24", "z", "2")
                self._head, self._data = keys, ""
            self._data += body
            if keys["m"] == "0":
                head = {key: int(value) for key, value in self._head.items() if value.isdigit()}
                raw = zlib.decompress(base64.b64decode(self._data))
                pixels = np.frombuffer(raw, np.uint8).reshape(head["v"], head["s"], 3)
                self.pictures[head["i"]] = (head["c"], head["r"], pixels)


def number_of(segment):
    red, green, blue = segment.style.color.triplet
    return red << 16 | green << 8 | blue


def test_a_picture_is_sent_once_and_named_by_its_cells():
    """The terminal gets the very pixels; each cell names the picture, its row and its column."""
    terminal = FakeTerminal()
    graphics = Graphics(terminal.write)
    pixels = np.random.default_rng(0).integers(0, 256, (48, 64, 3), dtype=np.uint8)  # more than one piece
    lines = graphics.lines(pixels, 8, 3)
    ((number, (columns, rows, kept)),) = terminal.pictures.items()
    assert (columns, rows) == (8, 3)
    assert np.array_equal(kept, pixels)
    for y, line in enumerate(lines):
        for x, segment in enumerate(line):
            assert segment.text == PLACEHOLDER + MARKS[y] + MARKS[x]
            assert segment.cell_length == 1
            assert number_of(segment) == number
    assert graphics.lines(pixels, 8, 3) == lines
    assert len(terminal.pictures) == 1
    graphics.lines(pixels, 4, 2)
    assert len(terminal.pictures) == 2


def test_the_terminal_keeps_few_and_in_the_end_none():
    """Of many pictures the longest unused ones are deleted; closing deletes all."""
    terminal = FakeTerminal()
    graphics = Graphics(terminal.write)
    first = graphics.lines(np.zeros((2, 2, 3), np.uint8), 1, 1)
    for shade in range(1, 2 * KEPT):
        graphics.lines(np.full((2, 2, 3), shade, np.uint8), 1, 1)
        assert graphics.lines(np.zeros((2, 2, 3), np.uint8), 1, 1) == first  # it is in use, so it stays
    assert len(terminal.pictures) == KEPT
    assert number_of(first[0][0]) in terminal.pictures
    graphics.close()
    graphics.close()
    assert not terminal.pictures


def test_marks_are_those_of_the_protocol():
    """Some of kitty's table, by their number; all are different and take no cell of their own."""
    assert [hex(ord(MARKS[at])) for at in (0, 1, 10, 59, 150, 255)] == [
        "0x305",
        "0x30d",
        "0x34b",
        "0x615",
        "0x1b6b",
        "0xa8e5",
    ]
    assert len(set(MARKS)) == len(MARKS) >= 256


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-ghostty"}, True),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, False),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"}, False),
        ({"TERM": "xterm-kitty", "STY": "1.pts"}, False),
        ({"TERM": "xterm-kitty", "TUIMON_GRAPHICS": "off"}, False),
        ({"TERM": "screen", "TMUX": "1", "TUIMON_GRAPHICS": "kitty"}, True),
        ({}, False),
    ],
)
def test_only_where_the_terminal_says_so(environ, expected):
    """The terminal's own name counts, never in tmux or screen; the person's word comes first."""
    assert has_kitty(environ) is expected
