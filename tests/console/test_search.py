"""Searching and counting the lines of an output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tuimon.console import lines as module
from tuimon.console.lines import FileLines, Place, forward
from tuimon.console.search import Count, Search, compile_search


@pytest.fixture(name="path")
def path_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An output of several blocks."""
    monkeypatch.setattr(module, "BLOCK", 64)
    monkeypatch.setattr(module, "LOOK", 24)
    path = tmp_path / "out.log"
    path.write_text("".join(f"step {at} {'ERROR' if at % 10 == 3 else 'fine'}\n" for at in range(40)))
    return path


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("loss", "Loss 3", True),
        ("Loss", "loss 3", False),
        ("a.b", "axb", False),
        ("re:a.b", "axb", True),
        (r"re:\d+$", "x 12", True),
        ("re:^Epoch", "epoch", False),
    ],
)
def test_what_matches(text: str, line: str, found: bool) -> None:
    """Text is text, re: makes it a regular expression, and capitals count once there is one."""
    assert (compile_search(text).search(line) is not None) == found


def test_a_bad_expression_says_so() -> None:
    """A regular expression that is none is an error with a message."""
    with pytest.raises(re.error, match="unterminated"):
        compile_search("re:[a")


def test_hits_in_order_from_wherever_it_begins(path: Path) -> None:
    """Every hit is found once, in order; next and previous go round at the ends."""
    lines = FileLines(str(path))
    search = Search(FileLines(str(path)), compile_search("ERROR"), start=3)
    search.start()
    search.join()
    assert search.done
    assert search.progress == 1.0
    texts = dict(forward(lines, Place(0, 0)))
    assert [texts[place] for place in search.places] == [f"step {at} ERROR" for at in (3, 13, 23, 33)]
    first, *_, last = search.places
    assert search.after(last) == first
    assert search.before(first) == last
    assert search.after(first) == search.places[1]
    assert search.number(search.places[2]) == 3
    assert search.number(Place(0, 0)) is None


def test_text_with_signs_of_expressions(path: Path) -> None:
    """A text is found as it is, in any case, whatever signs are in it."""
    path.write_text("a.b (x) [Y] c\\d\naxb\n")
    for text in ("a.b (X) [y]", "c\\d", "A.B"):
        search = Search(FileLines(str(path)), compile_search(text.lower()))
        search.run()
        assert search.places == [Place(0, 0)]


def test_what_grows_is_found_too(path: Path) -> None:
    """New lines are searched and counted without looking at all others again."""
    search, count = Search(FileLines(str(path)), compile_search("ERROR")), Count(FileLines(str(path)))
    search.run()
    count.run()
    assert (len(search.places), count.total) == (4, 40)
    with path.open("a") as file:
        file.write("one more ERROR\n")
    search.again()
    count.again()
    assert (len(search.places), count.total) == (5, 41)
    assert count.number(search.places[-1]) == 41


def test_no_hits_and_an_end_before_the_end(path: Path) -> None:
    """Without a hit there is nowhere to go; a search that was stopped is not done."""
    search = Search(FileLines(str(path)), compile_search("nothing of the kind"))
    search.run()
    assert search.after(Place(0, 0)) is None
    assert search.before(Place(0, 0)) is None
    stopped = Search(FileLines(str(path)), compile_search("step"))
    stopped.stop()
    stopped.run()
    assert not stopped.done
