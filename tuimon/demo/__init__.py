"""Starts the trainings that `tuimon demo` shows and ends them with it."""
