r"""Text from a log made safe for the screen, and fitted to an exact number of terminal cells.

A log may hold anything: escape sequences, bidirectional overrides, lone surrogates. `clean` turns whatever could move
the cursor, colour the screen or hide itself into a visible escape such as ``\x1b`` or ``\u202e``, in plain ASCII, which
has the same width in every terminal. All widths are cell widths: a CJK character or an emoji fills two cells.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Literal, TypeAlias

from rich.cells import cell_len

Align: TypeAlias = Literal["left", "right", "middle-elide"]

ELLIPSIS = "…"
_FAMILIAR = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SELECTORS = "\ufe0e\ufe0f"
"""Variation selectors: they choose between two looks of one character, and terminals disagree on the width."""
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Printable by category, and yet they show nothing."""
_SHOWN = frozenset(("Co", "Zs"))
"""Categories that `str.isprintable` turns down although they take their cells like any letter."""
_MARKS_PER_CELL = 4
_BREAKS = "/-_ ,=:"
"""Where a name falls into words."""


def clean(text: str) -> str:
    r"""Make text from a log safe to print: one line, no control over the terminal, nothing invisible.

    Control characters (C0, DEL, C1), format characters (bidirectional overrides, zero width), line and paragraph
    separators, lone surrogates and unassigned characters become ``\n``, ``\r``, ``\t``, ``\xhh``, ``\uhhhh`` or
    ``\Uhhhhhhhh``. Combining marks stay on the letter they belong to; one without a letter, or beyond the fourth on a
    letter, is escaped. Cleaning twice changes nothing more.
    """
    if text.isascii():
        return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)
    out: list[str] = []
    marks = _MARKS_PER_CELL
    before = 0
    for char in text:
        if char in _SELECTORS:
            continue
        if (not char.isprintable() and unicodedata.category(char) not in _SHOWN) or char in _UNSEEN:
            out.append(_escape(char))
            marks, before = 0, 1
            continue
        size = cell_len(char)
        if size:
            marks, before = 0, size
        else:
            marks += 1
            skin_tone = "\U0001f3fb" <= char <= "\U0001f3ff"  # terminals give it no width on an emoji only
            if marks > _MARKS_PER_CELL or (skin_tone and before != 2):
                char = _escape(char)
                before = 1
        out.append(char)
    return "".join(out)


def _escape(char: str) -> str:
    code = ord(char)
    if char in _FAMILIAR:
        return _FAMILIAR[char]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def width(text: str) -> int:
    """Number of terminal cells that `clean(text)` fills."""
    return cell_len(clean(text))


