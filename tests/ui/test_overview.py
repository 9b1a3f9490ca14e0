"""The overview: what is seen in ten seconds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tuimon.records import Config, End, Record, RunInfo
from tuimon.rules.base import Finding, Severity
from tuimon.store import Store
from tuimon.ui.lookout import Lookout
from tuimon.ui.overview_row import best_text

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"
Add: TypeAlias = "Callable[[Store, str, list[Record]], None]"
Rows: TypeAlias = "Callable[..., Record]"


def line_of(screen: str, name: str) -> str:
    """The line of a run."""
    return next(line for line in screen.split("\n")[1:] if name in line)


async def test_each_fate_is_told_apart(gallery: Store, show: Show) -> None:
    """Running, finished, failed, killed, interrupted and stalled runs have words and signs of their own (case G23)."""
    async with show(gallery) as display:
        screen = await display.text()
    for name, words in {
        "resnet/lr0.03": "► running",
        "resnet/lr0.1-": "✓ finished",
        "resnet/lr0.3-": "✗ failed",
        "vit/base": "⊘ killed",
        "old": "⊖ interrupted",
        "vit/中文": "~ stalled",
    }.items():
        assert words in line_of(screen, name)


async def test_the_error_and_the_silence_are_on_the_screen(gallery: Store, show: Show) -> None:
    """A failed run shows the end of its error and a silent one for how long, without a key pressed (case G24)."""
    async with show(gallery) as display:
        screen = await display.text()
    assert "RuntimeError: CUDA out of memory" in screen
    assert "silent for 12 min" in screen


async def test_values_that_are_not_finite_are_told(gallery: Store, show: Show) -> None:
    """NaN is counted with its first step, and marked in the curve (case A1)."""
    async with show(gallery) as display:
        screen = await display.text()
    assert "E train/loss is NaN, first at step 700" in screen
    assert "NaN ×50" in line_of(screen, "resnet/lr1.0")
    assert "××××" in screen


async def test_the_step_of_the_best_is_never_cut(show: Show, add_run: Add, rows: Rows) -> None:
    """A long best value has the cells that it needs; where there are none it has fewer digits, then no step."""
    for runs in (1, 60):
        store = Store()
        for number in range(runs):
            add_run(store, f"run{number}", [rows(["val/loss"], [1, 10000], [1.0, 2.0], [0.5, 1.34923e-05])])
        async with show(store, (200, 50)) as display:
            assert "1.349e-5 @10000" in await display.text()
    series = store.runs["run0"].series["val/loss"]
    texts = [best_text(series, display.app, width) for width in (15, 14, 13, 12, 7)]
    assert texts == ["1.349e-5 @10000", "1.35e-5 @10000", "1.3e-5 @10000", "1.3492e-5", "1.35e-5"]


async def test_last_and_best_with_its_step(gallery: Store, show: Show) -> None:
    """The least loss and the greatest accuracy stand beside the last value, each with its step (case F5)."""
    store = Store()
    source = store.source("a", "a.jsonl")
    from_steps = [3.0, 0.5, 1.0, 0.9, 2.0, 0.7]
    store.append(source, [_rows(("val/loss", "val/acc"), [0, 1, 2], from_steps)])
    async with show(store, (140, 10)) as display:
        screen = await display.text()
    assert "val/loss ↓" in screen
    assert "val/acc ↑" in screen
    assert re.search(r" 2 .* 0\.7", line_of(screen, "a "))
    assert "1 @1" in screen
    assert "0.9 @1" in screen


async def test_what_more_runs_have_comes_first(show: Show) -> None:
    """Where no tag is in half of the runs, one of a third of them comes before a loss that a single one has."""
    store = Store()
    for number in range(9):
        tag = "aaa/loss" if number == 0 else "train/acc" if number < 4 else f"own{number}/loss"
        store.append(store.source(f"run{number}", f"{number}.jsonl"), [_rows((tag,), [0, 1], [1.0, 0.5])])
    async with show(store, (80, 20)) as display:
        heading = line_of(await display.text(), "state")
    assert "train/acc" in heading


async def test_long_tags_can_be_told_apart(show: Show) -> None:
    """Headings of tags that share their start keep what differs, and which way is better."""
    store = Store()
    tags = [f"2025-04-17_22:06:37_experiment-of-many-parts - {name}_loss" for name in ("train", "val")]
    store.append(store.source("a", "a.jsonl"), [_rows(tuple(tags), [0, 1], [1.0, 0.5, 0.25, 0.75])])
    async with show(store, (120, 10)) as display:
        heading = line_of(await display.text(), "state")
    assert "train_loss ↓" in heading
    assert "val_loss ↓" in heading


async def test_the_scroll_bar_covers_no_digit(show: Show) -> None:
    """With more runs than lines, the last cell of each line is the scroll bar's, and numbers end before it."""
    store = Store()
    for run in range(30):
        store.append(store.source(f"run{run}", f"{run}.jsonl"), [_rows(("loss",), [0, 1], [1.0, 0.25])])
    async with show(store, (80, 20)) as display:
        overview = await display.text()
        comparison = await display.press("4")
    for screen in overview, comparison:
        assert re.search(r" 0\.25(?:\W|$)", line_of(screen, "run0 "))


