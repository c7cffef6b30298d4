"""ISPASS-2009, the programs of the first paper about GPGPU-Sim."""
from runner import Program

TITLE, SOURCE = "ISPASS-2009", "gpgpu-sim/ispass2009-benchmarks"
NONE = r"(?!)"


def programs(_folder):
    return [
        Program("AES", "AES", ("aesHost.cu", "aescuda.cpp", "aesCudaUtils.cpp"), "-O2 -I. -lboost_filesystem -lboost_system",
                run="e 128 data/output.bmp data/key128.txt", right=NONE),
        Program("BFS", "BFS", ("bfs.cu",), "-O2 -I.", run="data/graph4096.txt", right=NONE),
        Program("CP", "CP/benchmarks/cp/src/cuda_short", ("main.cu", "cuenergy_pre8_coalesce.cu", "../../../../common/src/parboil.c"),
                "-O2 -I../../../../common/include", right=NONE),
        Program("LIB", "LIB", ("libor.cu",), "-O2 -I.", right=r"(?i)passed"),
        Program("LPS", "LPS", ("laplace3d.cu", "laplace3d_gold.cpp"), "-O2 -I.",
                run="--nx=128 --ny=128 --nz=128 --repeat=2", right=r"(?i)passed|rms error *= *0"),
        Program("MUM", "MUM", ("mummergpu.cu", "mummergpu_main.cpp", "mummergpu_gold.cpp", "suffix-tree.cpp",
                               "PoolMalloc.cpp"), "-O2 -I. -include unistd.h -Xcompiler -fno-delete-null-pointer-checks",
                run="data/NC_003997.20k.fna data/NC_003997_q25bp.50k.fna", right=NONE),
        Program("NN", needs="images that are fetched elsewhere"),
        Program("NQU", "NQU", ("nqueen.cu",), "-O2 -I.", right=r"(?i)passed"),
        Program("RAY", "RAY", ("rayTracing.cu", "EasyBMP.cpp", "makebmp.cpp"), "-O2 -I.", run="32 32", right=NONE),
        Program("STO", "STO", ("main.cu", "storeGPU.cu", "storeCPU.cpp", "md5_cpu.cpp", "sha1_cpu.cpp"), "-O2 -I.",
                right=r"(?i)passed"),
        Program("DG", needs="MPI"),
        Program("WP", needs="a Fortran program around it"),
    ]
