"""From a key to the first change on the screen and to the last.

Usage: ``python benchmarks/keys.py``
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from logs import finished
from probe import TUIMON, Program, quantile, table

KEYS = "2341212y+-x341?"


def main() -> None:
    rows = []
    for runs, steps in ((4, 1000), (50, 200), (10, 10_000)):
        first, last, silent = [], [], []
        with tempfile.TemporaryDirectory() as folder:
            points = finished(Path(folder), runs=runs, steps=steps)
            with Program([*TUIMON, folder]) as program:
                program.pump(6)
                for key in KEYS:
                    before, pressed, changed = program.screen.text(), program.send(key), []
                    while time.perf_counter() < (changed[-1] if changed else pressed) + 0.6:
                        seen = program.pump(0.6, lambda screen: screen.text() != before)  # noqa: B023
                        if seen is None:
                            break
                        changed.append(seen)
                        before = program.screen.text()
                    if changed:
                        first.append((changed[0] - pressed) * 1000)
                        last.append((changed[-1] - pressed) * 1000)
                    else:
                        silent.append(key)
        quantiles = [quantile(first, 0.5), quantile(first, 0.95), quantile(last, 0.5), quantile(last, 0.95)]
        rows.append([runs, points, *quantiles, "".join(silent) or "none"])
    head = ["runs", "points", "first p50 ms", "p95", "settled p50 ms", "p95", "keys without effect"]
    table("Key to screen, 200x50", head, rows)


if __name__ == "__main__":
    sys.exit(main())
