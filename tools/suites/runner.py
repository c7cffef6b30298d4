"""Builds one program of a suite, runs it under heddle exec and says what came of it."""
import dataclasses
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# What a program says about its own result, unless its suite knows better.
RIGHT = r"(?i)\b(?:pass(?:ed|es)?|success(?:ful(?:ly)?)?|correct|verified|valid|match(?:es|ed)?|ok)\b"
WRONG = (r"(?i)\b(?:fail(?:ed|s|ure)?|incorrect|mismatch(?:es|ed)?|not correct|wrong|invalid|differ(?:s|ent)?)\b"
         r"|\bdo(?:es)?(?: not|n't) (?:match|agree)\b")
MISSING = (r"(?i)no such file|(?:could(?: not|n't)|cannot|can't|unable to|fail(?:ed|ure)? to) (?:open|read|find|load)"
           r"(?! kernel)|error (?:opening|reading|open)|fail(?:ed)?.*\bfile\b|\bnot found\b.*file|file.*\bnot found\b")
OURS = r"(?m)^heddle(?: exec| cc)?: "

# Programs that end so do not run by heddle's fault, or by nobody's.
CAUSES = {
    "library": "needs a library or header that is not heddle's: NVIDIA's libraries of kernels, MPI, OpenGL, ...",
    "compiler": "does not compile",
    "input": "an input file is missing",
    "unsupported": "asks for something that heddle does not have",
    "wrong": "its own comparison of the result fails",
    "hang": "heddle stopped a kernel that waits for ever",
    "fault": "heddle stopped a kernel: a fault in it",
    "slow": "not finished in the time it was given",
    "crash": "ended by a signal",
    "status": "ended with a status of its own that is not 0",
}


@dataclasses.dataclass
class Program:
    """A program of a suite. Files are relative to `folder`, which is relative to the suite."""
    name: str
    folder: str = "."
    sources: tuple = ()     # files for the compiler
    flags: str = ""         # its options, as the suite's own makefile gives them
    make: str = ""          # instead of sources: a command; CC, ARCH, ROOT, OUT stand for compiler and so on
    made: str = ""          # the program that `make` leaves
    run: str = ""           # arguments
    smaller: tuple = ()     # other arguments, for further tries when those take too long
    right: str = RIGHT
    wrong: str = WRONG
    needs: str = ""         # not tried: what it would need
    prepare: object = None  # called with the folder before the first run: makes input files
    after: object = None    # called with the folder of the build after a run: what it returns is read as the output's end
    status: int = 0         # its exit status when all is well
    timed: bool = False     # its blocks need to run side by side: with timing always
    sets: tuple = ()        # as heddle exec --set
    plain: bool = False     # a program of today: nvcc itself, without sdk/compat/
    note: str = ""          # for the page: what is known about it
    large: bool = False     # sizes in its source keep it from being small
    files: bool = False     # it reads files that are not in the suite's copy: if it fails, for that reason
    build: str = ""         # the same for programs that differ in their arguments only


@dataclasses.dataclass
class Setting:
    suite: str
    folder: str
    work: str
    heddle: str
    compiler: str = "nvcc"
    timing: bool = False
    limit: float = 60
    build_limit: float = 600
    sets: tuple = ()


def compiler(program, setting):
    """The command in front of a program's own options."""
    if setting.compiler == "heddle":
        return [setting.heddle, "cc", "-w", "-arch=sm_75"]
    if program.plain:
        return ["nvcc", "-cudart", "shared", "-w", "-arch=sm_75"]
    return [os.path.join(ROOT, "sdk/compat/bin/nvcc"), "-w", "-arch=sm_75"]