async def test_a_forty_column_terminal(gallery: Store, show: Show) -> None:
    """At 40 columns a run still has its sign, a name that can be told apart, and a curve."""
    async with show(gallery, (40, 12)) as display:
        screen = await display.text()
    lines = screen.split("\n")
    assert all(len(line) <= 40 for line in lines)
    assert sum(re.search("re[s….]", line) is not None for line in lines) == 4
    assert len({line[:17] for line in lines if re.search("re[s….]", line)}) == 4
    assert re.search("[⠀-⣿]{4}", line_of(screen, "vit/base"))
    assert "q quit" in lines[-1]


async def test_selecting_narrows_and_hiding_hides(gallery: Store, show: Show) -> None:
    """Runs that are not shown stay listed without a curve, so that they can be brought back."""
    async with show(gallery) as display:
        screen = await display.press("H")
        assert not re.search("[⠁-⣿]", line_of(screen, "resnet/lr1.0"))
        assert re.search("[⠁-⣿]", line_of(screen, "vit/base"))
        screen = await display.press("H", "down", "space")
        assert re.search("[⠁-⣿]", line_of(screen, "resnet/lr0.03"))
        assert not re.search("[⠁-⣿]", line_of(screen, "vit/base"))
        assert display.app.view.shown == ["resnet/lr0.03-bs64"]
        screen = await display.press("a")
        assert re.search("[⠁-⣿]", line_of(screen, "vit/base"))


async def test_pinned_runs_go_on_top_and_the_cursor_goes_along(gallery: Store, show: Show) -> None:
    """The key p moves a run to the top; the cursor stays on that run, so p again takes it back."""
    async with show(gallery) as display:
        screen = await display.press("end", "p")
        assert "▴● old" in screen.split("\n")[2]
        await display.press("p")
        assert display.app.view.listed[-1] == "old"


async def test_runs_of_another_kind_show_their_own_tags(
    gallery: Store, show: Show, add_run: Callable[..., None]
) -> None:
    """A run without any of the common tags is not an empty row: it shows its own, with their names."""
    add_run(gallery, "gan", [RunInfo({"started": 1.0}), _rows(("fid_score",), [0, 1, 2], [9.0, 5.0, 4.0])])
    async with show(gallery) as display:
        screen = await display.text()
    assert "fid_score" in screen


async def test_settings_that_differ_are_under_the_name(show: Show, add_run: Callable[..., None]) -> None:
    """What makes runs different is said where nothing worse is to be said."""
    store = Store()
    for lr in (0.1, 0.2):
        add_run(store, f"run{lr}", [Config({"lr": lr, "batch": 8}), _rows(("loss",), [0, 1], [2.0, 1.0])])
    async with show(store) as display:
        screen = await display.text()
    assert "lr 0.1" in screen
    assert "lr 0.2" in screen
    assert "batch" not in screen


