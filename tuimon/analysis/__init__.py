"""What can be worked out from series: smoothing, axes, states, rates, summaries, comparisons. Pure functions."""
