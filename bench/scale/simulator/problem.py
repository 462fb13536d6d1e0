"""What a person can mend: a message and no traceback."""


class Problem(Exception):
    pass


class Missing(Problem):
    """A peer that cannot be had here: the table goes on without it."""
