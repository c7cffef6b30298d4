"""Hetero-Mark: programs that share work between host and GPU; -v compares with a host version.

<stdexcept> is put in front of its files, which forget it: older compilers had it in other headers.
"""
import glob
import os

from runner import Program

TITLE, SOURCE = "Hetero-Mark", "NUCAR-DEV/Hetero-Mark b8ea324d2"
RUN = {
    "aes": "-i input.data -k key.data",
    "be": "",
    "bs": "-x 4096",
    "bst": "-n 64 -i 8",
    "ep": "-m 2 -x 64",
    "fir": "-x 256 -y 4",
    "ga": "-i gene.data",
    "hist": "-x 4096",
    "kmeans": "-i points.data -m 4 -n 4",
    "knn": "-i knn.data",
    "pr": "-i matrix.data",
}


def inputs(folder):
    """The suite's own inputs are on a server that is gone; these have the same format and are small."""
    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    write("input.data", "".join(f"{(i * 37 + 11) % 256:02x}" for i in range(1024)))
    write("key.data", "".join(f"{i:02x}" for i in range(32)))
    # The query, then the target, which is searched in pieces of 1024 to 11 places before its end.
    write("gene.data", "".join("ACGT"[(i * 5) % 4] for i in range(64)) + "\n" +
          "".join("ACGT"[(i * i * 7 + i // 3) % 4] for i in range(2048 + 11)) + "\n")
    write("points.data", "".join(f"{i} " + " ".join(str((i * k * 13) % 101 / 7) for k in range(1, 9)) + "\n"
                                 for i in range(256)))
    write("knn.data", "".join(f"{i % 61 / 3} {i % 89 / 5}\n" for i in range(512)))
    n = 64
    write("matrix.data", f"{n * 4}\n{n}\n" + " ".join(str(4 * i) for i in range(n + 1)) + "\n" +
          " ".join(str((i * 7 + k * 11) % n) for i in range(n) for k in range(4)) + "\n" + "0.25 " * (4 * n) + "\n")


def programs(folder):
    found = []
    common = [f for f in glob.glob(folder + "/src/common/**/*.cc", recursive=True)
              if not re_test(f) and "cl_util" not in f]
    for name, run in RUN.items():
        at = os.path.join(folder, "src", name, "cuda")
        files = common + [f for f in glob.glob(os.path.join(folder, "src", name, "*.cc"))]
        files = [os.path.relpath(f, at) for f in sorted(files)]
        needs = "OpenCV" if name == "be" else ""
        found.append(Program(name, f"src/{name}/cuda", ("main.cc", f"{name}_cuda_benchmark.cu", *files),
                             f"-O2 -std=c++11 -include stdexcept -I{folder} -I.", run="-q -v -w 0 " + run, needs=needs, prepare=inputs,
                             right=r"(?i)passed|verif\w+ (?:ok|success)|correct", wrong=r"(?i)mismatch|failed|not correct|error"))
    return found


def re_test(path):
    return path.endswith("_test.cc")
