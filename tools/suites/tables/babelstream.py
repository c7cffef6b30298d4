"""BabelStream: copies, scales and sums of arrays, which it checks against the exact values."""
from runner import Program

TITLE, SOURCE = "BabelStream", "UoB-HPC/BabelStream 57637d572"


def programs(_folder):
    flags = "-O3 -std=c++17 -DCUDA -D{} -DGRID_STRIDE -DUNROLL_FACTOR=4 -I. -Icuda -lnvidia-ml --extended-lambda -x cu"
    return [Program("cuda-" + memory.lower(), "src", ("cuda/CUDAStream.cu", "main.cpp"), flags.format(memory),
                    run="-s 65536 -n 3", right=r"Dot", wrong="Validation failed")
            for memory in ("DEFAULT", "MANAGED", "PAGEFAULT")] + [
        Program("thrust", "src", ("thrust/ThrustStream.cu", "main.cpp"),
                "-O3 -std=c++17 --extended-lambda -DTHRUST -DMANAGED -I. -Ithrust -x cu",
                run="-s 65536 -n 3", right=r"Dot", wrong="Validation failed", plain=True)]
