"""Decimal numbers in a text to floats, many at once, each the very float that ``float()`` gives.

Eight digits are read as one word, as Daniel Lemire and others do it ("Quickly parsing eight digits", 2018). The number
before the point and the one behind it make one whole number m of up to 64 bits, and m * 10^e is rounded once: where m
and the power of ten are floats themselves, by one division or multiplication (Clinger, "How to read floating point
numbers accurately", 1990); else with the power of ten in two parts of 74 bits together, unless the rest is too near to
half a unit in the last place to say which way it rounds.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Places = NDArray[np.intp]
    Words = NDArray[np.uint64]

MARGIN = 24
"""How many bytes must stand before the first number: they are read, whatever they are."""

_WORD = 8
_FEW = 8  # one of so many
_ONE = np.uint8(ord("1"))
_MOST_DIGITS = 19  # so many fit into 64 bits
_EXACT_BITS = np.uint64(1 << 53)
_EXACT_POWER = 22  # the greatest power of ten that is a float
_LEAST, _GREATEST = -64, 44  # beyond these, numbers are rare
_DOUBT = 1.0 + 2.0**-15  # what is left out is less than 2^-17 of half a unit in the last place
_HALF = np.uint64(32)

_LOW = np.uint64(0xFFFFFFFF)
_EIGHT_DIGITS = np.uint64(10**8)
_JOINTS = tuple(  # what two, four and eight digits are multiplied with, moved by, and masked with
    (np.uint64(1 + (10**count << bits)), np.uint64(bits), np.uint64(mask))
    for count, bits, mask in ((1, 8, 0x00FF00FF00FF00FF), (2, 16, 0x0000FFFF0000FFFF), (4, 32, 0xFFFFFFFF))
)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_MASKS = np.array([(1 << 64) - (1 << 8 * (8 - count)) for count in range(_WORD + 1)], np.uint64)

_WHOLE_POWERS = np.array([10**power if power < 20 else 0 for power in range(MARGIN + 1)], np.uint64)
_FLOAT_POWERS = np.array([float(10**power) for power in range(_EXACT_POWER + 1)])


@lru_cache(maxsize=1)
def _tables() -> tuple[Floats, Floats]:
    """The first 21 bits of the powers of ten, the greatest first, and the rests: 21 bits times 32 are a float."""
    exact = [Fraction(10) ** power for power in range(_GREATEST, _LEAST - 1, -1)]
    firsts = (np.array([float(power) for power in exact]).view(np.uint64) >> _HALF << _HALF).view(np.float64)
    rests = [float(power - Fraction(first)) for power, first in zip(exact, firsts.tolist(), strict=True)]
    return firsts, np.array(rests)


def decimals(
    text: bytes, points: Places, ends: Places, before: Places, behind: Places, powers: Places | None = None
) -> tuple[Floats, Flags | None]:
    """The floats of numbers without a sign.

    Args:
        text: Holds them, the first one after `MARGIN` bytes or more.
        points: Where the point of each is; where it ends when it has none.
        ends: Where it ends.
        before: How many digits there are right before the point.
        behind: How many digits there are right before the end, behind the point.
        powers: The power of ten that each is multiplied with; 0 for all when left out.

    Returns:
        The floats, and which of them are right; None when all are. The others are too long, too small or great, or too
        near to the middle between two floats: they are left to ``float()``.
    """
    whole, right = digits(text, ends, behind)
    heads = np.flatnonzero((before > 1) | (np.frombuffer(text, np.uint8)[points - 1] - _ONE <= 8))
    if len(heads):
        count, shift = before[heads], behind[heads]
        head, sure = digits(text, points[heads], count)
        fits = (count + shift <= _MOST_DIGITS) | (head == 0)
        head *= _WHOLE_POWERS[np.minimum(shift, MARGIN)]
        whole[heads] += head
        if sure is not None:
            fits &= sure
        if not fits.all():
            right = np.ones(len(ends), bool) if right is None else right
            right[heads] &= fits
    values, sure = _scaled(whole, behind if powers is None else behind - powers)
    return values, right if sure is None else sure if right is None else right & sure


def digits(text: bytes, ends: Places, counts: Places) -> tuple[Words, Flags | None]:
    """The whole numbers of so many digits before each end, and which of them are right; None when all are."""
    most = int(counts.max(initial=0))
    if most > _WORD:
        longer = np.flatnonzero(counts > _WORD)
        if _FEW * len(longer) < len(counts):
            return _mostly_short(text, ends, counts, longer)
    if most > MARGIN:
        counts = np.minimum(counts, MARGIN)
    columns = _last_words(text, ends, counts, min(most, MARGIN))
    for column in columns:
        _add_up(column)
    found = first = columns[0]
    for column in columns[1:]:
        found = found * _EIGHT_DIGITS
        found += column
    return found, None if most <= _MOST_DIGITS else (first < 1000) & (counts < MARGIN)


def last_words(text: bytes, ends: Places, counts: Places) -> list[Words] | None:
    """The bytes before each end, so many of each, as words with zeros in front; None where they are too many."""
    most = int(counts.max(initial=0))
    return _last_words(text, ends, counts, most) if most <= MARGIN else None


def _last_words(text: bytes, ends: Places, counts: Places, most: int) -> list[Words]:
    width = max(1, -(-most // _WORD))
    size = _WORD * width
    window = np.ndarray((len(text) - size + 1,), f"V{size}", text, 0, (1,))
    columns = window[ends - size].view("<u8").reshape(-1, width).T
    return [column & mask[counts] for column, mask in zip(columns, _masks(width), strict=True)]


def _mostly_short(text: bytes, ends: Places, counts: Places, longer: Places) -> tuple[Words, Flags | None]:
    """See `digits`; where few have more than eight, only these cost more."""
    found, _ = digits(text, ends, np.minimum(counts, _WORD))
    heads, sure = digits(text, ends[longer], counts[longer])
    found[longer] = heads
    if sure is None:
        return found, None
    right = np.ones(len(counts), bool)
    right[longer] = sure
    return found, right


@lru_cache(maxsize=MARGIN // _WORD)
def _masks(width: int) -> list[Words]:
    """For each of so many words, by the number of bytes wanted of all of them: the bits of its own that are."""
    counts = np.arange(_WORD * width + 1)
    return [_MASKS[np.clip(counts - _WORD * (width - 1 - place), 0, _WORD)] for place in range(width)]


def _add_up(words: Words) -> None:
    """Turn words of eight digits into their numbers."""
    words &= _NIBBLES
    for factor, bits, mask in _JOINTS:
        words *= factor
        words >>= bits
        words &= mask


def _scaled(whole: Words, places: Places) -> tuple[Floats, Flags | None]:
    """Whole numbers with so many decimal places, and which of them are rounded rightly; None when all are."""
    least, most = int(places.min(initial=0)), int(places.max(initial=0))
    if max(-least, most) <= _EXACT_POWER and whole.max(initial=0) <= _EXACT_BITS:
        values = whole.astype(np.float64)
        if most > 0:
            values /= _FLOAT_POWERS[places if least == 0 else np.maximum(places, 0)]
        if least < 0:
            values *= _FLOAT_POWERS[np.maximum(-places, 0)]
        return values, None
    inside = None
    if least < -_GREATEST or most > -_LEAST:
        inside = (places >= -_GREATEST) & (places <= -_LEAST)
        places = np.where(inside, places, 0)
    firsts, rests = _tables()
    places = places + _GREATEST
    first, rest = firsts[places], rests[places]
    low = (whole & _LOW).astype(np.float64)
    high = (whole & ~_LOW).astype(np.float64)
    large, small = high * first, low * first  # 32 bits times 21: nothing is rounded
    total = large + small
    large -= total
    large += small  # what the sum has lost
    high += low
    high *= rest
    large += high
    values = total + large
    total -= values
    total += large  # the rest that was rounded off
    total *= _DOUBT
    total += values
    sure = total == values
    if inside is not None:
        sure &= inside
    return values, None if sure.all() else sure
