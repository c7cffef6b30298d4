"""LonestarGPU 2.0: irregular programs; graphs are made. CUB, which it wants beside itself, is nvcc's."""
import inputs
from runner import Program

TITLE, SOURCE = "LonestarGPU 2.0", "accel-sim/gpu-app-collection 52c11fbcc"
BFS = {0: "bfs", 1: "bfs-atomic", 3: "bfs-wlw", 5: "bfs-wla", 6: "bfs-wlc"}
# Blocks read what others write in the same launch, and find the levels in time only if all of them move on.
RACES = {"bfs-wlc"}
SSSP = {0: "sssp", 1: "sssp-wln", 2: "sssp-wlc"}


def programs(folder):
    def prepare(_at):
        inputs.write(folder, "graph.gr", inputs.galois())
        numbers = inputs.Numbers(13)
        inputs.write(folder, "random.cnf", "p cnf 60 180\n" + "".join(
            " ".join(str((1 + numbers.below(60)) * (1 - 2 * numbers.below(2))) for _ in range(3)) + " 0\n" for _ in range(180)))

    at, flags = "src/cuda/lonestargpu-2.0/apps/", "-O3 -I../../include"
    graph, right, wrong = folder + "/heddle-inputs/graph.gr", r"(?i)verified|errors = 0\b|passed", r"(?i)errors = [1-9]|failed"
    made = [Program(name, at + kind, ("main.cu",), f"{flags} -DVARIANT={n}", run=graph, right=right, wrong=wrong,
                    prepare=prepare, timed=name in RACES)
            for kind, which in (("bfs", BFS), ("sssp", SSSP)) for n, name in which.items()]
    return made + [
        Program("bfs-merrill", needs="back40computing"),
        # Its random numbers on the host rely on integers that wrap.
        Program("bh", at + "bh", ("main.cu",), flags + " -Xcompiler -fwrapv", run="256 1 0", right=r"(?!)", wrong=wrong),
        # What Kruskal's algorithm gives for the made graph.
        Program("mst", at + "mst", ("main.cu",), flags, run=graph, right=r"weight: 386, components: 1,",
                wrong=r"weight: (?!386,)|failed", prepare=prepare, timed=True),
        Program("sp", at + "sp", ("newsp.cu",), flags, run=folder + "/heddle-inputs/random.cnf 3", right=r"(?!)",
                wrong=wrong, prepare=prepare),
        Program("dmr", at + "dmr", ("dmr.cu",), flags, needs="meshes that are fetched elsewhere"),
        Program("pta", at + "pta", ("main.cu",), flags, needs="programs' constraints that are fetched elsewhere"),
    ]
