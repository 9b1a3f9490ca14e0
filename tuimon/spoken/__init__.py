"""The facts of each view as lines of text, for screen readers and for whoever wants them to the point.

Nothing here knows a terminal: each function takes what is known of the runs and gives plain sentences.
"""
