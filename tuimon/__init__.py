"""tuimon: the training monitor for people who live in a terminal.

Importing this package imports nothing else, so that asking for the version is free.
"""

__version__ = "0.1.0"
