"""XSBench: lookups of neutron cross sections. It hashes its results and knows the right hash of its sizes."""
from runner import Program

TITLE, SOURCE = "XSBench", "ANL-CESAR/XSBench ba08e5221"
FILES = ("Main.cu", "io.cu", "Simulation.cu", "GridInit.cu", "XSutils.cu", "Materials.cu")


def programs(_folder):
    """Its kernels, from the plain one to those that sort the lookups first. So few lookups have no known hash."""
    return [Program(f"kernel{k}", "cuda", FILES, "-O3 -std=c++14", build="XSBench", right=r"\(Valid\)", wrong=r"(?!)",
                    run=f"-s small -g 100 -l 2000 -m event -k {k}") for k in range(7)]
