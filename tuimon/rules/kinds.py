"""What a series measures, as far as its name says: a rule asks only series whose kind it understands."""

from __future__ import annotations

import enum
import functools
import re

from tuimon.analysis.direction import direction
from tuimon.analysis.families import SIDES, side


def names(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


class Kind(enum.Enum):
    """What a series measures."""

    LOSS = "loss"
    """A loss as a whole, which the training brings down."""
    PART = "part of a loss"
    """A term of a loss, or a loss that need not fall: adversarial, policy, value, KL…"""
    SCORE = "score"
    """Better when higher."""
    ERROR = "error"
    """Better when lower, and no loss."""
    RETURN = "return"
    """The reward of an agent: noisy, and its way is no smooth one."""
    RATE = "learning rate"
    GRADIENT = "gradient"
    """A size of gradients: a norm, or the largest of them."""
    WEIGHT = "weight"
    """A size of weights."""
    SPEED = "speed"
    """Steps, samples or tokens a second."""
    STEP_TIME = "step time"
    DATA_TIME = "data time"
    """Time spent waiting for data."""
    SYSTEM = "system"
    OTHER = "other"


VALUED = frozenset((Kind.LOSS, Kind.SCORE, Kind.ERROR, Kind.RETURN, Kind.PART))
"""Kinds that say how well a model does."""

_PARTS = names(
    """adv adversarial gan gen generator disc discriminator critic policy value vf pg actor entropy kl kld vae reg
    regularization l1 l2 clip surrogate q qf1 qf2 alpha temperature commitment vq aux auxiliary icm rnd d g fake
    real penalty cycle identity idt style perceptual feature distill distillation gp bc"""
)
_RETURNS = names("reward rewards rew return returns episode ep rollout eprewmean winrate elo fitness")
_NORMS = names("norm gnorm l2 max absmax rms std maximum magnitude mag total l2norm")
_WHOLE = names("loss losses nll ce xent crossentropy bce mse ctc ppl perplexity objective cost logloss")
_NO_SIZE = names("clipped clip ratio count threshold steps accumulation scale coef updates min mean avg")
_SETTINGS = names("config cfg hparams hyperparameters args coeff coef coefficient target beta alpha")
_SYSTEM = ("system/", "sys/", "_system")


@functools.lru_cache(maxsize=8192)
def words(tag: str) -> tuple[str, ...]:
    """The words of a tag in small letters: split at signs and at humps."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", " ", tag)
    return tuple(word for word in re.split(r"[^0-9A-Za-z一-鿿]+", spaced.lower()) if word)


@functools.lru_cache(maxsize=8192)
def kind_of(tag: str) -> Kind:
    """What a series measures, by its tag."""
    if tag.startswith(_SYSTEM):
        return Kind.SYSTEM
    named = words(tag)
    if not named:
        return Kind.OTHER
    own = set(named)
    if own & _SETTINGS:
        return Kind.OTHER
    if own & {"lr", "lr0", "lr1", "lr2"} or "learning_rate" in "_".join(named) or "learningrate" in own:
        return Kind.RATE
    if own & {"grad", "grads", "gradient", "gradients", "gnorm"} and "loss" not in own:
        sized = own & _NORMS or len(named) <= 2
        return Kind.GRADIENT if sized and not own & _NO_SIZE else Kind.OTHER
    if own & {"weight", "weights", "param", "params", "parameters"} and own & _NORMS and not own & _NO_SIZE:
        return Kind.WEIGHT
    timed = _time_kind(own, named)
    return timed or _value_kind(tag, own)


def _time_kind(own: set[str], named: tuple[str, ...]) -> Kind | None:
    last = named[-1]
    text = "_".join(named)
    if re.search(r"(per_sec|per_second|_s_per|/s$|it_s$|throughput|samples_sec|steps_sec|tokens_sec)", text) or own & {
        "fps",
        "sps",
        "tps",
    }:
        return Kind.SPEED
    if own & {"time", "seconds", "sec", "ms", "secs", "duration", "latency"} or last.endswith("time"):
        if own & {"data", "dataloader", "loading", "loader", "dataload", "fetch"}:
            return Kind.DATA_TIME
        if own & {"step", "iter", "iteration", "batch"} and not own & {"total", "elapsed", "eval", "val", "eta"}:
            return Kind.STEP_TIME
        return Kind.OTHER
    return None


def _value_kind(tag: str, own: set[str]) -> Kind:
    if own & {"std", "stddev", "var", "variance", "min", "count", "num", "total_num", "len", "length", "lr"}:
        return Kind.OTHER
    way = direction(tag)
    lossy = bool(own & _WHOLE) or any(word.endswith("loss") for word in own)
    if own & _RETURNS and not lossy:
        return Kind.RETURN if way == "max" else Kind.OTHER
    if way is None and not lossy:
        return Kind.OTHER
    if lossy:
        rest = _quantity(tag)
        return Kind.LOSS if rest in _PLAIN_LOSSES and not own & _PARTS else Kind.PART
    return Kind.SCORE if way == "max" else Kind.ERROR


_PLAIN_LOSSES = names(
    """loss losses total total/loss loss/total epoch/loss loss/epoch loss/step step/loss batch/loss loss/batch
    loss/avg avg/loss mean/loss loss/mean running/loss model/loss loss/loss losses/loss nll nll/loss loss/nll ce
    ce/loss loss/ce cross/entropy cross/entropy/loss crossentropy logloss mse mse/loss loss/mse bce bce/loss ppl
    perplexity objective cost ctc ctc/loss loss/ctc crossentropyloss lm/loss iter/loss overall/loss totalloss
    task/loss 0/loss metrics/loss scalars/loss epoch/epoch/loss celoss loss/ema ema/loss"""
)


def _quantity(tag: str) -> str:
    """What a tag names, without the words for the data."""
    return "/".join(word for word in words(tag) if word not in SIDES and word != "learn" and not word.isdecimal())


def is_validation(tag: str) -> bool:
    """Whether a tag says that it was measured on data that is not trained on."""
    return (side(tag)[1] or 0) > 0


class Tensor(enum.Enum):
    """What a histogram is of, as far as its name says."""

    GRADIENT = "gradient"
    WEIGHT = "weight"
    BIAS = "bias"
    ACTIVATION = "activation"
    OTHER = "other"


_GRADIENTS = frozenset(["grad", "grads", "gradient", "gradients"])
_WEIGHTS = names("weight weights w kernel kernels param params parameters embedding embeddings")
_BIASES = names("bias biases b beta gamma norm bn ln layernorm batchnorm moving running var mean scale")
_ACTIVATIONS = names("act acts activation activations output outputs out hidden relu features")


@functools.lru_cache(maxsize=4096)
def tensor_of(tag: str) -> Tensor:
    """What a histogram is of, by its tag. Biases, and what normalises, often are zero and mean nothing by it."""
    named = [re.sub(r"\d+$", "", word) for word in words(tag)]
    own = set(named)
    if own & _BIASES and not own & _ACTIVATIONS:
        return Tensor.BIAS
    if own & _GRADIENTS:
        return Tensor.GRADIENT
    if own & _WEIGHTS:
        return Tensor.WEIGHT
    return Tensor.ACTIVATION if own & _ACTIVATIONS else Tensor.OTHER
