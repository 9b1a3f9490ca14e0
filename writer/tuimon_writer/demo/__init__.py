"""Small real trainings to look at: a network learns to tell three spirals apart, several ways at once.

``python -m tuimon_writer.demo DIR`` trains them, ``tuimon demo`` opens the monitor on them too. It needs NumPy.
"""
