"""The groups that the person put runs into, for the table and for charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tuimon.analysis.grouping import NAMES, SEEDS, Group, group_runs
from tuimon.records import Setting

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp


def chosen_groups(configs: Mapping[str, Mapping[str, Setting]], by: str) -> list[Group]:
    """The groups of some runs; none while runs are not grouped, or by a setting that none of them has.

    Args:
        configs: Settings by run.
        by: What `CompareChoices.group_by` says.
    """
    if by not in (SEEDS, NAMES) and not any(by.removeprefix("setting:") in config for config in configs.values()):
        return []
    return group_runs(configs, by)


def run_groups(app: TuimonApp, runs: Iterable[str]) -> list[Group]:
    """The groups of some runs as the person chose; none while runs are not grouped."""
    by = app.view.compare.group_by
    return chosen_groups(app.answers.configs(runs), by) if by else []
