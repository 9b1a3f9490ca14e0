"""Which charts there are, in which order and under which heading: by tags, families, pins and what a log asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tuimon.analysis.families import families
from tuimon.analysis.keytags import groups, key_tags, natural
from tuimon.analysis.metric_rules import MetricRules
from tuimon.store import Run
from tuimon.ui.choices.scalars import ScalarsChoices
from tuimon.ui.widgets.card_layout import Card, cards_of

PINNED = "pinned"
"""The heading of pinned charts."""
LONGEST_PATTERN = 200
"""Longer patterns of a layout are taken as plain names."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A chart that a log asks for: its category, its title, "multiline" or "margin", and names or patterns of tags."""

    category: str
    title: str
    kind: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The charts of a page.

    Attributes:
        cards: The charts.
        folded: Groups that are folded away, with the number of their charts.
        hidden: How many tags the log itself asks not to show.
    """

    cards: list[Card]
    folded: dict[str, int]
    hidden: int


def asked_charts(runs: Iterable[Run]) -> list[Asked]:
    """The charts that the logs of some runs ask for, each once; of one title the newest. Hold the store's lock."""
    found: dict[tuple[str, str], Asked] = {}
    for run in runs:
        series = run.media.get("layout")
        for index in range(len(series) if series is not None else 0):
            media = series.at(index) if series is not None else None
            charts = media.body.get("charts") if media is not None else None
            for chart in charts if isinstance(charts, list) else ():
                one = _asked(chart)
                if one is not None:
                    found[one.category, one.title] = one
    return list(found.values())


def _asked(chart: object) -> Asked | None:
    if not isinstance(chart, dict):
        return None
    tags = chart.get("tags")
    tags = tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()
    if not tags:
        return None
    kind = "margin" if chart.get("kind") == "margin" and len(tags) >= 3 else "multiline"
    title = str(chart.get("title") or "")
    return (
        Asked(str(chart.get("category") or ""), title or tags[0], kind, tags[:3] if kind == "margin" else tags)
        if tags
        else None
    )


def lay_out(
    tags: Sequence[str],
    choices: ScalarsChoices,
    *,
    together: bool,
    rules: MetricRules | None = None,
    asked: Sequence[Asked] = (),
    filtered: bool = False,
) -> Layout:
    """The charts of some tags.

    Groups come in the order of their most wanted tag; within each the most wanted first. Charts that a log asks for
    stand before them, under their categories, and pinned ones before everything.

    Args:
        tags: The tags that are to be shown.
        choices: Pins, folded groups, and tags that were put together.
        together: Whether training and validation of one quantity share a chart.
        rules: What the logs say of tags.
        asked: The charts that the logs ask for.
        filtered: Whether the person asks for certain tags: then nothing stays folded or hidden.
    """
    shown = [tag for tag in tags if filtered or rules is None or not rules.of(tag).hidden]
    rank = {tag: place for place, tag in enumerate(key_tags(sorted(shown, key=natural)))}
    found = [(name, sorted(members, key=rank.__getitem__)) for name, members in groups(shown).items()]
    found.sort(key=lambda group: rank[group[1][0]])
    over = {
        key: tuple(dict.fromkeys((key, *(tag for tag in put if tag in rank)))) for key, put in choices.overlays.items()
    }
    cards = [_with_overlay(card, over) for card in cards_of(found, families(shown) if together else ())]
    if rules is not None:
        cards = [replace(card, over=_over(card, rules, rank)) for card in cards]
    titles = [one.title for one in asked]
    wanted = [card for one in asked if (card := _card(one, tags, titles.count(one.title) > 1)) is not None]
    cards = [*wanted, *cards]
    folded: dict[str, int] = {}
    kept: list[Card] = []
    for card in cards:
        if card.group in choices.folded and not filtered and card.key not in choices.pins:
            folded[card.group] = folded.get(card.group, 0) + 1
        else:
            kept.append(card)
    pins = {key: place for place, key in enumerate(choices.pins)}
    first = sorted((replace(card, group=PINNED) for card in kept if card.key in pins), key=lambda card: pins[card.key])
    return Layout([*first, *(card for card in kept if card.key not in pins)], folded, len(tags) - len(shown))


def _with_overlay(card: Card, over: dict[str, tuple[str, ...]]) -> Card:
    put = over.get(card.key, ())
    tags = tuple(dict.fromkeys((*card.tags, *put)))
    return replace(card, tags=tags, kind="overlay") if len(tags) > len(card.tags) else card


def _over(card: Card, rules: MetricRules, known: dict[str, int]) -> str:
    """The tag that is the x axis of a card, where the log says so and has it."""
    over = rules.of(card.tag).over
    return over if over in known and over not in card.tags else ""


def _card(asked: Asked, tags: Sequence[str], ambiguous: bool) -> Card | None:
    """The card of a chart that a log asks for; None where it has none of its tags."""
    known = set(tags)
    found: list[str] = []
    for name in asked.tags:
        found += [name] if name in known else _matching(name, tags)
    members = tuple(dict.fromkeys(found))
    if not members or (asked.kind == "margin" and len(members) != 3):
        return None
    title = f"{asked.category}/{asked.title}" if ambiguous else asked.title
    return Card(members, asked.category, asked.kind, title)


def _matching(pattern: str, tags: Sequence[str]) -> list[str]:
    """The tags that match a pattern, as a custom scalar of TensorBoard has them."""
    if len(pattern) > LONGEST_PATTERN:
        return []
    try:
        whole = re.compile(pattern)
    except re.error:
        return []
    return [tag for tag in tags if whole.fullmatch(tag)]
