"""Markdown as lines of cells, in the styles of the app.

Other than on a web page, line breaks are kept, and tags such as ``<think>`` are text: what a model wrote must be seen
as it is.
"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import ClassVar

from markdown_it import MarkdownIt
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from rich.theme import Theme
from textual.strip import Strip

from tuimon.text import clean
from tuimon.ui.roles import Roles

_TAB = 4


class _Heading(Heading):
    """A heading at the left, without a frame."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        if self.tag != "h1":
            yield Text("")
        yield self.text


class _Code(CodeBlock):
    """Code behind a rule, in one colour."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        style = console.get_style("markdown.code_block")
        rule = Segment("│ ", console.get_style("markdown.block_quote"))
        text = Text(str(self.text).rstrip("\n"), style=style)
        for line in console.render_lines(text, options.update(width=max(options.max_width - 2, 1)), pad=False):
            yield rule
            yield from line
            yield Segment.line()


class _Document(Markdown):
    """Markdown with line breaks kept and HTML as text."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
    }

    def __init__(self, text: str) -> None:
        super().__init__("", hyperlinks=False)
        parser = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").enable("table")
        self.parsed = parser.parse(text)
        for token in self.parsed:
            for child in token.children or ():
                if child.type == "softbreak":
                    child.type = "hardbreak"


def safe_lines(text: str) -> list[str]:
    """The lines of a text, without control characters; a tab is four spaces."""
    text = text.replace("\r\n", "\n").replace("\t", " " * _TAB)
    return [clean(line) for line in text.split("\n")]


def render(text: str, width: int, roles: Roles) -> list[list[Segment]]:
    """Draw Markdown.

    Args:
        text: The text, as it was logged.
        width: Cells across.
        roles: Text styles by meaning.
    """
    console = _console(roles)
    options = console.options.update(width=max(width, 1), max_width=max(width, 1), height=None)
    lines = console.render_lines(_Document("\n".join(safe_lines(text))), options, pad=False)
    cleaned = [[Segment(clean(piece), style) for piece, style, _ in line if piece] for line in lines]
    shown: list[list[Segment]] = []
    blank = True  # none at the top, and never two
    for line in cleaned:
        before, blank = blank, not "".join(segment.text for segment in line).strip()
        if not (blank and before):
            shown.append(_cut(line, width))
    return shown


def _cut(line: list[Segment], width: int) -> list[Segment]:
    if sum(cell_len(segment.text) for segment in line) <= width:
        return line
    return list(Strip(line).crop(0, max(width, 0)))


@lru_cache(maxsize=4)
def _console(roles: Roles) -> Console:
    strong, dim, accent = roles.strong, roles.dim, roles.accent
    styles = {
        "markdown.h1": accent + Style(bold=True, underline=True),
        "markdown.h2": accent + Style(bold=True),
        "markdown.code": accent,
        "markdown.code_block": roles.text,
        "markdown.block_quote": dim,
        "markdown.item.bullet": accent,
        "markdown.item.number": accent,
        "markdown.list": Style(),
        "markdown.hr": roles.faint,
        "markdown.link": accent,
        "markdown.link_url": dim,
        "markdown.table.border": roles.faint,
        "markdown.table.header": strong,
    }
    styles |= {f"markdown.h{level}": strong for level in range(3, 8)}
    return Console(
        file=io.StringIO(), force_terminal=True, color_system="truecolor", legacy_windows=False, theme=Theme(styles),
        _environ={},
    )  # fmt: skip
