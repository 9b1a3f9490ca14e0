"""Prints the names of the cases, one a line: ``python -m tuimon_writer.demo.cases``."""

import sys

from tuimon_writer.demo.cases.base import case_names

sys.stdout.write("".join(f"{name}\n" for name in case_names()))