def fit(text: str, width: int, align: Align = "left", *, ellipsis: str = ELLIPSIS) -> str:
    """Return `text`, cleaned, in exactly `width` cells.

    Args:
        text: Any text, of a log or not.
        width: Cells to fill; 0 or less gives the empty string.
        align: "left" pads at the right, "right" pads at the left, both cut the end; "middle-elide" pads at the right
            and cuts the middle, so that the start and the end stay.
        ellipsis: Stands where something was cut. Use "~" where terminals disagree on the width of "…".
    """
    text = clean(text)
    if width <= 0:
        return ""
    size = cell_len(text)
    if size > width:
        room = width - cell_len(ellipsis)
        if room < 0:
            text = take(ellipsis, width)
        elif align == "middle-elide":
            tail = take_end(text, room // 2)
            text = take(text, room - cell_len(tail)) + ellipsis + tail
        else:
            text = take(text, room) + ellipsis
        size = cell_len(text)
    pad = " " * (width - size)
    return pad + text if align == "right" else text + pad


def take(text: str, width: int) -> str:
    """The longest start of clean `text` that fills at most `width` cells; never half a wide character."""
    if text.isascii():
        return text[: max(width, 0)]
    used = 0
    for index, char in enumerate(text):
        used += cell_len(char)
        if used > width:
            return text[:index]
    return text


def take_end(text: str, width: int) -> str:
    """The longest end of clean `text` that fills at most `width` cells and starts with a character of its own."""
    if text.isascii():
        return text[-width:] if width > 0 else ""
    used = 0
    best = len(text)
    for index in range(len(text) - 1, -1, -1):
        size = cell_len(text[index])
        used += size
        if used > width:
            break
        if size:  # not inside a letter and its combining marks
            best = index
    return text[best:]


def elide_middle(names: Sequence[str], width: int, *, ellipsis: str = ELLIPSIS) -> list[str]:
    """Shorten names to at most `width` cells each so that they can still be told apart.

    What all names share at the start and at the end is cut first; the part that differs stays, with as much of the
    start and the end as there is room for. Names that would look the same then are cut again among themselves. Names
    that fit are left as they are. The results are not padded. Different names stay different wherever `width` holds
    the characters that tell them apart.
    """
    cleaned = [clean(name) for name in names]
    out = list(cleaned)
    long = [i for i, name in enumerate(cleaned) if cell_len(name) > width]
    groups = [long] if long else []
    while groups:
        group = groups.pop()
        distinct = sorted({cleaned[i] for i in group})
        shared = _common_start(distinct)
        short = dict(zip(distinct, _elide(distinct, shared, width, ellipsis), strict=True))
        alike: dict[str, list[int]] = {}
        for i in group:
            out[i] = short[cleaned[i]]
            alike.setdefault(out[i], []).append(i)
        for members in alike.values():
            again = sorted({cleaned[i] for i in members})
            if len(again) > 1 and _common_start(again) > shared:  # they share more than the whole group: look later
                groups.append(members)
    return out


def _common_start(names: Sequence[str]) -> int:
    """Length of the start that sorted `names` share; 0 for a single name, which has nothing to be told from."""
    if len(names) < 2:
        return 0
    first, last = names[0], names[-1]
    limit = min(len(first), len(last))
    return next((i for i in range(limit) if first[i] != last[i]), limit)


def _to_break(tail: str) -> int:
    """Characters of `tail` before its first word ends."""
    return min((found for c in _BREAKS if (found := tail.find(c)) >= 0), default=0)


def _elide(names: Sequence[str], start: int, width: int, ellipsis: str) -> list[str]:
    """Shorten names that share their first `start` characters, keeping what follows these."""
    if len(names) < 2:
        return [fit(name, width, "middle-elide", ellipsis=ellipsis).rstrip(" ") for name in names]
    end = _common_start(sorted(name[start:][::-1] for name in names))
    mark = cell_len(ellipsis)
    first = names[0]
    words = [  # whole words around the difference where there is room for them
        (max(first.rfind(c, 0, start) for c in _BREAKS) + 1, end - _to_break(first[len(first) - end :])),
        (start, end),
    ]
    for start, end in words:
        middles = [name[start : len(name) - end] for name in names]
        need = max(cell_len(middle) for middle in middles)
        if need + mark * ((start > 0) + (end > 0)) <= width:
            break
    out = []
    for name, middle in zip(names, middles, strict=True):
        tail = name[len(name) - end :] if end else ""
        spare = width - need - mark * ((start > 0) + (end > 0))
        if spare >= 0:
            back = take_end(tail, spare if start == 0 else spare // 2)
            spare += mark if tail and back == tail else 0  # nothing is cut there
            front = take(name[:start], spare - cell_len(back))
            text = (front if front == name[:start] else front + ellipsis) + middle
            text += tail if back == tail else ellipsis + back
        else:  # not even the differing part fits: its start tells the names apart, its end helps
            lead = ellipsis if start else ""
            room = max(width - cell_len(lead), 0)
            text = lead + fit(middle + tail, room, "middle-elide", ellipsis=ellipsis).rstrip(" ")
        out.append(text if cell_len(text) <= width else take(text, width))
    return out
