"""The name that a log gives its run, beside the name of its directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tuimon.records import RunInfo

if TYPE_CHECKING:
    from tuimon.store import Store

    from .conftest import Show


async def test_details_tell_a_name_that_the_directory_does_not(gallery: Store, show: Show) -> None:
    """W&B calls a run "sunny-river" and its directory "run-…-uir9v01p". One that is on the screen is not repeated."""
    run = gallery.runs["resnet/lr1.0-bs64"]
    gallery.append(run.sources[0], [RunInfo({"name": "sunny-river"})])
    async with show(gallery, (100, 60)) as display:
        assert "sunny-river" in await display.press("enter")
        await display.press("escape")
        gallery.append(run.sources[0], [RunInfo({"name": "lr1.0-bs64"})])
        assert "sunny-river" not in await display.press("enter")
