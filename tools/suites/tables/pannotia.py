"""Pannotia: graphs, in the CUDA form of gpu-app-collection; graphs are made."""
import inputs
from runner import Program

TITLE, SOURCE = "Pannotia (CUDA)", "accel-sim/gpu-app-collection 52c11fbcc"
# name: folder, source, arguments; 1 is the format of METIS, 0 and no number that of DIMACS
TABLE = {
    "bc": ("bc", "BC.cu", "$IN/graph.gr"),
    "color_max": ("color", "coloring_max.cu", "$IN/graph.metis 1"),
    "color_maxmin": ("color", "coloring_maxmin.cu", "$IN/graph.metis 1"),
    "fw": ("fw", "Floyd-Warshall.cu", "$IN/graph.gr"),
    "fw_block": ("fw", "Floyd-Warshall-Block.cu", "$IN/graph.gr"),
    "mis": ("mis", "mis.cu", "$IN/graph.metis 1"),
    "pagerank": ("pagerank", "pagerank.cu", "$IN/graph.metis 1"),
    "pagerank_spmv": ("pagerank", "pagerank_spmv.cu", "$IN/graph.metis 1"),
    "sssp": ("sssp", "sssp_csr.cu", "$IN/graph.gr 0"),
    "sssp_ell": ("sssp", "sssp_ell.cu", "$IN/graph.gr 0"),
}


def programs(folder):
    def prepare(_at):
        inputs.write(folder, "graph.gr", inputs.dimacs())
        inputs.write(folder, "graph.metis", inputs.metis())

    return [Program(name, "src/cuda/pannotia/" + at, (source, "../graph_parser/util.cpp") +
                    (("parse.cpp",) if at == "fw" else ("../graph_parser/parse.cpp",)), "-O3",
                    run=run.replace("$IN", folder + "/heddle-inputs"), prepare=prepare,
                    right=r"(?i)\bpass", wrong=r"(?i)\bfail|mismatch")
            for name, (at, source, run) in TABLE.items()]
