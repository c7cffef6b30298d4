"""program.py - finds the program heddle, runs it, and returns what it wrote."""
import os
import shutil
import subprocess
import tempfile

from .errors import Error, Failed
from .results import open_json

LIMIT = 4  # exit status: nothing is wrong, but runs ended at a limit that was asked for
WITH_RESULTS = (0, 1, 3, LIMIT)  # ... after which the JSON has runs


def find():
    """The path of the program: the environment variable HEDDLE, else the program of the tree or installation that
    this module belongs to, else the first in PATH."""
    given = os.environ.get("HEDDLE")
    if given:
        path = shutil.which(given)
        if not path:
            raise Error("HEDDLE is '%s', which is no program" % given)
        return os.path.abspath(path)
    here = os.path.dirname(os.path.realpath(__file__))
    # python/heddle in the tree; share/heddle/python/heddle where it is installed.
    for place in ("../../heddle", "../../../../bin/heddle"):
        path = os.path.normpath(os.path.join(here, place))
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    path = shutil.which("heddle")
    if not path:
        raise Error("the program heddle is neither beside this module nor in PATH; build it with 'make', or let the "
                    "environment variable HEDDLE name it")
    return os.path.abspath(path)


def _list(value):
    if value is None:
        return []
    return [str(value)] if isinstance(value, (str, os.PathLike, int)) else [str(v) for v in value]


def _value(value):
    """A value of --set: several are compared with each other."""
    if isinstance(value, bool):
        return str(int(value))
    return ",".join(_list(value))


def _words(options):
    """Options as they stand on the command line: no_host=True is --no-host; None and False are left out; a list is
    an option for each of its items."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            for item in _list(value):
                words += [option, item]
    return words


def _sets(changes):
    """--set from a dict {"l1d.ways": 8, "sm.warps": [24, 48]}, or from strings "KEY=VALUE"."""
    items = (["%s=%s" % (key, _value(value)) for key, value in changes.items()] if isinstance(changes, dict)
             else _list(changes))
    return [word for item in items for word in ("--set", item)]


def _call(words, check, cwd):
    """Runs heddle with --json; returns its runs."""
    program = find()
    with tempfile.TemporaryDirectory(prefix="heddle-") as folder:
        path = os.path.join(folder, "runs.json")
        command = [program] + words + ["--json", path]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  cwd=cwd, encoding="utf-8", errors="replace", check=False)
        except OSError as e:
            raise Error("%s: %s" % (program, e.strerror), command=command) from None
        rest = {"status": done.returncode, "command": command, "messages": done.stderr}
        said = done.stderr.strip() or "it said nothing"
        if done.returncode not in WITH_RESULTS or not os.path.exists(path):
            ended = "ended by signal %d" if done.returncode < 0 else "exit status %d"
            what = ended % abs(done.returncode)
            raise Error("%s: %s\n%s" % (" ".join(command[:2]), what, said), **rest)
        runs = open_json(path)
    bad = [r for r in runs if not r.good and not r.limited]
    if check and bad:
        names = ", ".join("%s (%s)" % (r.name, r.get("status")) for r in bad[:5])
        raise Failed("%d of %d runs failed: %s%s\n%s" % (len(bad), len(runs), names, ", ..." if len(bad) > 5 else "",
                                                        said), runs, **rest)
    return runs


def run(workload, sched=None, gpu=None, set=None, check=True, cwd=None, **options):
    """Simulates one workload; returns its Run.

    workload: a name of `heddle list workloads`, FILE.job or FILE.trace. set: changes of the machine, a dict
    {"l1d.ways": 8} or strings "l1d.ways=8". Every other option of `heddle run` is a word with _ for -, such as
    size="test", metrics=True, plugin=["./mine.so"]. check: raise Failed if the results are wrong or the program
    faults; with check=False such a run is returned. Error: heddle refuses the input.
    """
    words = ["run", os.fspath(workload)] + _words({"sched": sched, "gpu": gpu, **options}) + _sets(set or {})
    return _call(_quiet(words), check, cwd)[0]


def compare(workloads, sched, gpu=None, set=None, check=True, cwd=None, **options):
    """Simulates every workload under every scheduler on every machine, several at a time; returns a list of Run.

    workloads, sched, gpu: a word or a list; "@GROUP" is a group of workloads. set: as for run(); a key with a list
    of values is a machine for each value. Every option of `heddle compare` is a word with _ for -, such as
    size="test", jobs=2. With db="study.db" every run is stored when it ends, and not simulated again.
    """
    single = {"sched": ",".join(_list(sched)), "gpu": ",".join(_list(gpu)) or None}
    words = ["compare"] + _list(workloads) + _words({**single, **options}) + _sets(set or {})
    return _call(_quiet(words), check, cwd)


def each(workloads, sched, **rest):
    """As compare(), workload after workload: a generator that yields each Run when its workload is done. Give it
    db=FILE, and a loop that is interrupted continues there. A group ("@lfws") is one step."""
    for workload in _list(workloads):
        yield from compare(workload, sched, **rest)


def _quiet(words):
    return words if "--quiet" in words else words + ["--quiet"]
