"""What a change on the screen sends to the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Static

from tuimon.ui.repaint import Pen, TightCompositor, TightLayout, TightScreen, TightUpdate


def sent(*spans: tuple[int, int, int]) -> str:
    """What an update of a line of two widgets (at 0 and at 10, 20 cells wide) writes."""
    red = Style(color="red")
    chops = [{0: Strip([Segment("0123456789", red)]), 10: Strip([Segment("abcde", red), Segment("fghij项目klmno")])}]
    update = TightUpdate(chops, list(spans), [[10, 29]])
    return update.render_segments(Console(color_system="standard", force_terminal=True))


def test_only_the_cells_of_the_span_are_written() -> None:
    """A change at the right end of a widget does not send the line before it again."""
    assert sent((0, 16, 18)) == "\x1b[1;17Hgh"


def test_a_span_over_two_widgets_is_written_in_two_pieces() -> None:
    """Cells are written where they stand, in the style of their segment."""
    assert sent((0, 8, 12)) == "\x1b[1;9H\x1b[31m89\x1b[1;11Hab\x1b[0m"


def test_several_spans_of_a_line_are_written_apart() -> None:
    """What lies between two changes is not sent."""
    assert sent((0, 1, 2), (0, 20, 22)) == "\x1b[1;2H\x1b[31m1\x1b[1;21H\x1b[0m项"


def test_a_whole_screen_is_written_line_by_line_in_few_codes() -> None:
    """Every cell is written where it stands, and a style goes on over the ends of widgets and lines."""
    red = Style(color="red")
    lines = [[Strip([Segment("ab", red)]), Strip([Segment("cd", red)])], [Strip([Segment("ef", red), Segment("g")])]]
    update = TightLayout(lines, Region(2, 1, 4, 2))
    console = Console(color_system="standard", force_terminal=True)
    assert update.render_segments(console) == "\x1b[2;3H\x1b[31mabcd\x1b[3;3Hef\x1b[0mg"


def test_a_style_is_sent_only_when_it_changes() -> None:
    """A colour alone is one code; attributes and backgrounds are reset; a blank needs no colour; the end is plain."""
    pen = Pen(ColorSystem.STANDARD)
    for text, style in (
        ("a", "red"),
        ("b", "red"),
        ("c", "blue"),
        ("  ", "red"),
        ("d", "blue"),
        ("e", "bold blue"),
        ("f", "blue on green"),
        ("g", "none"),
    ):
        pen.write(text, Style.parse(style))
    assert pen.done() == "\x1b[31mab\x1b[34mc  d\x1b[0;1;34me\x1b[0;42;34mf\x1b[0mg"


async def test_the_screen_sends_tight_updates() -> None:
    """A screen of this kind uses the compositor; Textual's own names have not moved."""

    class Small(App[None]):
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
