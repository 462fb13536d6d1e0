"""Errors that a user can do something about: one line, no traceback."""


class Problem(Exception):
    pass
