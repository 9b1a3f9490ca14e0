"""Everything on the screen in ASCII, for terminals and fonts that have no more.

Charts draw themselves in ASCII, because a cell of braille holds eight points. All other signs of the app take one cell
and have a stand-in of one cell, which takes their place when the screen is written.
"""

from __future__ import annotations

import locale
import os
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.driver import Driver

_SIGNS = {
    **dict(zip("●■◆★○□◇☆◐◧", "*+ox#@%&=~", strict=True)),  # runs, as in tuimon.charts.palette
    **dict(zip("►✓✗†⊘⊖∅", ">VXDKI0", strict=True)),  # states
    "✎": "n",
    **dict(zip("▴▾•·▲▼↑↓←→⇧‹›", "^v*.^v^v<>^<>", strict=True)),
    **dict(zip("×∞≤▽“”…–", 'xi<v""~-', strict=True)),
    **dict(zip("≥Δ°", ">D'", strict=True)),
    **dict(zip("│┃║╎▏▕", "||||||", strict=True)),
    **dict(zip("─━═╌▔▁", "------", strict=True)),
    **dict(zip("±≠▸◂◁▷µηρΔσ", "~#><<>unrDs", strict=True)),
    "\u2800": " ",
}
_LINES = dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+")
_BLOCKS = dict.fromkeys(map(chr, range(0x2580, 0x25A0)), "#")
_TABLE = str.maketrans(_LINES | _BLOCKS | _SIGNS)


def needs_ascii() -> bool:
    """Whether the locale's encoding cannot hold what the app draws.

    Python takes the C locale for UTF-8. Who asks for it by name gets ASCII all the same, as from other programs.
    """
    asked = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    return asked in ("C", "POSIX") or "utf" not in locale.getpreferredencoding(False).lower().replace("-", "")


def to_ascii(text: str, encoding: str = "utf-8") -> str:
    """A piece of the screen with ASCII stand-ins, each as wide as what it stands for.

    Letters of names stay as they are where the encoding has them; others become "?".
    """
    if text.isascii():
        return text
    text = text.translate(_TABLE)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        from rich.cells import cell_len  # not needed to find out whether it is needed

        return "".join(char if _fits(char, encoding) else "?" * cell_len(char) for char in text)
    return text


@lru_cache(maxsize=4096)
def _fits(char: str, encoding: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def ascii_driver(base: type[Driver]) -> type[Driver]:
    """A driver that writes to the terminal what ``base`` would write, in ASCII."""
    encoding = locale.getpreferredencoding(False)

    class AsciiDriver(base):  # type: ignore[misc, valid-type]
        def write(self, data: str) -> None:
            super().write(to_ascii(data, encoding))

    return AsciiDriver
