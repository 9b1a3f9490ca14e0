"""Histograms and texts: by step, newest attempt first, read again over the budget."""

from __future__ import annotations

from typing import Any

from tuimon.records import HistogramRecord, MediaRecord, Restart, TextRecord


def histogram(step: float | None, mean: float) -> HistogramRecord:
    """A histogram with ten bins."""
    return HistogramRecord("w", step, 5.0, [mean + i for i in range(11)], list(range(10)), nan=2, mean=mean)


def test_histograms_by_step(log: Any) -> None:
    """In the order of steps, exact, with what is not finite counted."""
    log.add(log.source(), histogram(10, 1.0), histogram(30, 3.0), histogram(20, 2.0))
    series = log.store.runs["run"].histograms["w"]
    assert series.steps.tolist() == [10, 20, 30]
    assert [series.at(i).mean for i in range(3)] == [1.0, 2.0, 3.0]
    assert series.last.edges.tolist() == [3.0 + i for i in range(11)]
    assert (series.last.total, series.last.nan, series.time(0), series.nearest(24)) == (45.0, 2, 5.0, 1)
    assert (len(series), series.count) == (3, 3)


def test_a_resumed_run_has_the_newest_histograms(log: Any) -> None:
    """Attempts are as for scalars."""
    log.add(log.source("a", order=1), *(histogram(s, 1.0) for s in (10, 20, 30, 40)))
    log.add(log.source("b", order=2), *(histogram(s, 2.0) for s in (30, 40, 50)))
    series = log.store.runs["run"].histograms["w"]
    assert series.steps.tolist() == [10, 20, 30, 40, 50]
    assert [series.at(i).mean for i in range(5)] == [1, 1, 2, 2, 2]
    assert series.count == 7


def test_a_restart_record_cuts_histograms_too(log: Any) -> None:
    """What earlier files hold from the restart step on is superseded, also by a file without histograms."""
    log.add(log.source("a", order=1), *(histogram(s, 1.0) for s in (10, 20, 30)))
    series = log.store.runs["run"].histograms["w"]
    log.add(log.source("b", order=2), Restart(20))
    assert series.steps.tolist() == [10]
    log.add(log.source("b"), histogram(40, 2.0), Restart(35), histogram(36, 3.0))
    assert series.steps.tolist() == [10, 36]


def test_histograms_over_the_budget_are_read_again(log: Any) -> None:
    """All steps stay available while only some are in memory."""
    log.store.events.budget = 5000
    source = log.source()
    for step in range(0, 200, 2):
        log.add(
            source, histogram(step, float(step)), TextRecord("t", step, None, f"at {step}"), histogram(step + 1, 0.5)
        )
    series, texts = log.store.runs["run"].histograms["w"], log.store.runs["run"].texts["t"]
    assert [series.at(i).mean for i in range(0, 200, 2)] == [float(i) for i in range(0, 200, 2)]
    assert all(series.at(i).mean == 0.5 for i in range(1, 200, 2))
    assert [texts.at(i) for i in range(100)] == [f"at {2 * i}" for i in range(100)]
    assert log.store.events.used <= 5000
    log.store.set_fetch(lambda *_: [])
    assert any(series.at(i) is None for i in range(200))


def test_histograms_without_steps_are_counted(log: Any) -> None:
    """The index of the record stands for the step, on over files."""
    log.add(log.source("a", order=1), histogram(None, 1.0), histogram(None, 2.0))
    log.add(log.source("b", order=2), histogram(None, 3.0))
    assert log.store.runs["run"].histograms["w"].steps.tolist() == [0, 1, 2]


def test_other_things_by_tag(log: Any) -> None:
    """Pictures, curves and the like are kept by tag and step, those of one tag in their order; they are no notice."""
    source = log.source()
    log.add(
        source,
        MediaRecord("media", "samples", 2.0, 5.0, {"tag": "samples", "kind": "image", "path": "media/samples/2.png"}),
        MediaRecord("table", "samples", 2.0, 5.0, {"tag": "samples", "rows": [[1, "x"]]}),
        MediaRecord("alert", "alert", None, None, {"title": "t"}),
    )
    media = log.store.runs["run"].media
    samples = media["samples"]
    assert [(samples.at(i).kind, samples.steps[i]) for i in range(2)] == [("media", 2.0), ("table", 2.0)]
    assert samples.at(1).body["rows"] == [[1, "x"]]
    assert 200 < samples.at(1).nbytes < 2000
    assert media["alert"].last.body == {"title": "t"}
    assert not log.store.runs["run"].notices
    log.store.reset(source)
    assert not log.store.runs["run"].media
