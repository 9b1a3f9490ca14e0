"""Reading CSV logs: the parser and the whole way into the store against `pandas.read_csv` and `polars.read_csv`.

The other two only parse; ours is given both ways, with the store and without. Every way is checked to have the same
columns of float64. The rounds are interleaved; CPU time is compared, and polars uses all cores, so wall time stands
beside it.

    python benchmarks/csv_files.py [--megabytes 100] [--files 1000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tuimon.formats.delimited import FORMAT
from tuimon.formats.registry import HEAD_SIZE
from tuimon.ingest import Ingest
from tuimon.records import ScalarRows
from tuimon.tail import Tail

Columns = dict[str, bytes]
TAGS = [f"train/metric_{number}" for number in range(10)]


def write_dense(path: Path, size: int, source: random.Random) -> None:
    """A row a step, every cell with all its digits."""
    with path.open("w") as file:
        file.write(",".join(["step", *TAGS]) + "\n")
        step = 0
        while file.tell() < size:
            file.writelines(f"{step + at},{','.join(repr(source.random()) for _ in TAGS)}\n" for at in range(1000))
            step += 1000


def write_short(path: Path, size: int, source: random.Random) -> None:
    """A row a step, six digits a cell, with ``nan`` now and then."""
    with path.open("w") as file:
        file.write(",".join(["step", *TAGS]) + "\n")
        step = 0
        while file.tell() < size:
            for _ in range(1000):
                cells = [f"{source.random():.6g}" for _ in TAGS]
                if step % 100 == 0:
                    cells[3] = "nan"
                file.write(f"{step},{','.join(cells)}\n")
                step += 1


def write_sparse(path: Path, size: int, source: random.Random) -> None:
    """What Lightning writes: rows of training, of validation and of the learning rate."""
    with path.open("w") as file:
        file.write("epoch,lr-Adam,step,train_loss,val_acc,val_loss\n")
        step = 0
        while file.tell() < size:
            for _ in range(1000):
                file.write(f",{source.random()},{step},,,\n{step // 500},,{step},{source.random()},,\n")
                if step % 50 == 49:
                    file.write(f"{step // 500},,{step},,{source.random()},{source.random()}\n")
                step += 1


def write_labelled(path: Path, size: int, source: random.Random) -> None:
    """Numbers beside a date and a text in every row."""
    with path.open("w") as file:
        file.write("step,timestamp,host,loss,acc,lr\n")
        step = 0
        while file.tell() < size:
            for _ in range(1000):
                date = f"2024-01-{1 + step // 86400 % 28:02}T{step // 3600 % 24:02}:{step // 60 % 60:02}:{step % 60:02}"
                file.write(f"{step},{date},node-{step % 4},{source.random()},{source.random()},{source.random()}\n")
                step += 1


def parsed(paths: Sequence[Path]) -> Columns:
    """Our parser, in pieces as the viewer reads."""
    columns: dict[str, array[float]] = {}
    for path in paths:
        with path.open("rb") as file:
            assert FORMAT.sniff(path.name, file.read(HEAD_SIZE))
        tail, parser = Tail(path), FORMAT.parser(path.name)
        piece = tail.read()
        while piece.data:
            result = parser.parse(piece.data, piece.at_end)
            tail.advance(result.consumed)
            for record in result.records:
                if isinstance(record, ScalarRows):
                    rows = np.frombuffer(record.values).reshape(-1, len(record.tags))
                    for at, tag in enumerate(record.tags):
                        columns.setdefault(tag, array("d")).frombytes(rows[:, at].tobytes())
            piece = tail.read()
    return {tag: column.tobytes() for tag, column in columns.items()}


def stored(paths: Sequence[Path]) -> Columns:
    """Everything that the viewer does until a log is in its store: discovery, runs, parsing, pyramids."""
    ingest = Ingest([str(paths[0].parent)])
    ingest.load()
    assert ingest.store.runs
    return {}


def pandas(paths: Sequence[Path]) -> Columns:
    import pandas

    frames = [pandas.read_csv(path) for path in paths]
    return columns_of([{tag: frame[tag].to_numpy() for tag in frame.columns} for frame in frames])


def polars(paths: Sequence[Path]) -> Columns:
    import polars

    frames = [polars.read_csv(path, infer_schema_length=10_000, null_values=["nan"]) for path in paths]
    return columns_of([{tag: frame[tag].to_numpy() for tag in frame.columns} for frame in frames])


def columns_of(frames: Sequence[dict[str, np.ndarray]]) -> Columns:
    """The columns of tables, one below the other."""
    numeric = [tag for tag, column in frames[0].items() if column.dtype.kind in "if"]
    return {tag: b"".join(frame[tag].astype(np.float64).tobytes() for frame in frames) for tag in numeric}


def same(ours: Columns, theirs: Columns) -> bool:
    """Whether every tag has the same numbers; the others do not tell an empty cell from NaN."""
    for tag, column in ours.items():
        mine, other = np.frombuffer(column), np.frombuffer(theirs[tag])
        if not np.array_equal(mine[~np.isnan(mine)], other[~np.isnan(other)]):
            return False
    return True


def available() -> dict[str, Callable[[Sequence[Path]], Columns]]:
    ways: dict[str, Callable[[Sequence[Path]], Columns]] = {"tuimon": parsed, "tuimon, stored": stored}
    for name, way in (("pandas", pandas), ("polars", polars)):
        try:
            __import__(name)
        except ImportError:
            continue
        ways[name] = way
    return ways


def compare(name: str, paths: Sequence[Path], rounds: int) -> None:
    ways = available()
    size = sum(path.stat().st_size for path in paths)
    cpu: dict[str, list[float]] = {way: [] for way in ways}
    wall: dict[str, list[float]] = {way: [] for way in ways}
    first: dict[str, Columns] = {}
    for round_ in range(rounds):
        for way, read in ways.items():
            began, start = time.perf_counter(), time.process_time()
            columns = read(paths)
            cpu[way].append(time.process_time() - start)
            wall[way].append(time.perf_counter() - began)
            if not round_:
                first[way] = columns
            del columns
        for way, theirs in first.items():
            if theirs and not same(first["tuimon"], theirs):
                sys.exit(f"{name}: {way} gives other columns")
        first = {}
        first["tuimon"] = {}
    base = statistics.median(cpu.get("pandas", cpu["tuimon"]))
    for way in ways:
        middle = statistics.median(cpu[way])
        print(
            f"{name:26} {way:15} {middle * 1e3:8.0f} ms CPU {statistics.median(wall[way]) * 1e3:8.0f} ms"
            f" {size / middle / 1e6:7.0f} MB/s {base / middle:6.2f} x pandas"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--megabytes", type=int, default=100)
    options.add_argument("--files", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    source = random.Random(1)
    size = given.megabytes << 20
    with tempfile.TemporaryDirectory() as directory:
        for name, write in (
            ("17 digits", write_dense),
            ("6 digits", write_short),
            ("sparse", write_sparse),
            ("with dates and texts", write_labelled),
        ):
            path = Path(directory) / name.replace(" ", "-") / "metrics.csv"
            path.parent.mkdir()
            write(path, size, source)
            compare(f"{given.megabytes} MB, {name}", [path], given.rounds)
            path.unlink()
        many = [Path(directory) / "many" / f"run_{number}.csv" for number in range(given.files)]
        many[0].parent.mkdir()
        write_sparse(many[0], 4096, source)
        lines = many[0].read_text().splitlines(keepends=True)[:120]
        for path in many:
            path.write_text("".join(lines))
        compare(f"{given.files} files of 4 KB", many, given.rounds)


if __name__ == "__main__":
    main()
