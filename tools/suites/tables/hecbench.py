"""HeCBench: hundreds of small programs with makefiles of one form; their own small or `run` arguments, less of them."""
import glob
import os
import re

from runner import Program

TITLE, SOURCE = "HeCBench", "zjin-lcf/HeCBench f27000a51"
LIBRARIES = re.compile(r"-l(cublas\w*|cufft\w*|curand|cusparse|cusolver\w*|cudnn|nccl|nvshmem|mpi\w*|cutensor|boost\w*|gsl|"
                       r"nvjpeg|npp\w+|gdal|sqlite3|png|jpeg|opencv\w*)|\bmpicxx\b|MPI_ROOT|nvc\+\+")


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


def programs(folder):
    made = []
    for makefile in sorted(glob.glob(os.path.join(folder, "src/*-cuda/Makefile"))):
        at = os.path.dirname(makefile)
        with open(makefile, encoding="utf-8", errors="replace") as f:
            text = f.read()
        missing = LIBRARIES.search(text)
        made.append(Program(
            os.path.basename(at)[:-5], os.path.relpath(at, folder), run=arguments(text), smaller=smaller(arguments(text)),
            needs=missing.group(0) if missing else "", made="main",
            make='make -s clean >/dev/null 2>&1; make -s CC="$CC" NVCC="$CC" ARCH=$ARCH GCC_TOOLCHAIN="" OPTIMIZE=yes',
            right=r"\bPASS\b|PASSED|(?i:\bsuccess\b|\bpassed\b|results? (?:are )?correct|verified)",
            wrong=r"\bFAIL(?:ED|URE)?\b|(?i:\bfail(?:ed)?\b|mismatch|incorrect|\berror at\b)"))
    return made
