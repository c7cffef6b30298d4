"""HeCBench: hundreds of small programs with makefiles of one form; their own small or `run` arguments, less of them."""
import glob
import os
import re
import shlex

from runner import Program

TITLE, SOURCE = "HeCBench", "zjin-lcf/HeCBench f27000a51"
LIBRARIES = re.compile(r"-l(cublas\w*|cufft\w*|curand|cusparse|cusolver\w*|cudnn|nccl|nvshmem|mpi\w*|cutensor|boost\w*|gsl|"
                       r"nvjpeg|npp\w+|gdal|sqlite3|png|jpeg|opencv\w*)|\bmpicxx\b|MPI_ROOT|nvc\+\+")


RIGHT = r"\bPASS\b|PASSED|(?i:\bsuccess\b|\bpassed\b|results? (?:are )?correct|verified|returned OK)"
WRONG = r"\bFAIL(?:ED|URE)?\b|(?i:\bfail(?:ed)?\b|mismatch|incorrect(?! \w+: 0\b)|\berror at\b)"
NEEDS = dict.fromkeys(("attention-paged", "reshapeKVCache"), "bfloat16 of an sm_80")
# The first divides the blocks that the machine can hold by 16. The second needs two blocks of 1024 threads on an SM.
# The others access what is just behind their memory, which a GPU does not notice.
MACHINE = {"attentionMultiHeadKVCache": ("sm.sms=30",), "mpc": ("sm.warps=64",),
           "histogram": ("gpu.bounds=pages",), "lci": ("gpu.bounds=pages",)}
STATUS = {"rsbench": 1}  # the known checksum is that of larger arguments


def arguments(makefile):
    """Of the makefile's rule `run`: the first program's, with repetitions cut down to one."""
    found = re.search(r"(?m)^run\s*:.*\n\t(?:.*[ /])?\$\((?:program|LAUNCHER)\).*$", makefile)
    line = found.group(0).splitlines()[-1] if found else ""
    words = re.sub(r"^.*\$\(program\)", "", line).split(">")[0].split("|")[0].split()
    words = [w for w in words if not w.startswith("$") and not w.startswith("./main")]
    if words and re.fullmatch(r"1\d*|\d*0+", words[-1]) and len(words) > 0:
        words[-1] = "1"
    return " ".join(words)


def smaller(run):
    """The same with numbers of thousands and more cut down to about a thousand, and with those above 100 to about 60."""
    tries = []
    for most, power, other in ((1024, "1024", "1000"), (100, "64", "60")):
        words = [w if not re.fullmatch(r"\d+", w) or int(w) <= most else
                 power if int(w) & (int(w) - 1) == 0 or int(w) % 1024 == 0 else other for w in run.split()]
        if words != run.split() and " ".join(words) not in tries:
            tries.append(" ".join(words))
    return tuple(tries)


def known():
    """name: (arguments, or None where the makefile's are taken; further columns), from hecbench.txt."""
    table = {}
    with open(os.path.join(os.path.dirname(__file__), "hecbench.txt"), encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#"):
                name, run, *more = line.rstrip("\n").split("\t")
                table[name] = (None if run == "-" else run, more)
    return table


def with_less(more):
    """A command that makes constants of the sources smaller, in the copy of the suite; the files as they were stay beside."""
    commands = ""
    for file, edit in zip(more[::2], more[1::2]):
        kept = shlex.quote(file + ".as-it-was")
        commands += f"cp -n {shlex.quote(file)} {kept} && sed -E {shlex.quote(edit)} {kept} >{shlex.quote(file)} && "
    return commands


def programs(folder):
    made, table = [], known()
    for makefile in sorted(glob.glob(os.path.join(folder, "src/*-cuda/Makefile"))):
        at = os.path.dirname(makefile)
        with open(makefile, encoding="utf-8", errors="replace") as f:
            text = f.read()
        missing = LIBRARIES.search(text)
        name = os.path.basename(at)[:-5]
        run, more = table.get(name, (None, []))
        files = more[-1:] == ["input"]
        more = more[:-1] if files else more
        tries = smaller(arguments(text)) if run is None else ()
        made.append(Program(
            name, os.path.relpath(at, folder), run=arguments(text) if run is None else run, smaller=tries,
            large=more == ["fixed"], files=files, sets=MACHINE.get(name, ()), status=STATUS.get(name, 0),
            needs=missing.group(0) if missing else NEEDS.get(name, ""), made="main",
            make=with_less(more) + 'make -s clean >/dev/null 2>&1; make -s CC="$CC" NVCC="$CC" ARCH=$ARCH GCC_TOOLCHAIN="" OPTIMIZE=yes',
            right=RIGHT, wrong=r"returned ERROR" if name == "assert" else WRONG))
    return made
