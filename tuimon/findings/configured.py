"""Finds and reads the files that configure rules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from tuimon.rules.base import Rule
from tuimon.rules.config import RuleConfig
from tuimon.rules.config_file import BadConfig, merged, parse_config
from tuimon.rules.registry import rules as all_rules

NAME = "tuimon.toml"
"""The name of a configuration beside logs."""


def config_paths(roots: Iterable[str], named: str | None = None) -> list[str]:
    """The files that configure rules, where they exist; later ones win.

    First the user's own, ``$XDG_CONFIG_HOME/tuimon/rules.toml`` (``~/.config`` without that variable), then a
    `NAME` in each log root, or beside it where the root is a file, then the one that was named, which need not exist.
    """
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    places = [os.path.join(home, "tuimon", "rules.toml")]
    places += [os.path.join(root if os.path.isdir(root) else os.path.dirname(root), NAME) for root in roots]
    found = [path for path in dict.fromkeys(places) if os.path.isfile(path)]
    return found if named is None else [*found, named]


def read_config(roots: Iterable[str] = (), named: str | None = None, rules: Sequence[Rule] | None = None) -> RuleConfig:
    """What these files configure.

    Args:
        roots: The log roots.
        named: A file that was named on the command line.
        rules: The rules that there are; those that are found when None.

    Raises:
        BadConfig: One cannot be read or used; the message has the file and, where it can be told, the line.
    """
    known = all_rules() if rules is None else rules
    configs = []
    for path in config_paths(roots, named):
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise BadConfig(f"{path}: {reason}") from error
        configs.append(parse_config(text, path, known))
    return merged(configs)
