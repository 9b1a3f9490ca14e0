"""The ways to tell people of something: one module each, with a class that has ``send``."""
