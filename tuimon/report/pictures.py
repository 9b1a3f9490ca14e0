"""The pictures of runs, as data that a page can hold itself."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tuimon.numbers import counted, format_bytes, format_step
from tuimon.store import Run
from tuimon.ui.media.library import file_of

MOST_OF_ONE = 1 << 20
"""Bytes of a picture; a larger one is left out."""
MOST_OF_ALL = 8 << 20
"""Bytes of all pictures together."""
MOST_OF_A_TAG = 4
"""Pictures of the last step of a tag."""
_KINDS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"BM": "bmp"}
"""First bytes of the pictures that any browser shows; no SVG, which can hold anything."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture.

    Attributes:
        run, tag: Whose it is.
        step: Its step as text.
        caption: What was logged with it.
        uri: The picture itself.
    """

    run: str
    tag: str
    step: str
    caption: str
    uri: str


def pictures(
    runs: Sequence[Run], wants_tag: Callable[[str], bool] = lambda _tag: True
) -> tuple[list[Picture], list[str]]:
    """The pictures of the last step of each tag; and what was left out, in words. Hold the store's lock.

    Args:
        runs: The runs.
        wants_tag: Whether a tag is to be told of; all by default.
    """
    found: list[Picture] = []
    used = steps = many = 0
    large: list[str] = []
    missing = 0
    for run in runs:
        for tag, series in run.media.items():
            places = [at for at, sort in enumerate(series.sorts) if sort == "media/image"]
            if not places or not wants_tag(tag):
                continue
            all_steps = series.steps
            last = [at for at in places if all_steps[at] == all_steps[places[-1]]]
            steps += len(places) - len(last)
            many += max(len(last) - MOST_OF_A_TAG, 0)
            for at in last[:MOST_OF_A_TAG]:
                media = series.at(at)
                file = file_of(media.body, series.path(at)) if media is not None else None
                if media is None or file is None or file.problem:
                    missing += 1
                    continue
                data = _read(file.path, file.offset, file.length)
                kind = next((kind for magic, kind in _KINDS.items() if data.startswith(magic)), "")
                if not kind:
                    missing += 1
                elif len(data) > MOST_OF_ONE or used + len(data) > MOST_OF_ALL:
                    large.append(tag)
                else:
                    used += len(data)
                    uri = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
                    caption = media.body.get("caption")
                    step = format_step(float(all_steps[at]))
                    found.append(Picture(run.name, tag, step, caption if isinstance(caption, str) else "", uri))
    told = []
    if steps:
        told.append(f"{counted(steps, 'picture')} of earlier steps")
    if many:
        told.append(f"{counted(many, 'more picture')} of last steps")
    if large:
        limits = f"{format_bytes(MOST_OF_ONE)} each or {format_bytes(MOST_OF_ALL)} in all"
        told.append(f"{counted(len(large), 'picture')} beyond {limits}")
    if missing:
        told.append(
            f"{counted(missing, 'picture')} that {'is' if missing == 1 else 'are'} not there, or of another kind"
        )
    return found, told


def _read(path: str, offset: int, length: int | None) -> bytes:
    """The bytes of a picture, one more than may be kept at most; none if they cannot be read."""
    try:
        with open(path, "rb") as file:
            file.seek(offset)
            return file.read(MOST_OF_ONE + 1 if length is None else min(length, MOST_OF_ONE + 1))
    except OSError:
        return b""
