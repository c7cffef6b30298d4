"""heddle - results of the GPU simulator heddle in Python.

Opens studies (the SQLite files of `heddle compare --db`), run JSON (`--json`), and runs `heddle` itself. Needs
nothing but Python's own library. Tables are pandas frames if pandas can be imported, and lists of dicts if not.

    import heddle

    runs = heddle.compare(["vecadd", "scan"], sched=["lrr", "gto"], db="study.db")
    print(heddle.text(heddle.normalised(heddle.summary(runs), base="lrr")))

docs/python.md is the manual.
"""
from .errors import Error, Failed
from .program import compare, each, find, run
from .results import Run, counters, kernels, open_json, options, stalls, summary
from .study import Study
from .tables import means, normalised, records, table, text

__all__ = ["Error", "Failed", "Run", "Study", "compare", "counters", "each", "find", "kernels", "means", "normalised",
           "open_json", "options", "records", "run", "stalls", "summary", "table", "text"]
