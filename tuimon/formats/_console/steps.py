"""Steps in lines of text: ``step 120``, ``Epoch [3][20/100]``, ``iteration 100/ 5000``, ``[1,  2000]``, ``120 |``."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from typing import TypeAlias

_NUMBER = r"\d{1,12}(?:,\d{3})*"
_OF = r"\s*(?:/|of|\\)\s*"
_SHARE = r"(?:\s*\(\s*\d+(?:\.\d+)?\s*%\s*\))?"
_WORD = re.compile(
    r"(?:(?<![\w./@-])|(?<=\d/))"
    r"(?:(?P<absolute>global|total|num|env|trainer/global)[ _/]?|(?:train(?:ing)?|cur(?:rent)?)[ _])?"
    r"(?P<word>step|iteration|iter|itr|it|epoch|ep|minibatch|mini-batch|batch|update|episode|timestep|round|generation)"
    r"(?P<plural>s?)(?![\w-])"
    r"(?:\s*\((?P<split>train|val|valid|test|eval)\))?"
    rf"\s*[:=#]?\s*\[?\s*#?(?P<n>{_NUMBER}(?:\.\d+)?)(?:{_OF}(?P<total>{_NUMBER}))?{_SHARE}\s*\]?"
    rf"(?:\s*\[\s*(?P<n2>{_NUMBER})(?:{_OF}(?P<total2>{_NUMBER}))?{_SHARE}\s*\])?"
    r"(?:\s*\((?P<split_after>train|val|valid|test|eval)\))?"
    r"(?![\w%]|\.(?!\s|$)|:\d|-\d)",
    re.ASCII | re.IGNORECASE,
)
_OF_BATCHES = re.compile(r"(?<![\w./])(?P<n>\d+)/\s*(?P<total>\d+)\s+(?:batch|iter|iteration|step)(?:e?s)?\b", re.ASCII)
_MARIAN = re.compile(r"(?:\[valid\]\s+)?Ep\. (?P<n>\d+) : Up\. (?P<n2>\d+)(?= )", re.ASCII)
_SPLIT = re.compile(  # Train: [0/300][20/1251], Train: 0 [ 20/1251 (2%)], Test: [20/100]
    r"(?P<split>train|test|val|valid|eval)\w*:?\s+(?:\[?(?P<n>\d+)(?:/\d+)?\]?\s*)?"
    rf"\[\s*(?P<n2>\d+){_OF}(?P<total2>\d+){_SHARE}\s*\]",
    re.ASCII | re.IGNORECASE,
)
_BAR = re.compile(r"(?P<n>\d+)/(?P<total>\d+)(?= ?\[[=>.\s]*\]?| - | +[━╸╺\s]|$)", re.ASCII)
_TQDM = re.compile(
    r"\d+%\|[^|]*\|\s*(?P<n>\d+)/(?P<total>\d+)\s*\[[^\]]*?(?:(?:it|s|ba|batch|step)/\w+)?(?=[,\]])", re.ASCII
)
_FIRST = re.compile(  # [1,  2000] loss; [10]\ttrain-rmse; 120 | loss; 120:\tlearn
    r"\[\s*(?P<outer2>\d+)/\d+\s*\]\s?\[\s*(?P<inner2>\d+)/(?P<of_inner2>\d+)\s*\]"
    r"|\[(?P<outer>\d+),\s*(?P<inner>\d+)\]|\[(?P<timed>\d+) \| [\d.]+\]"
    r"|\[(?P<alone>\d+)\](?=\s)|(?P<bar>\d+)\s*\|(?=\s)|(?P<colon>\d+):(?=\s)"
    r"|(?P<of_epoch>\d+)epoch(?: results:|:\w+:\d+-(?P<to>\d+)batch:)(?=\s)"  # ESPnet
    r"|s:(?P<short>\d+)(?=\s)|\[\s*(?P<boxed>\d+)/(?P<of_boxed>\d+)\s*\]|(?P<slash>\d+)/(?P<of_slash>\d+)(?=[\s:,])",
    re.ASCII,
)
_OWNER = re.compile(r"([A-Za-z]+) $")
_NO_OWNER_WORDS = """
at on after in of for and the end start begin current train training val valid validation test eval
debug info warning error completed finished
"""
_NO_OWNERS = frozenset(_NO_OWNER_WORDS.split())
_SIGN = re.compile(r"[:=]")
_TRAIN = frozenset({"", "train", "train_inner"})
Span: TypeAlias = "tuple[int, int]"
"""Where something begins and ends in a line."""

_VALUES = re.compile(r"[:=]\s*[-+]?[\d.]")
_LAST = re.compile(r"\[\s*(?P<n>\d+)/(?P<total>\d+)\s*\]\s*$", re.ASCII)
_OUTER = frozenset({"epoch", "ep", "episode", "round", "generation"})


@dataclass(slots=True)
class Counters:
    """The counters of a line, each as the place where its number stands.

    Attributes:
        outer: The epoch, or the episode.
        outer_name: What it is called.
        inner: The step within it, or of the whole training.
        total: How many inner steps there are.
        absolute: Whether the inner step is one of the whole training by its name.
        vague: Whether its words may be those of a setting (``epochs: 10``), or there are none.
        bar: Whether the line is a bar of Keras, which counts batches: ``inner`` of ``total``.
        split: "train", "val" and so on where the counter says it, else "".
        rest: The line with blanks in their place and a bar that divides what was around them.
        before: Where the first of them begins; -1 without any.
    """

    outer: Span | None = None
    outer_name: str = "epoch"
    inner: Span | None = None
    total: Span | None = None
    absolute: bool = False
    vague: bool = False
    bar: bool = False
    split: str = ""
    rest: str = ""
    before: int = -1

    @property
    def any(self) -> bool:
        """Whether there is a counter at all."""
        return self.outer is not None or self.inner is not None


def counters(text: str, start: int) -> Counters:
    """The counters in a line from a place on."""
    found = Counters()
    places: list[Span] = []
    tqdm = _TQDM.search(text, start) if "%|" in text else None
    if tqdm is not None:
        found.inner, found.total = tqdm.span("n"), tqdm.span("total")
        described = _VALUES.search(text, start, tqdm.start())  # as a rule a description in front of a bar has no values
        places.append(tqdm.span() if described else (start, tqdm.end()))
    for word in _WORD.finditer(text, start):
        _take_word(found, word, places)
    if found.inner is None and places:
        of = _OF_BATCHES.search(text, start)
        if of is not None:
            found.inner, found.total = of.span("n"), of.span("total")
            places.append(of.span())
    if not places:
        _take_start(found, text, start, places)
    places.sort()
    if places:
        found.before = places[0][0]
    done = start
    parts = [" " * start]
    for low, high in places:
        if high > done:
            parts += [text[done:low], "|".center(high - max(done, low))]
            done = high
    found.rest = "".join([*parts, text[done:]])
    return found


def _take_word(found: Counters, word: re.Match[str], places: list[Span]) -> None:
    name = word["word"].lower()
    owner = _OWNER.search(word.string, max(0, word.start() - 24), word.start())
    if owner and owner[1].lower() not in _NO_OWNERS and _SIGN.search(word.string, word.end("plural"), word.start("n")):
        return  # number of skipped iterations: 0
    found.split = found.split or (word["split"] or word["split_after"] or "").lower()
    vague = bool(word["plural"] and not word["absolute"])
    places.append(word.span())
    if name in _OUTER and not word["absolute"]:
        if found.outer is None:
            found.outer = word.span("n")
            found.outer_name = "episode" if name in ("ep", "episode") else name
            found.vague = found.vague or vague
        if word["n2"] and found.inner is None:
            found.inner, found.total = word.span("n2"), _span(word, "total2")
    elif found.inner is None or (word["absolute"] and not found.absolute):
        found.inner, found.total = word.span("n"), _span(word, "total")
        found.absolute = bool(word["absolute"])
        found.vague = vague and (found.outer is None or found.vague)


def _take_start(found: Counters, text: str, start: int, places: list[Span]) -> None:
    match = _SPLIT.match(text, start)
    if match is not None:
        found.split = match["split"].lower()
        found.outer = _span(match, "n")
        if found.split == "train" or found.outer is not None:  # else batches of a test, which are no steps
            found.inner, found.total = match.span("n2"), match.span("total2")
        places.append(match.span())
        return
    match = _MARIAN.match(text, start)
    if match is not None:
        found.outer, found.inner, found.absolute = match.span("n"), match.span("n2"), True
        places.append((match.start("n") - 4, match.end()))
        return
    match = _BAR.match(text, start)
    if match is not None:
        found.bar = True
        found.inner, found.total = match.span("n"), match.span("total")
        places.append(match.span())
        return
    match = _FIRST.match(text, start)
    if match is not None:
        found.vague = not match["bar"] and not match["short"]
        found.outer = _span(match, "outer") or _span(match, "of_epoch") or _span(match, "outer2")
        names = ("inner", "alone", "bar", "colon", "short", "boxed", "slash", "to", "timed", "inner2")
        found.inner = next((span for name in names if (span := _span(match, name)) is not None), None)
        found.total = _span(match, "of_boxed") or _span(match, "of_slash") or _span(match, "of_inner2")
        places.append(match.span())
        return
    match = _LAST.search(text, max(start, len(text) - 40))  # loss: 2.303567  [   64/60000]
    if match is not None:
        found.vague = True
        found.inner, found.total = match.span("n"), match.span("total")
        places.append(match.span())


def _span(match: re.Match[str], name: str) -> Span | None:
    return match.span(name) if match[name] is not None else None


class Clock:
    """Turns counters into one step for a whole file, and remembers where it is.

    Counters within an epoch that begin again in the next one are added up, with the length that is printed or that the
    first epoch had. A line without counters stands at the step of the last one.
    """

    __slots__ = ("_first", "_length", "_longest", "columns", "headed", "header", "last", "outer", "time")

    def __init__(self) -> None:
        self._first = self._length = self.outer = self.last = _NONE
        self.columns = self.headed = self.header = self.time = _NONE
        self._longest = _NONE

    def saved(self) -> array[float]:
        """Its state, as numbers."""
        return array("d", [getattr(self, name) for name in self.__slots__])

    def restore(self, state: array[float]) -> None:
        """Set its state."""
        for name, number in zip(self.__slots__, state, strict=True):
            setattr(self, name, number)

    def step(
        self, outer: float | None, inner: float | None, total: float | None, *, absolute: bool = False, split: str = ""
    ) -> float | None:
        """The step of a line; None when there is none so far.

        Args:
            outer: Its epoch.
            inner: Its step.
            total: How many steps there are.
            absolute: Whether the step is one of the whole training for certain.
            split: The part of the data it is about.
        """
        if split not in _TRAIN and outer is not None and not absolute:  # its batches are its own
            inner = None
        if outer is not None:
            self.outer = outer
        elif inner is not None and not absolute and self.outer == self.outer:
            outer = self.outer
        if inner is None:
            if outer is None:
                if self._longest != self._longest and not self.last >= self.outer:
                    self.last = self.outer  # there are no steps but the epochs that are named in headings
                return None if self.last != self.last else self.last
            self.last = outer if self._longest != self._longest else self._end_of(outer)
        elif outer is None or absolute:
            self.last = inner
        else:
            self.last = self._within(outer, inner, total)
        return self.last

    def _within(self, outer: float, inner: float, total: float | None) -> float:
        if self._first != self._first:
            self._first, self._longest = outer, 0.0
        epochs = outer - self._first
        if self._length != self._length and epochs:
            known = total if total is not None and total >= self._longest else self._longest
            self._length = known if inner <= self._longest else 0.0
        if self._length != self._length or not self._length:
            self._longest = max(self._longest, inner if total is None or epochs else min(inner, total))
        return inner + epochs * (self._length if self._length == self._length else 0.0)

    def _end_of(self, outer: float) -> float:
        """The step at the end of an epoch."""
        if self._length == self._length and self._length:
            return (outer - self._first + 1) * self._length
        return self._longest


_NONE = float("nan")
SIZE = len(Clock.__slots__)
"""How many numbers the state of a clock is."""
