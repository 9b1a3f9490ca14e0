"""Console output: lines, pairs of names and numbers, and steps."""
