"""Errors that a user can correct: one line, no traceback."""


class Problem(Exception):
    pass
