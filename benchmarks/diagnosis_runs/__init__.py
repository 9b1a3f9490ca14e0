"""Labelled trainings for the benchmark of the rules: real, small, and made so that it is known what goes wrong."""