def limited(words, cwd, log, seconds):
    """Runs words for so many seconds of processor time: status (None: too long), seconds."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 44, 1 << 44))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    end = time.monotonic() + 6 * seconds
    with open(log, "wb") as out:
        # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
        child = subprocess.Popen(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limits)
        late = False
        while True:
            pid, status, used = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end and not late:
                late = True
                os.killpg(child.pid, signal.SIGKILL)
            time.sleep(0.02)
        child.returncode = os.waitstatus_to_exitcode(status)
        try:
            os.killpg(child.pid, signal.SIGKILL)  # what it may have left behind
        except ProcessLookupError:
            pass
    spent = used.ru_utime + used.ru_stime
    if late or spent >= seconds or child.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        return None, spent
    return child.returncode, spent


def first(pattern, text):
    """The line in which pattern is found first."""
    found = re.search(pattern, text)
    if not found:
        return ""
    start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
    return text[start:end if end >= 0 else len(text)].strip()[:160]


def why_not_built(log, status):
    """cause, note of a compilation that failed."""
    if status is None:
        return "compiler", "the compiler takes too long"
    missing = re.search(r"fatal error: '?([^\s':]+)'?(?: file not found|: No such file)", log) or \
        re.search(r"cannot (?:open source file|find) \"?(-l[\w.]+|[^\s\"]+)", log)
    if missing:
        return "library", missing.group(1)
    symbol = re.search(r"undefined reference to `(cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|npp)\w*", log)
    if symbol:
        return "library", symbol.group(1)
    note = first(r"\berror\b|undefined reference|\*\*\*", log)
    return "compiler", re.sub(r"^[^\s:(]*/", "", note) or f"status {status}"


def build(program, setting, place):
    """{"built": True} or with cause and note; the program is place/program."""
    goal, log = os.path.join(place, "program"), os.path.join(place, "build.log")
    cwd = os.path.normpath(os.path.join(setting.folder, program.folder))
    if os.path.exists(goal):
        return {"built": True}
    os.makedirs(place, exist_ok=True)
    if not os.path.isdir(cwd):
        return {"built": False, "cause": "input", "note": "the suite has no folder " + program.folder}
    words = compiler(program, setting)
    if program.make:
        env = f"CC='{' '.join(words)}' ARCH=sm_75 SUITE='{setting.folder}' ROOT='{ROOT}' OUT='{goal}'; "
        status, spent = limited(["bash", "-c", env + program.make], cwd, log, setting.build_limit)
        made = os.path.join(cwd, program.made)
        if status == 0 and program.made and os.path.exists(made):
            shutil.move(made, goal)
    else:
        status, spent = limited(words + ["-o", goal] + program.flags.split() + list(program.sources),
                                cwd, log, setting.build_limit)
    if status == 0 and os.path.exists(goal):
        return {"built": True, "seconds": round(spent, 1)}
    with open(log, encoding="utf-8", errors="replace") as text:
        cause, note = why_not_built(text.read(), status)
    return {"built": False, "cause": cause, "note": note}


def verdict(program, status, text):
    """What a run shows: {"status": ..., "check": right, wrong or none, "cause": ..., "note": ...}."""
    result = {"status": status}
    ours = first(OURS, text)
    status = 0 if status == program.status else status
    died = re.search(r"(?m)heddle: .*: (Aborted|Segmentation fault|Bus error|Floating point exception)", text)
    if status is None:
        result.update(cause="slow")
    elif status and program.files:
        result.update(cause="input", note=first(MISSING, text))
    elif re.search(r"heddle: .* has machine code only", text) and not re.search(program.right, text):
        result.update(cause="library", note=re.sub(r"^heddle: (.*) has machine code only.*", r"\1", first(
            r"heddle: .* has machine code only", text)))
    elif status and re.search(r"cuBLAS ERROR", text):
        result.update(cause="library", note="cuBLAS")
    elif re.search(program.wrong, text) and not re.search(MISSING, first(program.wrong, text)):
        result.update(cause="wrong", check="wrong", note=first(program.wrong, text))
    elif died:
        result.update(cause="crash", note=died.group(1))
    elif re.search(OURS + r".*\b(?:livelock|deadlock|waits? for ever|no warp can|hang)", text):
        result.update(cause="hang", note=ours)
    elif not (status == 0 and re.search(program.right, text)) and \
            re.search(OURS + r".*\b(?:fault|trap|misaligned|outside|out of bounds)\b", text):
        result.update(cause="fault", note=ours)
    elif status and re.search(r"(?i)\bwaiv", text):
        result.update(cause="unsupported", note=first(r"(?i)\bwaiv", text))
    elif status and ours:
        result.update(cause="unsupported", note=ours)
    elif re.search(MISSING, text) and (status or re.search(program.wrong, text)):
        result.update(cause="input", note=first(MISSING, text))
    elif status < 0 or 128 < status < 193:
        result.update(cause="crash", note=f"signal {-status if status < 0 else status - 128}")
    elif status:
        result.update(cause="status", note=(text.strip().splitlines() or [""])[-1].strip()[:160])
    if "cause" not in result:
        result["check"] = "right" if program.right and re.search(program.right, text) else "none"
    return result


def run(program, setting, place):
    """place is the program's folder; a log is named by the program, because several may share it."""
    cwd = os.path.normpath(os.path.join(setting.folder, program.folder))
    log = os.path.join(place, program.name.replace("/", "_") + (".timing" if setting.timing else ".functional") + ".log")
    if program.prepare:
        program.prepare(cwd)
    words = [setting.heddle, "exec", "--quiet", "--gpu", "gtx480"]
    words += [] if setting.timing or program.timed else ["--functional-only"]
    words += [w for s in (*setting.sets, *program.sets) for w in ("--set", s)]
    words += ["--", os.path.join(place, "program")]
    for arguments in (program.run, *program.smaller):
        status, spent = limited(words + shlex.split(arguments.replace("$SUITE", setting.folder)), cwd, log, setting.limit)
        with open(log, encoding="utf-8", errors="replace") as text:
            # Where the copy of the suite lies is no business of the page.
            said = text.read(1 << 22).replace(os.path.abspath(setting.folder), "FOLDER")
        if program.after and status == program.status:
            said += "\n" + program.after(place)
        result = verdict(program, status, said)
        result["seconds"] = round(spent, 1)
        if arguments != program.run:
            result["arguments"] = arguments
        if result.get("cause") != "slow":
            break
    if result.get("cause") == "slow" and program.large:
        result["note"] = "its source fixes how much it does"
    return result
