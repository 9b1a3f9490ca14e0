"""Processes that were forked from another one of the same run, such as the workers of a data loader.

They write files of their own. The run is the parent's: it says how the run goes and how it ends. And what they log
while their parent or each other logs as well stands beside that: it is no new attempt which takes the place of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tuimon.store.source import Source


def without_children(sources: Sequence[Source]) -> Sequence[Source]:
    """The files of a run but for those of processes whose parent has one as well."""
    if not any("parent" in source.info for source in sources):
        return sources
    known = {_process(source, "pid") for source in sources}
    return [source for source in sources if "parent" not in source.info or _process(source, "parent") not in known]


def logs_beside(source: Source, sources: Sequence[Source]) -> bool:
    """Whether it is of a child that logged while its parent did, or another child of it that began earlier.

    Args:
        source: The file.
        sources: All files of its run, in the order in which they were started.
    """
    if "parent" not in source.info:
        return False
    parent = _process(source, "parent")
    for other in takewhile(lambda earlier: earlier is not source, sources):
        if parent not in (_process(other, "pid"), _process(other, "parent")):
            continue
        if _newest(other) > source.started and _newest(source) > other.started:
            return True
    return False


def _process(source: Source, key: str) -> tuple[object, object]:
    return (source.info.get("host"), source.info.get(key))


def _newest(source: Source) -> float:
    return source.started if source.last_time is None else source.last_time
