"""RSBench: the same as XSBench by multipoles. It hashes its results and knows the right hash of its own sizes."""
from runner import Program

TITLE, SOURCE = "RSBench", "ANL-CESAR/RSBench 34b644787"
FILES = ("main.cu", "simulation.cu", "io.cu", "init.cu", "material.cu", "utils.cu")
HASH = "7061"  # what openmp-threading of the same suite computes on the host with these arguments


def programs(_folder):
    return [Program(f"kernel{k}", "cuda", FILES, "-O3 -std=c++14", build="RSBench", status=1,
                    run=f"-s small -l 2000 -m event -k {k}", right=fr"checksum: {HASH}\b",
                    wrong=fr"checksum: (?!{HASH}\b)") for k in range(2)]
