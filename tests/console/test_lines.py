"""The lines of outputs: what a terminal would show of them, read in blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tuimon.console import lines as module
from tuimon.console.lines import FileLines, Place, backward, end_of, forward
from tuimon.console.screen import WIDTH, show


def all_lines(lines: FileLines) -> list[str]:
    """Every line, from the first to the last."""
    return [line for _, line in forward(lines, Place(0, 0))]


@pytest.fixture(name="path", scope="module")
def path_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file to write an output into."""
    return tmp_path_factory.mktemp("console") / "out.log"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so small that a few lines make several."""
    monkeypatch.setattr(module, "BLOCK", 128)
    monkeypatch.setattr(module, "LOOK", 40)
    monkeypatch.setattr(module, "ALWAYS", 1 << 20)
    monkeypatch.setattr(module, "KEPT", 1 << 20)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a\nb\n", ["a", "b", ""]),
        ("10%\r50%\r100%\n", ["100%", ""]),
        ("long line\rnew\n", ["new" + "g line", ""]),
        ("x\b\by\n", ["y", ""]),
        ("\x1b[31mred\x1b[0m\n", ["red", ""]),
        ("\x1b]0;title\x07text", ["text"]),
        ("one\ntwo\n\x1b[2A\x1b[2KONE\n", ["ONE", "two", ""]),
        ("a\x1b[3Cb", ["a   b"]),
        ("abc\x1b[2D\x1b[K", ["a"]),
        ("tick\x00\x07", ["tick"]),
        ("a" * (WIDTH + 1), ["a" * WIDTH, "a"]),
    ],
)
def test_what_a_terminal_shows(text: str, rows: list[str]) -> None:
    """Carriage returns, backspaces and movements leave the last state; colours and control characters show nothing."""
    shown = show(text).rows
    assert shown == rows if "A" not in text else shown[: len(rows)] == rows


def test_rows_before_a_piece_are_written_over() -> None:
    """A piece that goes up replaces as many of the rows before it as it reached; the others are not given again."""
    shown = show("\x1b[1A\rnew b\n", ["a", "old b", ""])
    assert (shown.rows, shown.climbed) == (["new b", ""], 1)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=600), cuts=st.lists(st.integers(0, 600), max_size=4))
def test_any_bytes_in_any_pieces(path: Path, data: bytes, cuts: list[int]) -> None:
    """Whatever a file holds and in whatever pieces it grew, its lines are those of the whole file, both ways."""
    path.write_bytes(b"")
    grown = FileLines(str(path))
    for end in [*sorted(cuts), len(data)]:
        path.write_bytes(data[:end])
        grown.refresh()
        assert all("\n" not in line and "\x1b" not in line and "\r" not in line for line in all_lines(grown))
    whole = FileLines(str(path))
    assert all_lines(grown) == all_lines(whole)
    assert [line for _, line in backward(whole, end_of(whole))] == all_lines(whole)[::-1]


_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=20)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_WORDS, max_size=60), st.booleans())
def test_plain_lines_are_as_they_are(path: Path, texts: list[str], crlf: bool) -> None:
    """Lines without control characters come out one for one, wherever blocks are cut."""
    path.write_bytes("".join(text + ("\r\n" if crlf else "\n") for text in texts).encode())
    assert all_lines(FileLines(str(path))) == texts


def test_a_progress_bar_is_its_last_state(path: Path) -> None:
    """A thousand updates of one line are one line, with what was before and after it (case H22)."""
    bar = "".join(f"\r{at / 10:5.1f}% |{'#' * (at // 50):20}|" for at in range(1001))
    path.write_text(f"start\n{bar}\nend\n")
    assert all_lines(FileLines(str(path))) == ["start", "100.0% |####################|", "end"]


def test_nested_progress_bars_are_their_last_states(path: Path) -> None:
    """Bars within bars, which go up by the cursor, leave one line each, over many blocks (case H22)."""
    parts = ["start\n"]
    for epoch in range(4):
        parts.append(f"\repoch {epoch}")
        parts += [f"\n\r  batch {batch:3d}\x1b[A" for batch in range(25)]
    path.write_text("".join(parts) + "\n\n\nend\n")
    found = all_lines(FileLines(str(path)))
    assert found[0] == "start"
    assert found[1:3] == ["epoch 3", "  batch  24"]
    assert [line for line in found[3:] if line] == ["end"]


def test_hours_of_a_bar_show_a_state_now_and_then(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way back through a bar that never ends its line is bounded."""
    monkeypatch.setattr(module, "ALWAYS", 4)
    path.write_text("".join(f"\r{at:6d}" for at in range(300)))
    found = all_lines(FileLines(str(path)))
    assert found[-1] == "   299"
    assert 2 < len(found) < 300 * 7 // 128


def test_what_is_written_anew_at_the_end(path: Path) -> None:
    """A file whose last lines are written again, and that is shorter for a moment, is followed."""
    path.write_text("one\n 10% of a very long progress bar\n")
    lines = FileLines(str(path))
    assert all_lines(lines)[-1].startswith(" 10%")
    path.write_text("one\n 20% of it\n")
    assert lines.refresh() == "grown"
    assert all_lines(lines) == ["one", " 20% of it"]
    assert lines.refresh() == "same"
    path.write_text("another run\n")
    assert lines.refresh() == "other"
    path.unlink()
    assert lines.refresh() == "other"
    assert (all_lines(lines), lines.error) == ([], "No such file or directory")
    assert lines.refresh() == "same"


def test_the_end_of_a_large_file_is_read_without_its_beginning(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the blocks that are looked at are read."""
    path.write_text("".join(f"line {at}\n" for at in range(5000)))
    lines = FileLines(str(path))
    read: list[int] = []
    real = module.read_range

    def counted(path: str, offset: int, length: int) -> bytes:
        read.append(length)
        return real(path, offset, length)

    monkeypatch.setattr(module, "read_range", counted)
    last = [line for _, (_, line) in zip(range(3), backward(lines, end_of(lines)), strict=False)]
    assert last == ["line 4999", "line 4998", "line 4997"]
    assert sum(read) < 1000
