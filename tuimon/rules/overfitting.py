"""The loss on held-out data turns while the training loss goes on falling.

The classic sign of learning the training data by heart (Prechelt 1998, "Early stopping - but when?"). The best step of
the validation and the gap are told. A rise must stand out from the noise of the validation curve, which is often
measured few times, and be a part of what had been gained.
"""

from __future__ import annotations

from collections.abc import Iterator

from tuimon.analysis.direction import direction
from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.kinds import Kind
from tuimon.rules.levels import alternates, median, noise_of, running_median
from tuimon.rules.views import RunView, SeriesView
from tuimon.rules.wording import at, num, percent

ADVICE = (
    "Stop at (or go back to) the best step, use more data or augmentation, more dropout or weight decay, "
    "or a smaller model."
)


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """Overfitting, by the pair of losses, else by a pair of scores."""
    if run.plays:
        return
    for train, held_out in candidates(run):
        found = turn(train, held_out, limits)
        if found is None:
            continue
        place, best, level, fall = found
        step = held_out.step_at(place)
        message = (
            f"{held_out.tag} got worse from {num(best)}{at(step)} to {num(level)} while {train.tag} "
            f"{'fell' if direction(train.tag) != 'max' else 'rose'} on to {num(train.level)}"
        )
        numbers = {"best": best, "level": level, "train": train.level, "gap": level - train.level}
        severity = Severity.WARN if fall >= limits["much"] else Severity.INFO
        message += f" (lost {percent(fall)} of what it had gained)" if fall < 10 else ""
        yield Finding(
            "overfitting",
            run.name,
            held_out.tag,
            step,
            severity,
            message,
            ADVICE,
            numbers,
            step,
            held_out.time_at(place),
            0.85,
        )
        return


def candidates(run: RunView) -> list[tuple[SeriesView, SeriesView]]:
    """Pairs of training and validation series, losses first."""
    order = {Kind.LOSS: 0, Kind.SCORE: 1, Kind.ERROR: 2}
    pairs = [pair for pair in run.pairs if pair[1].kind in order and pair[0].kind is pair[1].kind]
    main = run.main_loss
    if main is not None and not any(pair[1].kind is Kind.LOSS for pair in pairs):
        pairs += [(main, view) for view in run.of(Kind.LOSS) if view.on][:1]
    losses = [pair for pair in pairs if pair[1].kind is Kind.LOSS and len(pair[1]) >= 8]
    return losses or sorted(pairs, key=lambda pair: order[pair[1].kind])  # a score is noisier, and turns later


def turn(train: SeriesView, held_out: SeriesView, limits: Limits) -> tuple[int, float, float, float] | None:
    """Where the validation turned: bin, level there, level now, and the share of its gain that it lost; else None."""
    way = 1.0 if direction(held_out.tag) == "max" else -1.0
    if len(held_out) < limits["evaluations"] or len(train) < limits["evaluations"]:
        return None
    if alternates(train.recent[1]):
        return None  # where it is measured is chance
    worth = way * running_median(held_out.mid, max(3, len(held_out) // 20 | 1))
    place = int(worth.argmax())
    best, level = float(worth[place]), median(worth[-3:])
    first = float(worth[0])
    after = len(worth) - 1 - place
    if after < max(3, limits["late"] * len(worth)):
        return None
    noise = max(held_out.noise, noise_of(worth[place:]))
    lost = best - level
    gained = max(best - first, 0.0)
    least = max(limits["noise"] * noise, limits["lost"] * gained, limits["relative"] * abs(best))
    if lost < least or float(worth[-after // 2 :].max()) > best - 0.3 * lost:
        return None
    share = place / (len(worth) - 1)
    bound = train.x[0] + share * (train.x[-1] - train.x[0])  # the two may count different steps
    if held_out.x[-1] > 0.5 * train.x[-1]:
        bound = held_out.step_at(place)
    at_best = train.place(float(bound))
    course = way * train.smooth
    rose = median(course[-3:]) - median(course[max(0, at_best - 1) : at_best + 2])
    learnt = float(course.max())
    if median(course[-3:]) < learnt - max(4 * train.noise, 0.2 * (learnt - float(course[0]))):
        return None  # the training got worse as well
    if rose < max(1.0 * train.noise, limits["fell"] * abs(float(course[at_best]))):
        return None
    near = max(0, place - 1)
    place = near + int(
        (way * held_out.mid[near : place + 2]).argmax()
    )  # the very best, rather than the middle of three
    best = way * float(held_out.mid[place])
    whole = max(gained, best - way * float(held_out.mid[0]))
    return place, way * best, way * level, lost / whole if whole else 10.0


RULE = Rule(
    "overfitting",
    "overfitting",
    "run",
    look,
    limits={"evaluations": 8.0, "late": 0.15, "noise": 3.0, "lost": 0.05, "relative": 0.02, "much": 0.1, "fell": 0.02},
)
