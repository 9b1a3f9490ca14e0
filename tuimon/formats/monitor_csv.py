"""The ``monitor.csv`` of Baselines, Stable-Baselines and Gym: a row an episode below a `#{"t_start": …}` line."""

from __future__ import annotations

from tuimon.formats.base import Format, Parser


class MonitorCsv(Format):
    """The format of ``monitor.csv``.

    Its columns are the reward ``r``, the length ``l`` and the end ``t`` of an episode, in seconds since ``t_start``.
    The step is the number of environment steps so far, as Stable-Baselines itself plots these files.
    """

    name = "monitor CSV"
    rank = 57

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`. Before the first episode there are only the first two lines."""
        lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 2)
        if not lines[0].startswith(b"#") or b'"t_start"' not in lines[0] or not path.endswith(".csv"):
            return False
        return len(lines) > 2 and lines[1].strip().split(b",")[:3] == [b"r", b"l", b"t"]

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        from tuimon.formats._csv.monitor import MonitorParser

        return MonitorParser("monitor")


FORMAT = MonitorCsv()
