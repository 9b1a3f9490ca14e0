"""The one table of keys: bindings, the footer and the help screen are made from it.

A panel's keys work while it is on screen, wherever the focus is: the app passes them on to ``action_<name>`` of the
visible panel. Keys of the list of runs also work in the panels that list runs themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

EVERYWHERE = "Everywhere"
RUNS = "Runs"
OVERVIEW = "Overview"
SCALARS = "Scalars"
CHART = "Maximised chart"
DISTRIBUTIONS = "Distributions"
COMPARE = "Compare"
PROMPT = "While typing a filter"
VIEWS = ((1, OVERVIEW), (2, SCALARS), (3, DISTRIBUTIONS), (4, COMPARE))
"""Number and title of the views, to have something to show before the panels are imported."""
LISTING_VIEWS = (1, 4)
"""The views that list the runs themselves."""


@dataclass(frozen=True, slots=True)
class Key:
    """One row of the table.

    Attributes:
        keys: Textual key names, separated by commas; all do the same.
        action: The action, with arguments if it takes any; ``action_<name>`` is a method of what ``where`` names.
        label: A word or two for the footer; empty to keep it out of there.
        text: What it does, for the help screen.
        where: The part of the screen it belongs to.
        shown: How the key is written; by default the first of ``keys``.
    """

    keys: str
    action: str
    label: str
    text: str
    where: str
    shown: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The Textual names of the keys."""
        return tuple(self.keys.split(","))

    @property
    def display(self) -> str:
        """How a person would write the keys."""
        return self.shown or self.names[0]


KEYS: tuple[Key, ...] = (
    Key("1", "view(1)", "", "overview: every run at a glance", EVERYWHERE),
    Key("2", "view(2)", "", "scalars: a chart a tag", EVERYWHERE),
    Key("3", "view(3)", "", "distributions: histograms over time", EVERYWHERE),
    Key("4", "view(4)", "", "compare: settings and results in one table", EVERYWHERE),
    Key("slash", "filter_tags", "tags", "filter tags: part of the name, glob*, or re:regex", EVERYWHERE, "/"),
    Key("f", "filter_runs", "runs", "filter runs, in the same ways", EVERYWHERE),
    Key("r", "toggle_runs", "", "show or hide the list of runs", EVERYWHERE),
    Key("tab", "switch_focus", "", "go between the list of runs and the panel", EVERYWHERE),
    Key("escape", "back", "", "back; clear the filters", EVERYWHERE, "esc"),
    Key("question_mark", "help", "help", "this help", EVERYWHERE, "?"),
    Key("q,ctrl+c", "quit", "quit", "quit", EVERYWHERE, "q"),
    Key("ctrl+z", "app.suspend_process", "", "suspend to the shell; fg comes back", EVERYWHERE),
    Key("space", "select_run", "select", "narrow the view to this run; more than one can be selected", RUNS),
    Key("h", "hide_run", "hide", "hide this run, or show it again", RUNS),
    Key("p", "pin_run", "pin", "keep this run on top", RUNS),
    Key("a", "all_runs", "all", "show all runs; again: none", RUNS),
    Key("t", "order_runs", "order", "sort runs: newest, oldest, name", RUNS),
    Key("enter", "open_run", "details", "details of a run: settings, command, error", RUNS),
    Key("y", "toggle_log", "log y", "logarithmic y axis", SCALARS),
    Key("plus,equals_sign", "smooth(1)", "smooth", "smooth more", SCALARS, "+"),
    Key("minus", "smooth(-1)", "", "smooth less; 0 is the raw curve", SCALARS, "-"),
    Key("x", "next_axis", "x axis", "x axis: step, relative, wall, active, epoch", SCALARS),
    Key("v", "toggle_families", "train+val", "training and validation of a quantity on one chart", SCALARS),
    Key("u", "toggle_superseded", "", "also draw, dim, what a resumed run has superseded", SCALARS),
    Key("n,pagedown", "page(1)", "page", "next page of charts", SCALARS, "n"),
    Key("N,pageup", "page(-1)", "", "previous page of charts", SCALARS, "N"),
    Key("enter", "maximise", "maximise", "one chart on the whole panel; esc goes back", SCALARS),
    Key("up", "move(-1,0)", "", "the chart above", SCALARS, "↑"),
    Key("down", "move(1,0)", "", "the chart below", SCALARS, "↓"),
    Key("left", "move(0,-1)", "", "the chart to the left", SCALARS, "←"),
    Key("right", "move(0,1)", "", "the chart to the right", SCALARS, "→"),
    Key("left", "move(0,-1)", "cursor", "the cursor to the left", CHART, "←"),
    Key("right", "move(0,1)", "", "the cursor to the right", CHART, "→"),
    Key("shift+left", "move(0,-10)", "", "the cursor ten columns to the left", CHART, "⇧←"),
    Key("shift+right", "move(0,10)", "", "the cursor ten columns to the right", CHART, "⇧→"),
    Key("home", "jump(0)", "", "the cursor to the first point", CHART),
    Key("end", "jump(1)", "", "the cursor to the last point", CHART),
    Key("i", "zoom(1)", "zoom in", "zoom in around the cursor", CHART),
    Key("o", "zoom(-1)", "out", "zoom out", CHART),
    Key("0", "zoom(0)", "all", "the whole range again", CHART),
    Key("enter", "maximise", "page", "back to the page of charts; esc does the same", CHART),
    Key("n,pagedown", "page(1)", "page", "next page", DISTRIBUTIONS, "n"),
    Key("N,pageup", "page(-1)", "", "previous page", DISTRIBUTIONS, "N"),
    Key("enter", "maximise", "maximise", "one distribution on the whole panel; esc goes back", DISTRIBUTIONS),
    Key("up", "move(-1,0)", "", "the one above", DISTRIBUTIONS, "↑"),
    Key("down", "move(1,0)", "", "the one below", DISTRIBUTIONS, "↓"),
    Key("left", "move(0,-1)", "", "to the left; when maximised an earlier step", DISTRIBUTIONS, "←"),
    Key("right", "move(0,1)", "", "to the right; when maximised a later step", DISTRIBUTIONS, "→"),
    Key("home", "jump(0)", "", "when maximised the first step", DISTRIBUTIONS),
    Key("end", "jump(1)", "", "when maximised the last step", DISTRIBUTIONS),
    Key("right_square_bracket", "run(1)", "run", "the next run", DISTRIBUTIONS, "]"),
    Key("left_square_bracket", "run(-1)", "", "the run before", DISTRIBUTIONS, "["),
    Key("left", "column(-1)", "", "the column to the left, to sort by it", COMPARE, "←"),
    Key("right", "column(1)", "", "the column to the right, to sort by it", COMPARE, "→"),
    Key("shift+left,ctrl+left", "column(-5)", "", "five columns to the left", COMPARE, "⇧←"),
    Key("shift+right,ctrl+right", "column(5)", "", "five columns to the right", COMPARE, "⇧→"),
    Key("s", "sort", "sort", "sort by the column under the cursor; again: the other way", COMPARE),
    Key("d", "differing", "settings", "all settings; again: only those that differ between runs", COMPARE),
    Key("b", "toggle_best", "best", "whether the best of this tag is its least or its greatest", COMPARE),
    Key("enter", "submit", "keep the filter", "keep the filter and go on", PROMPT),
    Key("escape", "cancel", "clear", "clear the filter and go on", PROMPT, "esc"),
)


def keys_for(where: str) -> tuple[Key, ...]:
    """The rows of one part of the screen, in the order of the table."""
    return tuple(key for key in KEYS if key.where == where)
