"""A view as a file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal

import pytest

from tuimon.commands.live import parse, remembered_view
from tuimon.ui.remembered import ViewFileError, as_plain, as_text, kept_fields, place_of, read_view, save_view, take
from tuimon.ui.state import RunKey, ViewState


@dataclass
class Inner:
    """Choices of a part."""

    sort: str | None = None
    widths: dict[str, int] = field(default_factory=dict)


@dataclass
class Choices:
    """Choices of every type there may be."""

    on: bool = False
    count: int = 1
    factor: float = 0.5
    end: float | None = None
    kind: Literal["a", "b"] = "a"
    names: set[str] = field(default_factory=set)
    order: list[tuple[str, bool]] = field(default_factory=list)
    by_number: dict[int, float] = field(default_factory=dict)
    numbers: tuple[float, ...] = ()
    inner: Inner = field(default_factory=Inner)
    parts: list[Inner] = field(default_factory=list)
    _hidden: int = 0


FULL = Choices(
    on=True,
    count=3,
    factor=1.0,
    end=float("inf"),
    kind="b",
    names={"x", "中"},
    order=[("c", True)],
    by_number={1: 2.0},
    numbers=(1.0, 2.0),
    inner=Inner("k", {"w": 2}),
    parts=[Inner("q")],
    _hidden=9,
)


def test_every_type_comes_back() -> None:
    """What was kept as JSON is what was chosen; private fields are not kept."""
    again = Choices()
    take(again, json.loads(json.dumps(as_plain(FULL))))
    again._hidden = 9
    assert again == FULL


@pytest.mark.parametrize(
    "data",
    [
        {"on": 1, "count": True, "factor": "x", "end": [], "kind": "c", "names": "abc", "order": [["c"]]},
        {"by_number": {"a": 1}, "numbers": [None], "inner": {"sort": 3, "widths": {"w": "x"}}, "parts": [3]},
        {"unknown": 3, "inner": [], "names": [[]], "order": 1, "count": 1.5, "_hidden": 7},
    ],
)
def test_what_does_not_fit_is_left_out(data: dict[str, object]) -> None:
    """Unknown names and wrong types change nothing, and nothing fails."""
    choices = Choices()
    take(choices, data)
    assert choices == Choices()


def test_what_fits_is_taken_beside_what_does_not() -> None:
    """A file with one bad value still gives the others."""
    choices = Choices()
    take(choices, {"on": "yes", "factor": 1, "inner": {"sort": "k", "widths": 3}})
    assert (choices.on, choices.factor, choices.inner) == (False, 1.0, Inner("k"))


def test_a_view_comes_back(tmp_path: Path) -> None:
    """Filters, selections and what panels keep survive a file; the runs at hand are arranged by it (case I11)."""
    view = ViewState(view=4, selected={"b"}, pinned={"c"}, smoothing=0.9, x_min=5.0, ascii=True)
    view.run_filter, view.tag_filter = "!x", "loss | acc"
    path = tmp_path / "view.json"
    save_view(path, view)
    again = ViewState()
    again.set_runs([RunKey(name) for name in "abcx"])
    take(again, read_view(path))
    assert again.listed == ["c", "a", "b"]
    assert again.shown == ["c", "b"]
    assert (again.view, again.smoothing, again.x_min, again.tag_filter) == (4, 0.9, 5.0, "loss | acc")
    assert not again.matches_tag("lr")
    assert not again.ascii


def test_every_choice_of_the_view_can_be_kept() -> None:
    """Each public field of the view, and of what is in it, has a type that comes back from a file."""
    view = ViewState()
    data = json.loads(as_text(view))["view"]
    assert set(data) == set(kept_fields(view)) >= {f.name for f in fields(view) if f.name[0] != "_"} - {"ascii"}
    again = ViewState()
    take(again, data)
    assert as_plain(again) == as_plain(view)


def test_a_view_out_of_range_is_mended() -> None:
    """A file that was edited by hand cannot break the screen."""
    view = ViewState()
    take(
        view, {"run_order": "size", "x_mode": "moon", "smoothing": 2, "page": -1, "run_filter": "/(/", "hidden": ["a"]}
    )
    expected = ViewState(hidden={"a"})
    assert as_plain(view) == as_plain(expected)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"tuimon_view": 1}', '{"a": ', "[" * 100_000, "\0"])
def test_a_file_that_is_no_view_says_so(tmp_path: Path, text: str) -> None:
    """Anything else is an error in words."""
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ViewFileError, match=r"x\.json is not a view that tuimon saved"):
        read_view(path)


def test_each_log_directory_has_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is in the person's state directory and goes by the real path."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert place_of(["a"]).parent == tmp_path / "tuimon" / "views"
    assert place_of(["a"]) == place_of(["./a/"]) != place_of(["b"])


@pytest.mark.parametrize("words", [[], ["--fresh"]])
@pytest.mark.parametrize("content", [{"smoothing": 0.9, "new": 1}, "of another kind"])
def test_a_file_of_a_newer_version_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], content: object
) -> None:
    """What fits of it is taken, it is said once that nothing is remembered, and no file is written to."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    place = place_of(["a"])
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps({"tuimon_view": 2, "view": content}))
    told: list[str] = []
    view, kept_in = remembered_view(["a"], parse([*words, "a"]), told)
    assert kept_in is None
    assert len(told) == 1
    assert "newer" in told[0]
    assert view.smoothing == (0.9 if not words and isinstance(content, dict) else ViewState().smoothing)
    place.write_text(as_text(ViewState()))
    assert remembered_view(["a"], parse(["a"]), told)[1] == place
    assert len(told) == 1
