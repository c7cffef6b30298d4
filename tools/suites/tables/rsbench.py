"""RSBench: the same as XSBench by multipoles. It hashes its results."""
from runner import Program

TITLE, SOURCE = "RSBench", "ANL-CESAR/RSBench 34b644787"
FILES = ("main.cu", "simulation.cu", "io.cu", "init.cu", "material.cu", "utils.cu")


def programs(_folder):
    return [Program(f"kernel{k}", "cuda", FILES, "-O3 -std=c++14", build="RSBench",
                    run=f"-s small -l 2000 -m event -k {k}", right=r"(?!)", wrong=r"(?!)") for k in range(5)]
