"""What the columns of a table are: steps, wall times, settings, the part of the data, and the rest, which is tags."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tuimon.formats._axes import STEP_KEYS, TIME_KEYS, axis_number, stays_tag
from tuimon.formats._csv.cells import MISSING, cell_number
from tuimon.formats._flat import SETTING_KEYS

_LIKE = {
    "total_env_steps": "totalenvinteracts totalenvsteps timestepssofar totalnumsteps totalsteps totalstep numstepstotal"
    " explorationnumstepstotal actorsteps learnersteps numsteps nsteps frames frame numframes"
    " totalframes misctotaltimesteps",
    "iter": "itr it niters numiter batch batchidx minibatch",
    "update": "nupdates miscnupdates updates",
    "epoch": "epochs epochidx epochnum epochnumber nepoch round rounds roundnum serverround generation gen ngen",
    "episode": "episodes episodessofar ep episodenum episodeidx",
}
"""Names of step counters that only tables have, by the name that ranks like them. Letters and figures only."""

_GROUPED = ("globalstep", "totaltimesteps", "totalsteps", "cumsteps", "numtimesteps", "iteration", "epoch")
_LAST_RESORT = ("index", "idx", "unnamed0", "t", "i", "n")
_AXIS_ONLY = frozenset(f"{_LIKE['iter']} {_LIKE['epoch']} ep episodenum episodeidx".split()) | {"index", "idx"}
_TIME_TOO = ("datetimeutc", "createdat", "unixtime", "unixtimestamp", "epochtime", "localtime", "loggedat")
_EPISODE = frozenset({"episode", *_LIKE["episode"].split()})
_OUTER = frozenset({"epoch", *_LIKE["epoch"].split()}) | _EPISODE
_INNER = frozenset({"step", "steps", "iter", "iteration", "iterations", "niter", "timestep", "timesteps", "t", "i"}) | (
    frozenset(_LIKE["iter"].split())
)
_SPLIT_NAMES = frozenset({"split", "phase", "mode", "stage", "subset", "set", "partition", "type", "dataset"})
_SPLITS = frozenset(
    {"train", "training", "val", "valid", "validation", "test", "testing", "eval", "evaluation", "dev", "holdout"}
)
_KEY_NAMES = ("tag", "metric", "key", "name", "variable")


@lru_cache(maxsize=4096)
def bare(name: str) -> str:
    """A name in small letters and figures only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _ranks() -> dict[str, float]:
    ranks = {name: float(rank) for rank, name in enumerate(_LAST_RESORT, 1000)}
    for place, key in reversed([*enumerate(STEP_KEYS)]):
        ranks.update((name, place + 0.5) for name in _LIKE.get(key, "").split())
        ranks[bare(key)] = float(place)
    return ranks


_STEP_RANK = _ranks()
_TIME_RANK = {name: rank for rank, name in enumerate((*map(bare, TIME_KEYS), *_TIME_TOO))}


def step_columns(names: Sequence[str], *, last_resort: bool = True) -> list[int]:
    """Positions of the columns that may count the steps, the finest first."""
    found = []
    for at, name in enumerate(names):
        rank = _step_rank(name) if name else 2000.0 if at == 0 else None
        if rank is not None and (last_resort or rank < 1000):
            found.append((rank, at))
    return [at for _, at in sorted(found)]


@lru_cache(maxsize=4096)
def _step_rank(name: str) -> float | None:
    """How fine and explicit a counter is; what is only called so in a group of its own comes after all others."""
    rank = _STEP_RANK.get(bare(name))
    last = bare(name.rpartition("/")[2])
    if rank is None and last in _GROUPED:
        return 500.0 + _GROUPED.index(last)
    return rank


