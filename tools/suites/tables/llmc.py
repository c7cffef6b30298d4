"""llm.c: training of GPT-2 by hand-written kernels; dev/cuda has each kernel with a check against the host."""
import glob
import os
import re

from runner import Program

TITLE, SOURCE = "llm.c (dev/cuda)", "karpathy/llm.c f1e2ace65"


def programs(folder):
    """Every kernel file; a program takes the number of its variant, of which the first two are tried."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "dev/cuda/*.cu"))):
        name = os.path.basename(path)[:-3]
        with open(path, encoding="utf-8") as f:
            variants = sorted({int(n) for n in re.findall(r"\n\s*case (\d+):", f.read())})[:2] or [1]
        for variant in variants:
            found.append(Program(f"{name}-{variant}", "dev/cuda", (name + ".cu",),
                                 "-O3 --use_fast_math -std=c++17", run=str(variant), plain=True, build=name,
                                 right="All results match|Results match", wrong="Mismatch"))
    return found + [Program("train_gpt2_fp32", ".", ("train_gpt2_fp32.cu",), "-O3 -std=c++17", plain=True),
                    Program("test_gpt2", ".", ("test_gpt2.cu",), "-O3 -std=c++17", plain=True)]
