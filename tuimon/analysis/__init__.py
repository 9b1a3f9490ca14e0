"""Pure functions on runs and series: smoothing, axes, state, rates, comparison."""
