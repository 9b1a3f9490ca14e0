"""Reading JSON lines: the parser against `for line in file: json.loads(line)`, in the same run.

Each way reads the same file into a column of float64 per tag, which is checked to be equal. The rounds are interleaved,
and CPU time is compared, so that the ratios hold on a busy machine too; the rates are those of this machine.

    python benchmarks/reading.py [--points 1000000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from array import array
from collections.abc import Callable
from pathlib import Path

from tuimon.formats.registry import HEAD_SIZE, detect
from tuimon.records import ScalarRows
from tuimon.tail import Tail

TAGS = [f"train/metric_{number}" for number in range(10)]
Columns = dict[str, array]


def write_wide(path: Path, points: int, random_: random.Random) -> None:
    """One line a step with all tags in it."""
    with path.open("w") as file:
        file.write('{"tuimon":1,"run":{"name":"wide"},"config":{}}\n')
        for step in range(points // len(TAGS)):
            values = {tag: random_.random() for tag in TAGS}
            line = {"step": step, "time": round(1.7e9 + step * 0.1, 3), "scalars": values}
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


def write_long(path: Path, points: int, random_: random.Random) -> None:
    """One line a point."""
    with path.open("w") as file:
        file.write('{"tuimon":1,"run":{"name":"long"},"config":{}}\n')
        for step in range(points // len(TAGS)):
            for tag in TAGS:
                line = {"step": step, "time": round(1.7e9 + step * 0.1, 3), "scalars": {tag: random_.random()}}
                file.write(json.dumps(line, separators=(",", ":")) + "\n")


def write_flat(path: Path, points: int, random_: random.Random) -> None:
    """What another program writes: the tags beside the step."""
    with path.open("w") as file:
        for step in range(points // len(TAGS)):
            file.write(json.dumps({"step": step, **{tag: random_.random() for tag in TAGS}}) + "\n")


def write_mixed(path: Path, points: int, random_: random.Random) -> None:
    """Rows of another program with more tags at every tenth step, as a validation gives them."""
    more = [f"val/metric_{number}" for number in range(5)]
    with path.open("w") as file:
        for step in range(2 * points // (2 * len(TAGS) + 1)):
            tags = TAGS + more if step % 10 == 9 else TAGS
            file.write(json.dumps({"step": step, **{tag: random_.random() for tag in tags}}) + "\n")


def spoil(source: Path, path: Path) -> None:
    """A bare NaN in every hundredth line, half a line glued to a whole one, and half a line at the end."""
    lines = source.read_text().splitlines()
    for at in range(50, len(lines), 100):
        head, _, tail = lines[at].rpartition(":")
        lines[at] = f"{head}:NaN{'}' * tail.count('}')}"
    middle = len(lines) // 2
    lines[middle] = lines[middle][:40] + lines[middle]
    path.write_text("\n".join(lines) + "\n" + lines[-1][:-5])


def naive(path: Path) -> Columns:
    """The loop that everybody writes, made to survive half a line."""
    columns: Columns = {}
    with path.open() as file:
        for line in file:
            try:
                row = json.loads(line)
            except ValueError:
                at = line.find('{"step"', 1)
                if at < 0:
                    continue
                row = json.loads(line[at:])
            scalars = row.get("scalars")
            if scalars is None:
                scalars = {tag: value for tag, value in row.items() if "/" in tag}
            for tag, value in scalars.items():
                columns.setdefault(tag, array("d")).append(value)
    return columns


def tuimon(path: Path) -> Columns:
    """The product's way: pieces of the file through the parser of its format."""
    with path.open("rb") as file:
        known = detect(path.name, file.read(HEAD_SIZE))
    assert known is not None
    tail, parser = Tail(path), known.parser(path.name)
    parts: dict[tuple[str, ...], array] = {}
    piece = tail.read()
    while piece.data:
        parsed = parser.parse(piece.data, piece.at_end)
        tail.advance(parsed.consumed)
        for record in parsed.records:
            if isinstance(record, ScalarRows):
                parts.setdefault(record.tags, array("d")).frombytes(bytes(record.values))
        piece = tail.read()
    columns: Columns = {}
    for tags, rows in parts.items():
        for column, tag in enumerate(tags):
            columns[tag] = rows[column :: len(tags)]
    return columns


def pandas_lines(path: Path) -> Columns:
    """`pandas.read_json(lines=True)`, which reads flat files only."""
    import pandas

    frame = pandas.read_json(path, lines=True)
    return {tag: array("d", frame[tag].to_numpy().tobytes()) for tag in TAGS}


def polars_lines(path: Path) -> Columns:
    """`polars.read_ndjson`, which reads flat files only, on all cores."""
    import polars

    frame = polars.read_ndjson(path)
    return {tag: array("d", frame[tag].to_numpy().tobytes()) for tag in TAGS}


def available(*modules: str) -> list[str]:
    """Those of the modules that can be imported; importing them is not timed."""
    found = []
    for module in modules:
        try:
            __import__(module)
        except ImportError:
            continue
        found.append(module)
    return found


def compare(name: str, path: Path, points: int, ways: dict[str, Callable[[Path], Columns]], rounds: int) -> None:
    expected = {tag: column.tobytes() for tag, column in naive(path).items()}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, read in ways.items():
            start = time.process_time()
            columns = read(path)
            seconds[way].append(time.process_time() - start)
            if {tag: column.tobytes() for tag, column in columns.items()} != expected:
                sys.exit(f"{name}: {way} gives other columns")
    base = statistics.median(seconds["json.loads"])
    for way, times in seconds.items():
        middle = statistics.median(times)
        print(f"{name:22} {way:12} {middle * 1e3:9.0f} ms {points / middle / 1e6:8.2f} M/s {base / middle:8.1f} x")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--points", type=int, default=1_000_000)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    random_ = random.Random(1)
    ours: dict[str, Callable[[Path], Columns]] = {"json.loads": naive, "tuimon": tuimon}
    frames = {"pandas": pandas_lines, "polars": polars_lines}
    with tempfile.TemporaryDirectory() as directory:
        wide, long, flat, mixed = (Path(directory) / f"{name}.jsonl" for name in ("wide", "long", "flat", "mixed"))
        write_wide(wide, given.points, random_)
        write_long(long, given.points, random_)
        write_flat(flat, given.points, random_)
        write_mixed(mixed, given.points, random_)
        print(f"{'file':22} {'reader':12} {'CPU time':>12} {'points':>12} {'against json':>10}")
        compare("wide", wide, given.points, ours, given.rounds)
        compare("long", long, given.points, ours, given.rounds)
        for name, source in (("wide, NaN and torn", wide), ("long, NaN and torn", long)):
            spoiled = Path(directory) / "spoiled.jsonl"
            spoil(source, spoiled)
            compare(name, spoiled, given.points, ours, given.rounds)
        others = {module: frames[module] for module in available("pandas", "polars")}
        compare("mixed", mixed, given.points, ours, given.rounds)
        compare("flat", flat, given.points, {**ours, **others}, given.rounds)


if __name__ == "__main__":
    main()
