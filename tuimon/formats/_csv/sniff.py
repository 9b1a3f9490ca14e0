"""Whether a delimited text is the log of a training, and not a data set, a list of files or a table of results."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tuimon.formats._axes import axis_number, time_unit
from tuimon.formats._csv.cells import FLAGS, MISSING, NULLS, cell_number, date
from tuimon.formats._csv.head import Head, find_head
from tuimon.formats._csv.lines import BLANK, BOM, cells
from tuimon.formats._csv.roles import Roles, bare, roles, step_columns
from tuimon.formats._values import text_number
from tuimon.formats.registry import HEAD_SIZE

TABLES = (".csv", ".tsv", ".tab")
"""Suffixes of files that say that they are tables."""

_TEXTS = (".txt", ".log", ".out", ".dat", "")
_NO_TABLE = (b"{", b"[", b"<", b"#!", b"%", b"---")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_METRIC = _listed("loss losses acc accuracy reward rewards return returns perplexity ppl lr entropy grad elbo nll")
"""Words that hardly anything but a training uses for its columns."""

_ANY_METRIC = _METRIC | _listed(
    "ret kl bleu rouge auc f1 precision recall map iou miou dice psnr ssim fid mse mae rmse cer wer error score"
    " train val valid eval"
)
_LOG = _listed(
    "log logs logger metric metrics train training loss losses history progress monitor stats scalars eval evaluation"
    " val validation valid curve curves rewards returns"
)
_TRAINING = _listed("train training")
_VALIDATION = _listed("val valid validation test eval dev")
_SURE_STEPS = _listed(
    "step globalstep trainerglobalstep trainglobalstep trainstep trainingstep currentstep currentsteps iteration iter"
    " iterations niter itr trainingiteration timestep timesteps totaltimesteps timetotaltimesteps timestepstotal"
    " numtimesteps envsteps totalenvsteps totalenvinteracts timestepssofar totalnumsteps epoch epochs numupdates"
    " misctotaltimesteps"
)
_WORD = re.compile(r"[A-Z]?[a-z]+\d?|[A-Z]+\d?(?![a-z])")
_LONGEST_NAME = 300
_MANY_NAMES = 200
_TEXT_HEAD = 1 << 14
_MOST_DAMAGED = 0.2
"""The share of the cells of a column of numbers that may hold something else, as lines may be torn."""


def is_log(path: str, head: bytes) -> bool:
    """Whether the beginning of a file is that of a log.

    There must be a header with a row below it. A column that counts steps or epochs and goes up makes a log of it;
    without one, there must be columns such as a loss, and a wall time, values of training and validation, or a file
    name that says that it is a log. Files that are not called a
    table have to hold nothing but numbers below their header.
    """
    folder, _, name = path.rpartition("/")
    suffix = next((known for known in TABLES if known in name.lower()), name[name.rfind(".") :].lower() * ("." in name))
    if suffix not in (*TABLES, *_TEXTS) or head.removeprefix(BOM).lstrip().startswith(_NO_TABLE):
        return False
    if b"\0" in head[:512]:
        return False
    if suffix not in TABLES:
        head = head[:_TEXT_HEAD]
    found = find_head(head[: head.rfind(b"\n") + 1]) or find_head(head, at_end=len(head) < HEAD_SIZE)
    stem = name.rpartition(".")[0] or name
    if found is None:
        return len(head) >= HEAD_SIZE and suffix in TABLES and _is_long_header(head, stem)
    facts = _Facts.of(found, stem)
    if facts is None or not facts.tags:
        return False
    if not found.header and not found.remarks:
        return suffix in (*TABLES, ".txt", ".log", ".dat") and _is_bare_log(found, facts, stem)
    if suffix not in TABLES and not facts.is_strict(found.delimiter):
        return False
    return facts.is_log(_words(stem) | _words(folder.rpartition("/")[2]))


def has_numbers(path: str, head: bytes) -> bool:
    """Whether the beginning of a file is that of any table with a column of numbers below a name."""
    if b"\0" in head[:512] or head.removeprefix(BOM).lstrip().startswith(_NO_TABLE):
        return False
    found = find_head(head[: head.rfind(b"\n") + 1]) or find_head(head, at_end=len(head) < HEAD_SIZE)
    if found is None or not found.header or found.delimiter == BLANK:
        return False
    name = path.rpartition("/")[2]
    facts = _Facts.of(found, name.rpartition(".")[0] or name)
    return facts is not None and bool(facts.tags) and not facts.ragged


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the first rows of a table say.

    Attributes:
        roles: What the columns are.
        rows: Number of rows.
        tags: Names of the tags that hold numbers.
        texts: Number of other columns that hold texts.
        ragged: Number of rows with one cell or too many.
        damaged: Number of cells in columns of numbers that hold none.
        steps: The steps.
        timed: Whether there is a wall time.
    """

    roles: Roles
    rows: int
    tags: Sequence[str]
    texts: int
    ragged: int
    damaged: int
    steps: Sequence[float]
    timed: bool

    @classmethod
    def of(cls, head: Head, stem: str) -> _Facts | None:
        """The facts; None when the header is none."""
        rows = [list(map(str.strip, row)) for row in _up_to_next_header(head)]
        found = roles(head.names, rows, head.delimiter, stem)
        names = found.names
        if any(len(name) > _LONGEST_NAME or (name and text_number(name) is not None) for name in names):
            return None
        columns = [[row[at] for row in rows if at < len(row) and row[at] not in MISSING] for at in range(len(names))]
        words = [_words_among(c, head.delimiter) for c in columns]
        numeric = [bool(c) and bad <= _MOST_DAMAGED * len(c) for c, bad in zip(columns, words, strict=True)]
        timed = any(columns[at] and _is_time(columns[at][0], head.delimiter) for at in found.times)
        axes = {found.step, found.part, *found.times, *found.settings}
        steps = [] if found.step is None else [_step(names[found.step], c, head.delimiter) for c in columns[found.step]]
        return cls(
            found,
            len(rows),
            [tag for at, tag in found.tags.items() if numeric[at] and at != found.step and bare(names[at]) != "epoch"],
            sum(
                not numeric[at] and at not in axes and not FLAGS.keys() >= {cell.lower() for cell in c}
                for at, c in enumerate(columns)
            ),
            sum(len(row) == 1 < len(names) or any(c not in MISSING for c in row[len(names) :]) for row in rows),
            sum(bad for bad, number in zip(words, numeric, strict=True) if number),
            steps,
            timed,
        )

    def is_strict(self, delimiter: str) -> bool:
        """Whether there is nothing but numbers below proper names, as in a file of any name there has to be."""
        rows_enough = self.rows >= 1 + (delimiter == BLANK)
        proper = not any("=" in name for name in self.roles.names)
        clean = not self.texts and not self.ragged and not self.damaged
        return rows_enough and proper and clean and self.roles.step is not None

    def is_log(self, words: set[str]) -> bool:
        """Whether a table with these words in its name is a log."""
        if 5 * self.ragged > self.rows or (self.rows == 1 and self.texts and not words & _LOG):
            return False
        in_header = set().union(*map(_words, self.tags))
        if self.roles.part is not None and (self.steps or in_header & _METRIC or self.roles.long):
            return bool(self.steps) or (not self.roles.long and bool(words & _LOG))
        kind = self._steps_kind()
        if kind == "up":
            name = bare(self.roles.names[self.roles.step or 0])
            return name in _SURE_STEPS or bool(in_header & _ANY_METRIC) or bool(words & _LOG and not self.texts)
        if kind == "constant":
            return bool(in_header & _METRIC) and not (self.texts and not words & _LOG)
        if self.rows == 1 or self.texts or not in_header & _METRIC:
            return False
        both = bool(in_header & _TRAINING) and bool(in_header & _VALIDATION)
        return bool(words & _LOG) or both or (self.timed and bool(in_header & (_METRIC - {"return", "returns"})))

    def _steps_kind(self) -> str:
        """How the steps go: "up", "constant" or "none"."""
        steps = [step for step in self.steps if math.isfinite(step)]
        names = self.roles.names
        if self.roles.step is None or not steps or self.roles.step not in step_columns(names, last_resort=False):
            return "none"
        if time_unit(steps[0]) is not None and bare(names[self.roles.step]) in ("epoch", "t"):
            return "none"
        if len(steps) > 2 and len(set(steps)) == 1:
            return "constant"
        back = sum(one > other for one, other in pairwise(steps))
        anew = self.roles.outer is not None
        return "up" if 5 * back <= len(steps) or (anew and 2 * back <= len(steps)) else "none"


