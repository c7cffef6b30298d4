"""results.py - the JSON of runs (docs/run.schema.json), and the tables that are made of it."""
import json

from .errors import Error
from .tables import table

STALLS = ("issued", "idle", "scoreboard", "pipeline", "inactive")
NAMES = ("workload", "size", "seed", "gpu", "set", "sched", "fetch", "tb", "kernel_policy")
# Places of a run that name it. `set`: the --set options, in the JSON of compare and in studies.
BASELINES = {"fetch": "rr", "tb": "rr", "kernel_policy": "rr"}


class Run(dict):
    """A run as heddle writes it: the keys are those of docs/run.schema.json. The properties are what one asks for
    most often."""

    @property
    def name(self):
        words = [self["workload"], self.get("set"), "under", self["sched"], "on", self["gpu"]]
        return " ".join(str(word) for word in words if word)

    @property
    def good(self):
        """Whether it ended, and its results are right or there was nothing to check."""
        return self.get("status") == "ok" and self.get("verified") is not False

    @property
    def limited(self):
        """Whether it ended at --max-cycles or --max-insts, so that its numbers are those up to there."""
        return self.get("status") == "limit"

    @property
    def cycles(self):
        """Cycles of the run, None if it was not timed: those in which any kernel ran, each counted once. The same
        as `cycles` in a study. (`run["totals"]["cycles"]` is the sum over the launches.)"""
        totals = self.get("totals") or {}
        return totals.get("elapsed_cycles", totals.get("cycles"))

    @property
    def dynamic(self):
        """Whether a kernel launched kernels."""
        return any(k.get("parent") is not None for k in self.get("kernels") or ())

    @property
    def ipc(self):
        """Thread instructions per cycle over the whole machine, None without timing."""
        cycles = self.cycles
        return self["totals"]["thread_insts"] / cycles if cycles else None

    @property
    def stalls(self):
        """Share of the schedulers' cycles in each class, over all kernels; None without timing."""
        sums = dict.fromkeys(STALLS, 0)
        for kernel in self.get("kernels") or ():
            for name in STALLS if kernel.get("stalls") else ():
                sums[name] += kernel["stalls"][name]
        total = sum(sums.values())
        return {name: n / total for name, n in sums.items()} if total else None

    def counter(self, name):
        """A counter of `heddle list stats`, summed over all kernels; None if the machine does not have the part that
        it counts. KeyError if there is no such counter."""
        values = [kernel["counters"][name] for kernel in self.get("kernels") or ()]
        return None if not values or None in values else sum(values)


def open_json(path):
    """The runs in a file that heddle wrote: one of `heddle run --json` (also of `exec` and `show RUN --json`), or
    all of `heddle compare --json`. Always a list of Run."""
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except OSError as e:
        raise Error("%s: %s" % (path, e.strerror)) from None
    except ValueError as e:
        raise Error("%s: not JSON, or cut off: %s" % (path, e)) from None
    return from_json(value, path)


def from_json(value, path):
    runs = value.get("runs") if isinstance(value, dict) and "workload" not in value else [value]
    if not isinstance(runs, list) or not all(isinstance(r, dict) and "workload" in r for r in runs):
        raise Error("%s: no result of 'heddle run --json' or 'heddle compare --json'" % path)
    return [Run(r) for r in runs]


def _all(runs):
    return [runs] if isinstance(runs, dict) else list(runs)


def _names(run):
    row = {}
    for name in NAMES:
        value = run.get(name)
        if name == "set":
            value = value or ""
        if value != BASELINES.get(name, object()):
            row[name] = value
    return row


def _rows(rows):
    """Rows in which some have a name and others do not get it everywhere, in the usual order."""
    present = [n for n in ("run",) + NAMES if any(n in row for row in rows)]
    return [{**{n: row.get(n, BASELINES.get(n)) for n in present}, **row} for row in rows]


def summary(runs, frame=None):
    """A row for each run: what names it, status, verified, cycles, ipc, instructions. The policies for fetch, blocks
    and kernels have columns only if a run does not use the default."""
    rows = []
    for run in _all(runs):
        totals = run.get("totals") or {}
        row = _names(run)
        row.update(status=run.get("status"), verified=run.get("verified"), cycles=run.cycles, ipc=run.ipc,
                   warp_insts=totals.get("warp_insts"), thread_insts=totals.get("thread_insts"))
        rows.append(row)
    return table(_rows(rows), frame)


def stalls(runs, frame=None):
    """A row for each run: what names it, and the share of the schedulers' cycles in each class."""
    rows = []
    for run in _all(runs):
        rows.append({**_names(run), **(run.stalls or dict.fromkeys(STALLS))})
    return table(_rows(rows), frame)


def kernels(runs, frame=None):
    """A row for each launch: the run's names, then the launch's numbers. Objects of the JSON become columns:
    l1d.misses is l1d_misses, and the stall classes are columns by their own names."""
    rows = []
    for number, run in enumerate(_all(runs)):
        for kernel in run.get("kernels") or ():
            row = {"run": run.get("id", number), **_names(run)}
            for name, value in kernel.items():
                if name == "stalls":
                    row.update(value or dict.fromkeys(STALLS))
                elif name in ("grid", "block"):
                    row[name] = "x".join(map(str, value))
                elif name in ("counters", "metrics", "points"):
                    pass  # counters() has the first; the others are nested deeper
                elif isinstance(value, dict):
                    row.update(("%s_%s" % (name, inner), v) for inner, v in value.items())
                else:
                    row["kernel" if name == "name" else name] = value
            rows.append(row)
    return table(_rows(rows), frame)


def counters(runs, frame=None):
    """A row for each run: what names it, and every counter of `heddle list stats`, summed over its launches."""
    rows = []
    for run in _all(runs):
        row = _names(run)
        for kernel in run.get("kernels") or ():
            for name in kernel.get("counters") or {}:
                if name not in row:
                    row[name] = run.counter(name)
        rows.append(row)
    return table(_rows(rows), frame)


def options(runs, all_of_them=False, frame=None):
    """A row for each run: what names it, and the options (keys of the machine, parameters of policies) that differ
    between the runs, or all of them."""
    runs = _all(runs)
    names = list(dict.fromkeys(name for run in runs for name in run.get("options") or {}))
    absent = object()

    def differs(name):
        first = (runs[0].get("options") or {}).get(name, absent)
        return any((run.get("options") or {}).get(name, absent) != first for run in runs)

    kept = [name for name in names if all_of_them or differs(name)]
    rows = []
    for run in runs:
        row, own = _names(run), run.get("options") or {}
        row.update(("option." + name if name in NAMES else name, own.get(name)) for name in kept)
        rows.append(row)
    return table(_rows(rows), frame)
