"""What the rules find, kept up to date as logs grow: only what is new is read, only what changed is looked at."""

from __future__ import annotations

from tuimon.findings.configured import read_config
from tuimon.findings.engine import Findings, Past

__all__ = ["Findings", "Past", "read_config"]
