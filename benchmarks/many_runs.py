"""Trees of many runs in event files: when they are listed, when all is read, and what following them costs after that.

Each run is a directory with an event file (20 tags) beside a CSV of the same numbers and its settings, as Lightning
writes them; or the event file alone. At most 256 files may be open.

    python benchmarks/many_runs.py [runs] [steps] [seconds idle]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from probe import ROOT, table
from tensorboardX import SummaryWriter

TAGS = [f"{kind}/metric{i}" for i in range(10) for kind in ("train", "val")]

FOLLOW = """
import resource, sys, time
from tuimon.ingest import Ingest
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
runs, idle, begun = int(sys.argv[2]), float(sys.argv[3]), time.perf_counter()
ingest = Ingest([sys.argv[1]])
ingest.start()
while len(ingest.store.runs) < runs:
    time.sleep(0.005)  # so fine is the figure
listed = time.perf_counter() - begun
ingest.wait_until_loaded(600)
loaded = time.perf_counter() - begun
with ingest.store.lock:
    points = sum(run.points for run in ingest.store.runs.values())
time.sleep(10)  # what changed just now is looked at more often
cpu, began = time.process_time(), time.perf_counter()
time.sleep(idle)  # this is what is measured: doing nothing
share = 100 * (time.process_time() - cpu) / (time.perf_counter() - began)
print(listed, loaded, points, share, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def template(folder: Path, steps: int, *, mixed: bool) -> list[Path]:
    """Write the files of one run."""
    with SummaryWriter(str(folder), filename_suffix=".0") as writer:
        for step in range(steps):
            for i, tag in enumerate(TAGS):
                writer.add_scalar(tag, i + 1 / (1 + step), step)
    if mixed:
        rows = [",".join([str(step), *(repr(i + 1 / (1 + step)) for i in range(len(TAGS)))]) for step in range(steps)]
        (folder / "metrics.csv").write_text("\n".join([",".join(["step", *TAGS]), *rows]) + "\n")
        (folder / "hparams.yaml").write_text("lr: 0.1\noptimizer: adam\n")
    return list(folder.iterdir())


def main(runs: int, steps: int, idle: float) -> None:
    rows: list[list[object]] = []
    for mixed in (False, True):
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            files = template(root / "template", steps, mixed=mixed)
            contents = {file.name: file.read_bytes() for file in files}
            (root / "logs").mkdir()
            for run in range(runs):
                folder = root / "logs" / f"version_{run}"
                folder.mkdir()
                for file_name, content in contents.items():
                    (folder / file_name).write_bytes(content)
            answer = subprocess.run(
                [sys.executable, "-c", FOLLOW, str(root / "logs"), str(runs), str(idle)],
                env={"PYTHONPATH": str(ROOT)},
                check=True,
                capture_output=True,
                text=True,
            )
            listed, loaded, points, share, memory = map(float, answer.stdout.split())
            kind = "events, CSV, settings" if mixed else "events"
            rows.append([kind, runs, f"{points:,.0f}", listed, loaded, share, memory])
    head = ["files of a run", "runs", "points shown", "s until listed", "s until read", "CPU % idle", "peak MB"]
    table(f"{runs:,} runs of {len(TAGS)} tags", head, rows)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(int(word) for word in [*given[:2], *(1000, 100)[len(given) :]]), float(given[2]) if len(given) > 2 else 20.0)
