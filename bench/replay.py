#!/usr/bin/env python3
"""What recording and replaying cost and save: CPU seconds of whole processes, best of three.

  bench/replay.py [--heddle build/release/heddle] [PROGRAM...]

A PROGRAM is a job or a workload (in size test). Without any: the shipped jobs, and kernels that are
loops of one operation, for which perf, if it is here, tells the emulator's share."""

import argparse
import json
import os
import re
import resource
import subprocess
import tempfile
from pathlib import Path

KERNEL = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k (.param .u64 pA, .param .u32 n)
{
    .reg .b64 %%rd<4>;
    .reg .b32 %%r<24>;
    .reg .pred %%p<2>;
    ld.param.u64 %%rd1, [pA];
    ld.param.u32 %%r1, [n];
    mov.u32 %%r2, %%tid.x;
    mov.u32 %%r3, %%ctaid.x;
    mad.lo.u32 %%r5, %%r3, 256, %%r2;
    add.u32 %%r6, %%r5, 7;
LOOP:
%s
    add.s32 %%r1, %%r1, -1;
    setp.gt.s32 %%p1, %%r1, 0;
    @%%p1 bra LOOP;
    mul.wide.u32 %%rd2, %%r5, 4;
    add.u64 %%rd3, %%rd1, %%rd2;
    st.global.u32 [%%rd3], %%r10;
    ret;
}
"""
OPERATIONS = {
    "rem.s32": "rem.s32 %r{}, %r6, %r2;",
    "prmt.b32": "prmt.b32 %r{}, %r6, %r5, 0x3210;",
    "fma.rn.f16x2": "fma.rn.f16x2 %r{}, %r6, %r5, %r6;",
    "vadd4.sat": "vadd4.s32.s32.s32.sat %r{}, %r6, %r5, %r3;",
    "shfl.sync.bfly": "shfl.sync.bfly.b32 %r{}, %r6, 1, 31, -1;",
    "fns.b32": "fns.b32 %r{}, %r6, 3, 5;",
    "redux.sync.add": "redux.sync.add.u32 %r{}, %r6, -1;",
}


def seconds(command):
    best = None
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        best = spent if best is None else min(best, spent)
    return max(best, 0.0005)


def emulator_share(heddle, job, work):
    """Per cent of the samples in functions of src/emu; None without perf."""
    objects = sorted(Path(heddle).resolve().parent.glob("src/emu/*.o"))
    names = subprocess.run(["nm", *objects], capture_output=True, text=True).stdout
    ours = {line.split()[2] for line in names.splitlines() if re.search(r" [tT] \S+$", line)}
    data = str(work / "perf.data")
    record = ["perf", "record", "-q", "-F", "4000", "-e", "cpu-clock:u", "-o", data]
    try:
        subprocess.run([*record, heddle, "run", job, "--quiet"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    report = subprocess.run(["perf", "report", "-i", data, "--stdio", "--sort", "symbol"],
                            capture_output=True, text=True).stdout
    rows = re.findall(r"^\s+([\d.]+)%\s+\[\.\]\s+(\w+)", report, re.MULTILINE)
    return sum(float(share) for share, name in rows if name in ours)


def row(heddle, what, name, share, work):
    trace, result, common = str(work / "t.trace"), str(work / "r.json"), ["--quiet", "--out", str(work)]
    run = [heddle, "run", *what]
    executed = seconds([*run, *common])
    recorded = seconds([*run, *common, "--record", trace])
    quick = seconds([*run, *common, "--record", trace, "--functional-only"])
    subprocess.run([*run, *common, "--record", trace, "--json", result], check=True)
    replayed = seconds([heddle, "run", trace, "--quiet"])
    insts = json.load(open(result))["totals"]["warp_insts"]
    told = f"{share:.0f} %" if share is not None else "-"
    print(f"| {name} | {told} | {executed:.3f} | {recorded:.3f} ({quick:.3f}) | {replayed:.3f} | "
          f"{executed / replayed:.2f} | {os.path.getsize(trace) / insts:.2f} |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--heddle", default="build/release/heddle")
    arguments.add_argument("programs", nargs="*")
    given = arguments.parse_args()
    print("| program | emulator | executed | recorded | replayed | executed / replayed | bytes |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for program in given.programs or sorted(map(str, Path("workloads/kernels").glob("*/*.job"))):
            size = [] if program.endswith(".job") else ["--size", "test"]
            row(given.heddle, [program, *size], Path(program).stem, None, work)
        for name, text in {} if given.programs else OPERATIONS.items():
            body = "\n".join("    " + text.format(10 + i % 8) for i in range(16))
            (work / "k.ptx").write_text(KERNEL % body)
            job = work / "k.job"
            job.write_text("ptx k.ptx\nbuf A 92160 zero\nlaunch k 90 1 1 256 1 1 0 p:A u:60\n")
            row(given.heddle, [str(job)], name, emulator_share(given.heddle, str(job), work), work)


if __name__ == "__main__":
    main()
