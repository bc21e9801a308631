"""The error for a request that makes no sense. Imports nothing, so that the command line can name it."""


class UsageError(ValueError):
    """An argument that cannot be used. Its text is one line: what, found, allowed."""

    def __init__(self, text: str) -> None:
        super().__init__(" ".join(text.split()))
