"""What a kind of media is: which items it takes, how their bytes are read, and how they are drawn and handled.

A kind is one module in ``tuimon/ui/media/kinds`` that defines a subclass of `MediaKind`; nothing else lists it.

How it is called:

1. The store tells the *sort* of each item: what kind of record it is and what its body says of its kind, such as
   "media/image", "curve/pr", "matrix/confusion", "table/layers", "alert/"; texts are "text". The items of one tag
   whose sorts one kind ``handles`` are one *subject*: a card in the grid. A tag may have subjects of several kinds.
2. What is shown of a subject is the *content* of one step: all its items there, in the order in which they were logged.
   ``content.index`` says which of them is chosen.
3. A kind asks for the bytes of an item with ``look.load(item)``. They are read, and decoded with ``decode``, in a
   thread; until then, and where that fails, the answer is a sentence to show. Only what is drawn is asked for. Items
   whose numbers stand in the log itself (curves, matrices, tables) need none of this.
4. ``card`` draws for the grid, ``lines`` for the whole panel, where the keys of the kind's ``section`` of the key table
   work: their actions are written ``act('name')`` or ``act('name',1)`` and come to ``act`` with the kind's own state.
   With several runs beside each other ``lines`` is called for each of them, with the same state.

Drawing happens in the UI thread: it must take some milliseconds only. What takes longer belongs into ``decode``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from rich.segment import Segment

if TYPE_CHECKING:
    from tuimon.charts.palette import Colors
    from tuimon.ui.choices.media import MediaChoices
    from tuimon.ui.media.kitty import Graphics
    from tuimon.ui.roles import Roles

Lines: TypeAlias = "list[list[Segment]]"
"""Lines of cells; each at most as wide, and together at most as many, as was asked for."""


class UnshowableError(Exception):
    """Why something cannot be shown, as a sentence for the person; raised by ``decode``."""


@dataclass(frozen=True, slots=True)
class File:
    """Where the bytes of an item lie.

    Attributes:
        path: The file.
        offset: Where in it they begin.
        length: Their number; None is the whole file.
        logged: Their number as the log has it; None when it does not say.
        problem: Why they must not be read, as a sentence; empty when they may.
    """

    path: str
    offset: int = 0
    length: int | None = None
    logged: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that was logged.

    Attributes:
        sort: What it is; see above.
        step: NaN where it has none.
        time: Wall time in seconds; NaN when unknown.
        body: What the log says of it (see ``docs/log-format.md``); ``{"text": …}`` of a text; empty when it could not
            be read again.
        file: Where its bytes are; None when there are none beside the log.
    """

    sort: str
    step: float
    time: float
    body: Mapping[str, object] = field(hash=False)
    file: File | None = None

    def number(self, key: str) -> float | None:
        """A number of the body; None when it has none there."""
        value = self.body.get(key)
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    def text(self, key: str) -> str:
        """A string of the body; empty when it has none there."""
        value = self.body.get(key)
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Content:
    """What a subject is at one step.

    Attributes:
        run, tag: Whose it is.
        step: The step.
        items: All items of that step, in the order in which they were logged; at least one.
        index: Which of them is chosen.
        place, places: Which of the steps of the subject this is, from 0, and how many there are.
        earlier: Gives the content of the step so many steps before this one, or None; it asks the store, so only ask
            for what is drawn.
    """

    run: str
    tag: str
    step: float
    items: Sequence[Item]
    index: int
    place: int
    places: int
    earlier: Callable[[int], Content | None]

    @property
    def item(self) -> Item:
        """The chosen item."""
        return self.items[self.index]

    @property
    def time(self) -> float:
        """Wall time of the chosen item in seconds; NaN when unknown."""
        return self.item.time


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of a request for bytes.

    Attributes:
        value: What ``decode`` made of them; None as long as there is nothing.
        problem: Why there is nothing, as a sentence; "reading…" while they are being read.
        note: Something to say beside the value, such as that the file is another one than was logged.
        waiting: Whether there will be another answer.
    """

    value: object = None
    problem: str = ""
    note: str = ""
    waiting: bool = False


@dataclass(frozen=True)
class Look:
    """How to draw.

    Attributes:
        roles: Text styles by meaning.
        colors: What colours the terminal has.
        ascii: Whether only ASCII may be used.
        full: Whether this is for the whole panel; else it is a card.
        state: The kind's own, from ``new_state``; kept while the app runs, for each kind.
        choices: What is remembered; a kind may add fields of its own to it.
        load: Asks for the bytes of an item.
        run_color: The colour of a run, as Rich writes it.
        now: The time, in seconds since the epoch.
        work: Asks for what a function gives that takes long, by a name of its own; it is called in a thread once, and
            the answer is like that of ``load``.
        others: What other runs have at their nearest step, for a kind that ``overlays``.
        graphics: Shows pixels where the terminal can; None where it cannot.
    """

    roles: Roles
    colors: Colors
    ascii: bool
    full: bool
    state: object
    choices: MediaChoices
    load: Callable[[Item], Loaded]
    run_color: Callable[[str], str]
    now: float
    work: Callable[[Hashable, Callable[[], object]], Loaded]
    others: Sequence[Content] = ()
    graphics: Graphics | None = None


class MediaKind:
    """A kind of media. There is one object of each; what changes is in the state."""

    name: ClassVar[str] = ""
    """What they are called, for the heading of their group: "pictures"."""
    one: ClassVar[str] = ""
    """What one is called: "picture"."""
    piece: ClassVar[tuple[str, str]] = ("", "")
    """What one item of a step is called, and several, where that is something else."""
    order: ClassVar[int] = 99
    """Place of the group."""
    section: ClassVar[str] = ""
    """The section of the key table that is its own when one has the whole panel."""
    limit: ClassVar[int] = 64 << 20
    """Most bytes of a file that are read."""
    wheel: ClassVar[str] = ""
    """Name of the act that the mouse wheel does, with 3 or -3; none goes through the steps."""
    pages_items: ClassVar[bool] = True
    """Whether the items of a step are shown one at a time; else ``lines`` shows all of them together."""
    overlays: ClassVar[bool] = False
    """Whether several runs are laid over each other by ``lines``, and not drawn beside each other."""

    @property
    def pieces(self) -> tuple[str, str]:
        """What one item of a step is called, and several of them."""
        return self.piece if self.piece[0] else (self.one, self.name)

    def handles(self, sort: str) -> bool:
        """Whether items of this sort are of this kind."""
        raise NotImplementedError

    def decode(self, item: Item, data: bytes) -> object:
        """Make of an item's bytes what is needed to draw it. Runs in a thread; must not touch anything else.

        Raises:
            UnshowableError: It cannot be shown, and why.
            Exception: Anything else means that the bytes are damaged.
        """
        raise NotImplementedError

    def size(self, value: object, data: bytes) -> int:
        """Bytes of memory that a decoded value takes."""
        return len(data)

    def new_state(self) -> object:
        """What the keys of this kind change, as it is at first."""
        return None

    def card(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """Draw it in the grid, below a line with its tag."""
        return self.lines(content, width, height, look)

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """Draw it on the whole panel, or its part for one of several runs, below a line with run and step."""
        raise NotImplementedError

    def summary(self, content: Content, look: Look) -> str:
        """What to say of it on a single line, where there is no room for more."""
        return content.item.text("caption") or content.item.text("title")

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """Do what a key of the kind's section stands for: change ``state`` or ``look.choices``.

        Args:
            name: As in the key table: ``act('name',value)``.
            value: As there; 0 when none stands there.
            state: The kind's own.
            content: What is shown, of the first run where there are several.
            look: As it was drawn last; ``look.load`` gives the decoded value.
        """

    def point(self, x: int, y: int, state: object, content: Content, look: Look) -> None:
        """Do what a click stands for: change ``state``; ``x`` and ``y`` are the cell of what ``lines`` drew last."""

    def searched(self, state: object) -> str:
        """The text that is searched for."""
        return ""

    def search(self, text: str, state: object) -> None:
        """Search for a text, as it is typed; only of a kind whose section has a key for it."""
