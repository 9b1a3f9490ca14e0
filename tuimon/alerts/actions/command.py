"""A command of the person's own, which gets the alerts on its standard input."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence

from tuimon.alerts.base import Alert

LONGEST = 30.0
"""Seconds that a command may take."""
SAID = 200
"""Characters of what it said that a message quotes."""


class Command:
    """Runs a command for the shell. It gets a JSON object a line, one for each alert.

    The first alert is in its environment as well, for one-liners: ``TUIMON_MESSAGE``, ``TUIMON_RUN``, ``TUIMON_TAG``,
    ``TUIMON_STEP``, ``TUIMON_RULE`` and ``TUIMON_SEVERITY``.

    Args:
        command: What the shell is to run.
    """

    def __init__(self, command: str) -> None:
        self.name = "the alert command"
        self._command = command

    def send(self, alerts: Sequence[Alert]) -> None:
        """Run it and wait for its end.

        Raises:
            OSError: It could not be run, failed, or took too long.
        """
        first = alerts[0]
        facts = {
            "MESSAGE": first.message,
            "RUN": first.run,
            "TAG": first.tag,
            "STEP": "" if first.step is None else f"{first.step:.17g}",
            "RULE": first.rule,
            "SEVERITY": first.severity.word,
        }
        environment = {**os.environ, **{f"TUIMON_{name}": text.replace("\0", "") for name, text in facts.items()}}
        lines = "".join(json.dumps(alert.as_json()) + "\n" for alert in alerts)
        try:
            done = subprocess.run(
                self._command, shell=True, input=lines, env=environment, capture_output=True, text=True,
                errors="replace", timeout=LONGEST, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as problem:
            raise OSError(f"it took longer than {LONGEST:g} s") from problem
        except BrokenPipeError:
            return  # it did not read all of its input, which is its own business
        if done.returncode:
            said = " ".join((done.stderr or done.stdout).split())[-SAID:]
            raise OSError(f"exit status {done.returncode}{': ' + said if said else ''}")
