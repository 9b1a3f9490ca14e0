"""Charts of ``wandb.plot``: what they show is recorded as a table, a curve or a matrix."""

from __future__ import annotations

from functools import wraps

from tuimon_writer.curves import precision_recall, rates, roc
from tuimon_writer.data_types import Table
from tuimon_writer.loggable import Loggable
from tuimon_writer.messages import warn_once
from tuimon_writer.tables import confusion, table
from tuimon_writer.unrecorded import Unrecorded
from tuimon_writer.values import flat, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, ParamSpec

    from tuimon_writer.recorder import MediaWriter
    from tuimon_writer.values import Json

    P = ParamSpec("P")

_THRESHOLDS = 101


class Chart(Loggable):
    """A chart that can be logged.

    Args:
        kind: "curve", "matrix" or "table".
        make: Makes what the log says of it.
    """

    def __init__(self, kind: str, make: Callable[[], dict[str, Json]]) -> None:
        self.kind = kind
        self.make = make

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """See `Loggable.put`."""
        log._put_record(self.kind, lambda: {"tag": tag, **facts, **self.make()}, step, when)


def _lenient(make: Callable[P, Chart]) -> Callable[P, Chart]:
    """A function that makes a chart and never fails: what goes wrong is warned of, and the chart is not logged."""

    @wraps(make)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> Chart:
        try:
            return make(*args, **kwargs)
        except Exception as error:
            warn_once(("plot", make.__name__, type(error)), f"plot.{make.__name__}: not logged: {error!r}")
            chart = Chart("table", dict)
            chart.broken = True
            return chart

    return wrapped


@_lenient
def confusion_matrix(
    probs: Any = None,
    y_true: Any = None,
    preds: Any = None,
    class_names: Sequence[str] | None = None,
    title: str = "Confusion Matrix Curve",
    split_table: bool = False,  # noqa: ARG001 - of wandb's view
) -> Chart:
    """How often each class was taken for each.

    Args:
        probs: Probabilities of the classes for each sample; or give ``preds``.
        y_true: The true class of each sample.
        preds: The predicted class of each sample.
        class_names: Names of the classes by their numbers.
        title: What to write above it.
        split_table: Accepted and not used.
    """
    truths = _classes(y_true)
    if preds is None and probs is not None:
        rows = [list(map(float, row)) for row in probs]
        guesses: list[Any] = [max(range(len(row)), key=row.__getitem__) for row in rows]
    else:
        guesses = _classes(preds)
    names = None if class_names is None else [str(name) for name in class_names]
    return Chart("matrix", lambda: confusion(truths, guesses, names, title))


@_lenient
def pr_curve(
    y_true: Any = None,
    y_probas: Any = None,
    labels: Sequence[Any] | None = None,
    classes_to_plot: Sequence[Any] | None = None,
    interp_size: int = 21,  # noqa: ARG001 - the points are those of the thresholds
    title: str = "Precision-Recall Curve",
    split_table: bool = False,  # noqa: ARG001 - of wandb's view
) -> Chart:
    """Precision-recall curves, one for each class against all others.

    Args:
        y_true: The true class of each sample, a number.
        y_probas: Probabilities of the classes for each sample.
        labels: Names of the classes.
        classes_to_plot: The only classes to show.
        interp_size: Accepted and not used.
        title: What to write above it.
        split_table: Accepted and not used.
    """
    return _by_class(y_true, y_probas, labels, classes_to_plot, title, precision_recall)


@_lenient
def roc_curve(
    y_true: Any = None,
    y_probas: Any = None,
    labels: Sequence[Any] | None = None,
    classes_to_plot: Sequence[Any] | None = None,
    title: str = "ROC Curve",
    split_table: bool = False,  # noqa: ARG001 - of wandb's view
) -> Chart:
    """ROC curves, one for each class against all others; see `pr_curve`."""
    return _by_class(y_true, y_probas, labels, classes_to_plot, title, roc)


