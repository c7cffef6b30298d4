"""errors.py - what goes wrong, with the words of heddle itself where it said something."""


class Error(Exception):
    """A file that cannot be read, a program that is missing, or input that heddle refuses.

    status: the exit status of heddle, None if it was not run. command: its words. messages: what it printed on
    standard error.
    """

    def __init__(self, text, status=None, command=None, messages=""):
        super().__init__(text)
        self.status = status
        self.command = command
        self.messages = messages


class Failed(Error):
    """Runs whose results are wrong, or that faulted or hung. runs: all runs, also those that are good."""

    def __init__(self, text, runs, **rest):
        super().__init__(text, **rest)
        self.runs = runs
