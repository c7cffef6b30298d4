"""PolyBench/GPU: linear algebra and stencils, each compared with its own CPU version."""
import glob
import os

from runner import Program

TITLE, SOURCE = "PolyBench/GPU (sgrauerg)", "sgrauerg/polybenchGpu 5584aaa7d"

# All of its own data sets are thousands of elements wide; a size of the user's takes their place. The
# names are as short as parameters of CUDA's own headers, which therefore come first.
NAMES = ("N", "M", "NI", "NJ", "NK", "NL", "NM", "NX", "NY", "NP", "NQ", "NR")
SIZES = ("#include <cuda.h>\n#include <cuda_runtime.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n" +
         "#ifndef SIZE\n#define SIZE 64\n#endif\n" + "".join(f"#define {n} SIZE\n" for n in NAMES) +
         "#define TSTEPS 2\n#define TMAX 2\n")
# They launch no block at all where an array is shorter than a block.
WIDER = ("CORR", "COVAR", "GEMVER", "MVT")


def programs(folder):
    found = []
    with open(os.path.join(folder, "sizes.h"), "w", encoding="utf-8") as f:
        f.write(SIZES)
    for makefile in sorted(glob.glob(os.path.join(folder, "CUDA/*/Makefile"))):
        at = os.path.dirname(makefile)
        sources = tuple(sorted(os.path.basename(f) for f in glob.glob(at + "/*.cu")))
        found.append(Program(os.path.basename(at), os.path.relpath(at, folder), sources,
                             f"-O2 -DPOLYBENCH_TIME -include {folder}/sizes.h" +
                             (" -DSIZE=256" if os.path.basename(at) in WIDER else ""), right=r"(?m)(?:Percent|misses): 0$",
                             wrong=r"(?:Percent|misses): [1-9]"))
    return found
