"""Rodinia 3.1. Its data is fetched elsewhere; tools/suites/inputs.py makes small files of the same formats."""
import os

import inputs
from runner import Program

TITLE, SOURCE = "Rodinia", "yuhc/gpu-rodinia 9c10d3ea1"
NONE = r"(?!)"
# name: folder, sources, flags, arguments, (what says right, what says wrong)
TABLE = {
    "b+tree": ("b+tree", "main.c kernel/kernel_gpu_cuda_wrapper.cu kernel/kernel_gpu_cuda_wrapper_2.cu util/timer/timer.c "
               "util/num/num.c util/cuda/cuda.cu", "-fopenmp", "file $IN/mil.txt command $IN/command.txt", NONE),
    "backprop": ("backprop", "backprop.c facetrain.c imagenet.c backprop_cuda.cu", "", "1024", NONE),
    "bfs": ("bfs", "bfs.cu", "", "$IN/graph.txt", NONE),
    "cfd-euler3d": ("cfd", "euler3d.cu", "-Dblock_length=192", "$IN/cfd.txt", NONE),
    "cfd-euler3d_double": ("cfd", "euler3d_double.cu", "-Dblock_length=192", "$IN/cfd.txt", NONE),
    "cfd-pre_euler3d": ("cfd", "pre_euler3d.cu", "-Dblock_length=192", "$IN/cfd.txt", NONE),
    "cfd-pre_euler3d_double": ("cfd", "pre_euler3d_double.cu", "-Dblock_length=192", "$IN/cfd.txt", NONE),
    "dwt2d": ("dwt2d", "main.cu dwt.cu components.cu dwt_cuda/fdwt53.cu dwt_cuda/fdwt97.cu dwt_cuda/common.cu "
              "dwt_cuda/rdwt97.cu dwt_cuda/rdwt53.cu", "-I.", "../../heddle-inputs/image.bmp -d 64x64 -f -5 -l 3", NONE),
    "gaussian": ("gaussian", "gaussian.cu", "", "-s 16", NONE),
    "hotspot": ("hotspot", "hotspot.cu", "", "64 2 2 $IN/temp_64 $IN/power_64 $IN/hotspot.out", NONE),
    "hotspot3D": ("hotspot3D", "3D.cu", "", "64 4 4 $IN/power_3d $IN/temp_3d $IN/hotspot3d.out",
                  r"Accuracy: [0-9.]+e-0[5-9]"),
    "huffman": ("huffman", "main_test_cu.cu cpuencode.cpp vlc_kernel_sm64huff.cu scan.cu pack_kernels.cu hist.cu "
                "stats_logger.cpp", "-DTESTING", "$IN/huffman.in", r"(?i)passed"),
    "kmeans": ("kmeans", "cluster.c getopt.c kmeans.c kmeans_clustering.c kmeans_cuda.cu rmse.c", "-fopenmp",
               "-o -i $IN/points.txt", NONE),
    "lavaMD": ("lavaMD", "main.c kernel/kernel_gpu_cuda_wrapper.cu util/timer/timer.c util/num/num.c util/device/device.cu",
               "-fopenmp", "-boxes1d 2", NONE),
    "lud": ("lud/cuda", "lud.cu lud_kernel.cu ../common/common.c", "-I../common", "-s 64 -v", r"LU decomposition|Verify"),
    "myocyte": ("myocyte", "main.cu", "", "10 1 0", NONE),
    "nn": ("nn", "nn_cuda.cu", "", "$IN/filelist -r 5 -lat 30 -lng 90", NONE),
    "nw": ("nw", "needle.cu", "", "64 10", NONE),
    "particlefilter-naive": ("particlefilter", "ex_particle_CUDA_naive_seq.cu", "", "-x 32 -y 32 -z 2 -np 128", NONE),
    "particlefilter-float": ("particlefilter", "ex_particle_CUDA_float_seq.cu", "", "-x 32 -y 32 -z 2 -np 128", NONE),
    "pathfinder": ("pathfinder", "pathfinder.cu", "", "1000 20 4", NONE),
    "srad_v1": ("srad/srad_v1", "main.cu", "", "2 0.5 64 64", NONE),
    "srad_v2": ("srad/srad_v2", "srad.cu", "", "64 64 0 31 0 31 0.5 2", NONE),
    "streamcluster": ("streamcluster", "streamcluster_cuda_cpu.cpp streamcluster_cuda.cu", "-I.",
                      "5 10 8 128 128 100 none $IN/streamcluster.out 1", NONE),
    "hybridsort": ("hybridsort", "main.cu bucketsort.cu mergesort.cu", "-I.", "r", NONE),
    "leukocyte": ("leukocyte/CUDA", "detect_main.c", "", "", NONE),
    "heartwall": ("heartwall", "main.cu", "", "", NONE),
    "mummergpu": ("mummergpu/src", "mummergpu.cu mummergpu_main.cpp mummergpu_gold.cpp suffix-tree.cpp PoolMalloc.cpp",
                  "-I. -include unistd.h -lcuda -fopenmp -Xcompiler -fno-delete-null-pointer-checks", "../data/shortref.fa ../data/shortqry.fa", NONE),
}
# It reads 512 bytes before its first allocation, which a GPU does not notice.
SETS = {"srad_v2": ("gpu.bounds=pages",)}
NEEDS = {"leukocyte": "a film", "heartwall": "a film"}


def prepare(folder):
    os.makedirs(folder + "/data/dwt2d", exist_ok=True)  # dwt2d puts it in front of the name that it is given
    put = lambda name, content: inputs.write(folder, name, content)
    numbers = inputs.Numbers(11)
    put("mil.txt", "1024\n" + "".join(f"{i}\n" for i in range(1024)))
    put("command.txt", "j 60 10\nk 100\n")
    put("graph.txt", inputs.rodinia_graph())
    put("cfd.txt", inputs.cfd())
    put("image.bmp", inputs.bmp(64, 64))
    put("temp_64", inputs.floats(64 * 64, 320, 340))
    put("power_64", inputs.floats(64 * 64, 0, 0.01, 2))
    put("temp_3d", inputs.floats(64 * 64 * 4, 320, 340))
    put("power_3d", inputs.floats(64 * 64 * 4, 0, 0.01, 2))
    put("huffman.in", bytes(min(numbers.below(200), numbers.below(200)) for _ in range(65536)))
    put("points.txt", "".join(f"{i} " + " ".join(f"{numbers.unit():.5f}" for _ in range(8)) + "\n" for i in range(512)))
    name = put("cane", "".join(f"{1950 + i % 60} {1 + i % 12:2d} {1 + i % 28:2d} {i % 24:2d} {i % 30:2d} NAME{i % 97:04d}  "
                               f"{numbers.unit() * 60 + 7:5.1f} {numbers.unit() * 300:5.1f} {numbers.below(99):4d} "
                               f"{numbers.below(9):4d}\n" for i in range(256)))
    put("filelist", name + "\n")


def programs(folder):
    made = []
    for name, (at, sources, flags, run, right) in TABLE.items():
        flags = flags.replace("-fopenmp", "-Xcompiler -fopenmp")
        made.append(Program(name, "cuda/" + at, tuple(sources.split()), "-O2 " + flags,
                            run=run.replace("$IN", folder + "/heddle-inputs"), right=right, needs=NEEDS.get(name, ""),
                            wrong=r"(?i)mismatch|dismatch|\bdiffers?\b|Accuracy: [0-9.]+e-0[0-4]|FAILED",
                            prepare=lambda _at: prepare(folder), sets=SETS.get(name, ())))
    return made
