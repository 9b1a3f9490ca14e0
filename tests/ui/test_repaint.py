"""What a change on the screen sends to the terminal."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

import pytest
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Static

from tuimon.ui.repaint import (
    FRAME_BYTES,
    Pen,
    Terminal,
    TightApp,
    TightCompositor,
    TightLayout,
    TightScreen,
    TightUpdate,
    cells_of,
)

RED = Style(color="red")
FEW_COLORS = Console(color_system="standard", force_terminal=True)
TOKEN = re.compile("\x1b\\[([\\d;]*)([A-Za-z])|([^\x1b])")


def sent(*spans: tuple[int, int, int]) -> str:
    """What an update of a line of two widgets (at 0 and at 10, 20 cells wide) writes to an unknown terminal."""
    chops = [{0: Strip([Segment("0123456789", RED)]), 10: Strip([Segment("abcde", RED), Segment("fghij项目klmno")])}]
    return TightUpdate(ChopsUpdate(chops, list(spans), [[10, 29]]), Terminal()).render_segments(FEW_COLORS)


def whole(terminal: Terminal, lines: Sequence[Sequence[Segment]], width: int, console: Console = FEW_COLORS) -> str:
    """What painting the whole screen writes."""
    strips: list[Iterable[Strip]] = [[Strip(line).adjust_cell_length(width)] for line in lines]
    return TightLayout(LayoutUpdate(strips, Region(0, 0, width, len(lines))), terminal).render_segments(console)


class Emulator:
    """A terminal that knows what is sent here: its cells with the codes in force for each."""

    def __init__(self, width: int, height: int) -> None:
        self.rows = [[("?", frozenset[str]())] * width for _ in range(height)]
        self.x = self.y = 0
        self.codes: dict[str, str] = {}

    def feed(self, text: str) -> None:
        """Take in an update."""
        for numbers, final, char in TOKEN.findall(text):
            if final == "H":
                self.y, self.x = (int(n) - 1 for n in numbers.split(";"))
            elif final == "G":
                self.x = int(numbers) - 1
            elif final == "K":
                blanks = len(self.rows[self.y]) - self.x
                ground = frozenset(code for kind, code in self.codes.items() if kind == "ground")
                self.rows[self.y][self.x :] = [(" ", ground)] * blanks
            elif final == "m":
                self._style(numbers.split(";"))
            else:
                assert char, final
                codes = frozenset(v for k, v in self.codes.items() if char != " " or k in ("ground", "4", "7"))
                size = cell_len(char)
                if not size:
                    self.x, char = self.x - 1, self.rows[self.y][self.x - 1][0] + char
                self.rows[self.y][self.x : self.x + (size or 1)] = [(char, codes), ("", codes)][: size or 1]
                self.x += size or 1

    def _style(self, codes: list[str]) -> None:
        while codes:
            code = codes.pop(0)
            if code in ("38", "48"):
                code = ";".join([code, *(codes.pop(0) for _ in range(4 if codes[0] == "2" else 2))])
            kind = "ground" if code.startswith(("4", "10")) and len(code) > 1 else "fore"
            if code == "0":
                self.codes.clear()
            elif code == "22":
                self.codes.pop("1", None)
                self.codes.pop("2", None)
            elif code in ("23", "24", "27", "29"):
                self.codes.pop(code[1], None)
            else:
                self.codes[code if len(code) == 1 else kind] = code


def test_only_the_cells_of_the_span_are_written() -> None:
    """A change at the right end of a widget does not send the line before it again."""
    assert sent((0, 16, 18)) == "\x1b[1;17Hgh"


def test_a_span_over_two_widgets_goes_on_where_it_stands() -> None:
    """Cells are written in the style of their segment, and a place that is reached anyway is not asked for."""
    assert sent((0, 8, 12)) == "\x1b[1;9H\x1b[31m89ab\x1b[0m"


def test_several_spans_of_a_line_are_written_apart() -> None:
    """What lies between two changes is not sent."""
    assert sent((0, 1, 2), (0, 20, 22)) == "\x1b[1;2H\x1b[31m1\x1b[21G\x1b[0m项"


def test_a_whole_screen_is_written_line_by_line_in_few_codes() -> None:
    """A style goes on over the ends of widgets and lines."""
    lines = [[Segment("ab", RED), Segment("cd", RED)], [Segment("ef", RED), Segment("gh")]]
    assert whole(Terminal(), lines, 4) == "\x1b[1;1H\x1b[31mabcd\x1b[2;1Hef\x1b[0mgh"


def test_painting_the_same_again_sends_nothing() -> None:
    """A screen that is laid out anew but looks the same costs nothing, one with another cell costs that cell."""
    terminal = Terminal()
    lines = [[Segment("abcdefghij", RED)], [Segment("0123456789")]]
    whole(terminal, lines, 10)
    assert whole(terminal, lines, 10) == ""
    lines[1] = [Segment("0123x56789")]
    assert whole(terminal, lines, 10) == "\x1b[2;5Hx"


def test_after_something_else_wrote_everything_is_sent() -> None:
    """What another program left on the terminal is painted over, as is a terminal of another width."""
    terminal = Terminal()
    first = whole(terminal, [[Segment("abc")]], 10)
    assert whole(terminal, [[Segment("abc")]], 10) == ""
    terminal.forget()
    assert whole(terminal, [[Segment("abc")]], 10) == first
    assert "abc" in whole(terminal, [[Segment("abc")]], 12)
    assert "abc" in whole(terminal, [[Segment("abc")], [Segment("d")]], 12)


def test_blank_ends_of_lines_are_erased() -> None:
    """An empty line costs a few bytes; a terminal that would not colour what it erases gets blanks."""
    line = [Segment("ab" + " " * 58, Style.parse("on blue"))]
    assert whole(Terminal(erases=True), [line], 60) == "\x1b[1;1H\x1b[44m\x1b[Kab\x1b[0m"
    assert whole(Terminal(erases=False), [line], 60) == "\x1b[1;1H\x1b[44mab" + " " * 58 + "\x1b[0m"
    assert whole(Terminal(erases=False), [[Segment("ab")]], 60) == "\x1b[1;1H\x1b[Kab"


def test_bytes_are_counted() -> None:
    """The meter knows what went over the line, with what goes around each update."""
    terminal = Terminal()
    text = whole(terminal, [[Segment("ab⣿")]], 3)
    assert terminal.sent == len(text.encode()) + FRAME_BYTES


def test_a_style_is_sent_only_when_it_changes() -> None:
    """Only what differs of attributes, background and colour is sent; a blank needs no colour; the end is plain."""
    pen = Pen()
    segments = [
        Segment(text, Style.parse(style))
        for text, style in (
            ("a", "red"),
            ("b", "red"),
            ("c", "blue"),
            ("  ", "red"),
            ("d", "blue"),
            ("e", "bold blue"),
            ("f", "blue on green"),
            ("g", "none"),
        )
    ]
    pen.put(0, 0, cells_of(segments, ColorSystem.STANDARD))
    assert pen.done() == "\x1b[1;1H\x1b[31mab\x1b[34mc  d\x1b[1me\x1b[22;42mf\x1b[0mg"


def test_cells_of_one_ink_are_written_together() -> None:
    """Where colours take many bytes, a colour that comes back is set once."""
    pen = Pen(sorted_by_ink=True)
    pen.put(0, 0, cells_of([Segment("a", RED), Segment("b"), Segment("c", RED)], ColorSystem.STANDARD))
    assert pen.done() == "\x1b[1;1H\x1b[31ma\x1b[3Gc\x1b[2G\x1b[0mb"


@pytest.mark.parametrize("colors", ["standard", "256", "truecolor"])
@pytest.mark.parametrize("erases", [True, False])
def test_the_terminal_shows_what_was_drawn_after_any_updates(colors: str, erases: bool) -> None:
    """Whatever follows whatever, whole or in part, the terminal looks as if it had been painted afresh."""
    rng = random.Random(7)
    console = Console(color_system=colors, force_terminal=True)  # type: ignore[arg-type]
    width, height = 40, 5
    styles = ["none", "red", "bold red", "dim", "underline", "reverse blue", "on #102030", "bold #aabbcc on #102030"]
    texts = ["a", " ", "   ", "          ", "⣿⠁", "项目", "e\u0301", "0.25", "────"]

    def line() -> list[Segment]:
        pieces = [Segment(rng.choice(texts), Style.parse(rng.choice(styles))) for _ in range(rng.randrange(16))]
        return list(Strip(pieces).adjust_cell_length(width, Style.parse(rng.choice(styles))))

    terminal, emulator = Terminal(erases=erases), Emulator(width, height)
    lines = [line() for _ in range(height)]
    emulator.feed(whole(terminal, lines, width, console))
    for _ in range(150):
        changed = [y for y in range(height) if rng.random() < 0.5]
        for y in changed:
            lines[y] = line()
        if rng.random() < 0.3:
            emulator.feed(whole(terminal, lines, width, console))
        else:
            grids = [cells_of(line, ColorSystem.STANDARD) for line in lines]
            cut = rng.choice([x for x in range(1, width) if all(grid[x][0] for grid in grids)])
            chops = [dict(zip((0, cut), Strip(line).divide([cut, width]), strict=True)) for line in lines]
            update = ChopsUpdate(chops, [(y, 0, width) for y in changed], [[cut, width]] * height)
            emulator.feed(TightUpdate(update, terminal).render_segments(console))
        afresh = Emulator(width, height)
        afresh.feed(whole(Terminal(erases=False), lines, width, console))
        assert emulator.rows == afresh.rows


async def test_the_screen_sends_tight_updates() -> None:
    """A screen of this kind uses the compositor; Textual's own names have not moved."""

    class Small(TightApp):
        def get_default_screen(self) -> TightScreen:
            return TightScreen(id="_default")

        def compose(self) -> Iterable[Static]:
            yield Static("before", id="text")

    app = Small()
    async with app.run_test(size=(20, 4)) as pilot:
        compositor = app.screen._compositor
        assert isinstance(compositor, TightCompositor)
        app.query_one(Static).update("after!")
        app.query_one(Static).refresh()
        await pilot.pause()
        compositor._dirty_regions.add(app.query_one(Static).region)
        assert isinstance(compositor.render_partial_update(), TightUpdate)
        assert isinstance(compositor.render_full_update(), TightLayout)
