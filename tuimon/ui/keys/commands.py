"""What only the command palette offers: wanted too rarely for a key."""

from __future__ import annotations

from tuimon.ui.keys.base import Key
from tuimon.ui.theme_names import THEMES

COMMANDS = "Commands"

KEYS = (
    Key("", "copy_run", "", "copy the name of this run", COMMANDS),
    Key("", "copy_path", "", "copy the path of this run's files", COMMANDS),
    Key("", "copy_screen", "", "copy what is on screen, as text", COMMANDS),
    Key("", "save_picture", "", "picture of the screen (SVG) into this directory", COMMANDS),
    Key("", "save_text", "", "text of the screen into this directory", COMMANDS),
    Key("", "save_view", "", "save this view to a file, to share it: tuimon DIR --view FILE", COMMANDS),
    Key("", "forget_view", "", "forget all choices: the view as it was at first", COMMANDS),
    Key("", "theme('auto')", "", "theme: what suits the terminal, from the next start on", COMMANDS),
    *(Key("", f"theme('{name}')", "", f"theme: {name}", COMMANDS) for name in THEMES),
)
