"""XSBench: lookups of neutron cross sections. It hashes its results and knows the right hash of its own sizes."""
from runner import Program

TITLE, SOURCE = "XSBench", "ANL-CESAR/XSBench ba08e5221"
FILES = ("Main.cu", "io.cu", "Simulation.cu", "GridInit.cu", "XSutils.cu", "Materials.cu")
# What openmp-threading of the same suite computes on the host with these arguments. The program does not know a
# hash for so few lookups and ends with status 1.
HASH = "5675"


def programs(_folder):
    """Its kernels, from the plain one to those that sort the lookups first."""
    return [Program(f"kernel{k}", "cuda", FILES, "-O3 -std=c++14", build="XSBench", status=1,
                    right=fr"checksum: {HASH}\b", wrong=fr"checksum: (?!{HASH}\b)",
                    run=f"-s small -g 100 -l 2000 -m event -k {k}") for k in range(7)]
