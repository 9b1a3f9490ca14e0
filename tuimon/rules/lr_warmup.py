"""A warm-up is configured, or needed, and missing.

Large learning rates in the first steps, while the statistics of the optimizer are not there yet, throw a network off
(Goyal et al. 2017; Liu et al. 2020). Told when settings name a warm-up and the logged rate begins at its most; and, as
a hint, when the rate begins at its most and the loss first leaps far above where it began.
"""

from __future__ import annotations

from collections.abc import Iterator

from tuimon.rules.base import Finding, Limits, Rule, Severity
from tuimon.rules.rates import rate_of
from tuimon.rules.views import RunView
from tuimon.rules.wording import at, num

ADVICE = "Raise the learning rate from near zero over the first few hundred steps (1 to 5 % of all)."
WARMUPS = (
    "warmup_steps",
    "warmup_ratio",
    "num_warmup_steps",
    "warmup_iters",
    "warmup",
    "warmup_epochs",
    "lr_warmup_steps",
)


def look(run: RunView, limits: Limits) -> Iterator[Finding]:
    """A learning rate that begins at its most."""
    rate = rate_of(run)
    if rate is None or rate.finite < limits["points"]:
        return
    first, most = float(rate.mid[0]), float(rate.high.max())
    if first <= 0 or first < 0.99 * most:
        return
    told = run.setting(*WARMUPS)
    wanted = isinstance(told, (int, float)) and not isinstance(told, bool) and told > 0
    if wanted and isinstance(told, (int, float)):
        length = told if told >= 1 else told * (run.total or 0.0)
        if length > 0 and rate.step_at(0) < 0.5 * length:
            message = (
                f"{rate.tag} begins at its most, {num(most)}, although a warm-up of {num(float(told))} is configured"
            )
            yield Finding(
                "lr-warmup",
                run.name,
                rate.tag,
                rate.step_at(0),
                Severity.WARN,
                message,
                ADVICE,
                {"rate": first, "warmup": float(told)},
                rate.step_at(0),
                rate.time_at(0),
                0.9,
            )
        return
    loss = run.main_loss
    if loss is None or run.plays or len(loss) < 40:
        return
    early = loss.mid[: max(4, len(loss) // 10)]
    begin = float(loss.mid[0])
    peak = int(early.argmax())
    leap = float(early[peak]) - begin
    held = float(loss.smooth[: len(early)].max()) - begin
    if (
        leap > max(limits["leap"] * abs(begin), 6 * loss.noise)
        and held > 0.7 * leap
        and peak > 0
        and loss.level < begin
    ):
        message = (
            f"{loss.tag} leapt from {num(begin)} to {num(float(early[peak]))}{at(loss.step_at(peak))} at the full "
            "learning rate"
        )
        yield Finding(
            "lr-warmup",
            run.name,
            loss.tag,
            loss.step_at(peak),
            Severity.INFO,
            message,
            ADVICE,
            {"begin": begin, "peak": float(early[peak]), "rate": first},
            loss.step_at(0),
            loss.time_at(0),
            0.6,
        )


RULE = Rule("lr-warmup", "warm-up missing", "run", look, limits={"points": 5.0, "leap": 1.0})
