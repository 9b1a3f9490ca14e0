"""Lines as they stand in the output of a program: escape codes, time stamps, levels and names of modules in front."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_ERASED = re.compile(r"[^\x08]*\x08+")
STAMP = (
    r"(?<!\d)20\d\d[-/.][01]\d[-/.][0-3]\d[T ][0-2]\d:[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?!\d)"
    r"|(?<!\d)[01]\d/[0-3]\d/20\d\d[T ][0-2]\d:[0-5]\d:[0-5]\d(?!\d)"
)
"""A date with a time, the year in front or, as Americans write it, at the end."""

_STAMP = re.compile(STAMP, re.ASCII)
_SECONDS = re.compile(r"\d\d(?:[.,]\d+)?", re.ASCII)
_LEVEL = re.compile(r"\b(?:INFO|DEBUG|WARNING|WARN|ERROR|CRITICAL|NOTICE|TRACE|info|debug|warning)\b[\])>]?")
_GLOG = re.compile(r"[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [\w./-]+:\d+\]", re.ASCII)
_FRONT = re.compile(
    r"\[\d+,\d+\]<\w+>:"  # mpirun
    r"|\[(?:[\w./-]+\.py:\d+(?::\w+)?|(?:local_)?(?:rank|gpu|pid|node|worker|proc|process)[ _:=#-]?\d+"
    r"|default\d+|Main\w+|\w+(?:\.\w+)+)\]:?"
    r"|\([\w./-]+\.py[ :]\d+\):?|\(\w+ pid=\d+(?:, ip=[\d.]+)?\)"
    r"|\|(?:\w+=\d+\|)+[\w.-]*\]:?"  # [INFO|DP=0|TP=0|node]
    r"|[\w./-]+\.py:\d+:?(?=\s)|rank\s*\d+\s*[:|]"
    r"|[a-z_][\w.]*(?::[\w<>]+)?:\d+(?=\s+-\s)"  # loguru
    r"|\d+: (?=\D)"  # srun --label
    r"|[\s:|>\-–]+",
    re.ASCII | re.IGNORECASE,
)
_IN_FRONT = 160
"""A level that stands further on belongs to what is said."""


def visible(text: str) -> str:
    """A line as a terminal shows it at last: without escape codes and without what backspaces erased."""
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if "\x08" in text:
        text = _ERASED.sub("", text)
    return text


def stamp_at(text: str) -> int:
    """Where the time stamp near the start of a line begins; -1 without one."""
    found = _STAMP.search(text, 0, _IN_FRONT)
    return found.start() if found else -1


def wall_time(text: str, at: int) -> float | None:
    """The seconds since the epoch of the time stamp of a line; one without a zone is in local time.

    Args:
        text: The line.
        at: Where it most likely begins.
    """
    found = _STAMP.match(text, at) or _STAMP.search(text, 0, _IN_FRONT)
    if found is None:
        return None
    stamp = found[0]
    try:
        if stamp[2] == "/":
            stamp = f"{stamp[6:10]}-{stamp[:2]}-{stamp[3:5]} {stamp[11:]}"
        seconds = _SECONDS.match(stamp, 17)
        return _minute(stamp[:16], stamp[seconds.end() :]) + float(seconds[0].replace(",", ".")) if seconds else None
    except (ValueError, OverflowError, OSError):
        return None


@lru_cache(maxsize=256)
def _minute(text: str, zone: str) -> float:
    zone = "+00:00" if zone == "Z" else zone if ":" in zone or not zone else f"{zone[:3]}:{zone[3:]}"
    return datetime.fromisoformat(text.replace("/", "-").replace(".", "-").replace("T", " ") + ":00" + zone).timestamp()


def front(text: str) -> int:
    """Where in a line begins what is said: behind the time, the level, the place in the code and the rank."""
    level = _LEVEL.search(text, 0, _IN_FRONT)
    glog = _GLOG.match(text)
    if glog:
        start = glog.end()
    elif level and "=" not in text[: level.start()]:
        start = level.end()
    else:
        stamp = _STAMP.search(text, 0, 40)
        start = stamp.end() if stamp else 0
        if stamp and text[start : start + 1] == "]":
            start += 1
    while True:
        more = _FRONT.match(text, start)
        if more is None:
            return start
        start = more.end()
