"""Whether a lower or a higher value of a metric is better, guessed from its name."""

from __future__ import annotations

import functools
import re
from typing import Literal

Direction = Literal["min", "max"]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEITHER = _names(
    """lr learning_rate wd weight_decay momentum beta beta1 beta2 time seconds sec duration epoch epochs step steps iter
    iters iteration iterations batch count num samples tokens size memory mem gpu cpu util temperature temp eps epsilon
    norm grad scale eta fps throughput std stdv stddev var variance"""
)
_HIGHER = _names(
    """acc accuracy acc1 acc5 top1 top5 auc auroc auprc roc pr f1 fscore iou miou giou dice map map50 ap ap50 ap75 ar
    precision recall specificity sensitivity bleu bleu4 rouge rouge1 rouge2 rougel meteor cider spice chrf reward rew
    rewards return returns score scores success win winrate wins ndcg mrr hit hits psnr ssim r2 kappa mcc correlation
    corr spearman pearson likelihood elbo pass match em fitness correct"""
)
_MANNER = _names("step epoch mean avg average ema smooth smoothed running total")
"""Last words that say how a metric was taken, not what it is."""

_LOWER = _names(
    """loss losses err error errors mse rmse mae mape smape rmsle nll bce ce xent crossentropy ppl perplexity wer cer
    ter fid kid lpips kl kld divergence cost regret eer brier ece logloss energy bpc bpb hinge ctc surprise residual
    deviation distance"""
)


@functools.lru_cache(maxsize=4096)
def direction(tag: str) -> Direction | None:
    """Which way a metric gets better: "min", "max", or None when its name does not say (rates, times, counts).

    The last part of the name counts most: "acc/val_loss" gets better downwards.
    """
    words = _words(tag)
    while len(words) > 1 and words[-1] in _MANNER:
        words.pop()
    if "lr" in words or "learning rate" in " ".join(words):
        return None
    for word in reversed(words):
        if word in _LOWER or word.endswith(("loss", "error", "perplexity")):
            return "min"
        if word in _HIGHER or word.endswith(("accuracy", "score", "auc", "iou", "reward")):
            return "max"
        if word in _NEITHER:
            return None
    return None


def _words(tag: str) -> list[str]:
    """The words of a tag in lower case: split at signs and at humps, "valLoss@0.5" -> val, loss, 0, 5."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", " ", tag)
    return [word for word in re.split(r"[^0-9A-Za-z一-鿿]+", spaced.lower()) if word]
