"""Keys of the media, of one of them on the whole panel, and of its kind."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

MEDIA = "Media"
ITEM = "Maximised media"
PICTURE = "Picture"
TEXT = "Text"

KEYS: tuple[Key, ...] = (
    Key("n,pagedown", "page(1)", "page", "next page", MEDIA, "n"),
    Key("N,pageup", "page(-1)", "", "previous page", MEDIA, "N"),
    Key("enter", "maximise", "maximise", "one of them on the whole panel; esc goes back", MEDIA),
    Key("up", "move(-1,0)", "", "the one above", MEDIA, "↑"),
    Key("down", "move(1,0)", "", "the one below", MEDIA, "↓"),
    Key("left", "move(0,-1)", "", "the one to the left", MEDIA, "←"),
    Key("right", "move(0,1)", "", "the one to the right", MEDIA, "→"),
    Key("left", "scrub(-1)", "step", "an earlier step", ITEM, "←"),
    Key("right", "scrub(1)", "", "a later step; from the last one on it follows the log", ITEM, "→"),
    Key("shift+left", "scrub(-10)", "", "ten steps earlier", ITEM, "⇧←"),
    Key("shift+right", "scrub(10)", "", "ten steps later", ITEM, "⇧→"),
    Key("home", "jump(0)", "", "the first step", ITEM),
    Key("end", "jump(1)", "", "the last step", ITEM),
    Key("full_stop", "item(1)", "item", "the next item of this step", ITEM, "."),
    Key("comma", "item(-1)", "", "the item before", ITEM, ","),
    Key("b", "beside", "beside", "runs beside each other, each at its nearest step", ITEM),
    Key("n,pagedown,down", "page(1)", "next", "the next tag", ITEM, "n"),
    Key("N,pageup,up", "page(-1)", "", "the tag before", ITEM, "N"),
    Key("enter", "maximise", "all", "back to all media; esc does the same", ITEM),
    Key("i", "act('zoom',1)", "zoom in", "zoom into the picture around the cursor", PICTURE),
    Key("o", "act('zoom',-1)", "out", "zoom out", PICTURE),
    Key("0", "act('fit')", "", "the whole picture, with its own tones", PICTURE),
    Key("plus,equals_sign", "act('brightness',1)", "brighter", "brighter", PICTURE, "+"),
    Key("minus", "act('brightness',-1)", "", "darker", PICTURE, "-"),
    Key("greater_than_sign", "act('contrast',1)", "contrast", "more contrast", PICTURE, ">"),
    Key("less_than_sign", "act('contrast',-1)", "", "less contrast", PICTURE, "<"),
    Key("l", "act('right',1)", "pixel", "the cursor to the right; it tells the value of the pixel", PICTURE),
    Key("h", "act('right',-1)", "", "the cursor to the left", PICTURE),
    Key("j", "act('down',1)", "", "the cursor down", PICTURE),
    Key("k", "act('down',-1)", "", "the cursor up", PICTURE),
    Key("L", "act('right',8)", "", "the cursor far to the right", PICTURE),
    Key("H", "act('right',-8)", "", "the cursor far to the left", PICTURE),
    Key("J", "act('down',8)", "", "the cursor far down", PICTURE),
    Key("K", "act('down',-8)", "", "the cursor far up", PICTURE),
    Key("u", "act('boxes')", "", "show or hide boxes and their labels", PICTURE),
    Key("right_curly_bracket", "act('frame',1)", "", "the next frame of a video", PICTURE, "}"),
    Key("left_curly_bracket", "act('frame',-1)", "", "the frame before", PICTURE, "{"),
    Key("m", "act('raw')", "markdown", "as Markdown, or as it was logged", TEXT),
    Key("down,j", "act('scroll',1)", "", "scroll down", TEXT, "↓"),
    Key("up,k", "act('scroll',-1)", "", "scroll up", TEXT, "↑"),
    Key("space", "act('scroll',20)", "", "scroll down far", TEXT),
)
