"""Chai: host and GPU work on the same data at the same time; each program compares with a host version."""
from runner import Program

TITLE, SOURCE = "Chai (CUDA-D and CUDA-U)", "chai-benchmarks/chai 1ad38e360"
RUN = {
    "BFS": "-g 4 -i 128 -w 0 -r 1", "BS": "-n 8 -w 0 -r 1", "CEDD": "-w 0 -r 2", "CEDT": "-w 0 -r 2",
    "HSTI": "-n 4096 -w 0 -r 1", "HSTO": "-n 4096 -w 0 -r 1", "PAD": "-m 64 -n 63 -w 0 -r 1",
    "RSCD": "-w 0 -r 1 -m 20", "RSCT": "-w 0 -r 1 -m 20", "SC": "-n 4096 -w 0 -r 1", "SSSP": "-g 4 -i 128 -w 0 -r 1",
    # A block's first thread fetches the next task before its other warps have read this one: blocks of one warp.
    # TQ reads 512 numbers into a buffer of as many as there are tasks.
    "TQ": "-s 640 -q 320 -g 4 -i 32 -n 2 -w 0 -r 1", "TQH": "-s 4 -q 2 -g 2 -i 32 -w 0 -r 1", "TRNS": "-m 24 -n 24 -w 0 -r 1",
}


def programs(_folder):
    found = []
    for form in ("CUDA-D", "CUDA-U"):
        for name, run in RUN.items():
            found.append(Program(f"{form}/{name}", f"{form}/{name}", ("main.cpp", "kernel.cpp", "kernel.cu"),
                                 "-O2 -std=c++11 -include vector" + (" -DCUDA_8_0" if form == "CUDA-U" else ""), run=run,
                                 right=r"Test Passed", wrong=r"(?i)test failed|does not match",
                                 needs="its input of roads, which is fetched elsewhere" if name in ("BFS", "SSSP") else ""))
    return found
