#!/usr/bin/env python3
"""Builds the programs of NVIDIA's cuda-samples and runs them under heddle exec: a line for each.

usage: tools/cuda-samples.py [--limit SECONDS] [--heddle PROGRAM] [--set KEY=VALUE] FOLDER [NAME...]

FOLDER is a checked out copy of the samples; programs are built inside it with nvcc. Columns: the
sample, "built", its exit status (or why there is none), seconds, what it says about its result.
Samples that ask for OpenGL, MPI or NVIDIA's libraries of kernels are named and left out.
"""
import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import time

NEEDS = (r"CUDA::(?:cublas|cufft|cusparse|cusolver|npp|curand|nvjpeg|nvvm)|GLUT|OpenGL|\bEGL\b|"
         r"Vulkan|\bMPI\b|FreeImage|NVSCI|DIRECTX|NVVM_LIB|D3D")
VERDICT = r"(?im)^.*\b(?:test (?:passed|failed)|passed|failed|waiv\w+|result *= *\w+|not supported)\b.*$"
# Smaller problems than the samples choose themselves.
ARGUMENTS = {
    "reduction": "--n=1048576",
    "reductionMultiBlockCG": "--n=1048576",
    "MC_EstimatePiInlineP": "--sims=100000",
    "MC_SingleAsianOptionP": "--sims=100000",
    "FDTD3d": "--dimx=64 --dimy=64 --dimz=64 --timesteps=3",
    "radixSortThrust": "-n=65536",
    "simpleStreams": "--nreps=2",
}


def find(folder, names):
    samples = os.path.join(folder, "Samples")
    for at, folders, files in sorted(os.walk(samples)):
        if "CMakeLists.txt" in files and at.count(os.sep) == samples.count(os.sep) + 2:
            if not names or os.path.basename(at) in names:
                yield at


def nvcc(at, words, log):
    return not subprocess.run(["nvcc", "-I../../../Common", "-Iinc", "-arch=sm_75", "-w"] + words,
                              cwd=at, stdout=log, stderr=subprocess.STDOUT, check=False).returncode


def build(at):
    """None, or why there is no program."""
    name = os.path.basename(at)
    with open(os.path.join(at, "CMakeLists.txt"), encoding="utf-8") as f:
        recipe = re.sub(r"(?m)^\s*#.*", "", f.read())
    missing = re.search(NEEDS, recipe)
    made = re.search(r"add_executable\s*\(\s*\S+\s+([^)]*)\)", recipe)
    if missing or not made:
        return "needs " + missing.group(0) if missing else "no program"
    sources = [s.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "") for s in made.group(1).split()]
    words = ["-cudart", "shared", "-std=c++17", "--extended-lambda", "-o", name]
    words += [s for s in sources if re.search(r"\.(cu|cpp|c|cc)$", s)]
    words += ["-L" + os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/lib64/stubs", "-lcuda"]
    for word, flags in (("nvrtc", "-lnvrtc"), ("OpenMP", "-Xcompiler -fopenmp"),
                        ("nvJitLink", "-lnvJitLink"), ("cdp", "-rdc=true -lcudadevrt")):
        if word in recipe or word in name:
            words += flags.split()
    with open(os.path.join(at, name + ".log"), "w", encoding="utf-8") as log:
        good = nvcc(at, words, log)
        for kernel in re.findall(r"CMAKE_CURRENT_SOURCE_DIR\}/(\w+)\.cu\b", recipe):
            for kind in ("fatbin", "ptx") if re.search("-fatbin|-ptx", recipe) else ():
                base = kernel.replace("_kernel", "_kernel64")
                good &= nvcc(at, ["-" + kind, "-o", base + "." + kind, kernel + ".cu"], log)
    return None if good else "does not build: see " + name + ".log"


def run(at, options):
    name = os.path.basename(at)
    words = [options.heddle, "exec", "--functional-only", "--quiet"]
    words += [w for s in options.set for w in ("--set", s)]
    words += ["--", "./" + name] + shlex.split(ARGUMENTS.get(name, ""))
    start = time.time()
    with subprocess.Popen(words, cwd=at, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True) as child:
        try:
            text, status = child.communicate(timeout=options.limit)[0], child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            text, status = child.communicate()[0], "limit"
    said = re.findall(VERDICT, text.decode(errors="replace"))
    return status, time.time() - start, said[-1].strip()[:80] if said else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=120, help="seconds for a program")
    parser.add_argument("--heddle", default="build/release/heddle")
    parser.add_argument("--set", action="append", default=[], help="as heddle exec --set")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.heddle = os.path.abspath(options.heddle)
    for at in find(options.folder, options.names):
        name = "/".join(at.split(os.sep)[-2:])
        missing = build(at)
        if missing:
            print(name, missing, sep="\t", flush=True)
            continue
        status, seconds, said = run(at, options)
        print(name, "built", status, f"{seconds:.1f}", said, sep="\t", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