async def test_what_a_log_says_cannot_touch_the_screen(show: Show, add_run: Callable[..., None]) -> None:
    """Escape sequences in names, settings and errors are shown, not obeyed."""
    store = Store()
    error = "ValueError: \x1b[2J\x07[red]x[/red]"
    records = [_rows(("lo\x1b[31mss",), [0, 1], [2.0, 1.0]), End("failed", 2.0, error=error)]
    add_run(store, "a\x1b]0;title\x07\nb", records)
    async with show(store, (120, 20)) as display:
        screen = await display.text()
        assert "\\x1b]0;title\\x07\\nb" in screen
        assert "\\x1b[2J\\x07[red]x[/red]" in screen
        details = await display.press("enter")
        assert "\\x1b[2J\\x07[red]x[/red]" in details
    assert "\x1b" not in screen + details
    assert "\x07" not in screen + details


async def test_no_tags_no_times_no_points(show: Show, add_run: Callable[..., None]) -> None:
    """A run of which nothing is known yet is a row like any other (case C17)."""
    store = Store()
    add_run(store, "empty", [RunInfo({})])
    add_run(store, "timeless", [_rows(("loss",), [0.0], [1.0])])
    async with show(store) as display:
        screen = await display.text()
    assert "empty" in screen
    assert "no times" in line_of(screen, "timeless")


def _rows(tags: tuple[str, ...], steps: list[float], values: list[float]) -> object:
    import struct

    from tuimon.records import ScalarRows

    count = len(steps)
    times = struct.pack(f"{count}d", *[float("nan")] * count)
    return ScalarRows(tags, struct.pack(f"{count}d", *steps), times, struct.pack(f"{len(values)}d", *values))


async def test_a_run_with_notices_is_marked_wherever_runs_are_listed(gallery: Store, show: Show) -> None:
    """What could not be read is counted at the name of its run and in the header, and told under it."""
    async with show(gallery, (170, 40)) as display:
        screen = await display.text()
        old = next(line for line in screen.split("\n") if " old " in line)
        assert "!3 " in old
        assert "bad line ×3" in screen
        assert "! 1 with notices" in screen.split("\n")[0]
        charts = await display.press("2")
        assert next(line for line in charts.split("\n") if " old " in line).partition("│")[0].rstrip().endswith("!3 ⊖")


async def test_a_run_that_is_being_loaded_says_so(gallery: Store, show: Show) -> None:
    """Its state is not known before the end of its files."""
    run = gallery.runs["vit/base"]
    gallery.loading(run.sources[0], True)
    async with show(gallery, (140, 30)) as display:
        line = next(line for line in (await display.text()).split("\n") if "vit/base" in line)
        assert "… loading" in line
        gallery.loading(run.sources[0], False)
        display.app.take_changes()
        line = next(line for line in (await display.text()).split("\n") if "vit/base" in line)
        assert "⊘ killed" in line


@pytest.mark.parametrize("runs", [1, 40])
async def test_findings_are_on_the_page(
    show: Show, add_run: Add, rows: Rows, monkeypatch: pytest.MonkeyPatch, runs: int
) -> None:
    """What the rules found stands at its run: in words where there is room, else by a letter and a count."""
    store = Store()
    for number in range(runs):
        add_run(store, f"run{number:02d}", [rows(["loss"], [1, 2], [1.0, 2.0], [3.0, 2.0])])
    told = [Finding("spike", "run00", "loss", 2, severity, f"{severity.word} at 2") for severity in Severity]
    found = {"run00": list(reversed(told))}
    monkeypatch.setattr(Lookout, "of", lambda _lookout, run: found.get(run, []))
    async with show(store, (120, 50)) as display:
        display.app.main.refresh_view()  # of findings that the rules did not make nobody is told
        screen = await display.text()
    if runs == 1:
        assert screen.index("E error at 2") < screen.index("W warn at 2")
    else:
        assert " E3 " in line_of(screen, "run00")
        assert " E" not in line_of(screen, "run01")