def time_columns(names: Sequence[str]) -> list[int]:
    """Positions of the columns that may hold a wall time, the most explicit first."""
    found = [(_TIME_RANK[bare(name)], at) for at, name in enumerate(names) if bare(name) in _TIME_RANK]
    return [at for _, at in sorted(found)]


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of the columns, by position.

    Attributes:
        names: The names of all columns, each once.
        step: The column that counts the steps.
        outer: A column that counts what the steps may begin anew in: epochs or episodes.
        times: Columns that may hold wall times; which one does is decided by the first row with a value in any.
        settings: The settings, by their column.
        part: The column whose text says what a row is about: "train" or "val", or the tag itself in the long form.
        long: Whether the part is the tag itself.
        tags: The tags, by their column. A wall time among them is none.
    """

    names: tuple[str, ...]
    step: int | None
    outer: int | None
    times: tuple[int, ...]
    settings: dict[int, str]
    part: int | None
    long: bool
    tags: dict[int, str]


def roles(names: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str, stem: str) -> Roles:
    """Say what the columns are.

    Args:
        names: Their names; all empty where the file has no header.
        rows: The cells of the first rows, as many as there are by now.
        delimiter: What stands between the cells.
        stem: The name of the file without its suffix, for tables that name their values no better than "value".
    """
    if not any(names):
        names = _made_up(rows, delimiter, stem)
    step = _step(names, rows, delimiter)
    outer = None
    if step is not None and bare(names[step]) in _INNER:
        outer = next((at for at in step_columns(names) if at != step and bare(names[at]) in _OUTER), None)
    settings = {}
    for at, name in enumerate(names):
        first, *rest = re.split(r"[/.]", name, maxsplit=1)
        if rest and first in SETTING_KEYS:
            settings[at] = rest[0]
    part, value = _part(names, rows)
    left_out = {at for at, name in enumerate(names) if (not name and at == 0) or bare(name) == "unnamed0"}
    left_out |= settings.keys()
    if part is not None:
        left_out.add(part)
    if step is not None and not _stays_tag(names[step]):
        left_out.add(step)
    tags = {at: name or f"column {at + 1}" for at, name in enumerate(names) if at not in left_out}
    if value is not None:
        tags = {value: names[value]}
    others = [at for at in tags if at != step and bare(tags[at]) not in _TIME_RANK and at != outer]
    if value is None and part is None and len(others) == 1 and bare(tags[others[0]]) in ("value", "values"):
        tags[others[0]] = re.split(r"(?:^|[-_.])tag[-_.]", stem)[-1] or stem
    return Roles(tuple(names), step, outer, tuple(time_columns(names)), settings, part, value is not None, tags)


def _step(names: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str) -> int | None:
    """The column that counts the steps, if any."""
    candidates = [at for at in step_columns(names) if not _is_text(at, names, rows, delimiter)]
    if not candidates:
        return None
    step = candidates[0]
    episode = next((at for at in candidates if bare(names[at]) in _EPISODE), None)
    if episode is None or episode == step or bare(names[step]) not in _INNER:
        return step
    # a row an episode with the number of steps in it, or a row a step with the episode that it is in?
    pairs = [(_number(row, episode, delimiter), _number(row, step, delimiter)) for row in rows]
    if len(pairs) < 2:
        return episode if pairs and pairs[0][1] > 1 else step
    if any(one[0] == other[0] for one, other in zip(pairs, pairs[1:])):  # noqa: B905, RUF007
        return step
    ascending = all(one[1] < other[1] for one, other in zip(pairs, pairs[1:]))  # noqa: B905, RUF007
    return step if ascending else episode


def _is_text(at: int, names: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str) -> bool:
    """Whether the first cell that is not empty holds no number."""
    for row in rows:
        text = row[at].strip() if at < len(row) else ""
        if text not in MISSING:
            return cell_number(text, delimiter) is None and axis_number(names[at], text) is None
    return False


def _number(row: Sequence[str], at: int, delimiter: str) -> float:
    x = cell_number(row[at].strip(), delimiter) if at < len(row) else None
    return math.nan if x is None else x


def _stays_tag(name: str) -> bool:
    return stays_tag(name) or (_step_rank(name) is not None and bare(name) not in _AXIS_ONLY | _PLAIN_STEPS)


_PLAIN_STEPS = frozenset(map(bare, STEP_KEYS)) | {"unnamed0"}


def _part(names: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[int | None, int | None]:
    """The column that says what a row is about, and the column of the values in the long form."""
    plain = [bare(name) for name in names]
    first = rows[0] if rows else []
    if "value" in plain:
        for key in _KEY_NAMES:
            if key in plain and plain.index(key) < len(first) and cell_number(first[plain.index(key)], ",") is None:
                return plain.index(key), plain.index("value")
    for at, name in enumerate(plain):
        if name in _SPLIT_NAMES and at < len(first) and first[at].strip().lower() in _SPLITS:
            return at, None
    return None, None


def _made_up(rows: Sequence[Sequence[str]], delimiter: str, stem: str) -> list[str]:
    """Names for the columns of a file without a header: counters in front, and the file's own name for the values."""
    width = max(map(len, rows), default=0)
    counters = 0
    while counters < min(width - 1, 2) and _counts([_number(row, counters, delimiter) for row in rows]):
        counters += 1
    values = width - counters
    own = [stem] if values == 1 else [f"{stem}/{number}" for number in range(1, values + 1)]
    return [*(["step"] if counters == 1 else ["epoch", "step"][:counters]), *own]


def _counts(column: Sequence[float]) -> bool:
    return all(x == int(x) for x in column if math.isfinite(x)) and all(
        one <= other
        for one, other in zip(column, column[1:])  # noqa: B905, RUF007
    )
