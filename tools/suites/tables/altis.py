"""Altis: Rodinia and SHOC brought up to date, with one driver. Small sizes; inputs made as its scripts do."""
import inputs
from runner import Program

TITLE, SOURCE = "Altis", "utcs-scea/altis 042e2926d"
COMMON = tuple("$/src/common/" + f for f in ("OptionParser.cpp", "Option.cpp", "ResultDatabase.cpp", "Timer.cpp",
                                             "CTimer.cpp", "ProgressBar.cpp"))
TABLE = {
    "level0/busspeeddownload": ("BusSpeedDownload.cu", "", ""),
    "level0/busspeedreadback": ("BusSpeedReadback.cu", "", ""),
    "level0/devicememory": ("DeviceMemory.cu", "", ""),
    "level0/maxflops": ("MaxFlops.cu", "", ""),
    "level1/bfs": ("bfs.cu", "", "-i $SUITE/data/bfs/bfs_1024"),
    "level1/gemm": ("Gemm.cu", "-lcublas", ""),
    "level1/gups": ("gups.cu", "-lcurand", "--shifts 12"),
    "level1/pathfinder": ("pathfinder.cu", "", "--rows 32 --cols 512 --pyramidHeight 4 --instances 2"),
    "level1/sort": ("Sort.cu sort_kernel.cu", "", "-s 1"),
    "level2/cfd": ("euler3d.cu", "", "-i $SUITE/heddle-inputs/cfd.txt"),
    "level2/dwt2d": ("dwt_main.cu dwt.cu components.cu dwt_cuda/common.cu dwt_cuda/fdwt53.cu dwt_cuda/fdwt97.cu "
                     "dwt_cuda/rdwt53.cu dwt_cuda/rdwt97.cu data/bmp.cpp", "-Idata -rdc=true",
                     "-i $SUITE/heddle-inputs/image.bmp --pixWidth 64 --pixHeight 64"),
    "level2/fdtd2d": ("fdtd2d.cu", "", "-s 1 --compare"),
    "level2/kmeans": ("kmmain.cu kmeansraw.cu", "", "-i $SUITE/data/kmeans/2048_16.txt --rank 16 --centers 16 "
                                                    "--steps 2 --verify"),
    "level2/lavamd": ("lavaMD.cu kernel/kernel_gpu_cuda_wrapper.cu util/timer/timer.c", "-Iutil -Ikernel",
                      "--boxes1d 2"),
    "level2/mandelbrot": ("mandelbrot.cu", "-rdc=true -lcudadevrt", "--imageSize 64 --iterations 32"),
    "level2/nw": ("needle.cu", "", "--dimensions 64 --penalty 10"),
    "level2/particlefilter-float": ("ex_particle_CUDA_float_seq.cu", "", "-x 32 -y 32 -f 2 --np 128"),
    "level2/particlefilter-naive": ("ex_particle_CUDA_naive_seq.cu", "", "-x 32 -y 32 -f 2 --np 128"),
    "level2/raytracing": ("raytracing_cuda/raytracing.cu", "-lcurand", "--X 32 --Y 32 --samples 1"),
    "level2/srad": ("srad.cu", "-rdc=true -lcudadevrt", "--imageSize 64 --speckleSize 16 --iterations 2"),
    "level2/where": ("where.cu", "", "--length 1024 --coverage 50"),
}


def programs(folder):
    found = []
    inputs.write(folder, "config.h", "#define HAVE_CLOCK_GETTIME 1\n#define HAVE_GETTIMEOFDAY 1\n")

    def prepare(_at):
        inputs.write(folder, "cfd.txt", inputs.cfd())
        inputs.write(folder, "image.bmp", inputs.bmp(64, 64))

    for name, (sources, flags, run) in TABLE.items():
        at = "src/cuda/" + name.split("-")[0]
        found.append(Program(name.split("/")[1], at, tuple(sources.split()) + ("../../common/main.cu",) +
                             tuple(f.replace("$/src/", "../../../") for f in COMMON),
                             f"-O2 -std=c++11 -I. -I../../common -I../../../common -I{folder}/heddle-inputs " + flags,
                             run="-n 1 " + run, prepare=prepare, right=r"(?i)passed|correct|matches", wrong=r"(?i)\bfailed\b|incorrect|mismatch"))
    return found + [Program("yolo", needs="cuBLAS, cuRAND")]
