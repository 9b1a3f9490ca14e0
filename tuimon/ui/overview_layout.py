"""How the overview divides its space: how many lines a run, which columns, and how wide each is."""

from __future__ import annotations

from dataclasses import dataclass, replace

LEAD = 3
"""Cells in front of a name: mark, glyph, space."""
NARROW = 72
"""Below this there is a sign, a name and one curve."""
NAME_LEAST, NAME_MOST = 12, 44
SPARK_LEAST, SPARK_GOOD, SPARK_MOST = 8, 12, 36
SPARK_ROOMY = 18
"""Cells for a curve where runs have so many lines that a narrower one would be higher than wide."""
ASPECT = 4
"""Columns for each line of a curve of more than three lines; higher ones would be mostly empty."""
MOST_LINES = 8
VALUE = 8
"""Cells for a last value."""
BEST = 14
"""Cells for a best value and its step, at least."""
STATE, STEP, RATE, ETA, AGE = 13, 8, 8, 8, 6
FOUND = 3
"""Cells for the worst finding and how many there are."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Widths in cells; 0 leaves a column out.

    Attributes:
        lines: Lines a run. Curves are as high; with two or more the best value stands under the last.
        name: Name of the run.
        state: Sign and words of its state; 1 leaves the sign only.
        found: The worst finding, where there is no line to tell it.
        step, rate, eta, age: Progress.
        tags: Number of key tags.
        spark: The curve of a tag.
        value: Its last value.
        best: Its best value with the step, beside the last (one line a run).
        gap: Blank lines between runs.
    """

    lines: int
    name: int
    state: int = 1
    found: int = 0
    step: int = 0
    rate: int = 0
    eta: int = 0
    age: int = 0
    tags: int = 0
    spark: int = 0
    value: int = 0
    best: int = 0
    gap: int = 0

    @property
    def left(self) -> int:
        """Cells in front of the tags."""
        sizes = (self.state, self.found, self.step, self.rate, self.eta, self.age)
        return LEAD + self.name + sum(1 + size for size in sizes if size)

    @property
    def block(self) -> int:
        """Cells of one tag with the space in front of it."""
        return 2 + self.spark + (1 + self.value if self.value else 0) + (1 + self.best if self.best else 0)

    def with_best(self, wanted: int) -> Layout:
        """The same with so many cells for a best value and its step, as far as the curves can give them."""
        have = self.best or (self.value if self.lines > 1 else 0)
        more = min(wanted - have, self.spark - SPARK_GOOD)
        if not have or more <= 0:
            return self
        if self.best:
            return replace(self, spark=self.spark - more, best=self.best + more)
        return replace(self, spark=self.spark - more, value=self.value + more)


def plan(
    width: int, height: int, runs: int, longest_name: int, tags: int, *, eta: bool = False, found: bool = False
) -> Layout:
    """Divide the space.

    Args:
        width: Cells of a line.
        height: Lines for the runs.
        runs: How many runs are listed.
        longest_name: Cells that the longest name wants.
        tags: How many tags there are to show.
        eta: Whether any run knows how far it has to go.
        found: Whether anything was found in any run.
    """
    wanted = max(longest_name, NAME_LEAST)
    if width < NARROW:
        name = min(wanted, NAME_MOST, max(width * 2 // 5, NAME_LEAST))
        sign = int(found and width >= NAME_LEAST)
        spark = width - LEAD - name - 2 - 2 * sign - 2 - (1 + VALUE)
        if sign and spark < SPARK_LEAST <= spark + 2:  # a letter more is worth two of a name, and not the curve
            name, spark = name - 2, spark + 2
        if not tags or spark < SPARK_LEAST:
            return Layout(1, max(width - LEAD - 2 - 2 * sign, 1), found=sign)
        return Layout(1, name, found=sign, tags=1, spark=spark, value=VALUE)
    room = height // max(runs, 1)
    lines, gap = max(min(room, 3), 1), int(room > 3)
    highest = room - gap
    name = min(wanted, NAME_MOST, max(width // 4, NAME_LEAST))
    rate, left = RATE if width >= 90 else 0, ETA if eta and width >= 110 else 0
    bare = Layout(lines, name, STATE, FOUND if found and lines == 1 else 0, STEP, rate, left, AGE, gap=gap)
    room = width - bare.left
    if lines > 1:
        value, best = BEST, 0
    else:
        value = VALUE
        best = BEST if room // (2 + SPARK_GOOD + 1 + VALUE + 1 + BEST) >= min(tags, 2) else 0
    fixed = 2 + 1 + value + (1 + best if best else 0)
    good = min(max(SPARK_GOOD, ASPECT * highest), SPARK_ROOMY) if lines == 3 else SPARK_GOOD
    count = min(tags, room // (fixed + SPARK_GOOD)) or min(tags, room // (fixed + SPARK_LEAST))
    count = max(min(count, room // (fixed + good)), min(count, 2))
    if not count:
        return bare
    spark = min(room // count - fixed, SPARK_MOST)
    if lines == 3:
        lines = max(lines, min(highest, spark // ASPECT, MOST_LINES))
    return replace(bare, lines=lines, tags=count, spark=spark, value=value, best=best)
