"""How often the rules are right, how soon, and what they cost: on labelled trainings that they were not tuned on.

    python -m benchmarks.diagnosis [--seeds 100-109] [--cases NAME,…] [--show]

Each training is a real one (networks in numpy, a fraction of a second), made so that it is known what goes wrong, and
checked that it did. ``--seeds 0-9`` are those that the thresholds were set with. Trainings are kept in
``~/.cache/tuimon/diagnosis``. The last part measures cost on 20 runs of 50 tags and 100,000 points.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import os
import pickle
import pkgutil
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import benchmarks.diagnosis_runs
from benchmarks.diagnosis_runs import base, several
from benchmarks.diagnosis_runs.cost import cost
from tuimon.findings import Findings
from tuimon.store import Store

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tuimon" / "diagnosis"
"""Of the person's own, as what is pickled there is trusted."""
NOW = 1.8e9

for module in pkgutil.iter_modules(benchmarks.diagnosis_runs.__path__):  # each registers its cases
    importlib.import_module(f"benchmarks.diagnosis_runs.{module.name}")


def drawn(name: str, seed: int) -> base.Labelled:
    """A training, from the cache where it was made before by the same sources."""
    code = (base.CASES[name].__code__, base.draw.__code__, several.Network.forward.__code__)
    made_by = hashlib.sha256(b"".join(Path(one.co_filename).read_bytes() for one in code)).hexdigest()[:12]
    kept = CACHE / made_by / f"{name}-{seed}.pickle"
    if kept.exists():
        known: base.Labelled = pickle.loads(kept.read_bytes())
        return known
    found = base.draw(name, seed)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(found))
    return found


def judged(name: str, seed: int) -> tuple[str, int, frozenset[str], frozenset[str], list[tuple[str, str, str]], float]:
    """What was found in a training: case, seed, expected, allowed, (rule, severity, message), delay as a share."""
    found = drawn(name, seed)
    store = Store()
    base.fill(store, "run", found)
    told = [(f.rule, f.severity.word, f.message) for f in Findings(store).look(NOW)]
    delay = np.nan
    if found.onset is not None and found.expected:
        delay = _delay(found, next(iter(found.expected)))
    return name, seed, found.expected, found.allowed, told, delay


def _delay(found: base.Labelled, rule: str) -> float:
    """How long after its onset a rule told of it, as a share of all steps; NaN when it never did."""
    store, steps = Store(), found.rows[-1].step + 1
    findings = Findings(store)
    source = store.source("run", "run.jsonl")
    each = max(1, steps // 200)
    for first in range(0, len(found.rows), each):
        store.append(source, base.records(found.rows[first : first + each], 1.7e9 + first))
        findings.update(store.dirty(), NOW, budget=None)
        step = found.rows[min(first + each, len(found.rows)) - 1].step
        if step >= (found.onset or 0.0) and any(f.rule == rule for f in findings.active):
            return (step - (found.onset or 0.0)) / steps
    return float("nan")


def together(
    seed: int, apart: bool
) -> Iterator[tuple[str, int, frozenset[str], frozenset[str], list[tuple[str, str, str]], float]]:
    """Five runs that differ in their seed, looked at together."""
    runs = several.seeds(seed, apart=apart)
    store = Store()
    for number, run in enumerate(runs):
        base.fill(store, f"seed{number}", run)
    told = Findings(store).look(NOW)
    for number, run in enumerate(runs):
        mine = [(f.rule, f.severity.word, f.message) for f in told if f.run == f"seed{number}"]
        yield f"seeds-{'apart' if apart else 'alike'}", seed, run.expected, run.allowed, mine, np.nan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", default="100-109")
    parser.add_argument("--cases", default="")
    parser.add_argument("--show", action="store_true", help="show what was missed and what is wrong")
    parser.add_argument("--no-cost", action="store_true")
    args = parser.parse_args()
    first, _, last = args.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    chosen = [name for name in base.CASES if not args.cases or name in args.cases.split(",")]
    began = time.perf_counter()
    with ProcessPoolExecutor() as pool:
        results = list(
            pool.map(judged, *zip(*((name, seed) for name in chosen for seed in seeds), strict=True), chunksize=4)
        )
    if not args.cases:
        results += [result for seed in seeds for apart in (False, True) for result in together(seed, apart)]
    report(results, show=args.show)
    print(f"{len(results)} trainings, {time.perf_counter() - began:.0f} s")
    if not args.no_cost:
        cost()


def report(
    results: list[tuple[str, int, frozenset[str], frozenset[str], list[tuple[str, str, str]], float]], *, show: bool
) -> None:
    """Print precision and recall by rule, and delays."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    delays: defaultdict[str, list[float]] = defaultdict(list)
    for name, seed, expected, allowed, told, delay in results:
        rules = {rule for rule, _, _ in told}
        for rule in expected:
            (right if rule in rules else missed)[rule] += 1
            if rule not in rules and show:
                print(f"missed  {name} {seed}: {rule}; found {sorted(rules)}")
        for rule in rules - expected - allowed:
            wrong[rule] += 1
            if show:
                print(f"wrong   {name} {seed}:", next(one for one in told if one[0] == rule))
        if expected and delay == delay:
            delays[next(iter(expected))].append(delay)
    print(f"{'rule':<14}{'right':>7}{'wrong':>7}{'missed':>8}{'precision':>11}{'recall':>9}")
    for rule in sorted(right.keys() | wrong.keys() | missed.keys()):
        told, there = right[rule] + wrong[rule], right[rule] + missed[rule]
        precision = f"{right[rule] / told:.2f}" if told and there else "-"
        recall = f"{right[rule] / there:.2f}" if there else "-"
        print(f"{rule:<14}{right[rule]:>7}{wrong[rule]:>7}{missed[rule]:>8}{precision:>11}{recall:>9}")
    total = sum(right.values())
    print(
        f"{'all':<14}{total:>7}{sum(wrong.values()):>7}{sum(missed.values()):>8}"
        f"{total / max(1, total + sum(wrong.values())):>11.2f}{total / max(1, total + sum(missed.values())):>9.2f}"
    )
    for rule, shares in delays.items():
        print(
            f"told after onset, {rule}: median {100 * float(np.median(shares)):.1f} %, "
            f"worst {100 * max(shares):.1f} % of the steps"
        )


if __name__ == "__main__":
    main()