@_lenient
def line(
    table: Table,
    x: str,
    y: str,
    stroke: str | None = None,
    title: str = "",
    split_table: bool = False,  # noqa: ARG001 - of wandb's view
) -> Chart:
    """A line through two columns of a table; one for each value of the column ``stroke``, if given."""
    return _columns("line", table, {"x": x, "y": y, "stroke": stroke}, title)


@_lenient
def scatter(table: Table, x: str, y: str, title: str = "", split_table: bool = False) -> Chart:  # noqa: ARG001
    """Points at two columns of a table."""
    return _columns("scatter", table, {"x": x, "y": y}, title)


@_lenient
def bar(table: Table, label: str, value: str, title: str = "", split_table: bool = False) -> Chart:  # noqa: ARG001
    """Bars of one column of a table, named by another one."""
    return _columns("bar", table, {"x": label, "y": value}, title)


@_lenient
def histogram(table: Table, value: str, title: str = "", split_table: bool = False) -> Chart:  # noqa: ARG001
    """How the values of a column of a table are distributed."""
    return _columns("histogram", table, {"x": value}, title)


@_lenient
def line_series(
    xs: Iterable[Any],
    ys: Iterable[Iterable[Any]],
    keys: Iterable[Any] | None = None,
    title: str = "",
    xname: str = "x",
    split_table: bool = False,  # noqa: ARG001 - of wandb's view
) -> Chart:
    """Several lines.

    Args:
        xs: Where the points are: for all lines, or a list for each.
        ys: A list of values for each line.
        keys: Names of the lines.
        title: What to write above it.
        xname: What the places are.
        split_table: Accepted and not used.
    """
    values = [_numbers(one) for one in ys]
    places = [*xs]
    shared = not places or not hasattr(places[0], "__len__")
    across = [_numbers(places)] * len(values) if shared else [_numbers(one) for one in places]
    names = [str(key) for key in keys] if keys is not None else [f"line {number}" for number in range(len(values))]
    lines: list[Json] = [
        {"name": name, "x": x, "y": y} for name, x, y in zip(names, across, values, strict=False)
    ]  # fmt: skip
    body: dict[str, Json] = {"kind": "line", "title": title, "x_name": xname, "y_name": "", "lines": lines}
    return Chart("curve", lambda: body)


def _numbers(values: Iterable[Any]) -> list[Json]:
    return [plain(value, 14) for value in values]


def _classes(values: Any) -> list[Any]:
    """True or predicted classes as plain values that can be compared."""
    if values is None:
        raise ValueError("the classes are missing")
    return values.tolist() if hasattr(values, "tolist") else [plain(value) for value in values]


def _by_class(
    y_true: Any,
    y_probas: Any,
    labels: Sequence[Any] | None,
    classes_to_plot: Sequence[Any] | None,
    title: str,
    body: Callable[[Any], dict[str, Json]],
) -> Chart:
    truths = _classes(y_true)
    rows = [[float(value) for value in flat(row)] for row in y_probas]
    classes = sorted(set(truths))
    if rows and len(classes) != len(rows[0]):
        classes = [*range(len(rows[0]))]
    shown = [at for at, one in enumerate(classes) if classes_to_plot is None or one in classes_to_plot]

    def make() -> dict[str, Json]:
        found = [
            (
                str(labels[at] if labels is not None and at < len(labels) else classes[at]),
                rates([float(truth == classes[at]) for truth in truths], [row[at] for row in rows], _THRESHOLDS),
            )
            for at in shown
        ]
        return {"title": title, **body(found)}

    return Chart("curve", make)


def _columns(kind: str, given: Table, axes: Mapping[str, str | None], title: str) -> Chart:
    rows = [[*row] for row in given.data]
    columns = [*given.columns]
    facts: dict[str, Json] = {"title": title, **{axis: name for axis, name in axes.items() if name is not None}}
    return Chart("table", lambda: table(columns, rows, kind=kind, **facts))


def __getattr__(name: str) -> Unrecorded:
    if name.startswith("_"):
        raise AttributeError(f"module 'tuimon_writer.plot' has no attribute {name!r}")
    return Unrecorded(f"wandb.plot.{name}")
