#!/usr/bin/env python3
"""Compares heddle's estimate of registers per thread with ptxas, on kernels of any programs.

usage: tools/compare-regs.py [--out FOLDER] [--split] [--set KEY=VALUE]... [-I FOLDER]... FOLDER|FILE...

Every .cu file that compiles alone (nvcc -ptx for compute_75) and every .ptx file below the folders
is a module; ptxas -v for sm_75 says what its kernels take, and 'heddle ptx regs' what heddle thinks
and how many thread blocks of an SM follow from either. Blocks have the threads of their launch
bounds, else 256; shared memory is the static part. Kernels whose text is one instruction, those of
CUB and Thrust, kernels that were met before, and more than eight of one file are left out, so that
no program decides alone. What nvcc or heddle refuses is counted.

--out FOLDER  keep PTX and ptxas's numbers there; what is there already is not compiled again
--split       two lines, programs by the SHA-1 of their folder: half of them to choose numbers by
--jobs N      compilers at once (default 2)

nvcc and ptxas are looked for in $CUDA_HOME/bin, in the path and in /usr/local/cuda/bin.
"""
import argparse
import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

MOST_OF_A_FILE = 8


def tool(name):
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    path = shutil.which(name, path=f"{home}/bin:{os.environ.get('PATH', '')}:/usr/local/cuda/bin")
    if not path:
        sys.exit(f"compare-regs.py: {name} is not there; set CUDA_HOME to a CUDA toolkit")
    return path


def sources(roots):
    for root in roots:
        if os.path.isfile(root):
            yield os.path.abspath(root)
        elif os.path.isdir(root):
            for folder, folders, files in os.walk(root):
                folders.sort()
                yield from (os.path.abspath(os.path.join(folder, f)) for f in sorted(files) if f.endswith((".cu", ".ptx")))
        else:
            sys.exit(f"compare-regs.py: {root}: no such file or folder")


def run(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return None


def compile_one(path, out, includes):
    """PTX and its .regs in the folder out; None, or what failed."""
    stem = os.path.join(out, hashlib.sha1(path.encode()).hexdigest()[:16])
    ptx, regs = stem + ".ptx", stem + ".regs"
    if os.path.exists(regs):
        return path, ptx
    if path.endswith(".ptx"):
        shutil.copyfile(path, ptx)
    else:
        with open(path, errors="replace") as f:
            if "__global__" not in f.read():
                return path, None
        here = os.path.dirname(path)
        near = [here, f"{here}/..", f"{here}/include", f"{here}/../include", f"{here}/../common"]
        wanted = [x for i in near + includes for x in ("-I", i)]
        done = run([NVCC, "-ptx", "-arch=compute_75", "-std=c++17", "-w", *wanted, "-o", ptx, path])
        if not done or done.returncode:
            return path, None
    done = run([PTXAS, "-v", "-arch=sm_75", "-o", "/dev/null", ptx])
    if not done or done.returncode:
        return path, None
    lines, kernel = [], None
    for line in done.stderr.splitlines():
        entry = re.search(r"entry function '([^']*)'", line)
        used = re.search(r"Used (\d+) registers", line)
        kernel = entry.group(1) if entry else kernel
        if used and kernel:
            shared = re.search(r"(\d+) bytes smem", line)
            lines.append(f"kernel {kernel} regs {used.group(1)} smem {shared.group(1) if shared else 0}\n")
            kernel = None
    with open(regs, "w") as f:
        f.writelines(sorted(lines))
    return path, ptx


def kernels_of(ptx, options):
    done = run([HEDDLE, "ptx", "regs", *options, ptx])
    if not done or done.returncode:
        return None
    rows = [line.split() for line in done.stdout.splitlines()]
    rows = [r for r in rows if len(r) == 9 and r[0] != "KERNEL" and not re.match("_ZN(3cub|6thrust)", r[0])]
    return [(r[0], int(r[2]), int(r[3]), int(r[5]), int(r[6]), int(r[7])) for r in rows]


def report(name, rows, programs):
    n = len(rows)
    if not n:
        print(f"{name}: no kernels")
        return
    same = sum(r[4] == r[5] for r in rows)
    refused = sum(r[4] == 0 < r[5] for r in rows)
    error = sorted(r[2] - r[3] for r in rows)
    print(f"{name}: {n} kernels of {len(programs)} programs, {same} with as many blocks ({100 * same / n:.1f} %), "
          f"{refused} refused that ptxas lets run; registers too many: 5 % {error[n // 20]}, "
          f"median {error[n // 2]}, 95 % {error[19 * n // 20]}")


def main():
    global NVCC, PTXAS, HEDDLE
    p = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__.split("\n")[0])
    p.add_argument("roots", nargs="+", metavar="FOLDER")
    p.add_argument("--out")
    p.add_argument("--split", action="store_true")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--heddle", default="./heddle")
    p.add_argument("--set", action="append", default=[])
    p.add_argument("-I", dest="includes", action="append", default=[])
    o = p.parse_args()
    NVCC, PTXAS, HEDDLE = tool("nvcc"), tool("ptxas"), o.heddle
    if not shutil.which(HEDDLE):
        sys.exit(f"compare-regs.py: {HEDDLE} is not there; build it, or name it with --heddle")
    with tempfile.TemporaryDirectory() as work:
        out = o.out or work
        os.makedirs(out, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
            done = list(pool.map(lambda f: compile_one(f, out, o.includes), sources(o.roots)))
        seen, groups, refused = set(), {}, []
        options = [x for s in o.set for x in ("--set", s)]
        for path, ptx in done:
            if not ptx:
                continue
            kernels = kernels_of(ptx, options)
            if kernels is None:
                refused.append(path)
                continue
            program, taken = os.path.dirname(path), 0
            half = int(hashlib.sha1(program.encode()).hexdigest(), 16) % 2
            name = ("chosen by", "others")[half] if o.split else "all"
            for k in kernels:
                if k[1] and k[:4] not in seen and taken < MOST_OF_A_FILE:
                    seen.add(k[:4])
                    taken += 1
                    groups.setdefault(name, []).append((program, k))
        for name, rows in sorted(groups.items()):
            report(name, [r[1] for r in rows], {r[0] for r in rows})
        print(f"{sum(not ptx for _, ptx in done)} files do not compile alone or have no kernel, heddle refuses {len(refused)}")
        for path in refused:
            print(f"heddle refuses {path}")


if __name__ == "__main__":
    main()
