"""llm.c: training of GPT-2 by hand-written kernels; dev/cuda has each kernel with a check against the host.

Sizes stand in the sources: each is built from a copy in which batch, sequence and repetitions are smaller. All open cuBLAS
first, also where they do not use it: a stand-in of that name whose cublasCreate succeeds must be in LD_LIBRARY_PATH.
"""
import glob
import os
import re

from runner import Program

TITLE, SOURCE = "llm.c (dev/cuda)", "karpathy/llm.c f1e2ace65"


SMALLER = (r"s/\b(int(64_t)?) B = [0-9]*;/\1 B = 2;/; s/\b(int(64_t)?) T = 1024;/\1 T = 64;/; s/\b(int(64_t)?) V = 50257;/\1 V = 5025;/; "
           r"s/repeat_times = [0-9]*;/repeat_times = 1;/; s/int num_parameters = 1048576;/int num_parameters = 65536;/")

# The first does not leave out a thread that is one too many, so there must be none; the second works in tiles of 128.
SEQUENCE = {"fused_residual_forward": 512, "trimat_forward": 128}


def programs(folder):
    """Every kernel file; a program takes the number of its variant, of which the first two are tried."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "dev/cuda/[!h]*.cu"))):
        name = os.path.basename(path)[:-3]
        with open(path, encoding="utf-8") as f:
            variants = sorted({int(n) for n in re.findall(r"\n\s*case (\d+):", f.read())})[:2] or [1]
        for variant in variants:
            less = SMALLER.replace("T = 64", f"T = {SEQUENCE.get(name, 64)}")
            make = f"sed -E '{less}' {name}.cu >heddle-{name}.cu && " \
                f"$CC -O3 --use_fast_math -std=c++17 -o $OUT heddle-{name}.cu -lcublas -lcublasLt"
            found.append(Program(f"{name}-{variant}", "dev/cuda", make=make, run=str(variant), plain=True, build=name,
                                 right="All results match|Results match", wrong="Mismatch"))
    return found + [Program("train_gpt2_fp32", ".", ("train_gpt2_fp32.cu",), "-O3 -std=c++17 -lcublas -lcublasLt", plain=True),
                    Program("test_gpt2", ".", ("test_gpt2.cu",), "-O3 -std=c++17 -lcublas -lcublasLt", plain=True)]
