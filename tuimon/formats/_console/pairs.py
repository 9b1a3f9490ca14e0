"""Names and numbers in a line of text: ``loss: 0.53``, ``lr 1e-4``, ``step_avg:376.35ms``, ``Acc@1 70.1 (69.8)``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tuimon.formats._console.steps import Span

_VALUE = (
    r"(?P<value>[+-]?(?:\d{1,3}(?:,\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
    r"|[+-]?(?:nan|inf|infinity)(?![a-z]))"
)
_RATE = (
    r"\s?(?:it|s|ms|tok|tokens?|samples?|seqs?|sequences?|imgs?|images?|examples?|steps?|batch|batches|words|frames|t?flops)"
    r"/(?:s|secs?|seconds?|it|iter|step|batch|gpu|sample|epoch)(?![\w/])"
)
_UNIT = (
    rf"(?P<unit>{_RATE}|\s?(?:%|ms|us|µs|μs|ns|secs?|seconds?|s|mins?|minutes?|hours?|hrs?|h|m|dB)(?![\w/])"
    r"|[kKMGTB](?![\w/])|\s?[KMGT]i?B(?![\w/]))?"
)
_END = r"(?=[\s,;|)\]}(>'\"]|\.?$|\.\s)"
_PAIR = re.compile(
    r"(?<![\w./@'\")+-])(?P<key>[^\W\d](?:[\w./@%#&+*'-]|\([\w/%]{1,12}\)){0,80}"
    r"(?:(?: (?:[^\W\d]|\()[\w./@%+'()-]{0,40}){0,5}(?P<sign>\s*(?<![:=])[:=](?![:=])\s*)"
    r"|(?: [^\W\d][\w/@-]{0,40})?\s+))"
    r"(?P<open>\[\s*)?" + _VALUE + r"(?:/(?P<of>\d+))?" + _UNIT + _END +
    r"(?(open)(?:,[^\]]*)?\])(?:\s*\((?P<share>[\d.]+)\s*%\))?",
    re.IGNORECASE,
)  # fmt: skip
_QUOTED = re.compile(
    r"['\"](?P<key>[^'\"{}]{1,100})['\"]\s*:\s*(?:[\w.]{1,24}\()?['\"]?" + _VALUE + r"%?['\"]?(?=[,}\s)])",
    re.IGNORECASE,
)
_STOP_WORDS = """
a about above after all an and are as at be been before below between by can cannot do done each every for found from
got has have if in into is it its least line most needs no not of on only or over per port rank seed since size takes
than that the then there this through to took until up use used uses using version was we were when while will with
within without you pid gpu gpus device node epoch step
"""
_STOP = frozenset(_STOP_WORDS.split())
_WORDS = re.compile(r"[^\W\d_]{2,}")
_AFTER_NUMBER = re.compile(r"\d ?$")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_LONGER = {"sec": "s", "secs": "s", "second": "s", "seconds": "s", "mins": "min", "minute": "min", "minutes": "min",
           "hour": "h", "hours": "h", "hr": "h", "hrs": "h"}  # fmt: skip
_TIMES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "B": 1e9, "T": 1e12}
_BYTES = {"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30, "tib": 2.0**40}
LEFT_OUT = frozenset({"eta", "v_num", "rank", "pid", "line", "seed"})
"""Names of numbers that are no measurements."""

Units = dict[str, str]
"""The unit that each tag was first printed with; what comes in another one of the same kind is converted to it."""


@dataclass(frozen=True, slots=True)
class Named:
    """A named number in a line.

    Attributes:
        tag: Its name.
        place: Where the number stands.
        scale: What it is multiplied by.
        of: Where the number stands of which it is a part, for a percentage of it; None without one.
    """

    tag: str
    place: Span
    scale: float = 1.0
    of: Span | None = None


def pairs(text: str, units: Units) -> tuple[list[Named], int]:
    """The named numbers in a line that has no counters (any more), and how many words are in no name."""
    found: dict[str, Named] = {}
    words = done = 0
    for match in _PAIR.finditer(text):
        sign = match["sign"]
        key = match["key"][: -len(sign)] if sign else match["key"].rstrip()
        last = key.rpartition(" ")[2].lower()
        if key.endswith(".py") or last in LEFT_OUT or (not sign and last in _STOP):
            continue
        if not sign and _AFTER_NUMBER.search(text, done, match.start()):  # 1000 tokens/sec 2 updates/sec
            continue
        words += len(_WORDS.findall(text, done, match.start()))
        if key.count("(") > key.count(")"):  # completed (loss: 0.5)
            key = key.rpartition("(")[2]
        while key.partition(" ")[0].lower() in _STOP:
            key = key.partition(" ")[2]
            words += 1
        done = match.end()
        if not key or key in found:
            continue
        if match["of"] and match["share"]:
            found[key] = Named(key, match.span("value"), 100.0, match.span("of"))
        else:
            found[key] = Named(key, match.span("value"), _scale(key, (match["unit"] or "").strip(), units))
    return list(found.values()), words + len(_WORDS.findall(text, done))


def quoted_pairs(text: str, start: int) -> list[Named]:
    """The numbers of an object as Python or JSON prints it, by their keys."""
    found = {match["key"]: Named(match["key"], match.span("value")) for match in _QUOTED.finditer(text, start)}
    return list(found.values())


def whole_pair(text: str, units: Units) -> Named | None:
    """Name and number of a line that holds nothing else, whatever is in the name: ``System/Peak GPU (MB)=38,869``."""
    found = _WHOLE.fullmatch(text)
    if found is None:
        return None
    return Named(found["key"], found.span("value"), _scale(found["key"], (found["unit"] or "").strip(), units))


def cell_pair(text: str, units: Units) -> Named | None:
    """Name and number of a line of a table of two columns: ``| loss | 0.5 |``."""
    found = _CELLS.fullmatch(text)
    return None if found is None else Named(found["key"], found.span("value"), _scale(found["key"], "", units))


_WHOLE = re.compile(rf"\s*(?P<key>[^\W\d][^=:{{}}\"';]{{0,120}}?)\s*[=:]\s*{_VALUE}{_UNIT}\s*", re.IGNORECASE)
_CELLS = re.compile(rf"\s*\|\s*(?P<key>[^\W\d][^|]{{0,120}}?)\s*\|\s*{_VALUE}\s*\|\s*", re.IGNORECASE)


def numeral(text: str) -> float:
    """The number that stands there, maybe with commas between its thousands."""
    return float(text.replace(",", "") if "," in text else text)


def _scale(tag: str, unit: str, units: Units) -> float:
    if not unit:
        return 1.0
    if unit in _TIMES:
        return _TIMES[unit]
    unit = _LONGER.get(unit.lower(), unit if unit in _SECONDS else unit.lower())
    first = units.setdefault(tag, unit)
    for kind in (_SECONDS, _BYTES):
        if unit != first and unit in kind and first in kind:
            return kind[unit] / kind[first]
    return 1.0
