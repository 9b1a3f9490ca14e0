"""Views in sentences, and what changes while one listens."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tuimon.commands import plain
from tuimon.records import Config, End, Record, RunInfo, ScalarRows
from tuimon.spoken.changes import PROGRESS_EVERY, Teller
from tuimon.spoken.views import SPOKEN, Facts, spoken
from tuimon.spoken.words import trend
from tuimon.store import Changes, Store
from tuimon.ui.keys import VIEWS
from tuimon.ui.state import RunKey, ViewState

NOW = 1_700_000_000.0


def rows(tag: str, values: Sequence[float], start: int = 0) -> ScalarRows:
    """A record of one tag, a step a value, a second a step up to now."""

    def pack(numbers: Iterable[float]) -> bytes:
        listed = list(numbers)
        return struct.pack(f"{len(listed)}d", *listed)

    steps = range(start, start + len(values))
    return ScalarRows((tag,), pack(steps), pack(NOW - 100 + step for step in steps), pack(values))


def facts(store: Store, now: float = NOW, **view: object) -> Facts:
    """All there is in a store."""
    state = ViewState(**view)  # type: ignore[arg-type]
    state.set_runs(RunKey(run.name, run.started) for run in store.runs.values())
    return Facts(store, state, now)


@pytest.fixture
def store() -> Store:
    """One run that ended well and one that failed."""
    store = Store()
    good: list[Record] = [RunInfo({"started": NOW - 200}), Config({"lr": 0.1}), rows("loss", [4.0, 3.0, 2.0, 1.0, 0.5])]
    store.append(store.source("good", "logs/good/a.jsonl"), [*good, End("finished", NOW, exit=0)])
    bad: list[Record] = [RunInfo({"started": NOW - 300}), Config({"lr": 1.0}), rows("loss", [4.0, float("nan"), 9.0])]
    store.append(store.source("bad", "logs/bad/a.jsonl"), [*bad, End("failed", NOW, error="Traceback\nValueError: no")])
    return store


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([5.0, 4.0, 3.0, 2.0, 1.0, 0.5], "falling"),
        ([0.1, 0.2, 0.3, 0.4, 0.5], "rising"),
        ([1.5] * 20, "steady"),
        ([1.0, 3.0] * 20, "steady"),
        ([float("nan"), 1.0, 2.0], ""),
        ([], ""),
        ([-1.7e308 + 3e305 * i for i in range(1100)], "rising"),
        ([1.7e308, -1.7e308] * 50, "steady"),
    ],
)
def test_trends(values: list[float], expected: str) -> None:
    """A trend is said where the end of the curve moves by more than its noise."""
    store = Store()
    source = store.source("r", "r.jsonl")
    store.append(source, [rows("x", [1.0, *values])])
    assert trend(store.runs["r"].series["x"]) == expected


def test_the_overview_says_what_the_screen_shows(store: Store) -> None:
    """States, steps, values with their best, NaN, and the reason of a failure (case G24)."""
    lines = spoken("overview", facts(store))
    assert lines[0] == "2 runs: 1 finished, 1 failed."
    assert lines[1].startswith("good: finished, step 4, last record")
    assert lines[2] == "  loss: 0.5 at step 4, falling, best 0.5 at step 4."
    assert "  loss: 9 at step 2, best 4 at step 0, 1 NaN, first not finite at step 1." in lines
    assert "  error: ValueError: no" in lines


def test_the_system_view_says_how_fast_runs_go(store: Store) -> None:
    """A step a second, also where nothing of the machine was logged (case I5)."""
    assert "good, speed: 1 steps a second." in spoken("system", facts(store))


def test_comparison_and_run(store: Store) -> None:
    """Differing settings with values a run, and all that is known of one."""
    first, second = spoken("compare", facts(store))
    assert first.startswith("good: lr 0.1, ")
    assert second.startswith("bad: lr 1, ")
    lines = spoken("run", facts(store, current="bad"))
    assert {"setting lr: 1.0", "file: logs/bad/a.jsonl", "error:", "  ValueError: no"} <= set(lines)


def test_every_view_speaks(store: Store) -> None:
    """Each view of the screen has its lines, also without a run, and says when a filter leaves nothing."""
    assert list(SPOKEN) == [title.lower() for _, title in VIEWS]
    for name in SPOKEN:
        assert spoken(name, facts(store))
        assert spoken(name, facts(Store()))
    nothing = facts(store)
    nothing.view.tag_filter = "nosuch"
    assert spoken("scalars", nothing) == ["Nothing passes the filters."]


def test_names_cannot_control_the_terminal() -> None:
    """Control characters are said by their codes."""
    store = Store()
    store.append(store.source("a\x1b[31m", "a.jsonl"), [rows("l\x1boss", [1.0])])
    text = "\n".join(spoken("overview", facts(store)) + spoken("scalars", facts(store)))
    assert "\x1b" not in text


def test_only_what_changed_is_said() -> None:
    """New runs and states at once, values once a while, and nothing while nothing changes."""
    store = Store()
    source = store.source("a", "a.jsonl")
    store.append(source, [RunInfo({"started": NOW - 100}), rows("loss", [3.0, 2.0])])
    teller = Teller(store)
    teller.take(facts(store))
    nothing = Changes(runs=set())
    assert teller.changes(facts(store), nothing) == []
    store.append(source, [rows("loss", [1.0], 2)])
    changed = Changes(runs={"a"})
    assert teller.changes(facts(store, NOW + 5), changed) == []
    (line,) = teller.changes(facts(store, NOW + PROGRESS_EVERY), changed)
    assert "loss 1 at step 2" in line
    store.append(source, [End("failed", NOW, error="KilledError: x")])
    store.append(store.source("b", "b.jsonl"), [rows("loss", [3.0])])
    lines = teller.changes(facts(store, NOW + PROGRESS_EVERY + 1), Changes(runs={"a", "b"}))
    assert {"a is now failed.", "  error: KilledError: x"} <= set(lines)
    assert any(line.startswith("b: ") for line in lines)


def test_a_report_and_then_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Live, the view is said once; lines are plain text without any control sequence."""
    (tmp_path / "metrics.csv").write_text("step,loss\n0,2\n1,1\n")
    monkeypatch.setattr(plain, "EVERY", 0.01)
    stopped = threading.Event()
    stopped.set()
    assert plain.follow([str(tmp_path)], ViewState(), 0.1, stopped=stopped) == 0
    out = capsys.readouterr().out
    assert "loss: 1 at step 1" in out
    assert "Changes follow" in out
    assert "\x1b" not in out
