"""The error for a results folder that cannot be used. Imports nothing: the command line names it."""


class ResultsError(Exception):
    """A folder that cannot be written or read as results. Its text is one line that says which and why."""

    def __init__(self, text: str) -> None:
        super().__init__(" ".join(text.split()))
