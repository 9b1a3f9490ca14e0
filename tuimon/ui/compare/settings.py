"""The settings of the runs that are compared, worked out again only when one of them changes."""

from __future__ import annotations

from collections.abc import Mapping

from tuimon.analysis.comparison import Cell, Column, setting_text
from tuimon.analysis.keytags import natural
from tuimon.records import Setting

Config = Mapping[str, Setting]


class Settings:
    """What the runs were given.

    Attributes:
        configs: Settings by run, in the order of the runs.
        columns: A column for each setting that any of them has, in natural order.
        counts: How many runs have each of them.
        differing: Names of those in which they differ; a setting that one lacks differs from any value.
    """

    def __init__(self) -> None:
        self.configs: dict[str, Config] = {}
        self.columns: tuple[Column, ...] = ()
        self.counts: dict[str, int] = {}
        self.differing: set[str] = set()

    def update(self, configs: Mapping[str, Config]) -> bool:
        """Take the settings of all runs; whether anything is new."""
        old = self.configs
        same = {run: old[run] if run in old and old[run] == config else config for run, config in configs.items()}
        if len(same) == len(old) and all(old.get(run) is config for run, config in same.items()):
            moved = list(same) != list(old)
            self.configs = same
            return moved
        self.configs = same
        seen: dict[str, set[object]] = {}
        counts: dict[str, int] = {}
        for config in same.values():
            for key, value in config.items():
                seen.setdefault(key, set()).add((value is True or value is False, value if value == value else "NaN"))
                counts[key] = counts.get(key, 0) + 1
        self.counts = counts
        names = sorted(seen, key=natural)
        self.columns = tuple(Column(f"setting:{name}", "setting", name, name) for name in names)
        self.differing = {name for name in names if len(seen[name]) > 1 or counts[name] < len(same)}
        return True

    def cell(self, run: str, name: str) -> Cell | None:
        """A setting of a run; None where it has none."""
        config = self.configs.get(run)
        return Cell(config[name], setting_text(config[name])) if config is not None and name in config else None
