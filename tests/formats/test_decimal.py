"""Decimal numbers to floats, many at once: to the last bit what `float` gives."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.formats._csv.cut import cut, numbers
from tuimon.formats._decimal import MARGIN, decimals, digits


def read(texts: Sequence[str]) -> tuple[list[float], list[bool]]:
    """What `numbers` makes of cells, and which of them it takes for numbers."""
    cells = cut("\n".join(texts).encode(), b",", 1)
    assert cells is not None
    values, good = numbers(cells)
    return values.tolist(), [True] * len(texts) if good is None else good.tolist()


def check(texts: Sequence[str]) -> None:
    """All of them are numbers, and the right ones."""
    values, good = read(texts)
    assert all(good)
    wrong = [(text, x) for text, x in zip(texts, values, strict=True) if struct.pack("d", x) != packed(text)]
    assert wrong == []


def packed(text: str) -> bytes:
    return struct.pack("d", float(text))


def figures(source: random.Random, most: int) -> str:
    return "".join(source.choice("0123456789") for _ in range(source.randrange(1, most)))


def near_a_tie(source: random.Random) -> str:
    """A decimal number next to the middle between two floats, or this very middle."""
    x = math.ldexp(source.randrange(1 << 52, 1 << 53), source.randrange(-110, 40))
    middle = (Fraction(x) + Fraction(math.nextafter(x, math.inf))) / 2
    power = math.floor(math.log10(x)) - source.randrange(15, 20)
    return f"{int(middle / Fraction(10) ** power) + source.randrange(-1, 2)}e{power}"


SHAPES = {
    "17 digits": lambda source: repr(source.random()),
    "any float": lambda source: (
        repr(struct.unpack("d", source.randbytes(8))[0]).replace("nan", "1").replace("inf", "2")
    ),
    "6 digits": lambda source: f"{source.gauss(0, 100):.6g}",
    "whole numbers": lambda source: str(source.randrange(-(10 ** source.randrange(1, 25)), 10**9)),
    "more than 53 bits": lambda source: str((1 << 53) + source.randrange(1 << source.randrange(1, 12))),
    "any length": lambda source: f"{source.choice(['', '-', '+'])}{figures(source, 22)}.{figures(source, 30)}",
    "small": lambda source: f"0.{'0' * source.randrange(8)}{figures(source, 19)}",
    "exponents": lambda source: (
        f"{figures(source, 19)}{source.choice('eE')}{source.choice(['', '-', '+'])}{figures(source, 4)}"
    ),
    "near a tie": near_a_tie,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_numbers_of_one_shape(shape: str) -> None:
    """20,000 of each, as in a column, to the last bit."""
    source = random.Random(shape)
    check([SHAPES[shape](source) for _ in range(20_000)])


def test_numbers_of_mixed_shapes() -> None:
    """What is looked up for the longest of them does not change the shortest."""
    source = random.Random(1)
    for _ in range(200):
        check([source.choice([*SHAPES.values()])(source) for _ in range(source.randrange(1, 40))])


FIGURES = st.text("0123456789", max_size=25)
DECIMAL = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "-", "+"]),
    FIGURES,
    st.sampled_from(["", "."]),
    FIGURES,
    st.sampled_from(["", "e5", "E-7", "e+12", "e-0300", "e22"]),
).filter(lambda text: any(sign in "0123456789" for sign in text.lower().partition("e")[0]))


@settings(max_examples=150, deadline=None)
@given(st.lists(DECIMAL, min_size=1, max_size=30))
def test_any_numbers(texts: list[str]) -> None:
    check(texts)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text("0123456789+-.eE_ x", min_size=1, max_size=12), min_size=1, max_size=20))
def test_what_is_no_number_is_none(texts: list[str]) -> None:
    """What is taken for a number is one, and nothing that is plainly one is left; exponents of any length are not."""
    for text, x, good in zip(texts, *read(texts), strict=True):
        if good:
            assert struct.pack("d", x) == packed(text)
        elif " " not in text and "_" not in text and len(text.lower().partition("e")[2]) <= 4:
            with pytest.raises(ValueError, match="could not convert"):
                float(text)


def test_most_numbers_are_not_left_to_float() -> None:
    """Those that programs log are rounded here, all but one in some ten thousand."""
    source = random.Random(2)
    text, points, ends = b"#" * MARGIN, [], []
    for _ in range(20_000):
        points.append(len(text) + 1)
        text += f"{source.random():.17f},".encode()
        ends.append(len(text) - 1)
    behind = np.array(ends) - np.array(points) - 1
    values, sure = decimals(text, np.array(points), np.array(ends), np.ones(len(ends), np.intp), behind)
    assert len(values) == len(ends)
    assert sure is None or np.count_nonzero(~sure) < 10


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 10**19 - 1), min_size=1, max_size=20))
def test_whole_numbers_of_up_to_19_digits(wanted: list[int]) -> None:
    """Only as many digits are read as are asked for, whatever stands before them."""
    text = b"7" * MARGIN + b"".join(b"%d" % x for x in wanted)
    counts = [len(str(x)) for x in wanted]
    ends = MARGIN + np.cumsum(counts)
    found, sure = digits(text, ends, np.array(counts))
    assert found.tolist() == wanted
    assert sure is None
