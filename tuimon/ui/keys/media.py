"""Keys of the media, of one of them on the whole panel, and of its kind."""

from __future__ import annotations

from tuimon.ui.keys.base import Key

MEDIA = "Media"
ITEM = "Maximised media"
PICTURE = "Picture"
TEXT = "Text"
SOUND = "Sound"
MESSAGES = "Messages"
CURVES = "Curves"
MATRIX = "Matrix"
TABLE = "Table"
LAYERS = "Layers"
VECTORS = "Embedding"
MESH = "Mesh"

KEYS: tuple[Key, ...] = (
    Key("n,pagedown", "page(1)", "page", "next page", MEDIA, "n"),
    Key("N,pageup", "page(-1)", "", "previous page", MEDIA, "N"),
    Key("enter", "maximise", "maximise", "one of them on the whole panel; esc goes back", MEDIA),
    Key("up", "move(-1,0)", "", "the one above", MEDIA, "↑"),
    Key("down", "move(1,0)", "", "the one below", MEDIA, "↓"),
    Key("left", "move(0,-1)", "", "the one to the left", MEDIA, "←"),
    Key("right", "move(0,1)", "", "the one to the right", MEDIA, "→"),
    Key("left,less_than_sign", "scrub(-1)", "step", "an earlier step", ITEM, "←"),
    Key("right,greater_than_sign", "scrub(1)", "", "a later step; from the last one on it follows the log", ITEM, "→"),
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
    Key("o", "act('zoom',-1)", "", "zoom out", PICTURE),
    Key("0", "act('fit')", "", "the whole picture, with its own tones", PICTURE),
    Key("plus,equals_sign", "act('brightness',1)", "brighter", "brighter", PICTURE, "+"),
    Key("minus", "act('brightness',-1)", "", "darker", PICTURE, "-"),
    Key("c", "act('contrast',1)", "", "more contrast", PICTURE),
    Key("C", "act('contrast',-1)", "", "less contrast", PICTURE),
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
    Key("s", "search", "find", "search in the text while typing; esc ends it", TEXT),
    Key("w", "act('match',1)", "", "the next line with it", TEXT),
    Key("W", "act('match',-1)", "", "the line before", TEXT),
    Key("down,j", "act('scroll',1)", "", "scroll down", MESSAGES, "↓"),
    Key("up,k", "act('scroll',-1)", "", "scroll up", MESSAGES, "↑"),
    Key("v", "act('view')", "view", "waveform and spectrogram, or one of them", SOUND),
    Key("i", "act('zoom',1)", "zoom in", "zoom into the time", SOUND),
    Key("o", "act('zoom',-1)", "", "zoom out", SOUND),
    Key("0", "act('fit')", "", "the whole sound", SOUND),
    Key("l", "act('along',1)", "", "later", SOUND),
    Key("h", "act('along',-1)", "", "earlier", SOUND),
    Key("up,k", "act('along',1)", "threshold", "the cursor to the next threshold, or point", CURVES, "↑"),
    Key("down,j", "act('along',-1)", "", "the cursor to the one before", CURVES, "↓"),
    Key("shift+up,K", "act('along',10)", "", "ten thresholds up", CURVES, "⇧↑"),
    Key("shift+down,J", "act('along',-10)", "", "ten thresholds down", CURVES, "⇧↓"),
    Key("c", "act('line',1)", "curve", "the cursor to the next curve", CURVES),
    Key("t", "act('best')", "best", "the cursor to the threshold of the best F1", CURVES),
    Key("up,k", "act('down',-1)", "cell", "the cell above", MATRIX, "↑"),
    Key("down,j", "act('down',1)", "", "the cell below", MATRIX, "↓"),
    Key("left,h", "act('right',-1)", "", "the cell to the left", MATRIX, "←"),
    Key("right,l", "act('right',1)", "", "the cell to the right", MATRIX, "→"),
    Key("shift+up,K", "act('down',-10)", "", "ten cells up", MATRIX, "⇧↑"),
    Key("shift+down,J", "act('down',10)", "", "ten cells down", MATRIX, "⇧↓"),
    Key("shift+left,H", "act('right',-10)", "", "ten cells to the left", MATRIX, "⇧←"),
    Key("shift+right,L", "act('right',10)", "", "ten cells to the right", MATRIX, "⇧→"),
    Key("m", "act('share')", "share", "numbers, or their share of the row", MATRIX),
    Key("w", "act('worst',1)", "worst", "the cursor to the next worst confused pair", MATRIX),
    Key("W", "act('worst',-1)", "", "the cursor to the one before", MATRIX),
    Key("s", "act('rate')", "", "sort the confused pairs by number, or by share of their class", MATRIX),
    Key("c", "act('classes')", "classes", "recall and precision of each class, or the confused pairs", MATRIX),
    Key("less_than_sign", "scrub(-1)", "step", "an earlier step", MATRIX, "<"),
    Key("greater_than_sign", "scrub(1)", "", "a later step", MATRIX, ">"),
    Key("up,k", "act('row',-1)", "row", "the row above", TABLE, "↑"),
    Key("down,j", "act('row',1)", "", "the row below", TABLE, "↓"),
    Key("pageup,shift+up", "act('page',-1)", "", "a page of rows up", TABLE, "⇧↑"),
    Key("pagedown,shift+down,space", "act('page',1)", "", "a page of rows down", TABLE, "⇧↓"),
    Key("home,g", "act('edge',-1)", "", "the first row", TABLE, "g"),
    Key("end,G", "act('edge',1)", "", "the last row", TABLE, "G"),
    Key("left,h", "act('column',-1)", "", "the column to the left", TABLE, "←"),
    Key("right,l", "act('column',1)", "", "the column to the right", TABLE, "→"),
    Key("s", "act('sort')", "sort", "sort by the column under the cursor; again the other way; then as logged", TABLE),
    Key("slash", "search", "search", "show only rows with a text", TABLE, "/"),
    Key("m", "act('rows')", "chart", "the chart that a table is to be shown as, or its rows", TABLE),
    Key("less_than_sign", "scrub(-1)", "step", "an earlier step", TABLE, "<"),
    Key("greater_than_sign", "scrub(1)", "", "a later step", TABLE, ">"),
)