def _up_to_next_header(head: Head) -> Sequence[Sequence[str]]:
    """The rows up to where a resumed training wrote a header again, whose columns may be others."""
    first = head.names[0].strip()
    again = (at for at, row in enumerate(head.rows) if at and first and row[0].strip() == first)
    return head.rows[: next(again, None)]


def _is_bare_log(head: Head, facts: _Facts, stem: str) -> bool:
    """Whether rows without a header are a log: counters that go up and then numbers, in a file named after a metric."""
    clean = not (facts.ragged or facts.texts or facts.damaged)
    if len(head.rows) < 3 or not clean or head.delimiter in (BLANK, "|"):
        return False
    found = facts.roles
    values = [
        cell_number(row[at].strip(), head.delimiter) for row in head.rows for at in found.tags if at != found.outer
    ]
    words = _words(stem)
    whole = all(x is None or not math.isfinite(x) or x == int(x) for x in values)
    if whole and not words & _METRIC:  # labels are whole numbers, too
        return False
    if found.step is None:
        return len(found.names) == 1 and bool(words & _METRIC)
    rising = all(one < other for one, other in zip(facts.steps, facts.steps[1:]))  # noqa: B905
    return rising and (found.outer is not None or bool(words & _ANY_METRIC))


def _is_long_header(head: bytes, stem: str) -> bool:
    """Whether the beginning holds no whole row because of the many columns, as Ray may have thousands."""
    names = cells(head.partition(b"\n")[0].decode("utf-8", "replace"), ",")
    sure = any(bare(name) in _SURE_STEPS for name in names)
    return len(names) > _MANY_NAMES and sure and bool(_words(stem) & _LOG) and len(set(names)) == len(names)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _words_among(column: Sequence[str], delimiter: str) -> int:
    """Number of cells that hold no number."""
    try:
        deque(map(float, column), 0)  # most columns are nothing but numbers
        if "_" not in "".join(column):
            return 0
    except ValueError:
        pass
    return sum(not _is_number(cell, delimiter) for cell in column)


def _is_number(text: str, delimiter: str) -> bool:
    try:
        float(text)  # so are nearly all, and this is quickest
        return "_" not in text
    except ValueError:
        return text in NULLS or cell_number(text, delimiter, duration=True) is not None


def _is_time(text: str, delimiter: str) -> bool:
    x = cell_number(text, delimiter)
    x = date(text) if x is None else x
    return x is not None and time_unit(x) is not None


def _step(name: str, text: str, delimiter: str) -> float:
    x = cell_number(text, delimiter)
    x = axis_number(name, text) if x is None else x
    return math.nan if x is None else x
