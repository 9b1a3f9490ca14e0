"""Pictures as pixels in terminals with kitty's graphics protocol (kitty, Ghostty), by its Unicode placeholders.

A picture is sent once and kept by the terminal; where it is to be seen, cells hold a placeholder character whose colour
is the number of the picture and whose combining marks are row and column. So for everything else here pictures are
cells like others: what is drawn over them hides them, and nothing has to be taken from the screen by hand.
See https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
"""

from __future__ import annotations

import base64
import hashlib
import os
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from tuimon.analysis.png import Pixels

VARIABLE = "TUIMON_GRAPHICS"
"""Environment variable: "kitty" or "off", whatever the terminal says of itself."""
CELL = (8, 16)
"""Pixels of a cell that are sent; the terminal fits them to what its cells really are."""
KEPT = 48
"""Pictures that the terminal keeps for us."""
PLACEHOLDER = "\U0010eeee"
_CHUNK = 4096
_TERMS = ("xterm-kitty", "xterm-ghostty")
_MARKS = (  # of rows and columns, by their number: kitty's rowcolumn-diacritics.txt
    "305 30D-30E 310 312 33D-33F 346 34A-34C 350-352 357 35B 363-36F 483-487 592-595 597-599 59C-5A1 5A8-5A9 5AB-5AC "
    "5AF 5C4 610-617 657-65B 65D-65E 6D6-6DC 6DF-6E2 6E4 6E7-6E8 6EB-6EC 730 732-733 735-736 73A 73D 73F-741 743 745 "
    "747 749-74A 7EB-7F1 7F3 816-819 81B-823 825-827 829-82D 951 953-954 F82-F83 F86-F87 135D-135F 17DD 193A 1A17 "
    "1A75-1A7C 1B6B 1B6D-1B73 1CD0-1CD2 1CDA-1CDB 1CE0 1DC0-1DC1 1DC3-1DC9 1DCB-1DCC 1DD1-1DE6 1DFE 20D0-20D1 "
    "20D4-20D7 20DB-20DC 20E1 20E7 20E9 20F0 2CEF-2CF1 2DE0-2DFF A66F A67C-A67D A6F0-A6F1 A8E0-A8F1"
)


def _marks(ranges: str) -> str:
    ends = [[int(end, 16) for end in piece.split("-")] for piece in ranges.split()]
    return "".join(chr(code) for pair in ends for code in range(pair[0], pair[-1] + 1))


MARKS = _marks(_MARKS)
"""The combining mark of each row or column; a picture has at most so many."""


def has_kitty(environ: Mapping[str, str]) -> bool:
    """Whether the terminal says that it has the protocol.

    ``TERM`` is believed, which each terminal sets for itself; other variables are inherited by terminals that are
    started from one another. In tmux and screen it is off, as these have to be told to let it through.
    """
    wish = environ.get(VARIABLE, "").lower()
    if wish:
        return wish == "kitty"
    return not environ.get("TMUX") and not environ.get("STY") and environ.get("TERM", "") in _TERMS


class Graphics:
    """The pictures that the terminal keeps.

    Args:
        write: Sends a text to the terminal as it is.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._known: OrderedDict[tuple[bytes, int, int], int] = OrderedDict()
        self._next = (os.getpid() & 0x7FFF) << 8 | 1  # unlike the numbers of another program in the same terminal

    def lines(self, pixels: Pixels, columns: int, rows: int) -> list[list[Segment]]:
        """The cells that show a picture, which is sent unless the terminal has it.

        Args:
            pixels: Height x width x 3.
            columns: Cells across, at most ``len(MARKS)``.
            rows: Cells down, at most ``len(MARKS)``.
        """
        data = pixels.tobytes()
        shape = pixels.shape[1].to_bytes(4, "big")
        key = (hashlib.blake2b(data + shape, digest_size=16).digest(), columns, rows)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self._next
            self._next += 1
            self._write(sent(data, pixels.shape[1], pixels.shape[0], number, columns, rows))
            while len(self._known) > KEPT:
                self._write(_deleted(self._known.popitem(last=False)[1]))
        self._known.move_to_end(key)
        style = Style.from_color(Color.from_rgb(number >> 16 & 255, number >> 8 & 255, number & 255))
        across = MARKS[:columns]
        return [[Segment(PLACEHOLDER + row + column, style) for column in across] for row in MARKS[:rows]]

    def close(self) -> None:
        """Let the terminal forget all of them."""
        if self._known:
            self._write("".join(map(_deleted, self._known.values())))
            self._known.clear()


def sent(data: bytes, width: int, height: int, number: int, columns: int, rows: int) -> str:
    """The escape sequences that send a picture, without showing it anywhere.

    Args:
        data: RGB, a byte each.
        width: Pixels across.
        height: Pixels down.
        number: The number that the terminal shall know it by.
        columns: Cells across that it will fill.
        rows: Cells down.
    """
    text = base64.b64encode(zlib.compress(data, 1)).decode()
    head = f"a=T,U=1,i={number},f=24,s={width},v={height},o=z,c={columns},r={rows},q=2,"
    pieces = [text[start : start + _CHUNK] for start in range(0, len(text), _CHUNK)]
    return "".join(
        f"\x1b_G{'' if at else head}m={int(at + 1 < len(pieces))};{piece}\x1b\\" for at, piece in enumerate(pieces)
    )


def _deleted(number: int) -> str:
    return f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\"
