"""SHOC: small kernels with one driver, size class 1, one pass. Level 0 measures only."""
import os

from runner import Program

TITLE, SOURCE = "SHOC", "vetter/shoc 0aea03beb"
INCLUDES = "-O2 -I../../../common -I../../common -I../../../../heddle-config -I."
COMMON = tuple("../../../common/" + f for f in ("OptionParser.cpp", "Option.cpp", "ResultDatabase.cpp", "Timer.cpp",
                                                "CTimer.cpp", "ProgressBar.cpp", "InvalidArgValue.cpp"))
STENCIL = tuple("../../../common/" + f for f in (
    "SerialStencilUtil.cpp", "StencilUtil.cpp", "StencilFactory.cpp", "HostStencil.cpp", "HostStencilFactory.cpp",
    "Matrix2D.cpp", "Matrix2DStatics.cpp", "Matrix2DFileSupport.cpp", "InitializeMatrix2D.cpp"))
LEVEL1 = {
    "bfs": ("BFS.cu bfs_kernel.cu ../../../common/Graph.cpp", "-s 1 -n 1"),
    "fft": ("FFT.cpp fftlib.cu", "-s 1 -n 1"),
    "gemm": ("GEMM.cpp", "-s 1 -n 1"),
    "md": ("MD.cu", "-s 1 -n 1"),
    "md5hash": ("MD5Hash.cu", "-s 1 -n 1"),
    "neuralnet": ("NeuralNet.cu", "-s 1 -n 1"),
    "reduction": ("Reduction.cu", "-s 1 -n 1 --iterations 2"),
    "scan": ("Scan.cu", "-s 1 -n 1 --iterations 2"),
    "sort": ("Sort.cu sort_kernel.cu", "-s 1 -n 1"),
    "spmv": ("Spmv.cu", "-s 1 -n 1 --iterations 1"),
    "stencil2d": ("CUDAStencil.cpp CommonCUDAStencilFactory.cpp Stencil2Dmain.cpp CUDAStencilFactory.cpp "
                  "CUDAStencilKernel.cu", "-s 1 -n 1 -w 0 --num-iters 2 --customSize 128,128"),
    "triad": ("Triad.cu", "-s 1 -n 1"),
}
RIGHT, WRONG = r"(?i)passed|test.*correct|correct", r"(?i)\bfailed\b|failure|incorrect|mismatch|invalid"


def configured(folder):
    """What configure would write; the programs read a few names of it."""
    path = os.path.join(folder, "heddle-config")
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, "config.h"), "w", encoding="utf-8") as f:
        f.write("#define HAVE_CLOCK_GETTIME 1\n#define HAVE_GETTIMEOFDAY 1\n")


def programs(folder):
    configured(folder)
    found = []

    def add(name, at, sources, run):
        found.append(Program(name, "src/cuda/" + at, tuple(sources.split()) + COMMON + ("../../common/main.cpp",),
                             INCLUDES, run=run, right=RIGHT, wrong=WRONG))

    for name, (sources, run) in LEVEL1.items():
        add(name, "level1/" + name, sources + (" " + " ".join(STENCIL) if name == "stencil2d" else ""), run)
    add("qtclustering", "level2/qtclustering", "QTC.cu libdata.cpp comm.cpp", "-s 1 -n 1 --PointCount 128")
    add("s3d", "level2/s3d", "S3D.cu", "-s 1 -n 1")
    for name in ("BusSpeedDownload", "BusSpeedReadback", "DeviceMemory", "MaxFlops"):
        one = Program(name.lower(), "src/cuda/level0", (name + ".cu", "../common/main.cpp") +
                      tuple(f[3:] for f in COMMON), INCLUDES.replace("../../../", "../../").replace(" -I../../common", " -I../common", 1)
                      + " -I../../common -I../../../heddle-config", run="-s 1 -n 1", right=r"(?!)", wrong=WRONG)
        found.append(one)
    return found
