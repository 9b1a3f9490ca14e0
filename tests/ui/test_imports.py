"""What is imported before the first paint, seen from outside in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys

SLOW = ("numpy", "watchfiles", "msgspec", "plotext", "importlib.metadata", "tuimon.store", "tuimon.charts.palette")
SCRIPT = """
import asyncio, sys
from tuimon.ui.app import TuimonApp
slow = {slow!r}
assert not [name for name in slow if name in sys.modules], [name for name in slow if name in sys.modules]

async def main():
    app = TuimonApp([{root!r}])
    load, seen = app._load, []
    app._load = lambda: (seen.append([name for name in slow if name in sys.modules]), load())
    async with app.run_test(size=(80, 24)) as pilot:
        await app.loaded.wait()
        await pilot.pause()
    assert seen == [[]], seen
    assert "numpy" in sys.modules and "msgspec" in sys.modules
    print("ok")

asyncio.run(main())
"""


def test_nothing_slow_is_imported_before_the_first_paint(tmp_path: object) -> None:
    """numpy, the reader and the charts come after the frame is on the terminal, and they do come."""
    script = SCRIPT.format(slow=SLOW, root=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=False)
    assert done.stdout == "ok\n", done.stderr
