"""What is remembered of the comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

PARTS = ("table", "scatter", "importance", "parallel", "bars")
"""The ways to compare, in the order in which a key goes through them."""


@dataclass
class CompareChoices:
    """Choices about the comparison. Columns are named by their keys, such as "setting:lr" and "best:val/acc".

    Attributes:
        part: One of `PARTS`.
        measures: What is told of every tag: "last", "best", "mean", "min", "max".
        measures_of: What is told of single tags, where that is something else.
        directions: Which way tags get better, where the person said so; None for neither.
        mean_of: How many last values a mean is of.
        all_settings: Whether settings that are the same in all runs are shown too.
        hidden: Columns that are not shown.
        kept: Columns that are shown although they are the same in all runs.
        order: Columns in the order that was made by hand; others follow in their own order.
        sort: The column that rows are sorted by; empty for the order of the runs.
        reverse: Whether they are sorted the other way round.
        top: How many rows to show; 0 for all.
        baseline: The run, or group, that others are compared with; empty for none.
        group_by: "seeds", "name", "setting:NAME", or empty for no groups.
        group_show: What is told of a group: "std", "stderr", "range" or "best".
        metric: The column of the metric that charts are of; empty for the one that the table is sorted by.
        setting: The setting on the x axis; empty for the most important one.
        log_x: Whether the x axis is logarithmic, by setting, where that was chosen.
        log_y: Whether the axis of the metric is logarithmic.
    """

    part: str = "table"
    measures: list[str] = field(default_factory=lambda: ["last", "best"])
    measures_of: dict[str, list[str]] = field(default_factory=dict)
    directions: dict[str, Literal["min", "max"] | None] = field(default_factory=dict)
    mean_of: int = 10
    all_settings: bool = False
    hidden: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    order: list[str] = field(default_factory=list)
    sort: str = ""
    reverse: bool = False
    top: int = 0
    baseline: str = ""
    group_by: str = ""
    group_show: str = "std"
    metric: str = ""
    setting: str = ""
    log_x: dict[str, bool] = field(default_factory=dict)
    log_y: bool = False
