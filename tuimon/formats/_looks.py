"""Whether objects look like the rows of a training log and not like a data set, a configuration or a chat."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from tuimon.formats._axes import is_axis, is_step
from tuimon.formats._values import leaves, number

PROSE_KEYS = frozenset(
    {"text", "prompt", "messages", "content", "role", "instruction", "question", "answer", "user", "assistant"}
    | {"conversations", "completion", "message", "msg", "level", "levelname", "sentence", "url"}
)
"""Keys of rows that are there to be read by people: chats, data sets, the logs of services."""

_METRIC = (
    r"loss|accuracy|reward|perplexity|(?:^|[^a-z])(?:acc|lr|mse|mae|rmse|l1|l2|ppl|nll|elbo|return|returns|acc@\d|error|err|score"
    r"|precision|recall|f1|auc|bleu|rouge|wer|cer|iou|miou|map|psnr|ssim|fid|grad_norm|learning_rate|success_rate"
    r"|throughput)(?![a-z])"
)
_CURVE = r"loss|accuracy|reward|perplexity|(?:^|[^a-z])(?:acc|lr|mse|mae|ppl)(?![a-z])"
_DOCUMENT_WORDS = ("summary", "config", "state", "args", "param", "package", "metadata", "tokenizer", "schema")
_TEXT_LOG = r"(?:\.(?:log|txt|out|err|stdout|stderr|console|output)(?:\.\d+)?|\.[oe]\d+(?:[-.]\d+)?|(?:^|/)[^./]+)$"
_NO_TEXT_LOG = r"readme|license|licence|changelog|changes|requirements|notice|authors|copying|makefile|dockerfile"
_SAMPLE = 50
_INDEX = r"[0-9]{1,9}"


def has_metrics(row: Mapping[str, object]) -> bool:
    """Whether an object holds a number that is neither a step nor a time."""
    return any(number(value) is not None and not is_axis(tag) for tag, value in leaves(row))


def has_step(row: Mapping[str, object]) -> bool:
    """Whether an object names a step counter."""
    return any(is_step(tag) for tag, _ in leaves(row))


def names_metric(tag: str) -> bool:
    """Whether a tag has a word in it that stands for what a training is measured by."""
    return re.search(_METRIC, tag.lower()) is not None


def names_document(file_name: str) -> bool:
    """Whether the name of a file says that it is something else than a log, such as ``config.json``."""
    return any(word in file_name.lower() for word in _DOCUMENT_WORDS)


def names_text_log(path: str) -> bool:
    """Whether a file is called as the output of a program is: ``train.log``, ``nohup.out``, ``job.o12``, ``stdout``."""
    path = path.lower()
    return re.search(_TEXT_LOG, path) is not None and not re.match(_NO_TEXT_LOG, path.rpartition("/")[2])


def is_history(rows: Sequence[object]) -> bool:
    """Whether values, the first ones of a list, are rows of a training: metrics at steps that go up."""
    found = [row for row in rows[:_SAMPLE] if isinstance(row, dict)]
    if not found or len(found) < len(rows[:_SAMPLE]):
        return False
    if any(PROSE_KEYS.intersection(row) for row in found):
        return False
    measured = [row for row in found if any(names_metric(tag) and number(x) is not None for tag, x in leaves(row))]
    if 2 * len(measured) < len(found):
        return False
    steps = [_step(row) for row in found]
    known = [step for step in steps if step is not None]
    if not known:  # a list of rows in order of time, without a counter
        return len(found) > 1 and all("loss" in " ".join(row).lower() for row in found)
    back = sum(after < before for before, after in pairwise(known))
    return 2 * len(known) > len(found) and 5 * back <= len(known) and (len(known) < 3 or len(set(known)) > 1)


def _step(row: Mapping[str, object]) -> float | None:
    return next((x for tag, value in row.items() if is_step(tag) and (x := number(value)) is not None), None)


def columns(value: Mapping[str, object]) -> tuple[dict[str, list[object]], dict[str, object]]:
    """The columns of numbers in an object, as a history of Keras has them, and its other values that are no lists.

    A column is a list, or an object whose keys count up, as ``pandas.DataFrame.to_json`` writes it.
    """
    found: dict[str, list[object]] = {}
    others: dict[str, object] = {}
    _sort(value, "", found, others, 0)
    return found, others


def _sort(
    value: Mapping[str, object], prefix: str, found: dict[str, list[object]], others: dict[str, object], depth: int
) -> None:
    for key, inner in value.items():
        if isinstance(inner, dict) and inner and all(map(re.compile(_INDEX).fullmatch, inner)):
            inner = [inner[at] for at in sorted(inner, key=int)]
        if isinstance(inner, list):
            if inner and all(x is None or (not isinstance(x, bool) and number(x) is not None) for x in inner):
                found[prefix + key] = inner
        elif isinstance(inner, dict):
            if depth < 4:
                _sort(inner, f"{prefix}{key}/", found, others, depth + 1)
        else:
            others[prefix + key] = inner


def is_columns(value: Mapping[str, object], *, cut: bool) -> bool:
    """Whether an object is the history of a training: columns of the same length, named as metrics are.

    Args:
        value: The object.
        cut: Whether its last column may be cut off.
    """
    found, _ = columns(value)
    names = list(found)
    lists = sum(isinstance(inner, list) for _, inner in leaves(value))
    if not names or lists - len(names) > len(names) or not any(re.search(_CURVE, name.lower()) for name in names):
        return False
    lengths = [len(found[name]) for name in names[: len(names) - cut or None]]
    return max(map(lengths.count, lengths)) * 2 >= len(lengths)
