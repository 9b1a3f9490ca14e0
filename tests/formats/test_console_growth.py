"""What trainings print while it grows, read again, damaged or endless."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

import tuimon.formats._console.parser as console
from tuimon.formats._console.parser import ConsoleParser
from tuimon.formats.console import FORMAT
from tuimon.records import Skipped

from .console_texts import KERAS, TABLES, TQDM

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

SAMPLE = (
    "import torch\nlr = 0.1\n"
    + "".join(
        f"2024-01-0{e} 12:00:0{i},500 epoch {e} - iter {i}/4 - loss {e}.{i}\n" for e in (1, 2, 3) for i in (0, 2, 3)
    )
    + "DEV : loss 0.5 - score 0.75\r\n[step=10/20]\n    train/x=1,234\n\tother: 5\n"
    + TABLES
    + KERAS
    + TQDM
    + "\nval loss 1e-3\n{'loss': 0.25, 'epoch': 7.5}\nträge äöü step 9 loss 3\nstep 10 loss 4"
).encode()


def same(one: Content, other: Content) -> bool:
    return repr(sorted(one.points.items())) == repr(sorted(other.points.items())) and one.left == other.left


def test_growth_at_every_byte_gives_the_same(read: Read) -> None:
    whole = read(ConsoleParser(), SAMPLE)
    assert len(whole.points) > 8
    assert whole.left == b"step 10 loss 4"
    assert same(read(ConsoleParser(), SAMPLE, range(1, len(SAMPLE))), whole)
    random_ = random.Random(2)
    for _ in range(60):
        cuts = random_.sample(range(1, len(SAMPLE)), 3)
        assert same(read(ConsoleParser(), SAMPLE, cuts), whole), cuts


def test_a_range_that_is_read_again_gives_the_same(read: Read) -> None:
    """Wherever the pieces were cut: what earlier lines said of epochs and steps is still known."""
    for size in (7, 40, 300):
        parser, start, kept, pieces = ConsoleParser(), 0, b"", []
        for low in range(0, len(SAMPLE), size):
            kept += SAMPLE[low : low + size]
            parsed = parser.parse(kept, False)
            if parsed.consumed:
                pieces.append((start, kept[: parsed.consumed], parsed.records))
                start += parsed.consumed
                kept = kept[parsed.consumed :]
        for offset, data, records in pieces:
            again = parser.clone(offset).parse(data, True)
            assert repr(again.records) == repr(records), (size, data)
            assert again.consumed == len(data)


def test_an_endless_line_is_passed_over_in_bounded_memory(read: Read) -> None:
    parser = ConsoleParser()
    endless = b"step 1 loss 0.5 " * 20_000
    kept = b""
    for _ in range(8):
        parsed = parser.parse(kept + endless, False)
        kept = (kept + endless)[parsed.consumed :]
        assert len(kept) <= console.MAX_KEPT
    found = read(parser, kept + b"\nstep 2 loss 0.25\n")
    assert found.values("loss") == [0.25]


def test_names_that_never_end_are_counted(read: Read) -> None:
    text = "".join(f"step {number} loss_{'abcdefghij'[number % 10]}{number} 1\n" for number in range(3000))
    found = read(ConsoleParser(), text.encode())
    assert len(found.points) == console.MAX_TAGS
    (skipped,) = found.others
    assert isinstance(skipped, Skipped)
    assert skipped.count == 1000


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 400), st.sampled_from(SAMPLE.splitlines(keepends=True)))
def test_no_bytes_break_it(noise: bytes, at: int, line: bytes) -> None:
    text = SAMPLE[:at] + noise + line + b"\n"
    parser = ConsoleParser()
    parsed = parser.parse(text, True)
    assert 0 <= parsed.consumed <= len(text)
    parser.clone(0).parse(text[: parsed.consumed], True)
    FORMAT.sniff("train.log", text)


def test_long_odd_lines_take_no_longer_than_their_length() -> None:
    """No line makes the search for names and numbers go back and forth."""
    started = time.process_time()
    for odd in ("a" * 16_000, "a b " * 4_000, "step 1 " + "x:" * 8_000, "1 " * 8_000, "step 1 " + "(" * 16_000,
                "step 1 " + "a(b)" * 4_000, "step 1" + " " * 16_000 + "x", "step 1 loss" + "=" * 16_000,
                "step 1 {'" + "a" * 16_000, "[" * 16_000 + "1", "%|" * 8_000 + " step 1", "step " + "1," * 8_000,
                ):  # fmt: skip
        ConsoleParser().parse(odd.encode()[:16_000] + b"\n", True)
    assert time.process_time() - started < 20


def test_a_line_of_blanks_is_read_at_once(read: Read) -> None:
    """However far a number stands from its name; looking for it must not take minutes."""
    assert read(ConsoleParser(), b"step" + b" " * 15_000 + b"7 loss: 0.5\n").points["loss"][0][::2] == (7, 0.5)
    assert read(ConsoleParser(), (b"step" + b" \t" * 7_000 + b"x\n") * 3).points == {}
