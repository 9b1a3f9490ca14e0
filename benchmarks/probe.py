"""Watch a terminal program from outside: what is on its screen and when, and what it costs.

The program runs on a pseudo terminal of its own; a small emulator keeps the screen, so that every byte is counted and
every change is timed as it arrives. It knows what full-screen programs send: cursor moves, erasing, text, wide
characters. It answers what programs ask a terminal when they start: where the cursor is, what it is, its background.
What programs remember of a person goes to a directory of its own, and is gone with this process.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.cells import cell_len

TOKEN = re.compile(
    rb"\x1b\[([?<>=]?)([\d;:]*)[ -/]*([@-~])"  # control sequences
    rb"|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)"  # strings: titles and the like
    rb"|\x1b[ -/]*[0-~]|([\r\n\x08\t])|[\x00-\x1f]"
    rb"|((?:[\x20-\x7f]|[\xc2-\xf4][\x80-\xbf]+)+)"
)
HALF = re.compile(
    rb"(?:\x1b(?:\[[?<>=]?[\d;:]*[ -/]*|[\]P_^X][^\x07\x1b]*)?"  # a sequence without its end
    rb"|[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z"  # a character without its end
)
ROOT = Path(__file__).resolve().parent.parent
TUIMON = [sys.executable, "-m", "tuimon"]
ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b]11;?": b"\x1b]11;rgb:1010/1010/1010\x1b\\",
    b"\x1b[c": b"\x1b[?62;22c",
}
"""What a terminal answers, by the question; in the order in which they are asked."""
_state = tempfile.TemporaryDirectory(prefix="bench-state-")


SLOTS = {
    **dict.fromkeys((*range(30, 40), *range(90, 98)), "ink"),
    **dict.fromkeys((*range(40, 50), *range(100, 108)), "paper"),
}
"""What numbers of a style set: the colour of the text, or the one behind it."""
OFF = {22: (1, 2), 23: (3,), 24: (4, 21), 25: (5, 6), 27: (7,), 28: (8,), 29: (9,)}
"""What numbers of a style end."""


class Screen:
    """The cells of a terminal, and how each of them looks."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells = [[" "] * width for _ in range(height)]
        self.looks = [[""] * width for _ in range(height)]
        self._style: dict[str, str] = {}
        self._look = ""
        self.row = self.column = 0
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Take in what the program wrote; half a sequence at its end waits for more."""
        data = self._rest + data
        half = HALF.search(data)
        data, self._rest = (data[: half.start()], half[0]) if half else (data, b"")
        for token in TOKEN.finditer(data):
            private, numbers, final, control, text = token.groups()
            if text:
                self._print(text.decode(errors="replace"))
            elif control:
                self._control(control)
            elif final == b"m" and not private:
                self._styled([int(n) if n.isdigit() else 0 for n in re.split(b"[;:]", numbers)])
            elif final and not private:
                self._sequence(final, [int(n) if n.isdigit() else 0 for n in numbers.split(b";")])

    def lines(self) -> list[str]:
        """The text of each row."""
        return ["".join(row).rstrip() for row in self.cells]

    def text(self) -> str:
        """The whole screen as text."""
        return "\n".join(self.lines())

    def picture(self) -> tuple[str, list[list[str]]]:
        """All that is seen: the text and how it looks."""
        return self.text(), [list(row) for row in self.looks]

    def _styled(self, numbers: list[int]) -> None:
        at = 0
        while at < len(numbers):
            number, length = numbers[at], 1
            if number in (38, 48):
                length = 3 if numbers[at + 1 : at + 2] == [5] else 5
            if not number:
                self._style.clear()
            elif number in (39, 49):
                self._style.pop(SLOTS[number], None)
            elif number in SLOTS:
                self._style[SLOTS[number]] = str(numbers[at : at + length])
            elif number in OFF:
                for other in OFF[number]:
                    self._style.pop(str(other), None)
            else:
                self._style[str(number)] = ""
            at += length
        self._look = str(sorted(self._style.items()))

    def _print(self, text: str) -> None:
        for char in text:
            wide = 1 if char < "\u1100" else cell_len(char)
            if self.column + wide > self.width:
                self.row, self.column = min(self.row + 1, self.height - 1), 0
            if wide:
                self.cells[self.row][self.column] = char
                self.looks[self.row][self.column] = self._look
                if wide == 2:
                    self.cells[self.row][self.column + 1] = ""
                self.column += wide

    def _control(self, control: bytes) -> None:
        if control == b"\r":
            self.column = 0
        elif control == b"\x08":
            self.column = max(0, self.column - 1)
        elif control == b"\n":
            self.column = 0
            self.row = min(self.row + 1, self.height - 1)

    def _sequence(self, final: bytes, numbers: list[int]) -> None:
        first = max(1, numbers[0])
        if final in b"Hf":
            self.row = min(first, self.height) - 1
            self.column = min(max(1, numbers[1] if len(numbers) > 1 else 1), self.width) - 1
        elif final == b"A":
            self.row = max(0, self.row - first)
        elif final == b"B":
            self.row = min(self.height - 1, self.row + first)
        elif final == b"C":
            self.column = min(self.width - 1, self.column + first)
        elif final == b"D":
            self.column = max(0, self.column - first)
        elif final == b"d":
            self.row = min(first, self.height) - 1
        elif final == b"X":
            end = min(self.column + first, self.width)
            self.cells[self.row][self.column : end] = [" "] * (end - self.column)
            self.looks[self.row][self.column : end] = [self._look] * (end - self.column)
        elif final == b"b":
            self._print(self.cells[self.row][self.column - 1] * first)
        elif final in b"G`":
            self.column = min(first, self.width) - 1
        elif final == b"J" and numbers[0] in (2, 3):
            self.cells = [[" "] * self.width for _ in range(self.height)]
            self.looks = [[self._look] * self.width for _ in range(self.height)]
        elif final == b"K":
            self.cells[self.row][self.column :] = [" "] * (self.width - self.column)
            self.looks[self.row][self.column :] = [self._look] * (self.width - self.column)


class Program:
    """A program on a terminal of its own.

    Args:
        command: What to run.
        size: Columns and rows.
    """

    def __init__(self, command: Sequence[str], size: tuple[int, int] = (200, 50)) -> None:
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        for name in ("PYTHONDONTWRITEBYTECODE", "NO_COLOR", "TMUX"):
            environment.pop(name, None)
        environment["PYTHONPATH"] = f"{ROOT}:{ROOT / 'writer'}"
        environment["XDG_STATE_HOME"] = _state.name
        self.screen = Screen(*size)
        self.bytes = 0
        terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(inner)
        self.terminal = terminal

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def pump(self, seconds: float, until: Callable[[Screen], bool] | None = None) -> float | None:
        """Read what it writes for some seconds, or until the screen is as wanted.

        Returns:
            When the wanted screen was complete, on the clock of `time.perf_counter`; None if it never was.
        """
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if not select.select([self.terminal], [], [], left)[0]:
                break
            try:
                data = os.read(self.terminal, 1 << 16)
            except OSError:  # the program has ended
                break
            if not data:
                break
            self.bytes += len(data)
            for question, answer in ANSWERS.items():  # some programs wait for it
                if question in data:
                    os.write(self.terminal, answer)
            self.screen.feed(data)
            if until is not None and until(self.screen):
                return time.perf_counter()
        return None

    def send(self, keys: str) -> float:
        """Press keys and return when."""
        os.write(self.terminal, keys.encode())
        return time.perf_counter()

    def resize(self, width: int, height: int) -> float:
        """Give its terminal another size, with nothing on it, and return when."""
        self.screen = Screen(width, height)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        os.killpg(self.process.pid, signal.SIGWINCH)
        return time.perf_counter()

    def cpu(self) -> float:
        """Seconds of processor time that it and its children have used so far."""
        ticks = 0
        for pid in _family(self.process.pid):
            fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:13])) if fields else 0
        return ticks / os.sysconf("SC_CLK_TCK")

    def peak_memory(self) -> float:
        """Largest resident size in MB, children included."""
        return self._memory("VmHWM")

    def memory(self) -> float:
        """Resident size in MB at the moment, children included."""
        return self._memory("VmRSS")

    def _memory(self, kind: str) -> float:
        total = 0
        for pid in _family(self.process.pid):
            found = re.search(rf"{kind}:\s+(\d+)", _read(f"/proc/{pid}/status"))
            total += int(found[1]) if found else 0
        return total / 1024

    def close(self) -> None:
        """End it."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        os.close(self.terminal)


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:  # it has ended
        return ""


def _family(pid: int) -> list[int]:
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _read(str(task)).split():
            found += _family(int(child))
    return found


def has_chart(screen: Screen) -> bool:
    """Whether 20 or more cells of a chart are on the screen: braille or blocks."""
    drawn = sum("\u2801" <= char <= "\u28ff" or "\u2581" <= char <= "\u2588" for row in screen.cells for char in row)
    return drawn >= 20


def quantile(values: Sequence[float], q: float) -> float:
    """The q-quantile of some numbers; NaN when there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))] if ordered else float("nan")


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table; numbers get three digits that count."""
    texts = [[f"{c:.3g}" if isinstance(c, float) else str(c) for c in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    print(f"\n{title}")
    for row in texts:
        print("  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
