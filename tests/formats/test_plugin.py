"""The format plugin of docs/architecture.md does what its text says."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

from tuimon.formats import registry
from tuimon.formats.base import Format
from tuimon.ingest import Ingest
from tuimon.records import Skipped

PAGE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"


class EntryPoint:
    """The entry point of a package that is not installed."""

    name = "gauges"
    value = "my_gauges:FORMAT"

    def __init__(self, offered: Format) -> None:
        self.load = lambda: offered


@pytest.fixture
def gauges(monkeypatch: pytest.MonkeyPatch) -> Format:
    """The format of the page, known as that of an installed package is."""
    (source,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    module: dict[str, object] = {}
    exec(source, module)
    offered = module["FORMAT"]
    assert isinstance(offered, Format)
    entries = [EntryPoint(offered)]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries if group == registry.ENTRY_POINTS else [])
    monkeypatch.setattr(registry, "_plugins", [])
    return offered


@pytest.mark.usefixtures("gauges")
def test_files_of_a_plugin_are_read_like_any_others(tmp_path: Path) -> None:
    """Its numbers are curves of a run, a damaged line is told, and half a line waits."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "train.gauges").write_text("loss 1 0.5\nloss 2\nloss 3 nan\nacc 3 0.25\nloss 4 0.1")
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    run = ingest.store.runs["a"]
    assert [series.tag for series in run.series.values()] == ["loss", "acc"]
    points = run.series["loss"].points()
    assert points.step.tolist() == [1, 3]
    assert run.series["loss"].nan == 1
    assert [(notice.kind, notice.where.rpartition("@")[2]) for notice in run.notices] == [("bad line", "11")]


def test_a_range_is_read_again_as_it_was_at_first(gauges: Format) -> None:
    """`clone` knows where it is: damage is told with the same place."""
    text = b"loss 1 0.5\nloss 2\nloss 3 0.25\n"
    parser = gauges.parser("x.gauges")
    parser.parse(text[:11], at_end=False)
    rest = parser.parse(text[11:], at_end=True)
    again = parser.clone(11).parse(text[11:], at_end=True)
    assert again == rest
    assert isinstance(rest.records[0], Skipped)
    assert rest.records[0].where == 11
