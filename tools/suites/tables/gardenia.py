"""GARDENIA: graph kernels in several forms each, compared with host versions; a graph is made.

A function of its headers returns no value (CudaTest), which compilers of today use against it: host code is not optimised.
"""
import glob
import os

import inputs
from runner import Program

TITLE, SOURCE = "GARDENIA", "chenxuhao/gardenia 5894df11c"
# What stands behind type and name of the graph on the command line: symmetric, with edges in both directions, ...
RUN = {"bc": "0 1", "bfs": "0 1", "cc": "1 1", "pr": "0 1", "sssp": "0 1", "spmv": "0 1", "symgs": "1 1", "vc": "1",
       "scc": "0 1", "tc": "1"}


def programs(folder):
    def prepare(_at):
        inputs.write(folder, "graph.mtx", inputs.matrix_market())

    made = []
    for name, run in RUN.items():
        at = os.path.join(folder, "src", name)
        for path in sorted(glob.glob(at + "/*.cu")):
            form = os.path.basename(path)[:-3]
            if name == "scc" and form in ("bitset", "wcc"):
                continue
            sources = ["main.cc", "verifier.cc", form + ".cu"]
            sources += ["bitset.cu"] if name == "scc" else []
            sources += ["wcc.cu"] if (name, form) == ("scc", "two_phase") else []
            made.append(Program(f"{name}_{form}", "src/" + name, tuple(sources),
                                "-O0 -std=c++11 -I../../include -I. -Xcompiler -fopenmp -lgomp",
                                run=f"mtx {folder}/heddle-inputs/graph {run}", prepare=prepare,
                                right=r"Correct", wrong=r"Wrong|(?i:mismatch|failed)"))
    return made
