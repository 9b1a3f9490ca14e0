"""YAML settings: what the values of programs become, and that no file can do harm."""

from __future__ import annotations

import math
import random
import time
from pathlib import Path

import pytest

from tuimon.formats._values import settings
from tuimon.formats._yaml import load_yaml


def test_plain_values_have_the_types_that_a_person_means() -> None:
    """Numbers in any spelling are numbers, words for truth are booleans, dates and padded numbers stay texts."""
    text = b"""\
lr: 1e-4
momentum: 0.9
steps: 1_000
mask: 0x1F
on: yes
off: No
none:
tilde: ~
big: .inf
bad: .NaN
day: 2021-01-02
id: 007
quoted: '1'
name: 5 abc
1: 2
"""
    found = load_yaml(text)
    assert isinstance(found, dict)
    assert math.isnan(found.pop("bad"))
    assert found == {
        "lr": 1e-4,
        "momentum": 0.9,
        "steps": 1000,
        "mask": 31,
        "on": True,
        "off": False,
        "none": None,
        "tilde": None,
        "big": math.inf,
        "day": "2021-01-02",
        "id": "007",
        "quoted": "1",
        "name": "5 abc",
        "1": 2,
    }


def test_objects_of_python_become_what_they_are_made_of() -> None:
    """A tag that names a class gives its parts, and nothing is imported or called."""
    text = b"""\
args: !!python/object:argparse.Namespace
  lr: 0.1
layer: !!python/name:torch.nn.ReLU ''
betas: !!python/tuple [0.9, 0.999]
out: !!python/object/apply:pathlib.PosixPath [/, data, out]
mode: !!python/object/apply:lib.Mode [train]
extra: !!python/object/new:lib.AttributeDict
  dictitems: {a: 1}
  state: {a: 2}
evil: !!python/object/apply:os.system ["touch made-by-yaml"]
"""
    assert load_yaml(text) == {
        "args": {"lr": 0.1},
        "layer": "torch.nn.ReLU",
        "betas": [0.9, 0.999],
        "out": "/data/out",
        "mode": "train",
        "extra": {"a": 1},
        "evil": "touch made-by-yaml",
    }
    assert not Path("made-by-yaml").exists()


def test_anchors_and_merge_keys() -> None:
    """What is defined once and used again is there each time; a key of its own wins over a merged one."""
    text = b"base: &base {lr: 0.1, seed: 1}\nrun:\n  <<: *base\n  seed: 2\nlist: [*base]\n"
    found = load_yaml(text)
    assert found == {"base": {"lr": 0.1, "seed": 1}, "run": {"lr": 0.1, "seed": 2}, "list": [{"lr": 0.1, "seed": 1}]}
    assert settings(found) == {  # type: ignore[arg-type]
        "base/lr": 0.1,
        "base/seed": 1,
        "run/lr": 0.1,
        "run/seed": 2,
        "list": '[{"lr": 0.1, "seed": 1}]',
    }


BOMB = b"a: &a [x, x, x, x, x, x, x, x, x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (98 + i, 98 + i, b", ".join([b"*%c" % (97 + i)] * 9)) for i in range(9)
)


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 200_000,
        b"- " * 100_000,
        b"{a: " * 100_000,
        b"a: &a [*a]",
        b"a: *nowhere",
        BOMB,
        b"a: b: c",
        b"",
        b"---\n",
    ],
    ids=["brackets", "dashes", "braces", "itself", "nowhere", "bomb", "bad", "empty", "nothing"],
)
def test_what_is_no_settings_gives_nothing_quickly(text: bytes) -> None:
    """Nesting, aliases that multiply and broken files are refused without a crash or a wait."""
    began = time.process_time()
    assert load_yaml(text) is None
    assert time.process_time() - began < 5


def test_any_bytes_are_survived() -> None:
    """Half a file, and a file with bytes changed, give a value or nothing."""
    rng = random.Random(5)
    text = b"lr: 0.1\nmodel:\n  - name: 'a b'\n    size: &s [1, 2]\n  - {x: *s, y: !!python/tuple [1]}\nt: |\n  hello\n"
    for cut in range(len(text)):
        load_yaml(text[:cut])
        changed = bytearray(text)
        changed[cut] = rng.randrange(256)
        load_yaml(bytes(changed))
