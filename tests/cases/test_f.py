"""Section F: runs beside each other, from real files. What `add_hparams` leaves (F7, F10), names of directories (F21),
pairs of training and validation (F23) and the table at the cursor (F24) are tested with what they are about.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from tuimon.analysis.grouping import group_runs, of_series
from tuimon.store import Store
from tuimon.ui.app import TuimonApp
from tuimon.ui.frame import screen_text
from tuimon.ui.remembered import as_plain, save_view, take
from tuimon.ui.state import ViewState

if TYPE_CHECKING:
    from .conftest import Logs

START = 1_700_000_000.0


def write(
    logs: Logs, run: str, rows: Sequence[tuple[float, dict[str, float]]], started: float = START, **config: Any
) -> None:
    """A native log of a run with settings."""
    lines: list[object] = [{"tuimon": 1, "run": {"started": started}, "config": config}]
    lines += [{"step": step, "time": started + i, "scalars": values} for i, (step, values) in enumerate(rows)]
    logs.put(f"{run}/log.jsonl", "".join(json.dumps(line) + "\n" for line in lines))


def screens(store: Store, *keys: str, view: ViewState | None = None, size: tuple[int, int] = (110, 24)) -> list[str]:
    """The screen of the comparison at first and after each key."""

    async def run() -> list[str]:
        state = view or ViewState(view=4)
        app = TuimonApp(["logs"], view=state, store=store, now=lambda: START, pid_alive=lambda _pid: True)
        shown: list[str] = []
        async with app.run_test(size=size, tooltips=False, notifications=False) as pilot:
            await app.loaded.wait()
            for key in ("", *keys):
                if key:
                    await pilot.press(key)
                before = None
                while (text := screen_text(app)) != before:
                    before = text
                    await pilot.pause()
                    await pilot.pause()
                shown.append(text)
            shown.append(app.clipboard)
        return shown

    return asyncio.run(run())


def rows_of(screen: str) -> list[str]:
    """The names of the rows, from the top."""
    lines = [line for line in screen.split("\n")[4:-1] if line.strip()]
    return [line[5:].split("  ")[0].strip() for line in lines]


def seeds(logs: Logs, configs: int = 2, count: int = 5) -> None:
    """Seeds of some learning rates: accuracy rises with the seed, loss falls with the learning rate."""
    for lr in [0.1, 0.01, 0.001][:configs]:
        for seed in range(count):
            rows = [(step, {"acc": lr + seed / 10 + step / 1000, "loss": 1.0 - lr}) for step in range(0, 50, 10)]
            write(logs, f"lr{lr}/s{seed}", rows, lr=lr, seed=seed)


def test_repeated_runs_are_two_groups(native: Logs) -> None:
    """Five seeds of two settings: two rows with mean, spread and n = 5 (case F1)."""
    seeds(native)
    first, _, _, grouped, _ = screens(native.load(), "g", "down", "enter")
    assert "10 runs" in first
    assert sorted(rows_of(grouped)) == ["lr=0.01", "lr=0.1"]
    assert "2 groups of 10 runs by all but the seed" in grouped
    line = next(line for line in grouped.split("\n") if "lr=0.1 " in line)
    assert "0.34 ± 0.16 (5)" in line


def test_a_run_that_is_a_prefix_of_another(native: Logs) -> None:
    """Steps are those that were logged; n drops from 2 to 1 (case F3)."""
    write(native, "a", [(step, {"v": step / 1000}) for step in range(1000, 6000, 1000)])
    write(native, "b", [(step, {"v": 0.0}) for step in range(1000, 4000, 1000)])
    store = native.load()
    group = of_series(store.runs[run].series["v"] for run in "ab")
    assert group.x.tolist() == [1000, 2000, 3000, 4000, 5000]
    assert group.n.tolist() == [2, 2, 2, 1, 1]
    assert group.mean.tolist() == [0.5, 1, 1.5, 4, 5]
    assert group.drops == [(1000, 2), (4000, 1)]


def test_the_maximum_of_a_group(native: Logs) -> None:
    """Maxima 94.51 and 93.98: 94.51, although it lies between other points (case F4)."""
    for seed, peak in enumerate((94.51, 93.98)):
        rows = [(i, {"acc": peak if i == 777 else 50.0}) for i in range(3000)]
        write(native, f"s{seed}", rows, seed=seed)
    text = native.tuimon("compare", "--group", "seeds", "--values", "max", "--group-show", "range", "--format", "json")
    (found,) = json.loads(text)
    assert found["tags"]["acc"]["max"]["max"] == 94.51
    assert found["tags"]["acc"]["max"]["n"] == 2


def test_last_and_best(logs: Logs) -> None:
    """val/loss 3, 1, 2 and val/acc .5, .9, .7: last and best at its step (case F5)."""
    logs.write("R", [(i, {"val/loss": a, "val/acc": b}) for i, (a, b) in enumerate(((3, 0.5), (1, 0.9), (2, 0.7)))])
    (line,) = [line for line in screens(logs.load())[0].split("\n") if " R " in line]
    assert line.split()[-6:] == ["2", "1", "@1", "0.7", "0.9", "@1"]


def test_the_best_run_of_a_group_is_one_run(native: Logs) -> None:
    """One seed has the better accuracy, the other the better loss: a row of one run, by the chosen metric (case F6)."""
    write(native, "s1", [(0, {"acc": 0.9, "loss": 2.0})], seed=1)
    write(native, "s2", [(0, {"acc": 0.8, "loss": 1.0})], seed=2)
    store = native.load()
    view = ViewState(view=4)
    view.compare.group_by, view.compare.group_show = "seeds", "best"
    for metric, expected in (("best:acc", ["2", "0.9"]), ("best:loss", ["1", "0.8"])):
        view.compare.metric = metric
        screen = screens(store, view=view)[0]
        values = rows_of(screen)
        assert "1 group of 2 runs" in screen
        assert values == (["s1"] if metric == "best:acc" else ["s2"])
        (line,) = [line for line in screen.split("\n") if line[5:].lstrip().startswith(values[0])]
        assert [word for word in line.split()[2:] if word[0] != "@"][-4::2] == expected


def test_settings_that_only_some_runs_have(native: Logs) -> None:
    """{A:10}, {B:20}, {C:30}: three columns; sorted by one all runs stay, blanks last (cases F8, F9)."""
    for name, config in (("a", {"A": 10}), ("b", {"B": 20}), ("c", {"C": 30}), ("d", {"C": 7})):
        write(native, name, [(0, {"loss": 1.0})], **config)
    first, *_, sorted_by_c, _ = screens(native.load(), "right", "right", "right", "s")
    assert first.split("\n")[3].split()[:4] == ["run", "A", "B", "C"]
    assert rows_of(sorted_by_c)[:2] == ["d", "c"]
    assert sorted(rows_of(sorted_by_c)) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("acc>=0.8", ["c", "d"]),
        ("lr <= 0.1 and acc > 0.65", ["b"]),
        ("best(acc) > 0.88", ["b", "d"]),
        ("lr is missing", ["d"]),
        ("name in (a, d) or lr = 0.2", ["a", "c", "d"]),
    ],
)
def test_filters_by_settings_and_metrics(native: Logs, text: str, runs: list[str]) -> None:
    """Only the runs that pass, the same in the view and on the command line (case F12)."""
    for name, lr, acc in (("a", 0.1, [0.6]), ("b", 0.1, [0.95, 0.7]), ("c", 0.2, [0.8]), ("d", None, [0.9])):
        write(native, name, [(i, {"acc": v}) for i, v in enumerate(acc)], **({} if lr is None else {"lr": lr}))
    listed = native.tuimon("ls", "--where", text).splitlines()[1:]
    assert sorted(line.split()[0] for line in listed) == runs
    view = ViewState(view=4)
    view.run_filter = text
    screen = screens(native.load(), view=view)[0]
    assert sorted(rows_of(screen)) == runs
    assert f"{len(runs)} of 4 runs" in screen


def test_only_settings_that_differ(native: Logs) -> None:
    """Of forty settings two differ, one of them nested (case F13)."""
    for name, depth in (("a", 1), ("b", 2)):
        same = {f"s{i}": i for i in range(38)}
        write(native, name, [(0, {"loss": 1.0})], **same, lr=depth / 10, model={"depth": depth})
    screen = screens(native.load())[0]
    assert screen.split("\n")[3].split()[:3] == ["run", "lr", "model/depth"]
    assert "2 of 40 settings differ" in screen


def test_the_best_runs_and_their_names(native: Logs) -> None:
    """The first five by a metric; a key copies the name of the run under the cursor (case F18)."""
    for i in range(12):
        write(native, f"run{i}", [(0, {"acc": (i * 5 % 12) / 12})])
    *_, top, copied, clipboard = screens(native.load(), "right", "s", "T", "c")
    best = [f"run{i}" for i in sorted(range(12), key=lambda i: -(i * 5 % 12))]
    assert rows_of(top) == best[:5]
    assert "first 5 of 12" in top
    assert f"copied: {best[0]}" in copied
    assert clipboard == best[0]


def test_the_order_of_runs_is_shown_and_can_be_changed(native: Logs) -> None:
    """Names and start times say different things; the order is written above the list (case F19)."""
    for i, name in enumerate(("b", "c", "a")):
        write(native, name, [(0, {"loss": 1.0})], started=START - 100 + i)
    newest, oldest, by_name, _ = screens(native.load(), "t", "t", view=ViewState(view=1))
    for screen, word, order in ((newest, "newest", "acb"), (oldest, "oldest", "bca"), (by_name, "name", "abc")):
        assert f"run · {word}" in screen
        lines = [line for line in screen.split("\n")[2:-1] if line.strip()]
        assert "".join(word for line in lines for word in line.split()[1:3] if word in ("a", "b", "c")) == order


def test_long_names_that_share_most(native: Logs) -> None:
    """Five names of 120 characters of which 100 are shared: what differs is seen in a third of the width (case F22)."""
    names = [f"{'experiment-with-a-long-name-' * 4}"[:100] + f"-lr{i}e-4-" + "tail-end-" for i in range(5)]
    for name in names:
        write(native, name, [(0, {"loss": 1.0})])
    screen = screens(native.load(), size=(80, 14))[0]
    shown = rows_of(screen)
    assert len(set(shown)) == 5
    assert all(any(f"lr{i}" in name for name in shown) for i in range(5))
    assert all("…" in name for name in shown)


def test_one_number_a_run_as_bars(native: Logs) -> None:
    """Ten accuracies: a list with bars, the best on top (case F25)."""
    for i in range(10):
        write(native, f"run{i}", [(0, {"acc": (i * 3 % 10 + 1) / 10})])
    view = ViewState(view=4)
    view.compare.part = "bars"
    screen = screens(native.load(), view=view)[0]
    lines = [line for line in screen.split("\n")[3:-1] if line.strip()]
    assert [line.split()[2] for line in lines] == [f"run{i}" for i in sorted(range(10), key=lambda i: -(i * 3 % 10))]
    lengths = [line.count("━") for line in lines]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > 9 * lengths[-1] / 2 > 0


def test_another_group_changes_no_number(native: Logs) -> None:
    """The mean of a group of ten runs is the same with twenty others shown or not (case C7)."""
    for group, count in (("A", 10), ("B", 20)):
        for seed in range(count):
            rows = [(i, {"v": (seed + 1) * i * (0.37 if group == "A" else 11.0)}) for i in range(200)]
            write(native, f"{group}{seed}", rows, group=group, seed=seed)
    store = native.load()

    def mean(runs: Sequence[str]) -> Any:
        return of_series(store.runs[run].series["v"] for run in runs).mean

    alone = [run for run in store.runs if run[0] == "A"]
    configs = {name: run.config for name, run in store.runs.items()}
    together = next(group for group in group_runs(configs, "seeds") if group.title == "group=A")
    assert set(together.runs) == set(alone)
    assert mean(sorted(together.runs)).tobytes() == mean(sorted(alone)).tobytes()
    view = ViewState(view=4)
    view.compare.group_by = "seeds"
    both = screens(store, view=view)[0]
    view.run_filter = "A*"
    one = screens(store, view=view)[0]
    cells = [[line[line.index("±") - 12 :] for line in screen.split("\n") if "±" in line] for screen in (one, both)]
    assert (
        cells[0][0].split()[:4]
        == next(line for line in cells[1] if line.split()[0] == cells[0][0].split()[0]).split()[:4]
    )


def test_chosen_columns_survive_a_restart(native: Logs, tmp_path: Path) -> None:
    """Fifteen of fifty settings, in an order made by hand, are the same the next time (case I11)."""
    for run in "ab":
        write(native, run, [(0, {"loss": 1.0})], **{f"p{i:02}": f"{run}{i}" for i in range(50)})
    store = native.load()
    view = ViewState(view=4)
    chosen = [f"setting:p{i:02}" for i in range(45, 30, -1)]
    view.compare.hidden = {f"setting:p{i:02}" for i in range(50)} - set(chosen)
    view.compare.order = chosen
    view.compare.directions = {"loss": "max", "other": None}
    before = screens(store, view=view, size=(160, 10))[0]
    save_view(tmp_path / "view.json", view)
    again = ViewState()
    take(again, cast("dict[str, Any]", json.loads((tmp_path / "view.json").read_text())["view"]))
    assert as_plain(again.compare) == as_plain(view.compare)
    after = screens(store, view=again, size=(160, 10))[0]
    assert before == after
    assert before.split("\n")[3].split()[1:5] == ["p45", "p44", "p43", "p42"]
