"""Reading a VisualDL log: the parser against `visualdl.LogReader`, in the same run.

Both read the same file of scalars, which VisualDL made, into columns of steps, wall times and values per tag, and these
are checked to be equal. The rounds are interleaved and CPU time is compared. Needs visualdl.

    python benchmarks/visualdl_records.py [--points 200000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from visualdl import LogReader
from visualdl.component.base_component import scalar
from visualdl.writer.record_writer import RecordWriter

from tuimon.formats.registry import HEAD_SIZE, detect
from tuimon.records import ScalarRows
from tuimon.tail import Tail

TAGS = [f"train/metric_{number}" for number in range(10)]
Columns = dict[str, list[np.ndarray]]


def write(path: Path, points: int) -> None:
    """A record a point, as `LogWriter.add_scalar` writes it, without its thread."""
    random_ = random.Random(1)
    with path.open("wb") as file:
        writer = RecordWriter(file)
        for number in range(points):
            step, tag = divmod(number, len(TAGS))
            record = scalar(TAGS[tag], random_.random(), step, 1_700_000_000_000 + step * 100 + tag)
            writer.write(record.SerializeToString())


def tuimon(path: Path) -> Columns:
    """The product's way: pieces of the file through the parser of its format."""
    with path.open("rb") as file:
        known = detect(str(path), file.read(HEAD_SIZE))
    assert known is not None
    tail, parser = Tail(path), known.parser(str(path))
    parts: dict[str, list[bytearray]] = {}
    piece = tail.read()
    while piece.data:
        parsed = parser.parse(piece.data, piece.at_end)
        tail.advance(parsed.consumed)
        for record in parsed.records:
            if isinstance(record, ScalarRows):
                columns = parts.setdefault(record.tags[0], [bytearray(), bytearray(), bytearray()])
                for column, added in zip(columns, (record.steps, record.times, record.values), strict=True):
                    column += added
        piece = tail.read()
    return {tag: [np.frombuffer(column) for column in columns] for tag, columns in parts.items()}


def reader(path: Path) -> Columns:
    """VisualDL's way."""
    log = LogReader(file_path=str(path))
    columns: Columns = {}
    for tag in log.get_tags()["scalar"]:
        items = log.get_data("scalar", tag)
        rows = [(item.id, item.timestamp / 1000, item.value) for item in items]
        columns[tag] = list(np.array(rows, np.float64).T)
    return columns


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--points", type=int, default=200_000)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    ways = {"visualdl": reader, "tuimon": tuimon}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "vdlrecords.1700000000.log"
        write(path, given.points)
        expected = reader(path)
        for _ in range(given.rounds):
            for way, read in ways.items():
                start = time.process_time()
                columns = read(path)
                seconds[way].append(time.process_time() - start)
                if columns.keys() != expected.keys() or not all(
                    np.array_equal(mine, other)
                    for tag in columns
                    for mine, other in zip(columns[tag], expected[tag], strict=True)
                ):
                    sys.exit(f"{way} gives other columns")
    base = statistics.median(seconds["visualdl"])
    print(f"{'reader':12} {'CPU time':>12} {'points':>12} {'against it':>12}")
    for way, times in seconds.items():
        middle = statistics.median(times)
        print(f"{way:12} {middle * 1e3:9.0f} ms {given.points / middle / 1e6:8.2f} M/s {base / middle:10.1f} x")


if __name__ == "__main__":
    main()
